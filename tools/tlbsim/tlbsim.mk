# SPDX-License-Identifier: GPL-2.0-only
# The simulator of TLB flushes. Included by the Makefile; docs/TLB.md.

TLBSIM_OBJS := $(call objs,build/native,$(sort $(wildcard tools/tlbsim/*.c)) \
	$(FLUSH_POLICY) lib/size.c lib/why.c)

.PHONY: tlbsim test-tlbsim
tlbsim: build/native/tlbsim

build/native/tlbsim: $(TLBSIM_OBJS)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

test-tlbsim: build/native/tlbsim
	$(Q)tests/tlbsim/run

-include $(TLBSIM_OBJS:.o=.d)
