# lifecheck: build, test, install. `make help` lists the targets.
#
# Every flavour has a tree of its own below build/, so that switching costs nothing.
#
# CC, AR, CPPFLAGS, CFLAGS, LDFLAGS, LDLIBS, PKG_CONFIG and INSTALL are the user's, from the environment or the command
# line. What lifecheck needs stands in the variables that begin with LC_, before them, so that CFLAGS=-O3 replaces -O2 -g
# and nothing else.

FLAVOUR ?= release
BUILD   := build/$(FLAVOUR)
VERSION := 0.1.0
VECTORS ?= testdata/vectors
EXAMPLES ?=
CAPTURES ?= testdata/captures
TARGET  ?= scenario
TIME    ?= 20

# Where `make install` puts what. Completion of bash, zsh and fish stands where the shells of most systems look.
DESTDIR ?=
PREFIX  ?= /usr/local
bindir  ?= $(PREFIX)/bin
datadir ?= $(PREFIX)/share
mandir  ?= $(datadir)/man
bashcompletiondir ?= $(datadir)/bash-completion/completions
zshcompletiondir  ?= $(datadir)/zsh/site-functions
fishcompletiondir ?= $(datadir)/fish/vendor_completions.d

ifeq ($(origin CC),default)
CC := $(if $(shell command -v gcc 2>/dev/null),gcc,cc)
endif
CC_FOR_BUILD ?= $(CC)
PKG_CONFIG ?= pkg-config
INSTALL    ?= install
STRIP      ?= strip
COMMA      := ,

# Debian 12 calls it msgpack, Debian 13 msgpack-c.
MSGPACK  := $(shell $(PKG_CONFIG) --exists msgpack 2>/dev/null && echo msgpack || echo msgpack-c)
# Only what talks to providers needs nghttp2 (`record -- COMMAND`, sessions); WITHOUT_NGHTTP2=1 builds as if it were not there.
NGHTTP2  := $(if $(WITHOUT_NGHTTP2),,$(shell $(PKG_CONFIG) --exists libnghttp2 2>/dev/null && echo libnghttp2))
PACKAGES := libcjson yaml-0.1 $(MSGPACK) gmp libutf8proc libpcre2-8 nettle hogweed zlib $(NGHTTP2)

# ---- What is built

SOURCES := $(sort $(wildcard src/*/*.c src/*/*/*.c src/*/*/*/*.c))
MAIN    := src/cli/main.c
# The library has everything but the command line, which is an archive of its own: other programs judge by the library.
COMMAND_LINE := $(filter src/cli/%,$(SOURCES))
OBJECTS := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(filter-out $(COMMAND_LINE),$(SOURCES)))
CLI_OBJECTS := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(filter-out $(MAIN),$(COMMAND_LINE)))
LIBRARY := $(BUILD)/liblifecheck.a
CLI     := $(BUILD)/cli.a
PROGRAM := $(BUILD)/lifecheck

COMPARE := $(wildcard tests/vectors/compare*.c)
ANSWERS := $(filter-out $(COMPARE),$(wildcard tests/vectors/*.c))
UNITS   := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))
VARIATIONS := $(BUILD)/tests/variations/cases $(BUILD)/tests/variations/values
REPLAYS := $(patsubst tests/fuzz/fuzz_%.c,$(BUILD)/tests/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))

# ---- How (V=1 shows the commands)

Q := $(if $(V),,@)
SAY = @$(if $(V),:,echo '  $(1)  $(2)')

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wformat=2 \
	-Wswitch-enum -Wundef -Wredundant-decls -Wnull-dereference -Werror=implicit-function-declaration
OPTIMISE := -O2 -g
CHECKS   :=
CHECKED_LINK = $(CHECKS)
# Only where it is needed: `zig cc --version` leaves an empty a.o behind.
IS_CLANG = $(findstring clang,$(shell $(CC) --version 2>/dev/null))
SANITIZE := -fno-sanitize-recover=all -fno-omit-frame-pointer
# The paths of a build are not part of the program, so that it is the same from any folder.
SAME     := -ffile-prefix-map=$(CURDIR)=.
ifeq ($(FLAVOUR),release)
CHECKS   := $(SAME) -fstack-protector-strong -fPIE
CHECKED_LINK = $(CHECKS) $(if $(findstring APPLE,$(MACROS)),-pie,-pie -Wl,-z,relro,-z,now)
endif
ifeq ($(FLAVOUR),static)
CHECKS   := $(SAME) -fstack-protector-strong -fPIE
CHECKED_LINK = $(CHECKS) -static-pie -Wl,-z,relro,-z,now
endif
ifeq ($(FLAVOUR),asan)
# What every value passes through is optimised, the rest compiles in half the time.
OPTIMISE := -O0 -g1
$(addprefix $(BUILD)/obj/,$(addsuffix /%.o,base value codec contract configuration)): OPTIMISE := -O1 -g1
CHECKS   := -fsanitize=address,undefined$(if $(IS_CLANG),,$(COMMA)bounds-strict) $(SANITIZE)
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
CFLAGS   ?= $(OPTIMISE)
# The library's own checks of sizes want optimisation, clash with sanitizers, and may have been asked for already.
ifneq ($(filter release static,$(FLAVOUR)),)
ifeq ($(findstring _FORTIFY_SOURCE,$(CC) $(CPPFLAGS) $(CFLAGS)),)
FORTIFY  := $(if $(filter-out -O0,$(lastword $(filter -O%,$(CFLAGS)))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
endif
endif

MACROS      := $(shell $(CC) $(CFLAGS) -dM -E -x c /dev/null 2>/dev/null | grep -oE '__FLT_EVAL_METHOD__ 2|__SIZEOF_POINTER__ 4|__APPLE__ 1')
# Times after 2038 and files of any size on 32-bit machines; macOS hides what is not in POSIX.
SYSTEM      := $(if $(findstring POINTER,$(MACROS)),-D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64) $(if $(findstring APPLE,$(MACROS)),-D_DARWIN_C_SOURCE)
LC_CPPFLAGS := -D_POSIX_C_SOURCE=200809L $(SYSTEM) -DLC_VERSION='"$(VERSION)"' $(if $(NGHTTP2),-DLC_WITH_NGHTTP2) $(FORTIFY) \
	-Iinclude -Isrc $(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null)
# Results of Go's arithmetic are those of doubles. The x87 of 32-bit x86 computes with more bits, SSE2 does not.
DOUBLES     := $(if $(findstring FLT_EVAL,$(MACROS)),-msse2 -mfpmath=sse)
LC_CFLAGS   := -std=c11 $(DOUBLES) $(WARNINGS) $(CHECKS)
LC_LDFLAGS  := $(CHECKED_LINK)
LC_LDLIBS   := $(shell $(PKG_CONFIG) $(if $(filter static,$(FLAVOUR)),--static) --libs $(PACKAGES) 2>/dev/null) -lm $(if $(findstring APPLE,$(MACROS)),-liconv)
COMPILE      = $(CC) $(LC_CPPFLAGS) $(CPPFLAGS) $(LC_CFLAGS) $(CFLAGS)
LINK         = $(CC) $(LC_CFLAGS) $(CFLAGS) $(LC_LDFLAGS) $(LDFLAGS)
LIBS         = $(LC_LDLIBS) $(LDLIBS)
LINK_TEST    = $(COMPILE) -MMD -MP -MF $@.d $(LC_LDFLAGS) $(LDFLAGS) $(filter %.c,$^) $(filter $(CLI),$^) $(LIBRARY)

WITHOUT_PACKAGES := deps help format clean uninstall version dist deb static check-packaging check-cross check-macos packages release-check $(addprefix package-,archive wheel npm deb container)
ifneq ($(filter-out $(WITHOUT_PACKAGES),$(or $(MAKECMDGOALS),all)),)
ifeq ($(shell command -v $(PKG_CONFIG) 2>/dev/null),)
$(error $(PKG_CONFIG) is not installed; `make deps` installs what is missing)
endif
MISSING := $(shell for p in $(PACKAGES); do $(PKG_CONFIG) --exists $$p 2>/dev/null || echo $$p; done)
ifneq ($(strip $(MISSING)),)
$(error not found by pkg-config: $(strip $(MISSING)); `make deps` installs what is missing)
endif
endif

all: $(PROGRAM) ## build the program, faster with -j (FLAVOUR=release)

$(BUILD)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	$(call SAY,cc,$<)
	$(Q)$(COMPILE) -MMD -MP -c $< -o $@

# Files become part of the program: the first failing and passing scenario of each rule, by name,
# the templates of completion, and the clauses of the documents; the style of pages.
SCENARIOS := $(sort $(wildcard scenarios/*/*/*.yaml))
FIRST_SCENARIOS = printf '%s\n' $(SCENARIOS) | awk -F/ '{ kind = substr($$4, 1, 5) } kind ~ /^(fail|pass)-/ && !seen[$$2 "/" $$3 kind]++'
TEMPLATES := $(sort $(wildcard share/lifecheck/completion/*)) testdata/clauses.yaml
$(BUILD)/embed: tools/embed.c
	@mkdir -p $(@D)
	$(call SAY,cc,$@)
	$(Q)$(CC_FOR_BUILD) -std=c11 -O1 $< -o $@

$(BUILD)/gen/embedded.inc: $(BUILD)/embed $(SCENARIOS) $(TEMPLATES) Makefile
	@mkdir -p $(@D)
	$(Q)$(BUILD)/embed $$($(FIRST_SCENARIOS)) $(TEMPLATES) >$@.new && mv $@.new $@

$(BUILD)/gen/style.inc: $(BUILD)/embed share/lifecheck/report.css
	@mkdir -p $(@D)
	$(Q)$(BUILD)/embed share/lifecheck/report.css >$@.new && mv $@.new $@

$(BUILD)/obj/cli/embedded.o: $(BUILD)/gen/embedded.inc
$(BUILD)/obj/report/html/style.o: $(BUILD)/gen/style.inc
$(BUILD)/obj/cli/embedded.o $(BUILD)/obj/report/html/style.o: LC_CFLAGS += -I$(BUILD)/gen -Wno-overlength-strings

# The commit that is built, for --version: of this checkout, or as `git archive` has written it to .commit. The
# file changes only when the commit does, so that nothing else is built again.
COMMIT := $(if $(wildcard .git),$(shell git rev-parse --short=12 HEAD 2>/dev/null),$(shell grep -sxE '[0-9a-f]{7,40}' .commit | cut -c 1-12))
$(BUILD)/gen/cli/commit.h: FORCE
	@mkdir -p $(@D)
	@echo '#define LC_COMMIT "$(COMMIT)"' | cmp -s - $@ || echo '#define LC_COMMIT "$(COMMIT)"' >$@
FORCE:

$(BUILD)/obj/cli/commands/version.o: $(BUILD)/gen/cli/commit.h
$(BUILD)/obj/cli/commands/version.o: LC_CFLAGS += -I$(BUILD)/gen

# Archives are thin: they name the objects beside them, so that a change does not copy all others again. They are made
# anew, so that no object of a removed source stays. ARCHIVE_FLAGS=rcs makes one that can be copied to another place;
# the linker of macOS reads no other.
ARCHIVE_FLAGS ?= $(if $(findstring APPLE,$(MACROS)),rcs,$(if $(shell $(AR) --version 2>/dev/null | grep -E 'GNU|LLVM'),rcsT,rcs))
$(LIBRARY): $(OBJECTS)
$(CLI): $(CLI_OBJECTS)
$(LIBRARY) $(CLI):
	$(call SAY,ar,$@)
	@rm -f $@
	$(Q)$(AR) $(ARCHIVE_FLAGS) $@ $^

$(PROGRAM): $(BUILD)/obj/cli/main.o $(CLI) $(LIBRARY)
	$(call SAY,ld,$@)
	$(Q)$(LINK) $^ $(LIBS) -o $@

# The vectors program carries the schemas of the providers that recorded plans are about.
$(BUILD)/gen/plan_schemas.inc: testdata/schemas/plans.json
	@mkdir -p $(@D)
	$(Q)od -An -v -tu1 $< | sed 's/ \+/,/g;s/^,//;s/$$/,/' >$@.new && mv $@.new $@

# The program with the memory of which any one block can be refused.
$(BUILD)/obj/alloc/memory.o: src/base/memory.c
	@mkdir -p $(@D)
	$(call SAY,cc,$<)
	$(Q)$(COMPILE) -DLC_TEST_ALLOC -MMD -MP -c $< -o $@

$(BUILD)/lifecheck-alloc: $(BUILD)/obj/cli/main.o $(BUILD)/obj/alloc/memory.o $(CLI) $(LIBRARY)
	$(call SAY,ld,$@)
	$(Q)$(LINK) $^ $(LIBS) -o $@

$(BUILD)/vectors: $(ANSWERS) $(wildcard tests/vectors/*.h) $(LIBRARY) $(BUILD)/gen/plan_schemas.inc
	$(call SAY,cc,$@)
	$(Q)$(LINK_TEST) -I$(BUILD)/gen $(LIBS) -o $@

$(BUILD)/compare: $(COMPARE) $(LIBRARY)
	$(call SAY,cc,$@)
	$(Q)$(LINK_TEST) $(LIBS) -o $@

$(BUILD)/bench: tests/bench/bench.c $(LIBRARY)
	$(call SAY,cc,$@)
	$(Q)$(LINK_TEST) $(LIBS) -o $@

# Tests of the command line's own functions; each other test links the library alone.
TESTS_OF_CLI := $(addprefix $(BUILD)/tests/,fuzz/settings live/settings unit/test_options)
$(TESTS_OF_CLI): $(CLI)

CHECK_CFLAGS := $(shell $(PKG_CONFIG) --cflags check 2>/dev/null)
CHECK_LIBS   := $(shell $(PKG_CONFIG) --libs check 2>/dev/null)

# A corpus replayed without libFuzzer, and the fuzz target itself.
$(BUILD)/tests/fuzz/%: tests/fuzz/fuzz_%.c tests/fuzz/driver.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,cc,$@)
	$(Q)$(LINK_TEST) $(LIBS) -o $@

$(BUILD)/tests/live/%: tests/fuzz/fuzz_%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,cc,$@)
	$(Q)$(LINK_TEST) -fsanitize=fuzzer $(LIBS) -o $@

# The providers and the client with which `lifecheck record` and `lifecheck probe` are tested, and what asks a provider
# by a session.
PEERS := $(addprefix $(BUILD)/tests/record/,provider client asker) $(BUILD)/tests/probe/provider $(BUILD)/tests/serve/client
$(BUILD)/tests/record/%: tests/record/%.c $(addprefix tests/record/,calls.c h2.c plugin.c) $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,cc,$@)
	$(Q)if $(PKG_CONFIG) --exists libnghttp2; then $(LINK_TEST) $(shell $(PKG_CONFIG) --cflags --libs libnghttp2 2>/dev/null) $(LIBS) -o $@; \
		else echo '  skipped: libnghttp2 was not found by pkg-config'; fi

# The provider that computes, with which `lifecheck probe` and `lifecheck drive` are tested.
$(BUILD)/tests/probe/provider: $(wildcard tests/probe/*.c) tests/record/plugin.c tests/record/h2.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,cc,$@)
	$(Q)if $(PKG_CONFIG) --exists libnghttp2; then $(LINK_TEST) $(shell $(PKG_CONFIG) --cflags --libs libnghttp2 2>/dev/null) $(LIBS) -o $@; \
		else echo '  skipped: libnghttp2 was not found by pkg-config'; fi

# Unit tests, in two steps: a change of the library does not compile them again.
$(BUILD)/tests/unit/%.o: tests/unit/%.c
	@mkdir -p $(@D)
	$(call SAY,cc,$<)
	$(Q)$(COMPILE) $(CHECK_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(LIBRARY)
	$(call SAY,ld,$@)
	$(Q)$(LINK) $(filter %.o,$^) $(filter $(CLI),$^) $(LIBRARY) $(CHECK_LIBS) $(LIBS) -o $@

.SECONDARY: $(UNITS:%=%.o)

# Other test programs: build/<flavour>/tests/<kind>/<name> from tests/<kind>/<name>.c
$(BUILD)/tests/%: tests/%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(call SAY,cc,$@)
	$(Q)$(LINK_TEST) $(LIBS) -o $@

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# ---- Tests. Each target ends with a line `N passed, N failed, N skipped`.

SKIPPED = echo 'skipped: $(1)' && echo '0 passed, 0 failed, 1 skipped'
FAST := check-unit check-scenarios check-reports check-variations check-vectors check-corpora

check: ## everything once: unit, scenarios, reports, variations, vectors, corpora, command line, lint
	@tests/run.sh $(FAST) check-cli check-lint

check-asan: ## all but the last two again, under AddressSanitizer and UndefinedBehaviorSanitizer
	@tests/run.sh $(FAST:%=asan-%)

check-fast: ## under a minute: unit tests, every scenario, and the corpora; for the build of a package
	@tests/run.sh check-unit check-scenarios check-corpora

HAS_CHECK := $(shell $(PKG_CONFIG) --exists check 2>/dev/null && echo yes)
check-unit: $(if $(HAS_CHECK),$(UNITS)) ## unit tests (Check)
	@$(if $(HAS_CHECK),tests/unit/run.sh $^,$(call SKIPPED,pkg-config does not find the library check))

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

check-lint: $(PROGRAM) $(LIBRARY) $(CLI) ## layers, headers, globals, sizes, banned names, catalogue, man pages, format
	@CC='$(CC)' BUILD=$(BUILD) LIFECHECK=$(PROGRAM) PACKAGES='$(PACKAGES)' tests/tap.sh tests/lint/*.sh

check-layers check-headers check-globals check-sizes check-format: check-%: $(LIBRARY) $(CLI)
	@CC='$(CC)' BUILD=$(BUILD) PACKAGES='$(PACKAGES)' tests/tap.sh tests/lint/$*.sh

check-whole: $(PROGRAM) ## recorded plans through the shipped command, with causes (PLANS=DIR LEARN=FILES)
	@tests/whole/whole.py $(PROGRAM) $(if $(PLANS),$(PLANS),$(error PLANS=DIR names the folder of recorded plans)) $(LEARN:%=--learn %)

check-hunt: $(PROGRAM) ## random configurations through a client and the shipped command (CLIENT=terraform AS=terraform SEED=1 COUNT=100)
	@tests/whole/hunt.py $(PROGRAM) $(or $(CLIENT),terraform) --as $(or $(AS),terraform) --seed $(or $(SEED),1) --count $(or $(COUNT),100)

# By cross compilers and qemu-user of Debian, and libraries that packaging/sysroot unpacks below build/.
ARCHES ?= amd64 arm64 i386 s390x
check-cross: ## unit tests, scenarios, reports and corpora on other processors, byte for byte the same (ARCHES= COMMANDS='record drive')
	@CC='$(CC)' MAKE='$(MAKE)' COMMANDS='$(COMMANDS)' tests/cross/run.sh $(ARCHES)

check-macos: ## everything compiles and links for macOS (zig; LINK_UNITS=1: unit tests, too)
	@CC='$(CC)' MAKE='$(MAKE)' UNITS='$(LINK_UNITS)' tests/cross/macos.sh aarch64-macos x86_64-macos

check-clients: $(PROGRAM) ## what clients say of violations that are served to them, and our verdict (CLIENTS='terraform tofu')
	@for client in $(or $(CLIENTS),terraform tofu); do tests/clients/run.sh $(PROGRAM) $$client || exit 1; done

check-examples: $(PROGRAM) ## acceptance scenarios of another folder (EXAMPLES=DIR)
	@LIFECHECK=$(PROGRAM) tests/examples $(EXAMPLES)

# The runtime of the sanitizers is a package of its own for some compilers.
asan-check-%:
	@mkdir -p build/asan && echo 'int main(void) { return 0; }' >build/asan/try-$*.c
	@$(CC) -fsanitize=address,undefined build/asan/try-$*.c -o build/asan/try-$* 2>/dev/null || \
		{ $(call SKIPPED,$(CC) has no runtime for -fsanitize=address$(COMMA)undefined); exit 0; } && \
		$(MAKE) --no-print-directory FLAVOUR=asan check-$*

# ---- Editors

# How each C file is compiled, for clangd and clang-tidy, which read no Makefile: without ccache, which they do not know.
# The file changes only when a command does.
COMPILED := $(SOURCES) $(wildcard tests/*/*.c) tools/embed.c
COMMAND_EACH = $(strip $(filter-out %ccache,$(COMPILE)) -I. -I$(BUILD)/gen -Wno-overlength-strings \
	$(CHECK_CFLAGS) $(shell $(PKG_CONFIG) --cflags $(NGHTTP2) 2>/dev/null))
compile_commands.json: export COMPILE_EACH = $(COMMAND_EACH)
compile_commands.json: tools/compile-commands.awk $(addprefix $(BUILD)/gen/,embedded.inc style.inc plan_schemas.inc cli/commit.h) FORCE ## for clangd and clang-tidy: how each file is compiled
	@printf '%s\n' $(COMPILED) | PWD='$(CURDIR)' awk -f $< >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

analyze: compile_commands.json ## clang-tidy, gcc -fanalyzer and cppcheck: what tests/analyze/known.txt does not list (FILES=)
	@tests/analyze/run.sh $(FILES)

format: ## format all C by clang-format 14 or 19, which agree on it
	@command=$$(sh tools/clang-formats.sh | sed -n '1s/^[0-9]* //p') && if [ -z "$$command" ]; then \
		echo 'skipped: neither clang-format 14 nor clang-format 19 is installed'; \
	else find src include tests tools -name '*.[ch]' -print0 | xargs -0 -n 100 -P "$$(nproc)" "$$command" -i; fi

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

bench: $(BUILD)/bench $(PROGRAM) ## time and memory, one thread (VECTORS=DIR); what twice the input costs (BASE=PROGRAM)
	@$(BUILD)/bench $(VECTORS) $(PROGRAM)
	@BASE='$(BASE)' tests/bench/growth.py $(PROGRAM)

bench-check: $(PROGRAM) ## what twice the input costs in instructions, counted by valgrind: at most 2.2 times
	@if command -v valgrind >/dev/null; then tests/bench/growth.py --counts $(PROGRAM); \
		else $(call SKIPPED,valgrind is not installed); fi

# ---- Around

deps: ## install what is missing (Debian, apt-get as root or by sudo)
	@sh .ci/deps

man: $(PROGRAM) ## renew what is generated from lists: a man page, and the JSON Schema of scenarios
	$(PROGRAM) rules --format man >man/lifecheck-rules.7
	$(PROGRAM) schema scenario >share/lifecheck/scenario.schema.json
	sh tools/functions-man.sh >$(BUILD)/functions.man && sed -i -e '/^.\\" FUNCTIONS:/,/^.\\" END/{/^.\\"/!d}' -e '/^.\\" FUNCTIONS:/r $(BUILD)/functions.man' man/lifecheck-predict.1
	sh tools/command-man.sh $(PROGRAM) renew man/lifecheck.1 $(wildcard man/lifecheck-*.1)
	sh tools/laws-man.sh >$(BUILD)/laws.man && sed -i -e '/^.\\" LAWS:/,/^.\\" END/{/^.\\"/!d}' -e '/^.\\" LAWS:/r $(BUILD)/laws.man' man/lifecheck-probe.1

site: $(PROGRAM) ## documents, rules, diagnoses, laws and man pages as HTML with search: build/site/index.html
	@rm -rf build/site
	@python3 tools/site/site.py $(PROGRAM) build/site

# Each installed file that is not a program: its folder in INTO_<kind>, and what it is made from.
COMPLETIONS := $(foreach shell,bash zsh fish,$(BUILD)/completion/$(shell))
$(COMPLETIONS): $(BUILD)/completion/%: $(PROGRAM)
	@mkdir -p $(@D)
	$(Q)$(PROGRAM) completion $* >$@.new && mv $@.new $@

MAN_PAGES := $(wildcard man/*.[1-9])
JSON_SCHEMAS := $(wildcard share/lifecheck/*.schema.json)
# What README, the tutorial and the other pages name: their commands run in the installed folder, too.
EXAMPLE_FOLDERS := docs scenarios testdata/captures testdata/lint testdata/plans testdata/policy testdata/predict testdata/readme testdata/schemas testdata/why
examplesdir = $(DESTDIR)$(datadir)/lifecheck/examples

install: $(PROGRAM) $(COMPLETIONS) ## install program, man pages, completion, JSON Schemas, tutorial and examples: DESTDIR= PREFIX=/usr/local
	$(INSTALL) -d $(DESTDIR)$(bindir) $(DESTDIR)$(datadir)/lifecheck $(DESTDIR)$(bashcompletiondir) \
		$(DESTDIR)$(zshcompletiondir) $(DESTDIR)$(fishcompletiondir) \
		$(foreach section,$(sort $(patsubst .%,%,$(suffix $(MAN_PAGES)))),$(DESTDIR)$(mandir)/man$(section))
	$(INSTALL) -m 755 $(INSTALL_STRIP) $(PROGRAM) $(DESTDIR)$(bindir)/lifecheck
	for page in $(MAN_PAGES); do $(INSTALL) -m 644 $$page $(DESTDIR)$(mandir)/man$${page##*.}/ || exit 1; done
	$(INSTALL) -m 644 $(JSON_SCHEMAS) $(DESTDIR)$(datadir)/lifecheck/
	$(INSTALL) -m 644 $(BUILD)/completion/bash $(DESTDIR)$(bashcompletiondir)/lifecheck
	$(INSTALL) -m 644 $(BUILD)/completion/zsh $(DESTDIR)$(zshcompletiondir)/_lifecheck
	$(INSTALL) -m 644 $(BUILD)/completion/fish $(DESTDIR)$(fishcompletiondir)/lifecheck.fish
	$(INSTALL) -d $(examplesdir)/testdata
	$(INSTALL) -m 644 README.md $(examplesdir)/
	for folder in $(EXAMPLE_FOLDERS); do \
		rm -rf $(examplesdir)/$$folder && cp -R $$folder $(examplesdir)/$$folder || exit 1; done
	find $(examplesdir) -type d -exec chmod 755 {} + && find $(examplesdir) -type f -exec chmod 644 {} +
	@echo '  $(if $(INSTALL_STRIP),stripped,with debug information; `make install-strip` leaves it out): $(DESTDIR)$(bindir)/lifecheck'

install-strip: ## the same, the program without debug information
	@$(MAKE) --no-print-directory install INSTALL_STRIP='-s --strip-program=$(STRIP)'

uninstall: ## remove what install put there, with the same variables
	rm -f $(DESTDIR)$(bindir)/lifecheck $(DESTDIR)$(bashcompletiondir)/lifecheck $(DESTDIR)$(zshcompletiondir)/_lifecheck \
		$(DESTDIR)$(fishcompletiondir)/lifecheck.fish \
		$(foreach page,$(MAN_PAGES),$(DESTDIR)$(mandir)/man$(patsubst .%,%,$(suffix $(page)))/$(notdir $(page))) \
		$(addprefix $(DESTDIR)$(datadir)/lifecheck/,$(notdir $(JSON_SCHEMAS)))
	rm -rf $(addprefix $(examplesdir)/,README.md $(EXAMPLE_FOLDERS))
	for folder in $(examplesdir)/testdata $(examplesdir); do [ ! -d $$folder ] || rmdir $$folder || exit 1; done
	[ ! -d $(DESTDIR)$(datadir)/lifecheck ] || rmdir $(DESTDIR)$(datadir)/lifecheck

# ---- Packages

version: ## print the version, for scripts
	@echo $(VERSION)

dist: ## source archive: build/dist/lifecheck-VERSION.tar.gz, of what is committed
	@VERSION=$(VERSION) packaging/dist

deb: ## Debian package in build/deb, from what is committed (needs `sh .ci/deps --packaging`)
	@VERSION=$(VERSION) packaging/deb

static: ## one program for any Linux (needs `sh .ci/deps --packaging`): build/static/lifecheck; ARCH=arm64 builds it for another architecture, with a cross compiler
	@CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' MAKE='$(MAKE)' ARCH='$(ARCH)' packaging/static

# Packages that carry the static program, for the architectures in ARCHES (this machine's).
BINARY_PACKAGES := $(addprefix package-,archive wheel npm deb container)
$(BINARY_PACKAGES): package-%:
	@CC='$(CC)' MAKE='$(MAKE)' VERSION=$(VERSION) ARCHES='$(if $(filter file,$(origin ARCHES)),,$(ARCHES))' packaging/binary $*

packages: ## all packages with the static program (needs `sh .ci/deps --packaging`), in build/packages: archive, wheel, npm, .deb, container (ARCHES="amd64 arm64")
	@for package in $(BINARY_PACKAGES); do $(MAKE) --no-print-directory $$package || exit 1; done
	@VERSION=$(VERSION) packaging/sbom
	@cd build/packages && rm -f SHA256SUMS && sha256sum *.tar.gz *.whl *.tgz *.deb *.json >SHA256SUMS && echo build/packages/SHA256SUMS

release-check: ## what of packaging/RELEASING.md can be run here; takes half an hour
	@CC='$(CC)' MAKE='$(MAKE)' VERSION=$(VERSION) packaging/release-check

check-packaging: ## flags, installation, archive, packages; takes minutes and is not part of check
	@CC='$(CC)' VERSION=$(VERSION) JOBS=1 tests/tap.sh tests/packaging/*.sh

clean: ## remove everything built
	rm -rf build compile_commands.json

help: ## this list
	@sed -n 's/^\([a-z_.-]*\):.*## \(.*\)/  \1 \2/p' $(firstword $(MAKEFILE_LIST)) | \
		awk '{ name = $$1; sub(/^ *[^ ]+ /, ""); printf "  %-16s %s\n", name, $$0 }'

.PHONY: all check check-asan check-fast $(FAST) check-cli check-lint check-layers check-headers check-globals check-sizes \
	check-format check-examples check-whole check-hunt check-packaging check-cross check-macos packages $(BINARY_PACKAGES) release-check asan mutation \
	valgrind valgrind-run fuzz coverage bench bench-check deps man site \
	analyze format install install-strip uninstall version dist deb static clean help FORCE
