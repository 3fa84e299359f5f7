//! The existing tests belong to another package; files that Go ignores do not count.
//@ args: build --package kinds_b
//@ file go/_other.go: package other\n
//@ file go/tools.go: //go:build tools\n\npackage tools\n
//@ file go/gen.go: // +build ignore\n\npackage main\n
//@ file go/k_test.go: package kinds\n
//@ file go/x_test.go: package kinds_b_test\n
#![no_std]

#[rustgo::export]
pub fn run(x: u64) -> u64 {
    x + 1
}
