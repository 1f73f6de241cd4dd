# SPDX-License-Identifier: GPL-2.0-only
# The sandbox's own test: without sanitizers, which make system calls themselves.

build/native/tests/sandbox/sandbox: $(call objs,build/native,tests/sandbox/sandbox.c \
		vmm/sandbox.c lib/stop.c lib/why.c)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lseccomp -lcap-ng

.PHONY: test-sandbox
test-sandbox: build/native/tests/sandbox/sandbox
	$(Q)$<

-include build/native/tests/sandbox/sandbox.d
