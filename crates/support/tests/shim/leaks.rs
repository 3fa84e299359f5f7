//! Tests that a panic in the middle of a conversion leaks nothing: the results converted before it, the parts of an error, its texts.

use crate::common::{Frame, find};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

mod exports {
    use std::borrow::Cow;
    use std::cell::Cell;
    use std::fmt;

    /// The number of bytes in each large part. It exceeds the memory that a panic takes.
    pub const LARGE: usize = 1 << 20;

    thread_local! {
        /// The number of objects and fields that exist.
        pub static LIVE: Cell<i32> = const { Cell::new(0) };
    }

    /// An object, and also a field that Go does not get.
    #[rustgo::object]
    pub struct Counted(Vec<u8>);

    impl Counted {
        fn new() -> Self {
            LIVE.set(LIVE.get() + 1);
            Self(vec![0; LARGE])
        }
    }

    impl Drop for Counted {
        fn drop(&mut self) {
            LIVE.set(LIVE.get() - 1);
        }
    }

    #[rustgo::export]
    impl Counted {
        pub fn size(&self) -> usize {
            self.0.len()
        }
    }

    /// A value that cannot be cloned.
    #[derive(Debug, rustgo::Value)]
    #[repr(C)]
    pub struct Fragile {
        pub x: u8,
    }

    impl Copy for Fragile {}

    // std calls this for each element of a slice, because the implementation is not derived.
    #[allow(clippy::expl_impl_clone_on_copy, clippy::non_canonical_clone_impl, reason = "the clone panics")]
    impl Clone for Fragile {
        fn clone(&self) -> Self {
            panic!("fragile")
        }
    }

    static FRAGILE: [Fragile; 1] = [Fragile { x: 1 }];

    #[rustgo::export]
    pub fn leak_tuple() -> (Counted, String, Cow<'static, [Fragile]>) {
        (Counted::new(), "x".repeat(LARGE), Cow::Borrowed(&FRAGILE))
    }

    #[rustgo::export]
    pub fn leak_list() -> Vec<Cow<'static, [Fragile]>> {
        let large = Cow::Owned((0..LARGE).map(|_| Fragile { x: 2 }).collect());
        vec![large, Cow::Borrowed(&FRAGILE), Cow::Owned((0..LARGE).map(|_| Fragile { x: 3 }).collect())]
    }

    /// A field that Go does not get, with a destructor that panics.
    #[derive(Debug)]
    pub struct Loud;

    impl Drop for Loud {
        fn drop(&mut self) {
            panic!("loud");
        }
    }

    /// An error with a part that Go gets, and parts that Go does not get.
    #[derive(rustgo::Error)]
    pub struct LeakError {
        pub object: Counted,
        pub text: String,
        #[rustgo(skip)]
        pub loud: Loud,
        #[rustgo(skip)]
        pub counted: Counted,
    }

    impl fmt::Display for LeakError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&self.text)
        }
    }

    #[rustgo::export]
    pub fn leak_left_out() -> Result<(), LeakError> {
        Err(LeakError { object: Counted::new(), text: "y".repeat(LARGE), loud: Loud, counted: Counted::new() })
    }

    /// An error with a part whose conversion fails after the other part was converted.
    #[derive(rustgo::Error)]
    pub struct PartError {
        pub object: Counted,
        pub fragile: Cow<'static, [Fragile]>,
        pub last: String,
        #[rustgo(skip)]
        pub counted: Counted,
    }

    impl fmt::Display for PartError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&self.last)
        }
    }

    #[rustgo::export]
    pub fn leak_part() -> Result<(), PartError> {
        let fragile = Cow::Borrowed(&FRAGILE[..]);
        Err(PartError { object: Counted::new(), fragile, last: "z".repeat(LARGE), counted: Counted::new() })
    }

    /// An error with a text only.
    pub struct LoudText(String);

    impl fmt::Display for LoudText {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&self.0)
        }
    }

    impl Drop for LoudText {
        fn drop(&mut self) {
            panic!("loud");
        }
    }

    #[rustgo::export]
    pub fn leak_text() -> Result<(), LoudText> {
        Err(LoudText("t".repeat(LARGE)))
    }
}

/// Counts the bytes that each thread has allocated and not freed.
struct Counting;

thread_local! {
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.set(BYTES.get() + layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        BYTES.set(BYTES.get() - layout.size() as isize);
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_panic_in_a_conversion_leaks_nothing() {
    // With RUST_BACKTRACE the first panic of a process reads the symbols, and keeps them.
    let _ = std::panic::catch_unwind(|| panic!("the first"));
    for (name, message) in
        [("LeakTuple", "fragile"), ("LeakList", "fragile"), ("LeakLeftOut", "loud"), ("LeakPart", "fragile"), ("LeakText", "loud")]
    {
        let shim = find(name);
        let mut frame = Frame::of(&shim.export);
        let before = BYTES.get();
        assert_eq!(frame.try_call(&shim), Err(message.into()), "{name}");
        assert_eq!(exports::LIVE.get(), 0, "{name}");
        assert!((BYTES.get() - before).unsigned_abs() < exports::LARGE, "{name}: {} bytes are left", BYTES.get() - before);
    }
}
