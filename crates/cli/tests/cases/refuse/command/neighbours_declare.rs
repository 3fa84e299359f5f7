//! Other Go files of the package declare names that the generated file declares or uses.
//@ args: build --package sums
//@ file go/a.go: //go:build amd64\n\npackage sums\n\nfunc Sum(x []byte) (sum uint32) {\n return 0\n}\n
//@ file go/b_windows.go: package sums\n\ntype (\n uint32 = string\n byte   = int\n)\n
//@ file go/b_test.go: package sums\n\nvar Least, Most = 1, 2\n
//@ file go/c.s: #include "textflag.h"\n\nTEXT ·Sum(SB), NOSPLIT, $0-28\n RET\n
//@ file go/d.go: //go:build !amd64 && !arm64\n\npackage sums\n\nfunc Sum(x []byte) uint32 { return 0 }\n
//@ file go/e_test.go: package sums_test\n\nfunc Sum() {}\n
//@ file go/f.go: package sums\n\nimport "no.such/module"\n\nfunc half(\n
#![no_std]

#[rustgo::export]
pub fn sum(x: &[u8]) -> u32 {
    x.iter().fold(0, |sum, &x| sum.wrapping_add(u32::from(x)))
}

#[rustgo::export]
pub fn most(x: u32) -> u32 {
    x.max(7)
}
