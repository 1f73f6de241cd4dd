# SPDX-License-Identifier: GPL-2.0-only
# Guest programs and the Linux guest's images. Included by the Makefile, and good
# alone: make -f guest/guest.mk guest
#
# Every guest/NAME.c is one program, built in both byte orders: build/guest/NAME.elf
# and NAME-be.elf run at any address; those in GUEST_EXEC also come as NAME-exec.elf
# and NAME-exec-be.elf, which are to be loaded at 4 MiB.

GUEST_CC_LE ?= powerpc64le-linux-gnu-gcc
GUEST_CC_BE ?= powerpc64-linux-gnu-gcc
GUEST_OBJCOPY ?= powerpc64-linux-gnu-objcopy
GUEST_OUT ?= build/guest
GUEST_EXEC := hello

ifndef Q
Q := $(if $(V),,@)
endif
ifndef say
say = @printf '  %-7s %s\n' $(1) $(2)
endif

GUEST_PROGS := $(patsubst guest/%.c,%,$(sort $(wildcard guest/*.c)))
GUEST_LIB := $(filter-out guest/lib/qemu-rom.S,$(sort $(wildcard guest/lib/*.[cS])))
# Programs of more files than one: the rest is in a directory. $(1): its name, $(2): le or be
guest_parts = $(patsubst guest/%,$(GUEST_OUT)/obj-$(2)/%.o, \
	$(basename $(sort $(wildcard guest/$(1)/*.[cS]))))
GUEST_LIB_NAMES := $(basename $(notdir $(GUEST_LIB)))
GUEST_ELFS := $(foreach e,.elf -be.elf,$(addprefix $(GUEST_OUT)/,$(addsuffix $e,$(GUEST_PROGS)) \
	$(addsuffix -exec$e,$(GUEST_EXEC))))

# No floating point or vectors: the runtime does not save them. POWER8 code runs on
# all that KVM runs on. The link takes everything from the objects and nothing else.
GUEST_CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Werror -Wmissing-prototypes -Wshadow \
	-ffreestanding -fpie -fvisibility=hidden -fno-stack-protector \
	-fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns \
	-fno-strict-aliasing -ffunction-sections -fdata-sections \
	-mabi=elfv2 -mcpu=power8 -msoft-float -mno-altivec -mno-vsx \
	-I. -Iguest/lib -Wa,-mregnames -MMD -MP
GUEST_LDFLAGS := -nostdlib -static -T guest/lib/guest.lds -Wl,--gc-sections,--build-id=none \
	-Wl,-z,max-page-size=4096,-z,norelro,--fatal-warnings -Wl,-s
GUEST_PIE := -static-pie -Wl,--no-dynamic-linker -Wl,--defsym=BASE=0
GUEST_NO_PIE := -no-pie -Wl,--defsym=BASE=0x400000

.PHONY: guest
guest: $(GUEST_ELFS) $(GUEST_OUT)/qemu-rom.bin

# $(1): le or be, $(2): compiler and byte order, $(3): what follows NAME
define guest_rules
GUEST_OBJS_$(1) := $$(addprefix $(GUEST_OUT)/obj-$(1)/lib/,$$(addsuffix .o,$$(GUEST_LIB_NAMES)))

$(GUEST_OUT)/obj-$(1)/%.o: guest/%.c guest/guest.mk | $(GUEST_OUT)/obj-$(1)
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$(2) $$(GUEST_CFLAGS) -c -o $$@ $$<
$(GUEST_OUT)/obj-$(1)/%.o: guest/%.S guest/guest.mk | $(GUEST_OUT)/obj-$(1)
	$$(call say,AS,$$@)
	@mkdir -p $$(@D)
	$$(Q)$(2) $$(GUEST_CFLAGS) -c -o $$@ $$<

$(GUEST_OUT)/hcall-fuzz$(3): $(call guest_parts,fuzz,$(1))
$(GUEST_OUT)/hpt-digest$(3): $(call guest_parts,digest,$(1))
$(addprefix $(GUEST_OUT)/,$(addsuffix $(3),$(GUEST_PROGS))): \
$(GUEST_OUT)/%$(3): $(GUEST_OUT)/obj-$(1)/%.o $$(GUEST_OBJS_$(1)) guest/lib/guest.lds
	$$(call say,LD,$$@)
	$$(Q)$(2) $$(GUEST_PIE) $$(GUEST_LDFLAGS) -o $$@ $$(filter %.o,$$^)
$(addprefix $(GUEST_OUT)/,$(addsuffix -exec$(3),$(GUEST_EXEC))): \
$(GUEST_OUT)/%-exec$(3): $(GUEST_OUT)/obj-$(1)/%.o $$(GUEST_OBJS_$(1)) guest/lib/guest.lds
	$$(call say,LD,$$@)
	$$(Q)$(2) $$(GUEST_NO_PIE) $$(GUEST_LDFLAGS) -o $$@ $$(filter %.o,$$^)

$(GUEST_OUT)/obj-$(1):
	$$(Q)mkdir -p $$@/lib
-include $$(wildcard $(GUEST_OUT)/obj-$(1)/*.d $(GUEST_OUT)/obj-$(1)/*/*.d)
endef
$(eval $(call guest_rules,le,$(GUEST_CC_LE) -mlittle-endian,.elf))
$(eval $(call guest_rules,be,$(GUEST_CC_BE) -mbig-endian,-be.elf))

$(GUEST_OUT)/qemu-rom.bin: $(GUEST_OUT)/obj-be/lib/qemu-rom.o
	$(call say,OBJCOPY,$@)
	$(Q)$(GUEST_OBJCOPY) -O binary -j .text $< $@

# The Linux guest. The kernel and busybox come from tools/setup, which the Makefile
# that includes this may have as a rule for them.
GUEST_KERNEL ?= build/kernels/6.1
GUEST_BUSYBOX ?= build/sysroot/ppc64el/bin/busybox

.PHONY: guest-linux
guest-linux: $(GUEST_OUT)/vmlinux $(GUEST_OUT)/initrd.gz

# Every directory guest/linux/NAME is a static program in it.
GUEST_LINUX_PROGS := $(patsubst guest/linux/%/,$(GUEST_OUT)/linux/%, \
	$(sort $(dir $(wildcard guest/linux/*/*.c))))

.SECONDEXPANSION:
$(GUEST_LINUX_PROGS): $(GUEST_OUT)/linux/%: $$(wildcard guest/linux/%/*.[ch]) guest/guest.mk \
		| $(GUEST_OUT)/obj-le
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(GUEST_CC_LE) -std=gnu11 -D_GNU_SOURCE -O2 -mcpu=power8 -Wall -Wextra -Werror \
		-Wshadow -static -s -pthread -o $@ $(filter %.c,$^)

$(GUEST_OUT)/initrd.gz: guest/linux/mkinitrd guest/linux/init $(GUEST_BUSYBOX) \
		$(GUEST_LINUX_PROGS) | $(GUEST_OUT)/obj-le
	$(call say,INITRD,$@)
	$(Q)guest/linux/mkinitrd -b $(GUEST_BUSYBOX) $(addprefix -p ,$(GUEST_LINUX_PROGS)) $@

# A copy: what tools/setup leaves in build/ are links to a cache, which the lab need not see.
$(GUEST_OUT)/vmlinux: $(GUEST_KERNEL)/vmlinux | $(GUEST_OUT)/obj-le
	$(call say,CP,$@)
	$(Q)cp -L $< $@.new && mv $@.new $@
