# SPDX-License-Identifier: GPL-2.0-only
# Stress of Linux guests. Included by the Makefile; docs/STRESS.md.

STRESS_TIME ?= 120
STRESS_OUT := build/stress

.PHONY: stress stress-selftests stress-compare stress-range stress-plots test-stress

# The runs of the matrix, which share STRESS_TIME seconds; guests' boots come on top.
stress: all guest-linux
	@mkdir -p $(STRESS_OUT)
	$(Q)tools/stress --matrix tests/stress/default.matrix \
		--total "$(STRESS_TIME)" --json $(STRESS_OUT)/stress.json \
		--csv $(STRESS_OUT)/stress.csv

# The monitor next to QEMU/KVM, in one host, in turn.
stress-compare: all guest-linux
	$(Q)[ -d build/sysroot/qemu ] || tools/setup qemu
	@mkdir -p $(STRESS_OUT)
	$(Q)tools/stress --matrix tests/stress/peer.matrix --compare QEMU=monitor=qemu \
		paprika=monitor=paprika --json $(STRESS_OUT)/peer.json --csv $(STRESS_OUT)/peer.csv

# What a change of a range of pages costs, by its length.
stress-range: all guest-linux
	@mkdir -p $(STRESS_OUT)
	$(Q)tools/stress --matrix tests/stress/range.matrix --json $(STRESS_OUT)/range.json \
		--csv $(STRESS_OUT)/range.csv

# docs/STRESS-FIGURES.md and its plots, of what is there of the two.
stress-plots:
	$(Q)tools/bench/plots stress

# The driver itself, without guests.
test-stress:
	$(Q)tests/stress/run

# The kernel's own fork benchmark, for the scenarios kernel-*.
SELFTESTS := build/linux-6.12/tools/testing/selftests/powerpc/benchmarks
stress-selftests: $(addprefix $(STRESS_OUT)/selftests/,fork exec_target)

$(SELFTESTS)/fork.c $(SELFTESTS)/exec_target.c &:
	$(Q)tools/setup linux
STRESS_CC := $(GUEST_CC_LE) -O2 -static
$(STRESS_OUT)/selftests/fork: $(SELFTESTS)/fork.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(STRESS_CC) -pthread -o $@ $<
$(STRESS_OUT)/selftests/exec_target: $(SELFTESTS)/exec_target.c
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(STRESS_CC) -nostartfiles -o $@ $<
