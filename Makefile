# lifecheck: build, test, install. `make help` lists the targets.
#
# Every flavour has a tree of its own below build/, so that switching costs nothing.

FLAVOUR ?= release
BUILD   := build/$(FLAVOUR)
PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= gcc
VERSION := 0.1.0

PACKAGES := libcjson yaml-0.1 msgpack gmp libutf8proc
DEBS     := gcc make pkg-config libcjson-dev libyaml-dev libmsgpack-dev check libgmp-dev libutf8proc-dev

MODULES := base value source codec schema contract planning diagnose verdict input report cli
SOURCES := $(foreach m,$(MODULES),$(wildcard src/$(m)/*.c))
MAIN    := src/cli/main.c
OBJECTS := $(patsubst src/%.c,$(BUILD)/obj/%.o,$(filter-out $(MAIN),$(SOURCES)))
LIBRARY := $(BUILD)/liblifecheck.a

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wpointer-arith -Wcast-qual -Wwrite-strings -Wvla -Wformat=2 \
	-Wswitch-enum -Wundef -Wredundant-decls -Wnull-dereference
OPTIMISE := -O2 -g
CHECKS   :=
ifeq ($(FLAVOUR),asan)
OPTIMISE := -O1 -g
CHECKS   := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DLC_ARENA_MALLOC
endif
ifeq ($(FLAVOUR),coverage)
OPTIMISE := -O0 -g
CHECKS   := --coverage
endif
ifeq ($(FLAVOUR),alloc)
CHECKS   := -DLC_TEST_ALLOC
endif
ifdef DEVELOPER
WARNINGS += -Werror
endif

DEFINES  := -D_POSIX_C_SOURCE=200809L -DLC_VERSION='"$(VERSION)"'
CFLAGS   := -std=c11 $(OPTIMISE) $(WARNINGS) $(CHECKS) $(DEFINES) -Iinclude $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
LDLIBS   := $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lm
LDFLAGS  := $(CHECKS)

all: $(BUILD)/lifecheck $(BUILD)/vectors

$(BUILD)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

$(LIBRARY): $(OBJECTS)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/lifecheck: $(BUILD)/obj/cli/main.o $(LIBRARY)
	$(CC) $(LDFLAGS) $^ $(LDLIBS) -o $@

# Test programs: build/<flavour>/tests/<kind>/<name> from tests/<kind>/<name>.c
$(BUILD)/tests/%: tests/%.c $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(shell pkg-config --cflags check) -MMD -MP $(LDFLAGS) $< $(LIBRARY) $(shell pkg-config --libs check) $(LDLIBS) -o $@

$(BUILD)/vectors: tests/vectors/vectors.c $(LIBRARY)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -MMD -MP $(LDFLAGS) $< $(LIBRARY) $(LDLIBS) -o $@

-include $(shell find build -name '*.d' 2>/dev/null)

clean:
	rm -rf build

.PHONY: all clean
