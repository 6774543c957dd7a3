# What a developer runs. `make help` lists the targets; .ci/run runs them all.

GO         ?= go
FUZZTIME   ?= 10s
FUZZ       ?=
VERSION    ?= dev
PLATFORMS  ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
# The Go that releases are built with, and that known vulnerabilities are looked
# up for: the standard library of 1.26.8 has known ones.
RELEASE_GO ?= go1.27.3
# A Go whose library has known faults that the product calls: the control of
# `make vuln`.
CONTROL_GO ?= go1.26.8
STATICCHECK = $(GO) tool -modfile=tools/go.mod staticcheck
VULNCHECK   = $(GO) tool -modfile=tools/go.mod govulncheck

# Packages whose tests read the public corpora named by EVERGREEN_CORPORA.
CORPUS_TESTS = $$(grep -rl --include='*_test.go' EVERGREEN_CORPORA cmd internal docs 2>/dev/null | xargs -r -n1 dirname | sort -u | sed 's|^|./|')

.PHONY: help cover build run test check race quality conformance site-audit e2e faults soak fuzz bench bench-peers figures benchmarks transcript vuln dist dependencies dist-check mutants reliability
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

build: ## the program, into build/
	$(GO) build -o build/ ./cmd/evergreen

run: ## serve Evergreen's own docs on 127.0.0.1:4173
	$(GO) run ./cmd/evergreen serve

test: ## unit tests, scripts, goldens, fuzz seeds; nothing from outside
	@EVERGREEN_CORPORA= $(GO) test ./... > build/test.log 2>&1; status=$$?; \
	  awk '/^ok/ {n++; next} /no test files/ {next} {print} END {print n+0 " packages ok"}' build/test.log; exit $$status

check: ## formatting, vet on three systems, staticcheck, licences, test
	@unformatted=$$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l); \
	  if [ -n "$$unformatted" ]; then echo "run gofmt -w on:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	GOOS=windows $(GO) vet ./...
	GOOS=darwin $(GO) vet ./...
	$(STATICCHECK) ./...
	$(GO) -C tools vet ./...
	$(GO) -C tools test -count=1 ./...
	$(GO) -C tools run ./licences ..
	@$(MAKE) --no-print-directory test

race: ## everything under the race detector, short form
	EVERGREEN_CORPORA= $(GO) test -race -short ./...

quality: ## measured quality on public corpora (EVERGREEN_CORPORA); prints what was skipped
	@if [ -n "$$EVERGREEN_CORPORA" ] && [ ! -d "$$EVERGREEN_CORPORA" ]; then \
	  echo "EVERGREEN_CORPORA names $$EVERGREEN_CORPORA, which is no folder"; exit 1; fi
	@packages=$(CORPUS_TESTS); if [ -z "$$packages" ]; then echo "quality: no test reads the corpora yet"; exit 0; fi; \
	  $(GO) test -count=1 -v $$packages > build/quality.log 2>&1; status=$$?; \
	  grep -E '^(ok|FAIL|panic:)|^ *--- (SKIP|FAIL)|skipped|EVERGREEN_CORPORA|quality:' build/quality.log | sort -u; exit $$status

conformance: build ## MCP suites and real MCP clients, by npm; says what it skips
	e2e/scripts/conformance.sh
	e2e/scripts/clients.sh build/evergreen

site-audit: build ## outside judges of the served site, by npm and apt; says what it skips
	e2e/scripts/site-audit.sh build/evergreen

e2e: build ## A2A clients and parsers, bills of materials against their schema, the pages in Chromium, real MCP upstreams; says what it skips
	e2e/scripts/a2a.sh build/evergreen
	e2e/scripts/sbom.sh
	e2e/scripts/browser.sh build/evergreen
	@if [ -x e2e/scripts/upstreams.sh ]; then e2e/scripts/upstreams.sh build/evergreen; fi

# By hand: make faults KILLS=200 FLIPS=20 OUTCOMES=bench/results/faults, and
# SOAK=1h make soak. What they came to goes into docs/reliability.md.
KILLS    ?= 40
FLIPS    ?= 2
SOAK     ?= 10m
OUTCOMES ?=
MUTANTS  ?=
FAULTS    = EVERGREEN_KILLS=$(KILLS) EVERGREEN_FLIPS=$(FLIPS) EVERGREEN_OUTCOMES=$(if $(OUTCOMES),$(abspath $(OUTCOMES))) $(GO) test -count=1 -timeout 60m

faults: ## kills, damage, full disks, outages, and a soak of 20 s
	$(FAULTS) -run 'Crash|Fault|Full|Kill|Damage|Repair|Format|Clock|Version|Newer|NoticesEveryBit|Earlier|Cut' ./internal/store/... ./internal/index/... ./internal/engine/... ./internal/fetch/...
	EVERGREEN_SOAK=20s $(FAULTS) ./faults/...

soak: ## load for SOAK (10m): memory, goroutines and descriptors stay flat
	EVERGREEN_SOAK=$(SOAK) $(FAULTS) -run 'Soak|Overload|Crowd|Busy' -v ./faults/...

mutants: ## put deliberate bugs into a copy of the tree, one at a time (MUTANTS=kill,fuzz-*: some), and see their tests fail
	$(GO) -C tools run ./mutants $(if $(MUTANTS),-only '$(MUTANTS)') $(if $(OUTCOMES),-out $(abspath $(OUTCOMES))/mutants.json) $(CURDIR)

reliability: ## write docs/reliability.md and bench/results/soak.md from bench/results/faults
	$(GO) -C tools run ./reliability $(CURDIR)

fuzz: ## every fuzz target for FUZZTIME (10s) each
	$(GO) -C tools run ./fuzz -time $(FUZZTIME) $(if $(FUZZ),-only '$(FUZZ)') $(if $(OUTCOMES),-out $(abspath $(OUTCOMES))/fuzz.json) $(CURDIR)

# Faces and wiring, which stand above the engine; layers_test.go has all floors.
UPPER = /(internal/(mcp|web|ui|overlay|audit|measure|config|websearch|export|console|testkit|crawl/crawltest)|cmd|faults)(/|$$)

cover: | build-dir ## coverage of floors 1 to 4, each package and together, into build/cover.txt
	@packages=$$($(GO) list ./... | grep -vE '$(UPPER)'); list=$$(echo $$packages | tr ' ' ','); \
	  EVERGREEN_CORPORA= $(GO) test -short -coverpkg=$$list -coverprofile=build/cover.out $$packages > build/cover.log 2>&1 || { cat build/cover.log; exit 1; }; \
	  awk 'NR > 1 {split($$1, at, ":"); sub("/[^/]*$$", "", at[1]); key = $$1; n[key] = $$2; of[key] = at[1]; if ($$3 > 0) hit[key] = 1} \
	    END {for (k in n) {all[of[k]] += n[k]; total += n[k]; if (hit[k]) {ran[of[k]] += n[k]; sum += n[k]}} \
	    for (p in all) printf "%5.1f %%  %s\n", 100*ran[p]/all[p], p | "sort -k3"; close("sort -k3"); printf "%5.1f %%  together, of %d statements\n", 100*sum/total, total}' build/cover.out | tee build/cover.txt

benchmarks: ## every Go benchmark, into build/benchmarks.txt
	$(GO) test -run '^$$' -bench . -benchmem ./... | tee build/benchmarks.txt

vuln: | build-dir ## known vulnerabilities in what is linked, by the module golang.org/x/vulndb; first that some are found with CONTROL_GO
	$(GO) -C tools run ./vulndb $(if $(VULNDB),-from $(abspath $(VULNDB))) $(CURDIR)/build/vulndb
	GOTOOLCHAIN=$(CONTROL_GO) $(VULNCHECK) -db file://$(CURDIR)/build/vulndb -format json ./... > build/vuln-control.json
	$(GO) -C tools run ./vulncontrol < build/vuln-control.json
	GOTOOLCHAIN=$(RELEASE_GO) $(VULNCHECK) -db file://$(CURDIR)/build/vulndb ./...

dependencies: ## write docs/dependencies.txt: what is linked, with version and licence
	$(GO) -C tools run ./licences .. -list > docs/dependencies.txt

dist: ## static binaries of VERSION for all platforms, bills of materials and checksums, into dist/
	@rm -rf dist && mkdir -p dist
	@for platform in $(PLATFORMS); do \
	  os=$${platform%/*}; arch=$${platform#*/}; ext=; [ $$os = windows ] && ext=.exe; \
	  echo "dist/evergreen-$(VERSION)-$$os-$$arch$$ext"; \
	  CGO_ENABLED=0 GOTOOLCHAIN=$(RELEASE_GO) GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -buildvcs=false -ldflags '-s -w -X main.version=$(VERSION)' \
	    -o dist/evergreen-$(VERSION)-$$os-$$arch$$ext ./cmd/evergreen || exit 1; done
	@$(GO) -C tools run ./sbom $(CURDIR)/dist/evergreen-*
	@cd dist && sha256sum evergreen-* > SHA256SUMS

dist-check: ## build dist again elsewhere, from nothing, compare every byte, and hold the bills of materials against their schema
	tools/distcheck.sh "$(PLATFORMS)"

test quality benchmarks: | build-dir
.PHONY: build-dir
build-dir:
	@mkdir -p build

# Each program of bench/ writes bench/results/NAME.md; unpacked corpora are
# shared and removed at the end.
bench: ## measure on real documentation (EVERGREEN_CORPORA) in under 5 minutes, into bench/results/
	@work=$$(mktemp -d); all=$$(date +%s); status=0; \
	  for name in indexing start search retrieval answers mcp firstcall; do began=$$(date +%s); \
	  $(GO) -C bench run -mod=mod ./$$name -work $$work || status=1; \
	  echo "bench: $$name took $$(( $$(date +%s) - began )) s"; done; rm -rf $$work; \
	  echo "bench: all took $$(( $$(date +%s) - all )) s of the 300 they may take"; \
	  $(GO) -C tools run ./figures .. || status=1; exit $$status

# One alone: make bench-peers PEERS=engines
PEERS ?= extraction conversion sections engines engines-large passages peers
bench-peers: ## the same beside peers from their registries (PEERS="...") in under 20 minutes, into bench/results/
	@work=$$(mktemp -d); all=$$(date +%s); status=0; for name in $(PEERS); do began=$$(date +%s); \
	  $(GO) -C bench run -mod=mod ./$$name -work $$work || status=1; \
	  echo "bench-peers: $$name took $$(( $$(date +%s) - began )) s"; done; rm -rf $$work; \
	  echo "bench-peers: all took $$(( $$(date +%s) - all )) s of the 1200 they may take"; \
	  $(GO) -C tools run ./figures .. || status=1; exit $$status

figures: ## what bench/results says, into README.md and docs/benchmarks.md
	@$(GO) -C tools run ./figures ..

bench-full: ## what takes longer: HTTP layers under load, a crawl of two large sites, growth to a million sections, into bench/results/
	@status=0; for name in http crawl ranking growth; do $(GO) -C bench run -mod=mod ./$$name || status=1; done; exit $$status

transcript: ## index, edit, kill in mid-write, ask every tool, into bench/results/
	$(GO) -C bench run -mod=mod ./transcript
