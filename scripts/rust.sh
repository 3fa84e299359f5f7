# Paths of the tool and of the generated packages. Bash scripts source this file in the top folder.

target=${CARGO_TARGET_DIR:-$PWD/target}
rustgo=$target/release/rustgo

# The crates of all packages share one target folder, so that each dependency is compiled once. The tests of the tool use other folders, because two
# builds in one folder run one after the other.
crates_target=$target/tmp/packages

# The cargo options with which the tests build the workspace. With less optimization and no optimization across codegen units, the tool is compiled
# faster. The tests spend most of their time in rustc and Go, not in the tool. capstone, a disassembler in C, serves few tests. clippy and rustdoc use
# the same options, so that they need no second build of build scripts and macros.
tests_profile=(--release --config profile.release.opt-level=1 --config 'profile.release.lto="off"' --config profile.release.package.capstone-sys.opt-level=0)

# packages: print the folders of the generated packages. Each folder has the crate in rust/.
packages() {
	local manifest
	for manifest in {packages,fixtures}/*/rust/Cargo.toml; do
		echo "${manifest%/rust/Cargo.toml}"
	done
}

# example NAME: make the generated package of the example, which is not in the repository, and test it.
example() (cd "examples/$1" && CARGO_TARGET_DIR=$crates_target "$rustgo" build --crate rust --arch amd64 --quiet && go vet ./... && go test -count=1 ./...)
