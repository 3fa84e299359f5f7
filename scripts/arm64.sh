# Builds and runs code for arm64 on a machine of another architecture, with a separate toolchain and an emulator. Bash scripts source this file after
# common.sh.

# The toolchain for arm64: rustup's name or a folder. The headers of the packages' files name the toolchain that scripts/setup-arm64 makes.
arm64_toolchain=${RUSTGO_ARM64_TOOLCHAIN:-${RUSTGO_RUST_DEBIAN:-${XDG_CACHE_HOME:-$HOME/.cache}/rustgo/rust-debian}}
# The folder of the C library for arm64.
arm64_libraries=/usr/aarch64-linux-gnu

# The command of the emulator; empty on an arm64 machine.
arm64_emulator=(qemu-aarch64-static)
[ "$(uname -m)" != aarch64 ] || arm64_emulator=()

# arm64_rustc: print the version of the toolchain's compiler; fails if there is no toolchain.
arm64_rustc() {
	case $arm64_toolchain in
	*/*) "$arm64_toolchain/bin/rustc" --version ;;
	*) rustc "+$arm64_toolchain" --version ;;
	esac 2>/dev/null | cut -d ' ' -f 2
}

# can_run_arm64 WHAT: succeeds if programs for arm64 run here; otherwise prints that WHAT is skipped.
can_run_arm64() {
	[ ${#arm64_emulator[@]} -eq 0 ] || has "${arm64_emulator[0]}" || {
		skip "$1" "no ${arm64_emulator[0]}" "scripts/setup installs it"
		return 1
	}
}

# can_link_arm64 WHAT: succeeds if there is a C compiler for arm64 with its libraries; otherwise prints that WHAT is skipped.
can_link_arm64() {
	local compiler=aarch64-linux-gnu-gcc
	[ ${#arm64_emulator[@]} -gt 0 ] || compiler=cc
	has "$compiler" || {
		skip "$1" "no $compiler" "scripts/setup installs gcc-aarch64-linux-gnu and libc6-dev-arm64-cross"
		return 1
	}
}

# on_arm64 COMMAND...: run the command with the environment that Go needs for arm64. A test that starts its own program again uses
# RUSTGO_TEST_EXEC. The tests of fastcgo use QEMU, the emulator's path. QEMU_LD_PREFIX tells the emulator where the libraries for arm64 are.
on_arm64() (
	export GOARCH=arm64
	if [ ${#arm64_emulator[@]} -gt 0 ]; then
		export RUSTGO_TEST_EXEC="${arm64_emulator[*]}" QEMU_LD_PREFIX=$arm64_libraries
		QEMU=$(command -v "${arm64_emulator[0]}")
		export QEMU CC=aarch64-linux-gnu-gcc GOFLAGS="${GOFLAGS:-} -exec=$RUSTGO_TEST_EXEC"
	fi
	"$@"
)
