# One command for each chore. `make` alone lists them.

VENV       := .venv
BIN        := $(VENV)/bin
STAMPS     := $(VENV)/stamps
SITE       := src/tablegram/docs_site/site.zip
PYTHON     ?= $(shell command -v python3.11 || command -v python3)
PYTEST_ARGS ?=
OVER_TIME  := $(wildcard tests/*/*_over_time.py tests/*/*/*_over_time.py)
# Files of tests that are `later`, and those that try more examples in their long form.
LATER       = $(shell grep -rlF 'mark.later' --include='test_*.py' tests)
EXAMPLES    = $(shell grep -rlF 'max_examples=many' --include='test_*.py' tests)

# Every worker of the suite loads the same thousand modules: what was translated once is kept, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE

# What a newcomer sees: demo data, the sandbox network, and the server that serves both.
START      := TABLEGRAM_SANDBOX=1 $(BIN)/tablegram demo --serve

COMPILE    := $(BIN)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe --build-deps-for=editable \
              --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## List these chores.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

.PHONY: install
install: $(STAMPS)/runtime ## Make .venv and install the product into it, at the locked versions.

.PHONY: install-dev
install-dev: $(STAMPS)/dev system-packages ## The same, and what the tests and checks need (PostgreSQL and Chromium included).

.PHONY: linked
linked: $(STAMPS)/runtime ## Install the engine for phones' own numbers beside the product. Its licence: docs/how-to/link-a-phone.md.
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-linked.lock

.PHONY: mcp
mcp: $(STAMPS)/runtime ## Install what `tablegram mcp` needs beside the product: docs/how-to/connect-an-assistant.md.
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-mcp.lock

.PHONY: nats
nats: $(STAMPS)/runtime ## Install what TABLEGRAM_NATS_URL needs beside the product: docs/how-to/run-several.md.
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-nats.lock

.PHONY: traces
traces: $(STAMPS)/runtime ## Install what sends traces to a collector beside the product: docs/how-to/watch-it.md.
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-traces.lock

.PHONY: docs-site
docs-site: $(SITE) ## The pages of docs/ with a search, as the product serves them at /docs.

.PHONY: run
run: $(STAMPS)/runtime ## Install, migrate, load demo data and start; prints the address, a key and a first command. LAN=1 also prints codes for a real phone in the same network.
	@nice -n 19 $(MAKE) --no-print-directory docs-site >$(STAMPS)/docs-site.log 2>&1 </dev/null &
	@$(START) $(if $(LAN),--lan$(if $(filter-out 1,$(LAN)),=$(LAN)))

.PHONY: shell
shell: $(STAMPS)/runtime ## A shell in which the command `tablegram` is found, as the docs write it.
	@PATH="$(CURDIR)/$(BIN):$$PATH" $${SHELL:-bash}

.PHONY: test
test: install-dev ## The whole suite, on SQLite and PostgreSQL side by side; ends with where the time went. PYTEST_ARGS='-k words' narrows it.
	@$(BIN)/python -m tools.run_tests $(PYTEST_ARGS)

.PHONY: test-fast
test-fast: $(STAMPS)/dev ## Under a minute: rules, domains and the core on SQLite, without pages, processes and what is slow.
	@$(BIN)/pytest --fast --db sqlite -q --crew 3 $(PYTEST_ARGS)

.PHONY: test-changed
test-changed: $(STAMPS)/dev ## The tests that a change touches, by what imports what; says which. SINCE=HEAD~3 compares with another commit than main.
	@$(BIN)/python -m tools.changed_tests --since $(or $(SINCE),main) $(PYTEST_ARGS)

.PHONY: shake
shake: $(STAMPS)/dev ## The suite while the store answers late by chance: what holds only while it is quick fails. SHAKE=7 names the chance.
	@SHAKE=$(or $(SHAKE),1) $(BIN)/python -m tools.run_tests --ignore tests/storage $(PYTEST_ARGS)

.PHONY: chaos
chaos: $(STAMPS)/dev ## The long proof: 1,000 kills on each database, while messages go out and come in. CHAOS_ARGS='--kills 50 --db sqlite' shortens it.
	@$(BIN)/python -m tools.chaos $(CHAOS_ARGS)

.PHONY: cluster-chaos
cluster-chaos: $(STAMPS)/dev ## Three servers on one PostgreSQL and one NATS, and what may happen to them, one trouble after the other. CLUSTER_ARGS='--seed 7 --rounds 2' names the order.
	@ls /usr/lib/*/faketime/libfaketimeMT.so.1 >/dev/null 2>&1 || tools/install_system_packages.sh faketime || true
	@$(BIN)/python -m tools.cluster_chaos $(CLUSTER_ARGS)

.PHONY: faults
faults: $(STAMPS)/dev ## A death at each step of each domain, on both databases; on PostgreSQL also what the suite shows on SQLite alone, and every state machine and every freeze, for longer.
	@LONG_PROOFS=1 $(BIN)/pytest -q -m '(once and slow) or over_time or shared or later' --db postgresql --crew 4 tests/faults tests/media/test_product.py tests/printing/transports/test_deaths.py $(OVER_TIME) $(LATER) $(PYTEST_ARGS)
	@$(BIN)/pytest -q -m deaths --db sqlite --crew 4 tests/faults $(PYTEST_ARGS)

.PHONY: self-test
self-test: $(STAMPS)/dev ## What the suite promises of itself: a run that is ended leaves nothing behind, a worker that dies costs one test, and what hangs is named.
	@$(BIN)/pytest -q -m tooling --db sqlite --crew 2 tests/repository $(PYTEST_ARGS)

.PHONY: examples
examples: $(STAMPS)/dev ## Every promise about anything at all, on three times as many made-up examples as in the suite.
	@LONG_PROOFS=1 $(BIN)/pytest -q --db sqlite --crew 2 --timeout 900 $(EXAMPLES) $(PYTEST_ARGS)

.PHONY: attack
attack: $(STAMPS)/dev ## Every attack of SECURITY.md in its long form, on loopback; prints a table. ATTACK_ARGS="'silent forms'" tries one.
	@$(BIN)/python -m tools.attack $(ATTACK_ARGS)

.PHONY: campaign-proof
campaign-proof: $(STAMPS)/dev ## A campaign to 20,000 of 100,000 contacts on PostgreSQL through three kills, opt-outs and a night. PROOF_ARGS='--recipients 2000' shortens it.
	@$(BIN)/python -m tools.campaign_proof $(PROOF_ARGS)

.PHONY: mutants
mutants: $(STAMPS)/dev ## Changes a meaning of the core, one at a time, and sees whether a test notices; prints what nobody noticed. MUTANTS_ARGS="ledgers carts" tries these areas.
	@$(BIN)/python -m tools.mutants $(MUTANTS_ARGS)

.PHONY: fuzz
fuzz: $(STAMPS)/dev ## The suite's fuzzing of our own OpenAPI in every phase, with 100 cases of each operation. FUZZ_EXAMPLES=12 is a short one.
	@FUZZ_EXAMPLES=$${FUZZ_EXAMPLES:-100} $(BIN)/python -m tools.run_tests -q tests/api/test_fuzz_*.py $(PYTEST_ARGS)

.PHONY: pages
pages: install-dev $(SITE) ## Every page of the panel and every state of the menu in each look: both languages, by day and by night.
	@EVERY_LOOK=1 $(BIN)/pytest -q -m "looks or judged" --db sqlite -n 2 --dist loadfile tests/browser $(PYTEST_ARGS)

.PHONY: alerts
alerts: ## The alert rules of deploy/observability, read and tried by promtool on made figures.
	@command -v promtool >/dev/null || tools/install_system_packages.sh prometheus
	@cd deploy/observability && promtool check config prometheus.yml && promtool check rules alerts.yml && promtool test rules *.test.yml

.PHONY: packages
packages: $(STAMPS)/clients ## The client libraries for Python and TypeScript, into dist/.
	@$(BIN)/python -m tools.packages dist $(VENV)/clients

.PHONY: clients
clients: $(STAMPS)/clients ## What reads the OpenAPI document: linters, generators of types and of a client, and our client libraries at work.
	@$(BIN)/python -m tools.clients $(VENV)/clients
	@$(BIN)/pytest -q -n 0 --db sqlite tests/clients

.PHONY: deploy-check
deploy-check: $(STAMPS)/deploy ## What lies below deploy/, read by the programs it is for; alert rules on made figures; nginx and Caddy in front of a server.
	@command -v promtool >/dev/null || tools/install_system_packages.sh prometheus
	@$(BIN)/python -m tools.deploy
	@$(BIN)/pytest -q -n 0 --db sqlite tests/repository/test_deploy.py

.PHONY: wheel-proof
wheel-proof: $(STAMPS)/dev $(SITE) ## The wheel: built, installed with pip alone into an environment of its own, and started.
	@$(BIN)/python -m tools.wheel_proof

.PHONY: upgrade-proof
upgrade-proof: $(STAMPS)/dev ## Servers of this version and of an earlier one on one PostgreSQL, while messages go out. BASE=v1.4.0 names it.
	@$(BIN)/python -m tools.upgrade_proof $(UPGRADE_ARGS) $(BASE)

.PHONY: image-parts
image-parts: $(STAMPS)/dev $(SITE) ## What the container image is built from, into dist/image: docs/how-to/run-in-containers.md.
	@$(BIN)/python -m tools.image parts

.PHONY: image
image: $(STAMPS)/dev $(SITE) ## The container image, built without a registry and started once, sealed. Needs root.
	@command -v buildah >/dev/null && command -v podman >/dev/null && command -v runc >/dev/null && command -v debootstrap >/dev/null || \
		tools/install_system_packages.sh buildah podman runc debootstrap
	@$(BIN)/python -m tools.image

.PHONY: migration-steps
migration-steps: $(STAMPS)/dev ## Whether migrations only add, so that two versions may run side by side.
	@$(BIN)/python -m tools.migration_steps

.PHONY: check
check: lint deploy-check system-packages ## Lint, and every command and sample in the docs, and what no file may hold.
	@$(BIN)/pytest -q tests/docs tests/repository

.PHONY: lint
lint: $(STAMPS)/dev ## Lint, format, types, import rules, what crosses modules, and what migrations may do.
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m tools.typed_edges
	@$(BIN)/python -m tools.migration_steps

.PHONY: format
format: $(STAMPS)/dev ## Put the code into its usual form.
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

.PHONY: docs
docs: $(STAMPS)/dev ## Write the generated pages of docs/reference again.
	@$(BIN)/python tools/write_settings_page.py

.PHONY: bench
bench: $(STAMPS)/dev ## Measure sends, memory and starts, inbound, what servers tell each other, search, every filter of every list at a million rows and the menu page beside their baselines, the memory of linked lines, and tickets on paper; says what it does, and prints tables. BENCH_ARGS=--quick is a rough one.
	$(BIN)/python -m bench.run $(BENCH_ARGS)
	$(BIN)/python -m bench.lean $(BENCH_ARGS)
	$(BIN)/python -m bench.inbound $(BENCH_ARGS)
	$(BIN)/python -m bench.cluster $(BENCH_ARGS)
	$(BIN)/python -m bench.notices $(BENCH_ARGS)
	$(BIN)/python -m bench.contacts $(BENCH_ARGS)
	$(BIN)/python -m bench.large --lists $(BENCH_ARGS)
	$(BIN)/python -m bench.lists $(BENCH_ARGS)
	$(BIN)/python -m bench.restaurant $(BENCH_ARGS)
	$(BIN)/python -m bench.hosts $(BENCH_ARGS)
	$(BIN)/python -m bench.lines $(BENCH_ARGS)
	$(BIN)/python -m bench.paper $(BENCH_ARGS)
	$(BIN)/python -m bench.kitchen $(BENCH_ARGS)
	$(BIN)/python -m bench.carts $(BENCH_ARGS)
	$(BIN)/python -m bench.printers $(BENCH_ARGS)
	$(BIN)/python -m bench.store_hooks $(BENCH_ARGS)
	$(BIN)/python -m bench.marketing.segments $(BENCH_ARGS)
	$(BIN)/python -m bench.marketing.campaigns $(BENCH_ARGS)

.PHONY: bench-large
bench-large: $(STAMPS)/dev ## What sends, callbacks, pages, searches and look-ups cost on PostgreSQL with 10 million messages and a million contacts, beside nearly none; 15 GB of disk for the time. LARGE_ARGS='--messages 200000 --contacts 20000' is a small one.
	@$(BIN)/python -m bench.large $(LARGE_ARGS)

.PHONY: bench-compare
bench-compare: $(STAMPS)/dev ## The same loads on this tree and on another commit, turn by turn. BASE=main~20 names it; BENCH_ARGS='--rounds 2' is a rough one.
	@$(BIN)/python -m bench.compare $(or $(BASE),HEAD) $(BENCH_ARGS)

.PHONY: texts
texts: $(STAMPS)/dev ## How guests' texts are answered, by class: right, acceptable, wrong, silence.
	@LONG_PROOFS=1 $(BIN)/pytest -q -n 0 -s --db sqlite tests/restaurant/classes

.PHONY: soak
soak: $(STAMPS)/dev ## Five minutes of inbound messages on each database; tells whether memory grows.
	@$(BIN)/python -m bench.inbound --quick --soak 300

.PHONY: screenshots
screenshots: install-dev ## Take the pictures of the README and the docs anew.
	@$(BIN)/python tools/take_screenshots.py

.PHONY: lock
lock: $(STAMPS)/dev ## Pin every dependency anew from pyproject.toml. LOCK_ARGS='--upgrade' also takes newer versions.
	@$(COMPILE) $(LOCK_ARGS) --output-file requirements.lock pyproject.toml
	@$(COMPILE) $(LOCK_ARGS) --extra dev --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml
	@$(COMPILE) $(LOCK_ARGS) --extra linked --constraint requirements-dev.lock --output-file requirements-linked.lock pyproject.toml
	@$(COMPILE) $(LOCK_ARGS) --extra mcp --constraint requirements-dev.lock --output-file requirements-mcp.lock pyproject.toml
	@$(COMPILE) $(LOCK_ARGS) --extra nats --constraint requirements-dev.lock --output-file requirements-nats.lock pyproject.toml
	@$(COMPILE) $(LOCK_ARGS) --extra traces --constraint requirements-dev.lock --output-file requirements-traces.lock pyproject.toml
	@grep -o 'tryx==[0-9.]*' pyproject.toml | $(filter-out --allow-unsafe --build-deps-for=editable,$(COMPILE)) --unsafe-package protobuf --output-file requirements-linked-tryx.lock -
	@$(filter-out --allow-unsafe --build-deps-for=editable,$(COMPILE)) $(LOCK_ARGS) --constraint requirements-dev.lock --output-file tools/deploy/requirements.lock tools/deploy/requirements.in
	@$(filter-out --allow-unsafe --build-deps-for=editable,$(COMPILE)) $(LOCK_ARGS) --constraint requirements-dev.lock --output-file tools/docs_site/requirements.lock tools/docs_site/requirements.in
	@$(BIN)/pytest -q tests/repository/test_lock.py

.PHONY: clean
clean: ## Remove everything that was made here, except the product's data in .tablegram.
	rm -rf $(VENV) build dist $(SITE) src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .schemathesis
	find . -name __pycache__ -prune -exec rm -rf {} +

.PHONY: system-packages
system-packages:
	@tools/install_system_packages.sh

# A stamp is newer than what it was made from, so that a second `make run` has nothing to install.
$(BIN)/python:
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Tablegram needs Python 3.11 or newer. Install it (apt-get install python3.11 python3.11-venv), or name one: make PYTHON=/path/to/python3 install"; exit 1; }
	@"$(PYTHON)" -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "Python cannot make a virtual environment here. Install its venv module: apt-get install python3-venv"; exit 1; }

$(STAMPS)/runtime: requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing Tablegram into $(VENV)."
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@mkdir -p $(STAMPS) && touch $@

.PHONY: integrations
integrations: $(STAMPS)/integrations ## The nodes for n8n, the app for Zapier and the plugin for WooCommerce: built, linted, and at work with a server.
	@$(BIN)/python -m tools.integrations $(VENV)/integrations

$(STAMPS)/integrations: tools/integrations/package-lock.json $(STAMPS)/dev
	@command -v npm >/dev/null || tools/install_system_packages.sh npm
	@php -m 2>/dev/null | grep -q pdo_sqlite && command -v phpunit >/dev/null || tools/install_system_packages.sh php-cli php-sqlite3 phpunit
	@echo "Installing what builds and tries the integrations."
	@mkdir -p $(VENV)/integrations && cp tools/integrations/package.json tools/integrations/package-lock.json $(VENV)/integrations/
	@npm ci --prefix $(VENV)/integrations --silent --no-audit --no-fund --ignore-scripts
	@touch $@

$(STAMPS)/docs-site: tools/docs_site/requirements.lock $(STAMPS)/runtime
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r tools/docs_site/requirements.lock
	@touch $@

# It is put in place as a whole, so that what is there is good, however a build ends.
.PRECIOUS: $(SITE)
$(SITE): $(STAMPS)/docs-site $(wildcard *.md docs/*.md docs/*/*.md docs/*/*/*.md docs/images/* tools/docs_site/*)
	@$(BIN)/python -m tools.docs_site

$(STAMPS)/deploy: tools/deploy/requirements.lock $(STAMPS)/dev
	@command -v caddy >/dev/null && { command -v nginx >/dev/null || [ -x /usr/sbin/nginx ]; } && command -v systemd-analyze >/dev/null && command -v openssl >/dev/null || \
		tools/install_system_packages.sh caddy nginx-light systemd openssl
	@echo "Installing what reads the files for deployment."
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r tools/deploy/requirements.lock
	@touch $@

$(STAMPS)/clients: tools/clients/package-lock.json $(STAMPS)/dev
	@command -v npm >/dev/null || tools/install_system_packages.sh npm
	@echo "Installing what reads the OpenAPI document."
	@mkdir -p $(VENV)/clients && cp tools/clients/package.json tools/clients/package-lock.json $(VENV)/clients/
	@npm ci --prefix $(VENV)/clients --silent --no-audit --no-fund --ignore-scripts
	@touch $@

# The second engine for phones says that it needs another protobuf than the first; its own messages load with either.
$(STAMPS)/dev: requirements-dev.lock requirements-linked-tryx.lock $(STAMPS)/runtime
	@echo "Installing what the tests and checks need."
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements-linked-tryx.lock
	@mkdir -p $(STAMPS) && touch $@
