# How code for arm64 is built and run on a machine that is none: with a toolchain of its own, under an emulator. Sourced by bash,
# after common.sh.

# The toolchain: rustup's name or a folder. The packages' files name the one that scripts/setup-arm64 makes.
arm64_toolchain=${RUSTGO_ARM64_TOOLCHAIN:-${RUSTGO_RUST_DEBIAN:-${XDG_CACHE_HOME:-$HOME/.cache}/rustgo/rust-debian}}
# Programs that are linked with the C library of arm64 find it here.
arm64_libraries=/usr/aarch64-linux-gnu

# The emulator, and as the argument of go test -exec; both are empty where the machine is an arm64.
arm64_emulator=(qemu-aarch64-static)
[ "$(uname -m)" != aarch64 ] || arm64_emulator=()

# arm64_rustc: the version of the toolchain's compiler; fails where there is none.
arm64_rustc() {
	case $arm64_toolchain in
	*/*) "$arm64_toolchain/bin/rustc" --version ;;
	*) rustc "+$arm64_toolchain" --version ;;
	esac 2>/dev/null | cut -d ' ' -f 2
}

# can_run_arm64 WHAT: can programs run here? If not, it is said.
can_run_arm64() {
	[ ${#arm64_emulator[@]} -eq 0 ] || has "${arm64_emulator[0]}" || {
		skip "$1" "no ${arm64_emulator[0]}" "scripts/setup installs it"
		return 1
	}
}

# can_link_arm64 WHAT: is there a C compiler for arm64, and what it links with? If not, it is said.
can_link_arm64() {
	local compiler=aarch64-linux-gnu-gcc
	[ ${#arm64_emulator[@]} -gt 0 ] || compiler=cc
	has "$compiler" || {
		skip "$1" "no $compiler" "scripts/setup installs gcc-aarch64-linux-gnu and libc6-dev-arm64-cross"
		return 1
	}
}

# on_arm64 COMMAND...: run it with Go set up for arm64. Tests that start themselves again ask RUSTGO_TEST_EXEC how, those of fastcgo
# ask QEMU for the emulator's path. QEMU_LD_PREFIX is the emulator's own, for -L.
on_arm64() (
	export GOARCH=arm64
	if [ ${#arm64_emulator[@]} -gt 0 ]; then
		export RUSTGO_TEST_EXEC="${arm64_emulator[*]}" QEMU_LD_PREFIX=$arm64_libraries
		QEMU=$(command -v "${arm64_emulator[0]}")
		export QEMU CC=aarch64-linux-gnu-gcc GOFLAGS="${GOFLAGS:-} -exec=$RUSTGO_TEST_EXEC"
	fi
	"$@"
)
