# Paths of the tool and of the generated packages. Bash scripts source this file in the top folder.

target=${CARGO_TARGET_DIR:-$PWD/target}
rustgo=$target/release/rustgo

# All crates of packages and tests have one target folder, so that each dependency, and std for arm64, is compiled once.
crates_target=$target/tmp/target

# packages: print the folders of the generated packages. Each folder has the crate in rust/.
packages() {
	local manifest
	for manifest in {packages,fixtures}/*/rust/Cargo.toml; do
		echo "${manifest%/rust/Cargo.toml}"
	done
}
