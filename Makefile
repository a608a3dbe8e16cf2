# A thin front to CMake. `make` alone prints what there is; CMakePresets.json holds the details.
.DEFAULT_GOAL := help
.PHONY: help build web demo lab test sanitize fuzz tsan mutate mutate-compiler bench bench-lab kill-test results gpu-check gpu-shim generate peers format lint clean

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# One test program of several may be asked for: make test ONLY=unit_core; or some benchmarks: make bench ONLY=a,d
ONLY ?= .
FUZZ_SECONDS ?= 60
# make mutate and make kill-test: how many, and from where they are drawn. make mutate-compiler: random graphs for each mistake.
COUNT ?= 60
SEED ?= 1
GRAPHS ?= 2000

# $(call configure,<preset>,<folder>): ninja configures anew by itself once the folder exists.
configure = test -f $(2)/build.ninja || cmake --preset $(1)
compile = cmake --build $(1) -j $(JOBS)
python = PYTHONPATH=tools PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3
ctest = ctest --test-dir $(1) --output-on-failure -j $(JOBS)

help:
	@echo "make build      the program, at build/asg"
	@echo "make demo       trains a small model and changes it half-way, with the Lab beside it; KEEP=1 keeps the Lab"
	@echo "make lab        serves the Model Lab on a small training, until Ctrl-C"
	@echo "make web        the page of the Lab alone, at web/dist; needs Node"
	@echo "make test       all tests; ONLY=<regular expression> picks some"
	@echo "make sanitize   all tests with the address and undefined behaviour sanitizers"
	@echo "make fuzz       each fuzzer and random check for FUZZ_SECONDS ($(FUZZ_SECONDS)) seconds, or FUZZ_RUNS=1000000 inputs; ONLY=<regex>"
	@echo "make tsan       the tests with threads, with the thread sanitizer"
	@echo "make mutate     plants COUNT ($(COUNT)) small mistakes in the sources and shows which no test sees; ONLY=<folder>, SEED=; resumes"
	@echo "make mutate-compiler  plants known mistakes in the compiler and looks for them with GRAPHS ($(GRAPHS)) random graphs; resumes"
	@echo "make kill-test  ends trainings at random moments and resumes them, COUNT ($(COUNT)) times, from SEED ($(SEED)) on"
	@echo "make bench      the benchmarks, beside PyTorch; rewrites docs/benchmarks.md; ONLY=a,d or ONLY=losses picks some"
	@echo "make bench-lab  how fast the Lab is and what it costs a training; rewrites docs/benchmarks-lab.md"
	@echo "make results    the long runs of the examples; rewrites docs/results.md; ONLY=mnist_cnn picks one"
	@echo "make gpu-check  runs and measures rendered kernels on an NVIDIA GPU, where NVRTC and one exist"
	@echo "make gpu-shim   runs rendered kernels on the CPU"
	@echo "make generate   rewrites the files that follow from the op cards"
	@echo "make peers      compares ops, files, the zoo, a training, metrics, logs and tokenisers with others; rewrites docs/peers.md"
	@echo "make format     formats all sources"
	@echo "make lint       checks form: formatting, layering, file lengths, clang-tidy, portability"
	@echo "make clean      removes the build folders"

build: web
	@tools/packages.sh build test
	@$(call configure,release,build)
	@$(call compile,build) --target asg

web:
	@tools/web.sh

# KEEP=1: the Lab stays after the training, until Ctrl-C.
demo: build
	@build/asg demo $(if $(filter-out 0,$(KEEP)),--keep)

lab: build
	@build/asg lab

test: web
	@tools/packages.sh build test
	@tools/web_test.sh ready
	@$(call configure,release,build)
	@$(call compile,build)
	@$(call ctest,build) -R '$(ONLY)'

sanitize:
	@tools/packages.sh build test sanitize
	@$(call configure,sanitize,build-sanitize)
	@$(call compile,build-sanitize)
	@$(call ctest,build-sanitize)

fuzz:
	@tools/packages.sh build test sanitize
	@$(call configure,sanitize,build-sanitize)
	@$(call compile,build-sanitize) --target asg_fuzzers asg
	@FUZZ_SECONDS=$(FUZZ_SECONDS) tools/fuzz.sh build-sanitize

tsan:
	@tools/packages.sh build test sanitize
	@$(call configure,tsan,build-tsan)
	@$(call compile,build-tsan) --target asg_thread_tests
	@$(call ctest,build-tsan) -L threads

# Mistakes are compiled from the compile commands of the release build, against its libraries.
mutate:
	@tools/packages.sh build test
	@$(call configure,release,build)
	@$(call compile,build)
	@JOBS=$(JOBS) $(python) -m mutate --only '$(ONLY)' --count $(COUNT) --seed $(SEED)

mutate-compiler:
	@tools/packages.sh build test
	@$(call configure,release,build)
	@$(call compile,build) --target asg
	@JOBS=$(JOBS) $(python) -m mutate.compiler --graphs $(GRAPHS) --seed $(SEED)
# Counts add up over calls while the program is the same.
kill-test:
	@tools/packages.sh build
	@$(call configure,release,build)
	@$(call compile,build) --target asg
	@$(python) -m kills build/asg --count $(COUNT) --seed $(SEED) --state build/kills.json

bench:
	@tools/packages.sh build test bench
	@$(call configure,release,build)
	@$(call compile,build) --target asg_benchmarks
	@tools/bench.sh build '$(ONLY)'

bench-lab: web
	@tools/packages.sh build test
	@$(call configure,release,build)
	@$(call compile,build) --target asg bench_lab
	@tools/bench_lab.sh build

results:
	@tools/packages.sh build test
	@$(call configure,release,build)
	@$(call compile,build) --target asg asg_examples
	@build/asg data get mnist
	@build/asg data get fashion-mnist
	@tools/results.sh $(filter-out .,$(ONLY))

gpu-check:
	@tools/packages.sh build
	@$(call configure,release,build)
	@$(call compile,build) --target asg_gpu_check
	@tools/gpu_check.sh build

gpu-shim:
	@tools/packages.sh build
	@$(call configure,release,build)
	@$(call compile,build) --target asg_gpu_check
	@build/asg_gpu_check shim tools/gpu_check build/gpu_check

generate:
	@tools/packages.sh build test
	@$(call configure,release,build)
	@$(call compile,build) --target asg_generate
	@build/asg_generate --root .

peers:
	@tools/packages.sh build test peers
	@$(call configure,release,build)
	@$(call compile,build) --target asg_char_gpt asg_samples asg_exchange asg_zoo_forward example_logging asg bench_tokens
	@$(python) -m peers.exchange build/asg_exchange
	@build/asg_samples > build/samples.jsonl
	@$(python) -m peers build/samples.jsonl --report docs/peers.md
	@$(python) -m peers.zoo build/asg_zoo_forward --report docs/zoo.md
	@$(python) -m peers.metrics tests/metrics/scikit_learn.jsonl
	@build/examples/example_logging build/example_logging > build/example_logging.txt
	@$(python) -m peers.tensorboard build/example_logging/tensorboard build/example_logging/log.jsonl
	@$(python) -m peers.optimizers tests/unit/optim/data/torch_trajectories.json
	@tools/peers/tokenisers.sh build
	@build/asg_char_gpt build/char_gpt 1000
	@$(python) -m peers.char_gpt build/char_gpt --report docs/results_gpt.md

format:
	@tools/packages.sh format
	@tools/format.sh

lint:
	@tools/packages.sh build test format lint
	@tools/lint.sh

clean:
	rm -rf build build-*
