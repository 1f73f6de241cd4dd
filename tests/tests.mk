# SPDX-License-Identifier: GPL-2.0-only
# Unit tests, fuzz targets, models and lint. Included by the Makefile, whose lists of sources
# it uses.

# What unit tests and fuzz targets have under test: all but KVM, io_uring and seccomp.
TEST_VMM := $(addprefix vmm/,elf.c escape.c fdt.c fdt_cpu.c hostcpu.c image.c layout.c \
	memory.c options.c park.c)
UNIT_SRCS := $(CORE) $(FLUSH_POLICY) $(TEST_VMM) $(sort $(wildcard tests/unit/*.c))
UNIT_LIBS := -lcheck -lsubunit -lfdt -lz -lm -lrt -lpthread
# The tests make these fail on purpose.
UNIT_LDFLAGS := -Wl,--wrap=calloc,--wrap=malloc,--wrap=aligned_alloc
# XICS_CHECK: the model checks its locks and states.
TEST_CFLAGS := -std=gnu11 -D_GNU_SOURCE -DXICS_CHECK $(WARN) -I. -MMD -MP -g

SAN_asan := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# The XICS model with its steps, where the stress delays it.
SAN_tsan := -O1 -fsanitize=thread -DXICS_STEPS=1

UNIT_OUT := build/unit
.PHONY: test-unit test-unit-be test-tsan test-fuzz test-model lint
test-unit: build/unit-asan/unit
	$(Q)tests/unit/run asan
test-unit-be: build/unit-be/unit
	$(Q)tests/unit/run be
test-tsan: build/unit-tsan/unit
	$(Q)tests/unit/run tsan

# For longer: ten million calls of the XICS model on four threads, some minutes.
.PHONY: test-long-xics test-long-hpt
test-long-xics: build/unit-tsan/unit
	$(Q)XICS_STRESS_OPS=10000000 CK_TIMEOUT_MULTIPLIER=60 tests/unit/run tsan
# The same of the page table.
test-long-hpt: build/unit-tsan/unit
	$(Q)HPT_STRESS_OPS=10000000 CK_TIMEOUT_MULTIPLIER=60 tests/unit/run tsan

# Everything that has a longer form.
.PHONY: test-long
test-long: all guest-linux
	$(Q)tests/long

# ---- native, one build a sanitizer

define unit_build
build/unit-$(1)/%.o: %.c tests/tests.mk | $(SETUP)
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(TEST_CFLAGS) $$(SAN_$(1)) -c -o $$@ $$<

build/unit-$(1)/unit: $(call objs,build/unit-$(1),$(UNIT_SRCS))
	$$(call say,LD,$$@)
	$$(Q)$$(CC) $$(SAN_$(1)) $$(UNIT_LDFLAGS) -o $$@ $$^ $$(UNIT_LIBS)

-include $(patsubst %.c,build/unit-$(1)/%.d,$(UNIT_SRCS))
endef
$(foreach v,asan tsan,$(eval $(call unit_build,$(v))))
# The page table with its steps.
build/unit-tsan/mmu/hpt.o: SAN_tsan += -include tests/unit/hpt_steps.h

# ---- big-endian

BE_CC ?= powerpc64-linux-gnu-gcc
BE_ROOT := build/sysroot/ppc64
BE_OBJS := $(call objs,build/unit-be,$(UNIT_SRCS))

$(BE_ROOT)/lib/libcheck.a: | $(SETUP)
	$(Q)tools/setup be

build/unit-be/%.o: %.c tests/tests.mk | $(BE_ROOT)/lib/libcheck.a
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(BE_CC) $(TEST_CFLAGS) -O2 -isystem $(BE_ROOT)/include -c -o $@ $<

# The C library warns that some of its functions want shared parts when static.
build/unit-be/unit: $(BE_OBJS)
	$(call say,LD,$@)
	$(Q)$(BE_CC) -static -Wl,--no-warnings $(UNIT_LDFLAGS) -o $@ $^ -L$(BE_ROOT)/lib \
		$(filter-out -lsubunit,$(UNIT_LIBS))

-include $(BE_OBJS:.o=.d)

# ---- the interrupt model under every schedule

# The model with its steps, which the tests count; no sanitizer that minds coroutines.
STEPS_SRCS := $(sort $(wildcard devices/xics/*.c tests/interleave/*.c)) tests/unit/xics_audit.c \
	lib/fdtw.c
STEPS_OBJS := $(call objs,build/interleave,$(STEPS_SRCS))
# Where the tests put a wrong order in the model's place.
STEPS_LDFLAGS := -Wl,--wrap=source_set_waiting,--wrap=raise_line,--wrap=resend

.PHONY: test-interleave
test-interleave: build/interleave/interleave
	$(Q)$<

build/interleave/%.o: %.c tests/tests.mk | $(SETUP)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(TEST_CFLAGS) -O2 -DXICS_STEPS=1 -c -o $@ $<

build/interleave/interleave: $(STEPS_OBJS)
	$(call say,LD,$@)
	$(Q)$(CC) $(STEPS_LDFLAGS) -o $@ $^ -lfdt

-include $(STEPS_OBJS:.o=.d)

# ---- fuzz targets, with clang's libFuzzer

FUZZ_CC ?= clang
FUZZ_NAMES := elf rtas hpt calls
FUZZ_SRCS := $(CORE) vmm/elf.c vmm/layout.c \
	$(addprefix tests/unit/,fake.c hpt_hw.c hpt_naive.c hpt_pair.c xics_audit.c) \
	$(wildcard tests/fuzz/calls_*.c)
FUZZ_FLAGS := -O2 -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ_OBJS := $(call objs,build/fuzz,$(FUZZ_SRCS))

build/fuzz/%.o: %.c tests/tests.mk | $(SETUP)
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(TEST_CFLAGS) $(FUZZ_FLAGS) $(FUZZ_GUIDE) -c -o $@ $<

# What guides the fuzzer is what the code under test does, not what checks it.
FUZZ_GUIDE := -fsanitize=fuzzer-no-link
build/fuzz/tests/%.o: FUZZ_GUIDE :=
# Comparisons are traced where a file's format is read. Calls have tables, and tracing takes
# half of their time.
$(addprefix build/fuzz/,hcall/%.o devices/%.o mmu/%.o): FUZZ_GUIDE += \
	-fno-sanitize-coverage=trace-cmp

$(addprefix build/fuzz/,$(FUZZ_NAMES)): build/fuzz/%: build/fuzz/tests/fuzz/fuzz_%.o $(FUZZ_OBJS)
	$(call say,LD,$@)
	$(Q)$(FUZZ_CC) $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ -lfdt -lpthread

test-fuzz:
	$(Q)tests/fuzz/run

# What makes the fuzzer's machine again: which lines the corpus reaches, and for AFL++, whose
# compiler guides as clang's -fsanitize=fuzzer does.
CALLS_SRCS := $(filter-out vmm/%,$(FUZZ_SRCS)) tests/fuzz/fuzz_calls.c
COVERAGE_FLAGS := -O1 -fprofile-instr-generate -fcoverage-mapping
AFL_FLAGS := $(FUZZ_FLAGS)
AFL_LDFLAGS := -fsanitize=fuzzer
export AFL_QUIET := 1

define calls_build
build/fuzz-$(1)/%.o: %.c tests/tests.mk | $(SETUP)
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$($(2)) $$(TEST_CFLAGS) $$($(3)_FLAGS) -c -o $$@ $$<

build/fuzz-$(1)/calls: $(call objs,build/fuzz-$(1),$(CALLS_SRCS) $(4))
	$$(call say,LD,$$@)
	$$(Q)$$($(2)) $$($(3)_FLAGS) $$($(3)_LDFLAGS) -o $$@ $$^ -lfdt -lpthread

-include $(patsubst %.c,build/fuzz-$(1)/%.d,$(CALLS_SRCS) $(4))
endef
AFL_CC ?= afl-clang-fast
$(eval $(call calls_build,coverage,FUZZ_CC,COVERAGE,tests/fuzz/replay.c))
$(eval $(call calls_build,afl,AFL_CC,AFL,))
build/fuzz-afl/tests/%.o: AFL_CC := $(FUZZ_CC)

# AFL++ on the calls for AFL_SECONDS, by default five minutes; it is installed for that.
.PHONY: fuzz-afl fuzz-coverage fuzz-corpus
fuzz-afl:
	$(Q)tests/fuzz/afl $(AFL_SECONDS)
# The lines of each file that the corpus of calls reaches.
fuzz-coverage:
	$(Q)tests/fuzz/coverage
# Take into tests/fuzz/corpus what was found in build/fuzz/corpus and is not known there.
fuzz-corpus:
	$(Q)tests/fuzz/minimise

-include $(FUZZ_OBJS:.o=.d) $(FUZZ_NAMES:%=build/fuzz/tests/fuzz/fuzz_%.d)

# Promela models, checked by spin.
test-model: | $(SETUP)
	$(Q)tests/model/run

lint:
	$(Q)tools/lint
