# What is done here is in scripts/; these are the names to call it by.
#
#   make demo       build the tool, turn a published crate into a Go package, call it, compare the cost
#   make test       every test, and a part of the matrix
#   make matrix     the Go side with every supported version of Go, in every way of building, on every system
#   make random     random functions against native results; SEEDS=1..100 says which
#   make adversary  random C by csmith, gcc and clang against native results; SEEDS=1..1000 says which
#   make calls      random C about calls and their arguments against native results; SEEDS as above
#   make torture    GCC's own tests of its code against native results
#   make collection C by construct, at every level, by gcc and clang
#   make mutants    each rule of analysis and lowering broken on purpose: some test must fail. Not part of the tests
#   make constant-time  whether the time of the crypto packages depends on secrets: six minutes, by statistics and by valgrind
#   make survey     which popular crates go through on which machine; WRITE=1 writes docs/survey.md. A sample is part of the tests
#   make bench      what calls and conversions cost, hashes and searches; RESULTS=1 writes it to bench/results as well
#   make bench-zstd, make bench-regex
#                   Zstandard and regular expressions, each beside all other ways; BENCHFLAGS=-h tells of flags
#   make crypto     cryptography: the packages, Go's own, libsodium and native Rust; under 20 minutes, SHORT=1 about 2. Written to bench/results/crypto
#   make build      the tool: target/release/rustgo
#   make generate   the Go files of all packages, from their Rust source
#   make lint       formatting, clippy, rustdoc, vet
#   make clean

.PHONY: demo test matrix random adversary calls torture collection mutants survey bench bench-zstd bench-regex crypto constant-time build generate lint clean

demo: build
	scripts/demo

test: build
	scripts/test

matrix:
	scripts/matrix

random:
	scripts/random

adversary:
	scripts/adversary csmith

calls:
	scripts/adversary calls

torture:
	scripts/torture-source
	scripts/adversary torture

collection:
	scripts/adversary collection

mutants:
	scripts/mutants

survey: build
	scripts/survey

bench:
	cd bench && go run ./cmd/table $(if $(RESULTS),-write results) $(BENCHFLAGS)

bench-zstd:
	cd bench && go run ./zstd $(BENCHFLAGS)

bench-regex:
	cd bench/regex && go run . $(BENCHFLAGS)

constant-time:
	scripts/constant-time/run

crypto:
	cd bench/crypto && go run . $(if $(SHORT),-short) $(BENCHFLAGS)

build:
	cargo build --release --locked -p cargo-rustgo

generate: build
	scripts/generate

lint:
	scripts/lint

clean:
	cargo clean
	rm -rf bench/native/target packages/*/rust/target fixtures/*/rust/target
