# Two commands do everything on a fresh machine with Python 3.11+, make and git: `make matrix` and `make test`.
# With uv instead of make: see README.md.

PYTHON ?= python3
BIN := .venv/bin
PROVIDER ?= llamacpp

.PHONY: help matrix site clients test lint format docs lock record record-local servers stop-servers bench clean

help: ## Say what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 24

.venv/.ready: requirements-dev.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e .
	touch $@

matrix: .venv/.ready ## Replay all cassettes (no network, no key) and write reports/
	$(BIN)/conformance run --replay -o reports $(addprefix --observations ,$(wildcard reports/observations.jsonl)) \
	  $(addprefix --history ,$(wildcard reports/history.jsonl))
	$(BIN)/conformance history add reports --history reports/history.jsonl
	test ! -f reports/clients.json || $(BIN)/conformance clients table reports

site: matrix ## Write the site: open site/index.html
	$(BIN)/conformance report reports/run.jsonl $(addprefix --observations ,$(wildcard reports/observations.jsonl)) \
	  $(addprefix --history ,$(wildcard reports/history.jsonl)) $(addprefix --clients ,$(wildcard reports/clients.json)) \
	  -f html -o site

clients: .venv/.ready ## Measure what every client library makes of every quirk (installs each first)
	$(BIN)/conformance clients run -o reports
	$(BIN)/conformance clients table reports
	$(BIN)/conformance docs

test: .venv/.ready ## Run the harness's own tests
	$(BIN)/python -m pytest -n 2 -q

lint: .venv/.ready ## Check format, style, types, providers.yaml and the generated pages
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/conformance config check
	$(BIN)/conformance docs --check

format: .venv/.ready ## Format and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: .venv/.ready ## Write docs/quirks and the schema of providers.yaml
	$(BIN)/conformance docs
	$(BIN)/conformance config schema > conformance/providers/schema.json.new && mv conformance/providers/schema.json.new conformance/providers/schema.json

LOCK := uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11 pyproject.toml

lock: .venv/.ready ## Lock the dependencies anew, with hashes and without addresses
	$(BIN)/$(LOCK) --group build -o requirements.lock
	$(BIN)/$(LOCK) --group dev -o requirements-dev.lock
	$(BIN)/$(LOCK) --group bench -o requirements-bench.lock

record: .venv/.ready ## Record one provider anew: make record PROVIDER=openai
	$(BIN)/conformance run --provider $(PROVIDER) --record -o runs/$(PROVIDER)

record-local: servers ## Start the local servers and record all of them anew
	for name in llamacpp litellm vllm transformers; do \
	  LITELLM_MASTER_KEY=$${LITELLM_MASTER_KEY:-$$(cat .servers/litellm.key)} \
	  $(BIN)/conformance run --provider $$name --record -o runs/$$name || true; \
	done

servers: .venv/.ready ## Start llama.cpp, LiteLLM, vLLM and transformers serve on loopback
	tools/servers/start_llamacpp.sh
	tools/servers/start_litellm.sh
	tools/servers/start_transformers.sh
	tools/servers/start_vllm.sh

stop-servers: ## Stop the servers that were started here
	tools/servers/stop.sh

BENCHMARKS := cold_start read clients replay providers audit tap

.venv-bench/.ready: requirements-bench.lock pyproject.toml
	test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-bench.lock
	.venv-bench/bin/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e .
	touch $@

bench: .venv-bench/.ready ## Run the benchmarks; each prints a ratio
	for name in $(BENCHMARKS); do echo "== $$name" && .venv-bench/bin/python benchmarks/$$name.py || exit 1; done

clean: ## Remove what can be made again
	rm -rf .venv .venv-bench .clients runs site dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
