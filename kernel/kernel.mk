# SPDX-License-Identifier: GPL-2.0-only
# Linux with the patch series, for hosts and guests. Included by the Makefile.
#
# KERNEL_PATCHES=N takes the first N patches only, 0 none; KERNEL_DEBUG=1 adds
# kernel/config/debug.config, KERNEL_KCSAN=1 kcsan.config, KERNEL_TRACE=1 trace.config.
# KERNEL_E500MC=1 is another kernel, for other processors. Each kind has a directory of its
# own: build/kernel, build/kernel-N, build/kernel-debug, build/kernel-kcsan and so on.

KERNEL_PATCHES ?= all
KERNEL_DEBUG ?=
KERNEL_KCSAN ?=
KERNEL_TRACE ?=
KERNEL_E500MC ?=
KERNEL_KINDS := $(if $(KERNEL_DEBUG),debug) $(if $(KERNEL_KCSAN),kcsan) $(if \
	$(KERNEL_TRACE),trace) $(if $(KERNEL_E500MC),e500mc)
KERNEL_SOURCE := build/linux-6.12
KERNEL_NAME := $(subst $() ,,kernel$(patsubst %,-%,$(filter-out all,$(KERNEL_PATCHES))) \
	$(patsubst %,-%,$(KERNEL_KINDS)))
KERNEL_OUT := build/$(KERNEL_NAME)
KERNEL_CONFIG := $(patsubst %,kernel/config/%.config,$(if $(KERNEL_E500MC),,host guest) \
	$(KERNEL_KINDS))
KERNEL_CROSS := $(if $(KERNEL_E500MC),powerpc64-linux-gnu-,$(if \
	$(filter ppc64le,$(ARCH)),,powerpc64le-linux-gnu-))
KERNEL_JOBS ?= 2

# ccache serves a file for all directories, if it sees no paths outside of this one.
KERNEL_ENV := CCACHE_BASEDIR=$(CURDIR)/$(KERNEL_OUT) CCACHE_NOHASHDIR=1 CCACHE_COMPRESS=1 \
	KBUILD_BUILD_USER=paprika KBUILD_BUILD_HOST=paprika KBUILD_BUILD_TIMESTAMP=2024-01-01
KERNEL_MAKE = env $(KERNEL_ENV) $(MAKE) -C $(KERNEL_OUT)/src O=$(CURDIR)/$(KERNEL_OUT) \
	$(if $(V),,-s) ARCH=powerpc LOCALVERSION=$(KERNEL_NAME:kernel%=-paprika%) \
	CROSS_COMPILE=$(KERNEL_CROSS) \
	CC="$(if $(shell command -v ccache),ccache )$(KERNEL_CROSS)gcc"

.PHONY: kernel kernel-tree kernel-compile kernel-results test-kernel test-kernel-apply \
	test-kernel-prefixes

# One build at a time in a directory: another one waits.
kernel kernel-tree kernel-compile: $(KERNEL_SOURCE)/Makefile
	$(Q)flock -n $(KERNEL_OUT).lock true || echo "$(KERNEL_OUT): waiting for the build there" >&2
	$(Q)flock -o $(KERNEL_OUT).lock $(MAKE) --no-print-directory locked-$@

.PHONY: locked-kernel locked-kernel-tree locked-kernel-compile
locked-kernel: locked-kernel-tree
	$(call say,KERNEL,$(KERNEL_OUT)/vmlinux)
	$(Q)$(KERNEL_MAKE) -j$(KERNEL_JOBS) vmlinux

$(KERNEL_SOURCE)/Makefile:
	$(Q)tools/setup linux

# The patched tree and its configuration, as far as they are not what they are to be.
locked-kernel-tree:
	$(Q)kernel/apply $(KERNEL_SOURCE) $(KERNEL_OUT)/src $(KERNEL_PATCHES)
	$(Q)cat $(KERNEL_CONFIG) >$(KERNEL_OUT)/wanted.new
	$(Q)cmp -s $(KERNEL_OUT)/wanted.new $(KERNEL_OUT)/wanted || { \
		$(KERNEL_MAKE) KCONFIG_ALLCONFIG=wanted.new allnoconfig && \
		kernel/configured $(KERNEL_OUT)/wanted.new $(KERNEL_OUT)/.config && \
		mv $(KERNEL_OUT)/wanted.new $(KERNEL_OUT)/wanted; }

# What the series touches, for a quick look at whether it compiles. Tracepoints are made in irq.o.
locked-kernel-compile: locked-kernel-tree
	$(Q)$(KERNEL_MAKE) -j$(KERNEL_JOBS) arch/powerpc/kvm/ $(if $(KERNEL_E500MC),, \
		arch/powerpc/mm/book3s64/ arch/powerpc/platforms/powernv/ arch/powerpc/kernel/irq.o)

# The designs that the series carries or shows, measured: docs/KERNEL-RESULTS.md
kernel-results: all
	$(Q)tools/setup exact
	$(Q)tools/bench/kernel $(ROWS)

# Calls of the series' own, made without a monitor
KERNEL_TEST := build/kernel-tests/hpt-entry

$(KERNEL_TEST): tests/kernel/hpt-entry.c kernel/uapi/linux/kvm_ppc_hpt.h | $(SETUP)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(if $(filter ppc64le,$(ARCH)),$(CC),$(PPC_CC)) -std=gnu11 -D_GNU_SOURCE -O2 $(WARN) \
		-isystem kernel/uapi -static -o $@ $<

test-kernel: all guest-linux kernel $(KERNEL_TEST)
	$(Q)tests/kernel/run --kernel $(KERNEL_OUT)/vmlinux

# Each patch with those before it alone, half an hour
test-kernel-prefixes: all
	$(Q)tests/kernel/prefixes

test-kernel-apply:
	$(Q)tests/kernel/apply
