# SPDX-License-Identifier: GPL-2.0-only
# Measurements. Included by the Makefile; docs/PERFORMANCE.md says what they mean.

BENCH_TOOLS := $(addprefix build/bench/,line measure pingpong steps tlbflush)

.PHONY: bench bench-plots bench-guest

# What this machine can tell by itself.
bench: $(PPC_OUT)/paprika build/bench/xics build/bench/hpt
	$(Q)tools/bench/native $^

# The same, and docs/plots and the tables of it; of bench-guest, too, if it has run.
bench-plots: $(PPC_OUT)/paprika build/bench/xics build/bench/hpt
	$(Q)tools/bench/native $^; status=$$?; \
		[ $$status -gt 1 ] || tools/bench/plots || status=$$?; exit $$status

# In the lab, exactly, next to QEMU/KVM.
bench-guest: $(PPC_OUT)/paprika guest guest-linux $(BENCH_TOOLS)
	$(Q)[ -d build/sysroot/qemu ] || tools/setup qemu
	$(Q)tools/setup exact
	$(Q)tools/bench/guest

BENCH_CC := $(if $(filter ppc64le,$(ARCH)),$(CC),$(PPC_CC))

# vfork() makes the compiler wary of every variable of its caller.
$(BENCH_TOOLS): build/bench/%: tools/bench/%.c | $(SETUP)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(BENCH_CC) -std=gnu11 -D_GNU_SOURCE -O2 $(WARN) -Wno-clobbered -static -o $@ $<

# ---- what native programs share: taking turns

TURNS_OBJS := $(call objs,build/bench,$(wildcard tools/bench/turns/*.c))

# ---- the XICS model and its variants, each in one object that shows but its table

XICS_BENCH := build/bench/xics
XICS_MODEL := $(filter-out %_fdt.c,$(wildcard devices/xics/*.c))
NATIVE_CC := $(CC) -O2 -g $(ALL_CFLAGS)

# $(call xics_variant,TABLE,FILES,FLAGS)
define xics_variant
$(XICS_BENCH).d/$(1)/%.o: %.c tools/bench/bench.mk | $(SETUP)
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$(NATIVE_CC) -DMODEL=$(1) $(3) -c -o $$@ $$<

$(XICS_BENCH).d/$(1).o: $(call objs,$(XICS_BENCH).d/$(1),$(2) tools/bench/xics/model.c)
	$$(call say,LD,$$@)
	$$(Q)$(LD) -r -o $$@ $$^
	$$(Q)$(OBJCOPY) --keep-global-symbol=$(1) $$@

XICS_BENCH_OBJS += $(XICS_BENCH).d/$(1).o
-include $(patsubst %.c,$(XICS_BENCH).d/$(1)/%.d,$(2) tools/bench/xics/model.c)
endef

OBJCOPY ?= objcopy
XICS_BENCH_OBJS := $(addprefix $(XICS_BENCH).d/,controller.o main.o memory.o single.o threads.o)
$(eval $(call xics_variant,model_itself,$(XICS_MODEL)))
$(eval $(call xics_variant,model_byte_scan,$(filter-out %/resend.c,$(XICS_MODEL)) \
	tools/bench/xics/byte_scan.c))
$(eval $(call xics_variant,model_block_lock,$(XICS_MODEL) tools/bench/xics/block_lock.c, \
	-include tools/bench/xics/block_lock.h))
$(eval $(call xics_variant,model_linear_search,$(XICS_MODEL), \
	-include tools/bench/xics/linear_search.h))

$(XICS_BENCH).d/%.o: tools/bench/xics/%.c tools/bench/bench.mk | $(SETUP)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(NATIVE_CC) -c -o $@ $<

$(XICS_BENCH): $(XICS_BENCH_OBJS) $(TURNS_OBJS)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $^ -lpthread

-include $(wildcard $(XICS_BENCH).d/*.d)

# ---- the page frame table calls

HPT_BENCH_SRCS := $(wildcard tools/bench/hpt/*.c) hcall/hpt.c mmu/hpt.c mmu/hpte.c lib/gmem.c \
	tests/unit/hpt_naive.c
HPT_BENCH_OBJS := $(call objs,build/bench,$(HPT_BENCH_SRCS))

build/bench/%.o: %.c tools/bench/bench.mk | $(SETUP)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(NATIVE_CC) -c -o $@ $<

build/bench/hpt: $(HPT_BENCH_OBJS) $(TURNS_OBJS)
	$(call say,LD,$@)
	$(Q)$(CC) -o $@ $^ -lpthread

-include $(HPT_BENCH_OBJS:.o=.d) $(TURNS_OBJS:.o=.d)
