# SPDX-License-Identifier: GPL-2.0-only
# Measurements. Included by the Makefile; docs/PERFORMANCE.md says what they mean.

BENCH_TOOLS := build/bench/measure build/bench/steps

.PHONY: bench bench-guest

# What this machine can tell by itself.
bench: $(PPC_OUT)/paprika
	$(Q)tools/bench/native $<

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
