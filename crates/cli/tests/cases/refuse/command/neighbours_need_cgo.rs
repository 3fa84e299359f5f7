//! Files beside the output that Go compiles only with cgo.
//@ args: check
//@ file go/a.go: package need\n\n// int twice(int x);\nimport "C"\n
//@ file go/a.c: int twice(int x) { return 2 * x; }\n
//@ file go/a_darwin.m: \n
//@ file go/a_arm64.cc: \n
//@ file go/a.h: int twice(int x);\n
//@ file go/_a.c: int twice(int x) { return 2 * x; }\n
//@ file go/b.go: //go:build !amd64 && !arm64\n\npackage need\n\nimport "C"\n
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}
