# Where the tool is, and the packages. Sourced by bash, in the top folder.

target=${CARGO_TARGET_DIR:-$PWD/target}
rustgo=$target/release/rustgo

# The crates of the packages share what they depend on.
crates_target=$target/packages

# packages: the names of those that are generated.
packages() {
	local manifest
	for manifest in packages/*/rust/Cargo.toml; do
		basename "$(dirname "$(dirname "$manifest")")"
	done
}
