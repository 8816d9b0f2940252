# Everything from a clean clone with python3 (>= 3.11), cc, make and cargo: `make demo`, `make test`.
# Set-up goes into .venv and is repeated only if pyproject.toml, Cargo.* or crates/ change.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
PY := .venv/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --quiet
# two workers: the tests wait on nothing, and the kernel has threads of its own
WORKERS ?= 2
# of `make simulate`: which cells, and how many data sets each
CELLS ?= full
REPLICATES ?= 4000

SOURCES := pyproject.toml Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -not -path '*/benches/*' -o -name Cargo.toml)
DEV := .venv/stamp-dev
BENCH := .venv/stamp-bench
# who has the development set-up needs no smaller one beside it
USE := $(if $(wildcard $(DEV)),$(DEV),.venv/stamp-use)

export PIP_NO_INPUT := 1
export PYO3_PYTHON = $(CURDIR)/$(PY)

.PHONY: help demo test test-rust test-python test-peer lint format docs docs-refresh screenshots bench bench-rust simulate nightly miri test-aarch64 clean

help: ## this list
	@grep -hE '^[a-z0-9-]+:.*##' Makefile | sed -E 's/:[^#]*## /\t/' | expand -t 16

demo: $(USE) ## a report on two classifiers, in demo/
	.venv/bin/rocsolid demo -o demo

test: test-rust test-python ## every test that this machine can run

test-rust:
	cargo test --quiet -p rocsolid-core

test-python: $(DEV)
	$(PY) -m pytest -n $(WORKERS) -rfEs

test-peer: $(DEV) ## scikit-learn's own ranking tests, with our functions in its place
	$(PY) tests/peer/run.py

lint: $(DEV) ## style and types: Python, Rust, the page's script
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	if command -v tsc >/dev/null; then tsc -p tests/faces/tsconfig.json; else echo "skipped: no tsc for the page's script"; fi
	cargo fmt --all --check
	cargo clippy --quiet --workspace --all-targets -- -D warnings

format: $(DEV) ## put the code in the style that lint asks for
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	cargo fmt --all

docs: $(DEV) ## the documentation as a site, in site/
	$(PY) -m mkdocs build --strict --quiet
	@echo "site/index.html"

docs-refresh: $(DEV) ## rewrite what the documentation takes from the code: reference, outputs, picture
	$(PY) docs/generate_reference.py
	$(PY) docs/draw_curves.py
	$(PY) docs/run_blocks.py --write

screenshots: $(DEV) ## the pictures of the report in docs/assets/report
	$(PY) docs/take_screenshots.py

bench: $(BENCH) ## speed and memory beside other libraries; BENCH_ARGS="--full --write" for the record
	$(PY) -m benches $(BENCH_ARGS)

bench-rust: ## the kernel's stages one by one, without Python
	cargo bench --quiet -p rocsolid-core

simulate: $(DEV) ## coverage.md, going on where it stopped; CELLS=small; SIMULATE_ARGS=--fresh after a change of rules
	$(PY) -m tests.statistical.simulate --cells $(CELLS) --replicates $(REPLICATES) --jobs $(WORKERS) $(SIMULATE_ARGS)

nightly: $(DEV) miri ## coverage by large simulations, many more random cases
	ROCSOLID_PROOF=20 cargo test --quiet -p rocsolid-core proof
	ROCSOLID_NIGHTLY=1 ROCSOLID_HYPOTHESIS=nightly $(PY) -m pytest -n $(WORKERS) -rfEs tests/statistical tests/properties tests/kernel

# Miri has neither the vector instructions nor the hints; what it judges is the memory, and the threads. Tree borrows,
# because rayon's queues (crossbeam-epoch) break the stricter, older rules.
miri: ## the kernel's unsafe code in an interpreter that sees undefined behaviour; needs Rust nightly with miri
	@if cargo +nightly miri --version >/dev/null 2>&1; then \
	  MIRIFLAGS="-Zmiri-ignore-leaks -Zmiri-tree-borrows" cargo +nightly miri test --quiet -p rocsolid-core --lib fast:: -- --skip many_callers; \
	else echo "skipped: no Miri; rustup toolchain install nightly --component miri"; fi

test-aarch64: export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER = aarch64-linux-gnu-gcc
test-aarch64: export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER = qemu-aarch64 -L /usr/aarch64-linux-gnu
test-aarch64: ## the kernel's tests for ARM, emulated; needs qemu-user, gcc-aarch64-linux-gnu and the Rust target
	cargo test --quiet -p rocsolid-core --lib --target aarch64-unknown-linux-gnu -- --skip large --skip threads_leave_no_trace

clean: ## remove what was built
	rm -rf .venv target site demo dist .pytest_cache .mypy_cache .ruff_cache .hypothesis src/rocsolid/_kernel*.so
	find src tests docs benches -name __pycache__ -prune -exec rm -rf {} +

.venv/stamp-venv:
	@command -v $(PYTHON) >/dev/null || { echo "python3 (3.11 or newer) is needed: install it, or PYTHON=/path make ..."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed, $$($(PYTHON) -V) found: PYTHON=python3.12 make ..."; exit 1; }
	@command -v cargo >/dev/null || { echo "cargo (Rust 1.89 or newer) is needed: https://rustup.rs"; exit 1; }
	$(PYTHON) -m venv .venv
	@touch $@

.venv/stamp-use: .venv/stamp-venv $(SOURCES)
	$(PIP) install --editable '.[cli,sklearn]'
	@touch $@

$(DEV): .venv/stamp-venv $(SOURCES)
	$(PIP) install --editable '.[dev]'
	@touch $@

$(BENCH): $(DEV)
	$(PIP) install --editable '.[dev,bench]'
	@touch $@
