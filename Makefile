# Needs Python 3.11+ and make; everything else goes into .venv.
PYTHON ?= python3
BIN := .venv/bin
export PYTHONHASHSEED := 0
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Where it is set, each of some thousand processes of the suite would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test collected compiled test-all-pythons check lint bench bench-stats bench-models bench-web bench-peers bench-scale screenshots calibrate corpus ladder soak fuzz docs lock dist clean
.DEFAULT_GOAL := demo

FAST := $(addprefix tests/,core match games conformance)
# What the compiled modules do, and whoever asks them for it: no sandbox, pairing, page or language of bots.
PLAYING := $(FAST) $(addprefix tests/,bots golden protocol testing service/test_verification.py tournaments/executors \
  isolation/test_attacks_are_real.py isolation/test_hostile_bots.py) $(wildcard tests/host/test_*.py)
COMPILED_SUITE = $(MAKE) compiled && $(MAKE) -C .compiled test COMPILED= TESTS="$(or $(TESTS),$(PLAYING))"

# Installs everything, then submits a bot, plays a Swiss, shows ratings and a replay.
demo: .venv/ready
	@rm -f demo.db demo.db-shm demo.db-wal
	$(BIN)/arena demo
	@echo; echo "The shell finds arena after: . .venv/bin/activate"

# A process more than processors, as many a test waits for a limit of time; tests marked serial
# run alone (tests/conftest.py), thorough ones with REQUIRE_ALL=1 (tests/sizes.py). COMPILED=1 runs
# the tests of the hot path in .compiled: a copy of the tree where it is compiled (needs a C
# compiler and Python.h). Tests of pages need Chromium, and Playwright, which is installed where it is.
test: .venv/ready $(if $(or $(REQUIRE_ALL),$(shell command -v chromium google-chrome)),.venv/browser)
	$(if $(COMPILED),$(COMPILED_SUITE),$(BIN)/pytest -n $(or $(WORKERS),$(shell expr 1 + $$(getconf _NPROCESSORS_ONLN))) $(if $(REQUIRE_ALL),--require-all) $(TESTS))

# Has Python keep all tests as pytest reads them; else each process of the suite does it again. What
# cannot be read, make test reports.
collected: .venv/ready
	-$(BIN)/pytest --collect-only -q > /dev/null

# The copy of the tree with the hot path compiled, and its environment.
compiled: .venv/ready
	$(BIN)/python -m tests.compiled_tree

# The suite on every supported Python of the machine: those on the path, and pyenv's.
test-all-pythons:
	$(PYTHON) -m tests.all_pythons -n $(or $(WORKERS),auto) $(if $(REQUIRE_ALL),--require-all)

# For the daily loop: what can be checked of style, and the tests that start no processes.
check: lint
	$(BIN)/pytest -n $(or $(WORKERS),auto) $(FAST)

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.architecture.lengths

bench: .venv/ready
	$(BIN)/python -m benchmarks.bench
	$(BIN)/python -m benchmarks.sabacc
	$(BIN)/python -m benchmarks.confined
	$(BIN)/python -m benchmarks.signals

# Decisions a second of Arena, and of other projects in an environment of their own (700 MB), side by
# side: docs/benchmarks.md. WRITE=1 writes the table there. Setuptools comes first: it builds RLCard.
# Where a C compiler is, Arena plays compiled, too, in the tree of make test COMPILED=1.
bench-peers: .venv/ready .venv-peers/ready
	-$(MAKE) compiled
	$(BIN)/python -m benchmarks.peers $(if $(WRITE),--write)

.venv-peers/ready: .venv/ready benchmarks/peers.lock
	$(BIN)/python -m venv .venv-peers
	sed -n '/^setuptools==/,/[^\\]$$/p' benchmarks/peers.lock > .venv-peers/build.lock
	.venv-peers/bin/pip install --quiet --require-hashes -r .venv-peers/build.lock
	.venv-peers/bin/pip install --quiet --require-hashes --no-build-isolation -r benchmarks/peers.lock
	touch $@

# Joint ratings on one core: time, coverage. Luck taken out of results: factors, mean and time, for
# PAIRS mirrored pairs (2,000; 100,000 take an hour). Matches until ranks are separated, in RUNS (20)
# tournaments of each kind.
bench-stats: .venv/ready
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.ratings
	$(BIN)/python -m benchmarks.luck $(PAIRS)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.separation $(RUNS)
	$(BIN)/python -m benchmarks.comparing

# Tokens and cost of a match of language models, and how many matches three of a fake server save: docs/benchmarks.md.
# WRITE=1 writes the tables there.
bench-models: .venv/ready
	$(BIN)/python -m benchmarks.models $(if $(WRITE),--write)

# The web site: 500 listeners at 5 events a second, pages beside them, memory, SIGTERM; then newcomers
# to a league of 50 bots that plays all the time (two minutes).
bench-web: .venv/ready
	$(BIN)/python -m benchmarks.web $(LISTENERS) $(BENCH_SECONDS)
	$(BIN)/python -m benchmarks.league $(BOTS)

# How times, bytes and memory grow from 100 to a million bots, matches or workers: docs/scale.md. PARTS="pairing
# workers" measures these only, MOST=10000 no size above that; WRITE=1 writes the page. All of it takes an hour.
bench-scale: .venv/ready
	$(BIN)/python -m benchmarks.scale $(PARTS) $(if $(MOST),--most $(MOST)) $(if $(WRITE),--write)

# The pictures of the README and docs, in docs/pictures. With PAGES="home bot", or PAGES=all, instead pictures of the pages with
# such names in SCREENSHOTS, light and dark, at three widths, to be looked at; their tournaments are played once.
screenshots: .venv/browser
	$(BIN)/python -m tests.web.$(if $(PAGES),screenshots $(or $(SCREENSHOTS),screenshots) $(filter-out all,$(PAGES)),pictures)

# Coverage of 95 % intervals over populations of known strength: a table, and a picture of it.
calibrate: .venv/ready
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.calibrate $(or $(SHARE),1)

ladder: .venv/ready
	$(BIN)/python -m benchmarks.ladder

# Plays some 2,000 matches of all kinds and compares them, and their reports, with stored digests.
corpus: .venv/ready
	$(BIN)/python -m benchmarks.corpus

# A million re-deals of each game, 200 kills of processes of running tournaments at random moments,
# a million stored matches, and all hostile bots to a league; the suite makes ten thousand, ten, 2,000,
# and one in 16. Takes an hour and a half.
soak: .venv/ready
	$(BIN)/arena check game pazaak --redeals 1000000
	$(BIN)/arena check game sabacc --ruleset 'variable(dice=true,mode=chips)' --redeals 1000000
	KILLS=$(or $(KILLS),200) $(BIN)/pytest --thorough tests/cli/test_random_kills.py
	MATCHES=$(or $(MATCHES),1000000) $(BIN)/pytest -s tests/cli/test_size.py
	KILLS=$(or $(KILLS),12) $(BIN)/pytest --thorough tests/web/test_league_kills.py
	UPLOADS=all $(BIN)/pytest --thorough tests/isolation/test_hostile_uploads.py
	TOURNAMENTS=$(or $(TOURNAMENTS),2000) $(BIN)/pytest tests/tournaments/test_dutch_library.py

# A minute of coverage-guided fuzzing for each of TARGETS (all), then damaged databases. The fuzzer
# (atheris) has wheels for CPython on Linux, x86-64.
fuzz: .venv/fuzz
	$(BIN)/python -m tests.fuzz --seconds $(or $(FUZZ_SECONDS),60) $(TARGETS)
	FUZZ_INPUTS=$(or $(FUZZ_INPUTS),1000) $(BIN)/pytest --thorough tests/fuzz/test_databases.py

# The documentation as a site that needs no server and asks no other host; a warning is an error.
# Then the readability of its pages; a page over a limit is an error, too.
docs: .venv/docs
	rm -rf docs/_build
	$(BIN)/sphinx-build -q -W --keep-going -c docs . docs/_build
	@echo "written: docs/_build/index.html"
	$(BIN)/python docs/readability.py

.venv/docs: .venv/ready docs/requirements.lock
	$(BIN)/pip install --quiet --require-hashes -r docs/requirements.lock
	touch $@

.venv/browser: .venv/ready tests/web/requirements.lock
	$(BIN)/pip install --quiet --require-hashes -r tests/web/requirements.lock
	touch $@

# OpenSpiel, for tests/openspiel; it has wheels for few platforms.
.venv/openspiel: .venv/ready tests/openspiel/requirements.lock
	$(BIN)/pip install --quiet --require-hashes --only-binary :all: -r tests/openspiel/requirements.lock
	touch $@

# A real server of language models, llama.cpp, for tests/endpoints/test_llama.py: 210 MB.
.venv-models/ready: tests/endpoints/requirements.lock
	$(PYTHON) -m venv .venv-models
	.venv-models/bin/pip install --quiet --require-hashes --only-binary :all: -r tests/endpoints/requirements.lock
	touch $@

.venv/fuzz: .venv/ready tests/fuzz/requirements.lock
	$(BIN)/pip install --quiet --require-hashes -r tests/fuzz/requirements.lock
	touch $@

# Writes the lock file anew from pyproject.toml (needs uv); hashes, no index address.
lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --no-header --no-annotate pyproject.toml --group dev -o requirements.lock

# A wheel and a source distribution in dist/. The same commit always gives the same bytes (docs/releasing.md).
dist: SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
dist: .venv/ready
	rm -rf dist
	ARENA_COMPILE=0 SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) $(BIN)/hatchling build

.venv/ready: requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Arena needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	touch $@

clean:
	rm -rf dist docs/_build .compiled .venv .venv-3.* .venv-peers .venv-models .mypy_cache .ruff_cache .pytest_cache .hypothesis
