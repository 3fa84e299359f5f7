# Paths of the tool and of the generated packages. Sourced by bash in the top folder.

target=${CARGO_TARGET_DIR:-$PWD/target}
rustgo=$target/release/rustgo

# The crates of the packages share what they depend on.
crates_target=$target/packages

# packages: the folders of the generated packages, each with its crate in rust/.
packages() {
	local manifest
	for manifest in {packages,fixtures}/*/rust/Cargo.toml; do
		echo "${manifest%/rust/Cargo.toml}"
	done
}
