# make test is the one test command. It needs Go and, for the race detector, a C
# compiler; the tools it runs come from the module in tools/, at fixed versions.

.DEFAULT_GOAL := test
.PHONY: test unit alloc vet staticcheck format tidy fmt api bench stress fuzz

# The light modules: those whose dependencies build in seconds. Adapters pull in
# whole frameworks and are tested where they live.
MODULES := . $(patsubst %/go.mod,%,$(wildcard bench/go.mod))

# Without a C compiler there is no race detector, and the tests run all the same.
RACE := $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)

# Arguments for go test, such as -v.
TESTFLAGS ?=

# How long make fuzz works on each target.
FUZZTIME ?= 30s

TOOL := go tool -modfile=$(CURDIR)/tools/go.mod

# in_modules runs a command in every module of the list $(1), and stops at the
# first that fails.
in_modules = @set -e; for module in $(1); do echo "$$module: $(2)"; (cd $$module && $(3)); done

test: vet unit alloc staticcheck format tidy

unit:
ifeq ($(RACE),)
	@echo "no C compiler: the tests run without the race detector"
endif
	$(call in_modules,$(MODULES),go test $(RACE),go test $(RACE) $(TESTFLAGS) ./...)

# The race detector makes sync.Pool forget, so allocations are counted without it.
alloc:
	go test $(TESTFLAGS) -run 'Alloc|Gigabyte|BoundedMemory' . ./tokens/bpe

vet:
	$(call in_modules,$(MODULES),go vet,go vet ./...)

staticcheck:
	$(call in_modules,$(MODULES),staticcheck,$(TOOL) staticcheck ./...)

format:
	@unformatted=$$($(TOOL) gofumpt -l .) || exit; \
	if [ -n "$$unformatted" ]; then echo "run make fmt for:"; echo "$$unformatted"; exit 1; fi

tidy:
	$(call in_modules,$(MODULES) tools,go mod tidy,go mod tidy -diff)

# The targets below change files or take long; make test needs none of them.

fmt:
	$(TOOL) gofumpt -w .

api:
	go test ./internal/housetest -run '^TestAPI' -update

bench:
	go -C bench run .

stress:
	go test $(RACE) -count=1 -timeout 1h -v . -clipspan.full
	go test -count=1 -timeout 4h -v -run Declares ./builder -clipspan.full

fuzz:
	@set -e; for package in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package: $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package; \
		done; \
	done
