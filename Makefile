# The commands of everyday work. Everything is built by cargo; this only says which of its commands belong together.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
CARGO ?= cargo
SOJOURNER := $(CARGO) run --release --quiet -p sojourner-cli --
DEMO := target/demo
RUST_FILES := find bench crates examples tests -name '*.rs' -not -path '*/target*' -print0

# A toolchain that install-tools has just brought is not on the path of this shell yet.
export PATH := $(PATH):$(HOME)/.cargo/bin

# $(call exits,STATUS,ARGUMENTS): runs sojourner with the arguments and demands that exit status of it.
define exits
@echo "\$$ sojourner $(2)"; \
status=0; $(SOJOURNER) $(2) || status=$$?; \
if [[ $$status != $(1) ]]; then echo "exit status $$status instead of $(1)" >&2; exit 1; fi; \
echo "(exit status $$status, as it should be)"; echo
endef

.PHONY: help demo test test-long loom bench miri jar fmt checks lint install-tools

help: ## say what there is to make
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

demo: ## a Java bug with its values, a C bug, a proof; installs only what these need
	@scripts/install-missing demo
	$(CARGO) build --release -p sojourner-cli
	mkdir -p $(DEMO)
	@echo; echo "A Java program: two threads add to one variable, and one update is lost."
	$(call exits,1,check examples/java/Counter.java --trace $(DEMO)/counter.trace.json)
	@echo "The saved finding again, step by step:"
	$(call exits,1,replay $(DEMO)/counter.trace.json)
	@echo "A C program: philosophers that all take the left fork first."
	$(call exits,1,check examples/c/philosophers.c --trace $(DEMO)/philosophers.trace.json --cflags -DBROKEN)
	@echo "A proof: one philosopher takes the right fork first."
	$(call exits,0,check examples/c/philosophers.c)

test: install-tools lint ## all that must pass before a change is merged; documentation tests are among them
	$(CARGO) test --workspace
	$(MAKE) loom

test-long: install-tools ## the same tests with more random cases, deeper, and ten minutes of fuzzing for each reader
	PROPTEST_CASES=4096 SOJOURNER_SOUNDNESS=all SOJOURNER_RANDOM_PROGRAMS=1000 SOJOURNER_LONG_STUDY=1 $(CARGO) test --release --workspace
	$(CARGO) test --release -p sojourner-search --test dpor_counts -- --ignored
	LOOM_MAX_PREEMPTIONS=4 $(MAKE) loom
	SOJOURNER_FUZZ_SECONDS=600 $(CARGO) test --release -p sojourner-trace --test fuzz
	SOJOURNER_FUZZ_SECONDS=600 $(CARGO) test --release -p sojourner-java --test fuzz_classfile --test fuzz_library --test fuzz_machine

loom: ## the lock-free code of the store under every interleaving that Loom reaches
	CARGO_TARGET_DIR=target-loom RUSTFLAGS="--cfg loom" $(CARGO) test -p sojourner-store --tests

bench: install-tools ## the benchmarks of docs/benchmarks.md, up to an hour; PART=NAME for a part, BENCH=--quick for a look
	$(CARGO) build --release -p sojourner-cli
	$(CARGO) run --release --manifest-path bench/Cargo.toml -- $(if $(PART),--part $(PART)) $(BENCH)

miri: ## the parts of the native runtime that need no fibers, under Miri; needs a nightly toolchain with its component
	@$(CARGO) +nightly miri --version >/dev/null 2>&1 || { \
	echo "Miri is missing: rustup toolchain install nightly --component miri" >&2; exit 1; }
	CARGO_TARGET_DIR=target/miri MIRIFLAGS="-Zmiri-permissive-provenance" $(CARGO) +nightly miri test -p sojourner-native-rt --lib

jar: ## target/sojourner-verify.jar, for Java programs with data choices to be compiled against
	scripts/build-verify-jar

fmt: ## format every file of Rust, including those that `cargo fmt` does not find
	$(RUST_FILES) | xargs -0 rustfmt --edition 2024

checks: ## what is checked without compiling: cycles, dependencies, unsafe code, files that no check reaches, links, prose
	scripts/test-checks
	scripts/check-modules
	scripts/check-crates
	scripts/check-unsafe
	scripts/check-files
	scripts/check-docs
	scripts/measure-prose
	scripts/measure-prose --messages

lint: checks ## formatting, clippy, documentation, and the dependencies where cargo-deny is installed
	$(RUST_FILES) | xargs -0 -n 200 -P 2 rustfmt --edition 2024 --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTFLAGS="--cfg sojourner_rt" $(CARGO) clippy -p sojourner-native-rt --lib -- -D warnings
	RUSTFLAGS="--cfg loom" $(CARGO) clippy -p sojourner-store --tests -- -D warnings
	$(CARGO) clippy --manifest-path bench/Cargo.toml --all-targets --target-dir target -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet
	@if command -v cargo-deny >/dev/null; then for manifest in Cargo.toml bench/Cargo.toml; do \
	$(CARGO) deny --manifest-path $$manifest check --config deny.toml bans licenses sources; done; \
	else echo "cargo-deny is not installed: dependencies not checked"; fi

install-tools: ## install what building and testing need and this machine lacks
	@scripts/install-missing
