# lifecheck: build, test, install. `make help` lists the targets.
#
# Every flavour has a tree of its own below build/, so that switching costs nothing.

FLAVOUR ?= release
BUILD   := build/$(FLAVOUR)
PREFIX  ?= /usr/local
DESTDIR ?=
VERSION := 0.1.0
VECTORS ?= testdata/vectors
EXAMPLES ?=
CAPTURES ?= testdata/captures
TARGET  ?= scenario
TIME    ?= 20
ifeq ($(origin CC),default)
CC := gcc
endif

# Debian 12 calls it msgpack, Debian 13 msgpack-c.
MSGPACK  := $(shell pkg-config --exists msgpack 2>/dev/null && echo msgpack || echo msgpack-c)
# Only `record -- COMMAND` needs nghttp2; WITHOUT_NGHTTP2=1 builds as if it were not there.
NGHTTP2  := $(if $(WITHOUT_NGHTTP2),,$(shell pkg-config --exists libnghttp2 2>/dev/null && echo libnghttp2))
PACKAGES := libcjson yaml-0.1 $(MSGPACK) gmp libutf8proc libpcre2-8 $(NGHTTP2)

# ---- What is built

SOURCES := $(sort $(wildcard src/*/*.c src/*/*/*.c src/*/*/*/*.c))
MAIN    := src/cli/main.c
OBJECTS := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(filter-out $(MAIN),$(SOURCES)))
LIBRARY := $(BUILD)/liblifecheck.a
PROGRAM := $(BUILD)/lifecheck

ANSWERS := $(filter-out tests/vectors/compare.c,$(wildcard tests/vectors/*.c))
UNITS   := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))
VARIATIONS := $(BUILD)/tests/variations/cases $(BUILD)/tests/variations/values
REPLAYS := $(patsubst tests/fuzz/fuzz_%.c,$(BUILD)/tests/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

# ---- How (V=1 shows the commands)

Q := $(if $(V),,@)
SAY = @$(if $(V),:,echo '  $(1)  $(2)')

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wformat=2 \
	-Wswitch-enum -Wundef -Wredundant-decls -Wnull-dereference
OPTIMISE := -O2 -g
CHECKS   :=
SANITIZE := -fno-sanitize-recover=all -fno-omit-frame-pointer -DLC_ARENA_MALLOC
ifeq ($(FLAVOUR),release)
CHECKS   := -fstack-protector-strong
endif
ifeq ($(FLAVOUR),asan)
OPTIMISE := -O1 -g
CHECKS   := -fsanitize=address,undefined,bounds-strict $(SANITIZE)
endif
ifeq ($(FLAVOUR),fuzz)
# Texts are compared by memcmp, which libFuzzer sees; every other comparison costs more than it tells.
CC       := clang
OPTIMISE := -O2 -g
CHECKS   := -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-coverage=trace-cmp $(SANITIZE)
endif
ifeq ($(FLAVOUR),valgrind)
OPTIMISE := -O1 -g
CHECKS   := -DLC_ARENA_MALLOC
endif
ifeq ($(FLAVOUR),coverage)
OPTIMISE := -O0 -g
CHECKS   := --coverage
endif
ifdef DEVELOPER
WARNINGS += -Werror
endif

DEFINES := -D_POSIX_C_SOURCE=200809L -DLC_VERSION='"$(VERSION)"' $(if $(NGHTTP2),-DLC_WITH_NGHTTP2)
CFLAGS  := -std=c11 $(OPTIMISE) $(WARNINGS) $(CHECKS) $(DEFINES) -Iinclude -Isrc \
	$(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
LDLIBS  := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lm
LDFLAGS := $(CHECKS)
LINK     = $(CC) $(CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) $(filter %.c,$^) $(LIBRARY)

WITHOUT_PACKAGES := deps help clean install-deps
ifneq ($(filter-out $(WITHOUT_PACKAGES),$(or $(MAKECMDGOALS),all)),)
MISSING := $(shell for p in $(PACKAGES); do pkg-config --exists $$p 2>/dev/null || echo $$p; done)
ifneq ($(strip $(MISSING)),)
$(error not found by pkg-config: $(strip $(MISSING)); `make deps` installs what is missing)
endif
endif

all: $(PROGRAM) $(BUILD)/vectors ## build the program and the vectors program (FLAVOUR=release)

$(BUILD)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	$(call SAY,cc,$<)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

# Files become part of the program: the first failing and passing scenario of each rule, by name, and
# the templates of completion; the style of pages.
SCENARIOS := $(sort $(wildcard scenarios/*/*/*.yaml))
FIRST_SCENARIOS = printf '%s\n' $(SCENARIOS) | awk -F/ '{ kind = substr($$4, 1, 5) } kind ~ /^(fail|pass)-/ && !seen[$$2 "/" $$3 kind]++'
TEMPLATES := $(sort $(wildcard share/lifecheck/completion/*))
$(BUILD)/embed: tools/embed.c
	@mkdir -p $(@D)
	$(call SAY,cc,$@)
	$(Q)$(CC) $(CFLAGS) $< -o $@ $(LDFLAGS)

$(BUILD)/gen/embedded.inc: $(BUILD)/embed $(SCENARIOS) $(TEMPLATES)
	@mkdir -p $(@D)
	$(Q)$(BUILD)/embed $$($(FIRST_SCENARIOS)) $(TEMPLATES) >$@.new && mv $@.new $@

$(BUILD)/gen/style.inc: $(BUILD)/embed share/lifecheck/report.css
	@mkdir -p $(@D)
	$(Q)$(BUILD)/embed share/lifecheck/report.css >$@.new && mv $@.new $@

$(BUILD)/obj/cli/embedded.o: $(BUILD)/gen/embedded.inc
$(BUILD)/obj/report/html/style.o: $(BUILD)/gen/style.inc
$(BUILD)/obj/cli/embedded.o $(BUILD)/obj/report/html/style.o: CFLAGS += -I$(BUILD)/gen -Wno-overlength-strings

$(LIBRARY): $(OBJECTS)
	$(call SAY,ar,$@)
	@rm -f $@
	$(Q)ar rcs $@ $^

$(PROGRAM): $(BUILD)/obj/cli/main.o $(LIBRARY)
	$(call SAY,ld,$@)
	$(Q)$(CC) $(LDFLAGS) $^ $(LDLIBS) -o $@

# The vectors program carries the schemas of the providers that recorded plans are about.
$(BUILD)/gen/plan_schemas.inc: testdata/schemas/plans.json
	@mkdir -p $(@D)
	$(Q)od -An -v -tu1 $< | sed 's/ \+/,/g;s/^,//;s/$$/,/' >$@.new && mv $@.new $@

# The program with the memory of which any one block can be refused.
$(BUILD)/obj/alloc/memory.o: src/base/memory.c
	@mkdir -p $(@D)
	$(call SAY,cc,$<)
	$(Q)$(CC) $(CFLAGS) -DLC_TEST_ALLOC -MMD -MP -c $< -o $@

$(BUILD)/lifecheck-alloc: $(BUILD)/obj/cli/main.o $(BUILD)/obj/alloc/memory.o $(LIBRARY)
	$(call SAY,ld,$@)
	$(Q)$(CC) $(LDFLAGS) $^ $(LDLIBS) -o $@

$(BUILD)/vectors: $(ANSWERS) $(wildcard tests/vectors/*.h) $(LIBRARY) $(BUILD)/gen/plan_schemas.inc
	$(call SAY,cc,$@)
	$(Q)$(LINK) -I$(BUILD)/gen $(LDLIBS) -o $@

$(BUILD)/compare: tests/vectors/compare.c $(LIBRARY)
	$(call SAY,cc,$@)
	$(Q)$(LINK) $(LDLIBS) -o $@

$(BUILD)/bench: tests/bench/bench.c $(LIBRARY)
	$(call SAY,cc,$@)
	$(Q)$(LINK) $(LDLIBS) -o $@

# A corpus replayed without libFuzzer, and the fuzz target itself.
$(BUILD)/tests/fuzz/%: tests/fuzz/fuzz_%.c tests/fuzz/driver.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,cc,$@)
	$(Q)$(LINK) $(LDLIBS) -o $@

$(BUILD)/tests/live/%: tests/fuzz/fuzz_%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,cc,$@)
	$(Q)$(LINK) -fsanitize=fuzzer $(LDLIBS) -o $@

# The provider and the client with which `lifecheck record` is tested.
PEERS := $(BUILD)/tests/record/provider $(BUILD)/tests/record/client
$(BUILD)/tests/record/%: tests/record/%.c tests/record/calls.c tests/record/h2.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,cc,$@)
	$(Q)if pkg-config --exists libnghttp2; then $(LINK) $(shell pkg-config --cflags --libs libnghttp2 2>/dev/null) $(LDLIBS) -o $@; \
		else echo '  skipped: libnghttp2 was not found by pkg-config'; fi

# Other test programs: build/<flavour>/tests/<kind>/<name> from tests/<kind>/<name>.c
$(BUILD)/tests/%: tests/%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,cc,$@)
	$(Q)$(LINK) $(shell pkg-config --cflags --libs check) $(LDLIBS) -o $@

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# ---- Tests. Each target ends with a line `N passed, N failed, N skipped`.

FAST := check-unit check-scenarios check-reports check-variations check-vectors check-corpora

check: ## everything: unit, scenarios, vectors, corpora, command line, lint; all but the last two again under ASan
	@tests/run.sh $(FAST) check-cli check-lint $(FAST:%=asan-%)

check-unit: $(UNITS) ## unit tests (Check)
	@tests/unit/run.sh $^

check-scenarios: $(PROGRAM) ## every scenario meets its expectation, whatever -j
	@tests/scenarios.sh $(PROGRAM) scenarios

check-reports: $(PROGRAM) ## what is reported of every scenario and recording is as recorded
	@tests/reports/run.sh $(PROGRAM)

check-variations: $(VARIATIONS) ## cases with one thing changed, values beside each other: laws, and all is as recorded
	@tests/variations/run.sh $^

check-vectors: $(BUILD)/vectors $(BUILD)/compare ## recorded verdicts of both cores (VECTORS=DIR)
	@tests/vectors/run.sh $^ $(VECTORS)

check-corpora: $(REPLAYS) ## fuzz corpora replayed
	@tests/fuzz/run.sh testdata/fuzz $^

check-cli: $(PROGRAM) $(BUILD)/lifecheck-alloc $(PEERS) ## the program from outside: status, output, signals, lack of memory
	@LIFECHECK=$(PROGRAM) LIFECHECK_ALLOC=$(BUILD)/lifecheck-alloc CAPTURES=$(abspath $(CAPTURES)) tests/tap.sh tests/cli/*.sh

check-lint: $(PROGRAM) $(LIBRARY) ## layers, headers, globals, sizes, banned names, catalogue, man pages, format
	@CC='$(CC)' BUILD=$(BUILD) LIFECHECK=$(PROGRAM) PACKAGES='$(PACKAGES)' tests/tap.sh tests/lint/*.sh

check-layers check-headers check-globals check-sizes check-format: check-%: $(LIBRARY)
	@CC='$(CC)' BUILD=$(BUILD) PACKAGES='$(PACKAGES)' tests/tap.sh tests/lint/$*.sh

check-examples: $(PROGRAM) ## acceptance scenarios of another folder (EXAMPLES=DIR)
	@LIFECHECK=$(PROGRAM) tests/examples $(EXAMPLES)

asan-check-%:
	@$(MAKE) --no-print-directory FLAVOUR=asan check-$*

# ---- Further flavours

asan: ## build with AddressSanitizer and UndefinedBehaviorSanitizer
	@$(MAKE) --no-print-directory FLAVOUR=asan all

mutation: ## change code in random places, tell what no test notices: AREA=contract SEED=1 COUNT=300
	@AREA=$(or $(AREA),contract) SEED=$(or $(SEED),1) COUNT=$(or $(COUNT),300) JOBS=$(or $(JOBS),2) CC='$(CC)' tests/mutation/mutate.sh

valgrind: ## unit tests and scenarios under valgrind
	@$(MAKE) --no-print-directory FLAVOUR=valgrind valgrind-run

valgrind-run: $(UNITS) $(PROGRAM)
	@tests/valgrind.sh $(PROGRAM) $(UNITS)

fuzz: ## fuzz one reader: make fuzz TARGET=msgpack TIME=20
	@$(MAKE) --no-print-directory FLAVOUR=fuzz build/fuzz/tests/live/$(TARGET)
	@mkdir -p build/fuzz/corpus/$(TARGET)
	build/fuzz/tests/live/$(TARGET) -max_total_time=$(TIME) -artifact_prefix=build/fuzz/ \
		build/fuzz/corpus/$(TARGET) testdata/fuzz/$(TARGET)

coverage: ## line coverage of everything but lints
	@$(MAKE) --no-print-directory FLAVOUR=coverage $(FAST) check-cli
	gcovr --root . --filter src/ build/coverage --txt build/coverage/coverage.txt
	@cat build/coverage/coverage.txt

bench: $(BUILD)/bench $(PROGRAM) ## time and memory, one thread (VECTORS=DIR); what twice the input costs
	@$(BUILD)/bench $(VECTORS) $(PROGRAM)
	@tests/bench/growth.py $(PROGRAM)

# ---- Around

deps: ## install what is missing (Debian, apt-get as root or by sudo)
	@sh .ci/deps

man: $(PROGRAM) ## renew what is generated from lists: a man page, and the JSON Schema of scenarios
	$(PROGRAM) rules --format man >man/lifecheck-rules.7
	$(PROGRAM) schema scenario >share/lifecheck/scenario.schema.json

install: $(PROGRAM) ## install program, man pages, completion and JSON Schema: DESTDIR= PREFIX=/usr/local
	install -d $(DESTDIR)$(PREFIX)/bin $(foreach s,1 5 7,$(DESTDIR)$(PREFIX)/share/man/man$(s))
	install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/lifecheck
	install -m 644 man/lifecheck.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -m 644 man/lifecheck-scenario.5 $(DESTDIR)$(PREFIX)/share/man/man5/
	install -m 644 man/lifecheck-rules.7 $(DESTDIR)$(PREFIX)/share/man/man7/
	install -d $(DESTDIR)$(PREFIX)/share/lifecheck
	install -m 644 share/lifecheck/scenario.schema.json share/lifecheck/report.schema.json $(DESTDIR)$(PREFIX)/share/lifecheck/
	install -d $(foreach f,bash-completion/completions zsh/site-functions fish/vendor_completions.d,$(DESTDIR)$(PREFIX)/share/$f)
	for shell in bash zsh fish; do $(PROGRAM) completion $$shell >$(BUILD)/lifecheck.$$shell || exit 1; done
	install -m 644 $(BUILD)/lifecheck.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/lifecheck
	install -m 644 $(BUILD)/lifecheck.zsh $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_lifecheck
	install -m 644 $(BUILD)/lifecheck.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/lifecheck.fish

clean: ## remove everything built
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1 \2/p' $(firstword $(MAKEFILE_LIST)) | \
		awk '{ name = $$1; sub(/^ *[^ ]+ /, ""); printf "  %-16s %s\n", name, $$0 }'

.PHONY: all check $(FAST) check-cli check-lint check-layers check-headers check-globals check-sizes \
	check-format check-examples asan mutation valgrind valgrind-run fuzz coverage bench deps man install clean help
