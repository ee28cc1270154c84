# ludozero. A newcomer needs only `make train` and `make test`.
GO        ?= go
BIN       := bin/ludozero
# Flags of the training command, e.g. make train CONFIG=configs/connect4/quick.yaml RUN=runs/c4,
# make night FLAGS='--set workers=1'
CONFIG    ?= configs/konreh/quick.yaml
RUN       ?= runs/$(notdir $(patsubst %/,%,$(dir $(CONFIG))))-$(notdir $(basename $(CONFIG)))
GAME      ?= tictactoe
BENCHTIME ?= 1s
FUZZTIME  ?= 20s
LINT      := $(GO) tool -modfile=scripts/tools/go.mod golangci-lint

.DEFAULT_GOAL := help
.PHONY: help build train night web test check lint fmt race purego wasm npm complete static fuzz bench smoke kill duckdb chromium onnxruntime golden generate generate-check

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/ludozero, with the licences of what is in it beside it
	@mkdir -p bin
	$(GO) build -o $(BIN) ./cmd/ludozero
	@cp LICENSE NOTICE THIRD_PARTY_LICENSES.txt bin/

train: build ## train a bot: Kon'reh, 15 minutes and some five of measuring, then a report
	$(BIN) train --config "$(CONFIG)" --run "$(RUN)"

night: CONFIG = konreh/overnight
night: RUN = runs/$(patsubst %-overnight,%,$(patsubst .-%,%,$(notdir $(patsubst %/,%,$(dir $(CONFIG))))-$(notdir $(basename $(CONFIG)))))-night
night: ## train overnight: Kon'reh, ten hours; stopped in any way, it resumes with the program it began with
	@test -e "$(RUN)/config.yaml" -a -x "$(RUN)/ludozero" || $(MAKE) build
	scripts/night.sh "$(CONFIG)" "$(RUN)" $(FLAGS)

web: build ## play in the browser against the networks in the binary
	$(BIN) web --open

test: lint generate-check wasm static duckdb chromium onnxruntime ## what CI runs: linters, builds, all tests in short form
	scripts/test.sh

check: test ## the same

lint: ## vet, formatting and linters
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "run make fmt"; exit 1; }
	$(LINT) run ./...

fmt: ## format all code
	gofmt -w $$(git ls-files '*.go')

race: ## all tests under the race detector
	$(GO) test -race -short ./...

purego: ## all tests without assembly
	$(GO) test -tags purego -short ./model/...

wasm: ## build for WebAssembly: engine, search, shipped networks, the program of a static site
	GOOS=js GOARCH=wasm $(GO) build ./engine/... ./mcts/... ./model/infer ./model/zoo ./web/table
	@mkdir -p bin
	GOOS=js GOARCH=wasm $(GO) build -o bin/ludozero.wasm ./cmd/ludozero-wasm

npm: ## make bin/ludozero-VERSION.tgz, the package for JavaScript; needs npm
	@rm -rf bin/npm
	$(GO) run ./scripts/npm bin/npm
	cd bin && npm pack --silent ./npm

complete: ## build bin/ludozero with all parts of a static site, for machines without Go, node and npm
	@mkdir -p bin
	scripts/site/parts.sh web/site/parts
	$(GO) build -tags complete -o $(BIN) ./cmd/ludozero
	@cp LICENSE NOTICE THIRD_PARTY_LICENSES.txt bin/

static: ## build without C
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -o bin/ludozero-static ./cmd/ludozero

fuzz: ## fuzz every parser, FUZZTIME each
	scripts/fuzz.sh $(FUZZTIME)

bench: ## all benchmarks, BENCHTIME each
	$(GO) test -run '^$$' -bench . -benchtime $(BENCHTIME) ./...

smoke: build ## the whole loop with a tiny network in under a minute: play, learn, rate
	rm -rf runs/smoke-$(GAME)
	$(BIN) train --config configs/$(GAME)/tiny.yaml --run runs/smoke-$(GAME)

kill: build ## kill a tiny run at 20 random moments and check that it resumes
	scripts/kill.sh 20

duckdb: ## read shards with DuckDB; skipped without a C++ toolchain
	scripts/duckdb/test.sh

onnxruntime: ## install ONNX Runtime for the tests of exported networks; needs node and npm, and root for onnx.checker
	scripts/onnxruntime/install.sh

chromium: ## install Chromium for the page tests, where Debian's package can be installed
	scripts/chromium.sh

golden: ## regenerate the golden search trees with an independent script; needs Python 3
	scripts/golden/search.py > mcts/testdata/golden.json.new
	mv mcts/testdata/golden.json.new mcts/testdata/golden.json

generate: ## regenerate the assembly, the pages of rules in docs and the list of licences
	cd model/kernel/_asm && $(GO) generate ./...
	$(GO) run ./scripts/guides
	scripts/licences.sh ./cmd/ludozero >THIRD_PARTY_LICENSES.new && mv THIRD_PARTY_LICENSES.new THIRD_PARTY_LICENSES.txt

generate-check: ## check that assembly, pages of rules and licences in the tree are what their generators write
	scripts/generate-check.sh
	$(GO) run ./scripts/guides -check
	scripts/licences.sh -check ./cmd/ludozero
