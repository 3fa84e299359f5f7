# Most targets run the script of the same name in scripts/, which has --help. ARGS="…" passes arguments to a script (check, test, long and its
# parts, get, flaky, lint, generate, release, site), and BENCHFLAGS="…" to a benchmark. make help prints this text.
#
#   make demo       build the tool, turn a published crate into a Go package, call it, compare the cost
#   make build      the tool: target/release/rustgo
#   make check      the tests to run before each commit: at most 8 minutes in a fresh clone, 5 afterwards
#   make test       the tests of continuous integration: an hour
#   make long       the long searches: a night. scripts/long PART runs one: generate, cases, examples, fixtures, matrix, survey, csmith, calls,
#                   torture, collection, random, large, mutants, heap, fuzz, crypto, constant-time, lint. Some parts also have a target: matrix, random,
#                   mutants, survey, adversary (csmith), calls, collection, torture, constant-time
#   make get        modules from published crates by rustgo get; ARGS="--test semver hex" selects crates and runs go test
#   make flaky      the tests ten times under load; lists the tests that fail in some run
#   make lint       formatting, clippy, rustdoc, vet, staticcheck
#   make generate   the Go files of all packages, from their Rust source
#   make bench      the cost of calls, conversions, hashes and searches; RESULTS=1 writes it to bench/results as well
#   make bench-zstd, make bench-regex, make bench-callbacks
#                   Zstandard and regular expressions, each compared with all other ways; BENCHFLAGS=-h lists the flags
#   make bench-panics
#                   recovered panics that unwind, compared with native Rust, cgo and Go, and sizes of packages; 10 to 20 minutes; written to
#                   bench/results
#   make bench-bindings
#                   three Rust libraries as packages by rustgo and as the Go bindings that exist; half an hour; written to bench/results
#   make bench-tool the tool's own time and memory for real crates of 0.1 to 8 MiB of machine code; written to bench/results
#   make crypto     cryptography: the packages, Go's own, libsodium and native Rust; under 20 minutes, SHORT=1 about 2. Written to
#                   bench/results/crypto
#   make release    everything that a release consists of, except the upload, in out/release; ARGS=-check compares the versions only
#   make site       the documentation site in out/site, with all its links checked; scripts/site -install gets mdBook
#   make clean

.PHONY: help demo build check test long matrix random adversary calls torture collection mutants survey get constant-time flaky lint generate \
	bench bench-zstd bench-regex bench-callbacks bench-panics bench-bindings bench-tool crypto release site clean

help:
	@sed -n "s/^# \{0,1\}//p" Makefile

demo: build
	scripts/demo

build:
	cargo build --release --locked -p cargo-rustgo

check:
	scripts/check $(ARGS)

test:
	scripts/test $(ARGS)

long:
	scripts/long $(ARGS)

# The parts of make long that have a target.
matrix random mutants:
	scripts/$@ $(ARGS)

get: build
	scripts/get $(ARGS)

survey: build
	scripts/survey $(ARGS)

adversary:
	scripts/adversary csmith $(ARGS)

calls collection:
	scripts/adversary $@ $(ARGS)

torture:
	scripts/torture-source
	scripts/adversary torture $(ARGS)

constant-time:
	scripts/constant-time/run $(ARGS)

flaky:
	scripts/flaky $(ARGS)

lint:
	scripts/lint $(ARGS)

generate: build
	scripts/generate $(ARGS)

bench:
	cd bench && go run ./cmd/table $(if $(RESULTS),-write results) $(BENCHFLAGS)

bench-zstd:
	cd bench && go run ./zstd $(BENCHFLAGS)

bench-regex:
	cd bench/regex && go run . $(BENCHFLAGS)

bench-callbacks:
	cd bench/callbacks && go test -run - -bench . -count 5 $(BENCHFLAGS) .

bench-panics: build
	cd bench && go run ./panics $(BENCHFLAGS)

bench-bindings: build
	bench/bindings/run $(BENCHFLAGS)

bench-tool: build
	cd bench && go run ./tool $(BENCHFLAGS)

crypto:
	cd bench/crypto && go run . $(if $(SHORT),-short) $(BENCHFLAGS)

release:
	scripts/release $(ARGS)

site:
	scripts/site $(ARGS)

clean:
	cargo clean
	rm -rf bench/native/target bench/panics/rust/native/target bench/panics/worker/unwind bench/panics/worker/abandon
	rm -rf bench/bindings/go/resvg bench/bindings/go/automerge bench/bindings/go/evmole
	rm -rf packages/*/rust/target fixtures/*/rust/target
