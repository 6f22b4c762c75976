# Each target does its own set-up; `make test` and `make play` are all that a newcomer needs.
SHELL := /bin/bash
.DELETE_ON_ERROR:

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A folder changes when a file comes or goes; an editable install must then learn of the new module.
CORE_SOURCES := $(shell find cpp -name '*.[ch]pp') CMakeLists.txt pyproject.toml \
  $(shell find src/tengen -path src/tengen/web -prune -o -type d -not -name __pycache__ -print)
WEB_SOURCES := $(shell find web \( -name node_modules -o -name e2e -o -name brains \) -prune -o -type f -print)
WASM_SOURCES := $(shell find cpp -name bind -prune -o -name '*.[ch]pp' -print) tools/wasm.py \
  $(wildcard src/tengen/brains/shipped/*.onnx)
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Tests wait for servers and other programs a fifth of the time.
TESTERS ?= $(shell expr $(JOBS) + 1)
# The wheel that tests build is compiled from the same sources once more, in another folder: with ccache it takes
# what is there. Paths are told from here, or those of another folder would be other sources.
ifneq ($(shell command -v ccache),)
export CMAKE_CXX_COMPILER_LAUNCHER := ccache
export CCACHE_DIR := $(CURDIR)/build/ccache
export CCACHE_BASEDIR := $(CURDIR)/cpp
export CCACHE_NOHASHDIR := true
export CCACHE_DEPEND := true
endif

.PHONY: play test lint format build dev stubs pytest cpp-test packages client web site web-test web-checks web-static bench soak clean

play: build
	@$(MAKE) --no-print-directory web || echo "tengen starts without its browser client." >&2
	@$(BIN)/tengen

# What one core does alone, fetching, installing and the static checks, goes beside the compiler. What nobody waits
# for lets the longest way through, from the core to the static checks of Python, go first.
test:
	@tools/system-packages ccache
	@$(MAKE) --no-print-directory -j4 lint cpp-test packages client web-static LATER="nice -n 10"
	@$(MAKE) --no-print-directory pytest
	@$(MAKE) --no-print-directory web-test
	@tools/system-packages --say

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/pip install --quiet --group build
	@$(BIN)/pip install --quiet --group wasm || true  # tools/wasm.py has the sentence for whoever cannot have it
	touch $@

# What `make play` needs: all but training, whose PyTorch is larger than everything else together.
$(VENV)/.built: $(VENV)/.ready $(CORE_SOURCES)
	$(BIN)/pip install --quiet --no-build-isolation --editable '.[server,brains]' -Ccmake.define.TENGEN_WERROR=ON
	touch $@

# What tests and checks need beside it; what of it is imported is compiled then.
$(VENV)/.dev: $(VENV)/.built pyproject.toml
	$(BIN)/pip install --quiet --no-compile --group dev 'tengen[train,cluster,postgres,envs,traces]'
	touch $@

build: $(VENV)/.built

dev: $(VENV)/.dev

stubs: dev
	$(BIN)/python tools/stubs.py

lint: dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/clang-format --dry-run --Werror $$(find cpp tests/cpp -name '*.[ch]pp')
	$(BIN)/python tools/stubs.py --check
	$(BIN)/python tools/protocol_ts.py --check
	$(BIN)/python tools/facts.py --check
	$(BIN)/python tools/one_place.py
	$(BIN)/mypy
	$(BIN)/lint-imports

format: dev
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format
	$(BIN)/clang-format -i $$(find cpp tests/cpp -name '*.[ch]pp')

cpp-test:
	cmake -S . -B build/cpp-test -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTENGEN_TESTS=ON -DTENGEN_SANITIZE=ON -DTENGEN_WERROR=ON
	$(LATER) cmake --build build/cpp-test --parallel $(JOBS)
	$(LATER) build/cpp-test/tengen_tests

packages:
	tools/system-packages

# Where the browser client cannot be built, what needs it is skipped.
client: packages $(VENV)/.ready
	@$(MAKE) --no-print-directory web || true

# Servers are started some two hundred times: none should compile the sources for itself, as where nobody may
# write beside them.
pytest: dev client
	@$(BIN)/python -m compileall -q src/tengen
	$(BIN)/pytest -n $(TESTERS)

# The browser client. `make build` does not need it; the server says so on its pages where it is missing.
NODE_FITS := node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'

web/node_modules/.ready: web/package-lock.json web/package.json
	@$(NODE_FITS) 2>/dev/null || { echo "The browser client needs Node.js 20.19 or newer with npm: https://nodejs.org" >&2; exit 1; }
	cd web && npm ci --no-audit --no-fund
	touch $@

# The core for the browser; where its compiler cannot be had, the client is built without it.
build/wasm/.built: $(VENV)/.ready $(WASM_SOURCES)
	$(LATER) $(BIN)/python tools/wasm.py web/src/engine/core/core.wasm || [ $$? = 3 ]
	mkdir -p build/wasm && touch $@

src/tengen/web/.built: web/node_modules/.ready build/wasm/.built $(WEB_SOURCES)
	cd web && npm run --silent build -- --logLevel warn
	touch $@

web: src/tengen/web/.built

# The client that needs no server, as a folder for any static host.
build/.site: src/tengen/web/.built
	cd web && npm run --silent site -- --logLevel warn
	touch $@

site: build/.site
	@echo "build/site is ready for any static host."

web-test: dev packages
	@if $(NODE_FITS) 2>/dev/null; then $(MAKE) --no-print-directory web-checks; \
	else echo "NOTE: Node.js 20.19 or newer is missing: THE BROWSER CLIENT WAS NOT TESTED." >&2; fi

web-checks: build/.web-checked site
	cd web && npm run --silent size && npm run --silent e2e

# All that needs neither a browser nor a server.
build/.web-checked: src/tengen/web/.built $(wildcard web/e2e/*)
	cd web && $(LATER) npm run --silent lint && $(LATER) npm run --silent check && $(LATER) npm run --silent test
	touch $@

web-static: client
	@if $(NODE_FITS) 2>/dev/null; then $(MAKE) --no-print-directory build/.web-checked; fi

bench:
	$(PYTHON) -m venv --clear .venv-bench
	.venv-bench/bin/pip install --quiet --upgrade pip
	.venv-bench/bin/pip install --quiet -r benchmarks/requirements.txt .
	.venv-bench/bin/python -m benchmarks.engine

soak: dev
	$(BIN)/python -m tests.differential.soak --minutes $(or $(MINUTES),30)

clean:
	rm -rf build dist $(VENV) .venv-bench web/node_modules src/tengen/web
