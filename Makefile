# SPDX-License-Identifier: GPL-2.0-only
#
# Paprika. `make help` lists what there is to make.
#
# Everything is built twice from the same sources: build/native, for the machine
# this runs on (models, tests, command line), and build/ppc64le, the static monitor
# that runs on a POWER host, or in tools/box. On a ppc64le machine the two are one.

VERSION := 0.1
PREFIX ?= /usr/local
ARCH := $(shell uname -m)

Q := $(if $(V),,@)
say = @printf '  %-7s %s\n' $(1) $(2)

WARN := -Wall -Wextra -Werror -Wmissing-prototypes -Wshadow -Wstrict-prototypes -Wvla
CFLAGS ?= -O2 -g
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE -DPAPRIKA_VERSION='"$(VERSION)"' $(WARN) -I. -MMD -MP

# The models and their faces: everything below vmm/, for any machine.
# What kernels flush (docs/TLB.md) is no guest's affair: for tlbsim and the unit tests only.
FLUSH_POLICY := mmu/tlb_flush.c mmu/tlb_pollution.c mmu/hpt_tlbie.c
CORE := $(filter-out $(FLUSH_POLICY),$(sort $(wildcard lib/*.c hcall/*.c devices/*.c \
	devices/*/*.c mmu/*.c)))
# The monitor but for what needs KVM's powerpc interface.
KVM_ONLY := vmm/run.c $(shell grep -lE '^.include "vmm/(kvm|vm_internal|requests)\.h"' vmm/*.c)
VMM := $(filter-out $(KVM_ONLY) vmm/run_nokvm.c vmm/main.c,$(sort $(wildcard vmm/*.c)))
LIBS := -lfdt -lseccomp -l:liburing.a -lcap-ng -lz -lpthread

ifeq ($(ARCH),ppc64le)
NATIVE_RUN := $(KVM_ONLY)
PPC_OUT := build/native
else
NATIVE_RUN := vmm/run_nokvm.c
PPC_OUT := build/ppc64le
PPC_CC ?= powerpc64le-linux-gnu-gcc
PPC_STRIP ?= powerpc64le-linux-gnu-strip
PPC_ROOT := build/sysroot/ppc64el/usr
endif
PPC_STRIP ?= strip

objs = $(patsubst %.c,$(1)/%.o,$(2))

.PHONY: all run test install clean help
all: build/native/paprika $(PPC_OUT)/paprika guest docs/HCALLS.md

include guest/guest.mk

# What the build needs from the distribution. Asked again when its result is gone.
SETUP := build/.setup
ifeq ($(wildcard build/kernels/6.1/vmlinux),)
.PHONY: $(SETUP)
endif
$(SETUP): tools/setup
	$(Q)tools/setup host sysroot kernel
	$(Q)touch $@

# ---- the native build

NATIVE_OBJS := $(call objs,build/native,$(CORE) $(VMM) $(NATIVE_RUN) vmm/main.c)

build/native/paprika: $(NATIVE_OBJS)
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

build/native/%.o: %.c Makefile | $(SETUP)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(ALL_CFLAGS) -c -o $@ $<

# ---- the ppc64le build

ifneq ($(ARCH),ppc64le)
PPC_OBJS := $(call objs,build/ppc64le,$(CORE) $(VMM) $(KVM_ONLY) vmm/main.c)

# -O2 and POWER8 code, whatever CFLAGS say for the native build: it runs in the lab.
build/ppc64le/%.o: %.c Makefile | $(SETUP)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(PPC_CC) -O2 -g -mcpu=power8 -ffunction-sections -fdata-sections \
		-isystem kernel/uapi -isystem $(PPC_ROOT)/include -isystem $(PPC_ROOT)/include/powerpc64le-linux-gnu \
		$(ALL_CFLAGS) -c -o $@ $<

build/ppc64le/paprika.debug: $(PPC_OBJS)
	$(call say,LD,$@)
	$(Q)$(PPC_CC) -static -Wl,--gc-sections,--no-warnings -o $@ $^ \
		-L$(PPC_ROOT)/lib/powerpc64le-linux-gnu $(LIBS)

build/ppc64le/paprika: build/ppc64le/paprika.debug
	$(call say,STRIP,$@)
	$(Q)$(PPC_STRIP) -o $@ $<

# For tools/lab/bin/qemu-kvm
all: build/ppc64le/qemu-timebase.so
build/ppc64le/qemu-timebase.so: tools/lab/qemu-timebase.c Makefile | $(SETUP)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(PPC_CC) -O2 -shared -fPIC -isystem $(PPC_ROOT)/include \
		-isystem $(PPC_ROOT)/include/powerpc64le-linux-gnu $(WARN) -o $@ $<
endif

$(GUEST_OUT)/obj-le $(GUEST_OUT)/obj-be: | $(SETUP)
$(GUEST_KERNEL)/vmlinux $(GUEST_BUSYBOX): | $(SETUP)

# ---- the reference of hypercalls, from their tables

build/native/tools/hcalls-doc: build/native/tools/hcalls-doc.o \
		$(call objs,build/native,$(CORE))
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lfdt -lpthread

docs/HCALLS.md: docs/HCALLS.md.in build/native/tools/hcalls-doc
	$(call say,GEN,$@)
	$(Q){ cat docs/HCALLS.md.in; build/native/tools/hcalls-doc; } > $@

# ---- what to do with it

# ARGS go to paprika run: make run ARGS="-c 4 --mmu hpt"
run: all guest-linux
	$(Q)tools/box -- paprika run -k build/guest/vmlinux -i build/guest/initrd.gz $(ARGS)

test: all guest-linux $(if $(wildcard build/linux-6.12/Makefile),stress-selftests)
	$(Q)tools/setup all exact
	$(Q)tests/run

# The monitor for this machine; INSTALL_BIN=build/ppc64le/paprika for a POWER host.
INSTALL_BIN ?= build/native/paprika
install: $(INSTALL_BIN)
	install -D -m 755 $(INSTALL_BIN) $(DESTDIR)$(PREFIX)/bin/paprika
	install -D -m 644 docs/paprika.1 $(DESTDIR)$(PREFIX)/share/man/man1/paprika.1

# Fuzz hypercalls in guests: make fuzz FUZZ_TIME=3600 ARGS="--host powernv8"
FUZZ_TIME ?= 120
.PHONY: fuzz
fuzz: all
	$(Q)tools/hcall-fuzz --time $(FUZZ_TIME) $(ARGS)

clean:
	rm -rf build

help:
	@echo 'make             the monitor, for this machine and for POWER, and guest programs'
	@echo 'make run         boot Linux under KVM on an emulated POWER host (ARGS="-c 4 --mmu hpt")'
	@echo 'make test        the whole test suite'
	@echo '  test-unit test-unit-be test-interleave test-tsan test-model test-stress test-fuzz: parts'
	@echo '  of it; tests/run lists the rest'
	@echo 'make fuzz        hypercalls at random in guests, two minutes (FUZZ_TIME=SECONDS)'
	@echo 'make test-long   the long ones at full size; docs/TEST-LONG.md has the last results'
	@echo 'make fuzz-afl    AFL++ on the hypercalls (AFL_SECONDS=300); see docs/FUZZING-NATIVE.md'
	@echo '  fuzz-coverage fuzz-corpus: lines that the corpus reaches; take in what was found'
	@echo 'make kernel      Linux 6.12 with the patches of kernel/, for hosts and guests'
	@echo 'make test-kernel  boots it as both; docs/KERNEL.md'
	@echo 'make kernel-results  what its designs are worth (ROWS="r i"): docs/KERNEL-RESULTS.md'
	@echo 'make lint        formatting, static analysis, include rules'
	@echo 'make bench bench-guest   figures: native; in a guest, exact to the instruction'
	@echo 'make bench-plots  the native ones again, as docs/XICS-FIGURES.md and docs/plots'
	@echo 'make tlbsim      build/native/tlbsim: TLB flushes counted, and their cost; docs/TLB.md'
	@echo 'make stress      two minutes of load in Linux guests, and their boots (STRESS_TIME=SECONDS)'
	@echo 'make stress-compare stress-range stress-plots  next to QEMU/KVM; docs/STRESS-FIGURES.md'
	@echo 'make guest guest-linux   guest programs; the Linux guest'"'"'s kernel and initrd'
	@echo 'make install     to $$(DESTDIR)$$(PREFIX), by default /usr/local'
	@echo 'make clean       remove build/; what was downloaded stays in the cache'
	@echo 'V=1 shows commands; tools/setup installs and fetches what is needed'

include tests/tests.mk tests/sandbox/sandbox.mk kernel/kernel.mk
-include tools/bench/bench.mk
include tools/stresslib/stress.mk
include tools/tlbsim/tlbsim.mk

-include $(NATIVE_OBJS:.o=.d) $(PPC_OBJS:.o=.d)
