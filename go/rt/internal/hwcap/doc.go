// Package hwcap reads the features of the processor from the operating system. Rust code is compiled for Linux, so on every system the features have
// the form of Linux's AT_HWCAP and AT_HWCAP2. Rust code runs only on amd64 and arm64, so on other processors the package declares nothing.
package hwcap
