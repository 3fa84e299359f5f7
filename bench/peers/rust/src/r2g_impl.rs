//! Implements the traits of user.rs.

use crate::plain;
use crate::user::{Asm, AsmImpl, Cgo, CgoImpl, Triple};

macro_rules! bodies {
    () => {
        fn increment(x: u64) -> u64 {
            plain::increment(x)
        }
        fn slice(x: u64, xs: Vec<u64>) -> u64 {
            plain::slice(x, &xs)
        }
        fn text(x: u64, text: String) -> u64 {
            plain::text(x, &text)
        }
        fn turn(point: Triple) -> Triple {
            let (x, y, z) = plain::turn(point.x, point.y, point.z);
            Triple { x, y, z }
        }
        fn half(x: u64) -> Option<u64> {
            plain::half(x)
        }
        fn list(x: u64) -> Vec<u64> {
            plain::list(x)
        }
        fn message(x: u64) -> String {
            plain::message(x)
        }
    };
}

impl Asm for AsmImpl {
    bodies!();
}

impl Cgo for CgoImpl {
    bodies!();
}
