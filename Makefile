# Two commands: `make demo` judges the bundled clip, `make test` runs all tests; each sets up what it needs, once.
# On macOS and Windows the plain pip lines of README.md do the same.

PYTHON ?= python3
ENVIRONMENT := .venv
BIN := $(ENVIRONMENT)/bin
PROGRAM := $(ENVIRONMENT)/.program
DEVELOPMENT := $(ENVIRONMENT)/.development
TRAINING := $(ENVIRONMENT)/.training
DOCUMENTATION := $(ENVIRONMENT)/.documentation

.PHONY: demo test coverage lint cycles docs wheel bench fuzz mutations soak catalogue screenshots train train-faces-and-headgears train-tongues accuracy clean

demo: $(PROGRAM)
	$(BIN)/bunnymoose demo

# Three workers for two cores, since tests also wait for images, voices and browsers; in the order of pyproject.toml.
# Bytecode is kept, or each of some hundred processes would compile the program anew.
test: export PYTHONDONTWRITEBYTECODE =
test: $(DEVELOPMENT)
	$(BIN)/python -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder

# Branch coverage of all tests but those in Chromium, without what they start in processes of their own. It costs up to
# twice the time, so `make test` does without; below the floor of pyproject.toml it fails.
coverage: $(DEVELOPMENT)
	$(BIN)/python -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder -m "not browser" --cov --cov-report=term:skip-covered

lint: $(DEVELOPMENT)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python .ci/prose.py

# Cycles of the import graph, also through TYPE_CHECKING; a test holds that there is none.
cycles: $(DEVELOPMENT)
	$(BIN)/python -m tests.import_graph

# The documentation site, in build/site.
docs: export NO_MKDOCS_2_WARNING = 1
docs: $(DOCUMENTATION)
	$(BIN)/python -m mkdocs build --strict

# Source distribution and wheel, in dist.
wheel: $(DEVELOPMENT)
	$(BIN)/python -m build --outdir dist

bench: $(PROGRAM)
	$(BIN)/python -m training.bench

# Mutated inputs for every door, for hours; what breaks one is kept under tests/fuzz/crashes. FUZZ_SEED takes others.
# By our own mutators, then by coverage with atheris where it has a wheel.
fuzz: export FUZZ_INPUTS ?= 10000
fuzz: export FUZZ_SEED ?= 1
fuzz: $(DEVELOPMENT)
	$(BIN)/python -m pytest tests/fuzz -s
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: atheris
	$(BIN)/python -m tests.fuzz.guided $(FUZZ_INPUTS)

# Thirty planted faults, each of which its tests must find, in a copy of the checkout.
mutations: $(DEVELOPMENT)
	$(BIN)/python -m tests.mutations

# One process that judges, films and watches; fails where memory, threads or descriptors grow.
MINUTES ?= 20
soak: $(DEVELOPMENT)
	$(BIN)/python -m tests.fuzz.soak $(MINUTES)

# Gather the texts of the program into the catalogues of the other languages, and compile those.
catalogue: $(DEVELOPMENT)
	$(BIN)/python .ci/catalogues.py

# The pages of docs that are derived from the code and its settings.
pages: $(DEVELOPMENT)
	$(BIN)/python .ci/pages.py

# The pictures of docs/reference/screen.md: an evening played in Chromium.
screenshots: $(DEVELOPMENT)
	$(BIN)/python -m tests.browser.screenshots docs/screens

# Our nets from their data; ../shared must lie beside the checkout. What is already gathered or trained is kept.
# Torch asks the system for its large blocks and gives them back at every step, which under glibc costs nearly half of the time; so memory is kept.
train: export MALLOC_MMAP_MAX_ = 0
train: export MALLOC_TRIM_THRESHOLD_ = 100000000000
train: export MALLOC_TOP_PAD_ = 200000000
train: $(TRAINING)
	$(MAKE) --jobs 2 train-faces-and-headgears train-tongues

# One core each.
train-faces-and-headgears:
	$(BIN)/python -m training.faces
	$(BIN)/python -m training.headgear

train-tongues:
	$(BIN)/python -m training.tongue

# The pages that docs/accuracy/sets.md lists; photographs and landmarks are those of ../shared.
accuracy: $(PROGRAM)
	rm -rf docs/accuracy/test docs/accuracy/players docs/accuracy/photographs docs/accuracy/mouths docs/accuracy/mouths_test docs/accuracy/landmarks
	$(BIN)/python -m training.evaluate fixtures/test.csv --before docs/accuracy/first_light/test.json --out docs/accuracy/test
	$(BIN)/python -m training.evaluate fixtures/manifest.csv --before docs/accuracy/first_light/players.json --out docs/accuracy/players
	$(BIN)/python -m training.evaluate fixtures/mouths_test.csv --before docs/accuracy/first_light/mouths_test.json --out docs/accuracy/mouths_test
	$(BIN)/python -m training.evaluate ../shared/real/manifest.csv --before docs/accuracy/first_light/photographs.json --out docs/accuracy/photographs
	$(BIN)/python -m training.evaluate ../shared/real/mouths.csv --out docs/accuracy/mouths
	$(BIN)/python -m training.evaluate ../shared/landmarks/landmarks.npz --out docs/accuracy/landmarks

clean:
	rm -rf $(ENVIRONMENT)

$(ENVIRONMENT)/pyvenv.cfg:
	.ci/system-packages $(PYTHON)
	$(PYTHON) -m venv $(ENVIRONMENT)

$(PROGRAM): $(ENVIRONMENT)/pyvenv.cfg pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(DEVELOPMENT): $(PROGRAM)
	.ci/system-packages $(PYTHON) tests
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	command -v chromium >/dev/null || $(BIN)/python -m playwright install chromium
	touch $@

$(DOCUMENTATION): $(PROGRAM)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@

$(TRAINING): $(PROGRAM)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[train]'
	touch $@
