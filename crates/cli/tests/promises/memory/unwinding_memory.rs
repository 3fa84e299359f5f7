//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//! Panics when no memory is left for their exceptions.

use rustgo::Append;
use std::alloc::{Layout, alloc, dealloc};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The layout of a block that has the size of an exception.
const BLOCK: Layout = Layout::new::<[u64; 7]>();
/// The layout of a block that has the size of a payload with a static text.
const TEXT: Layout = Layout::new::<&'static str>();

thread_local! { static BLOCKS: RefCell<(Vec<usize>, Vec<usize>)> = const { RefCell::new((Vec::new(), Vec::new())) }; }

/// Prepare makes room for the addresses of count blocks.
#[rustgo::export]
pub fn prepare(count: usize) {
    BLOCKS.with_borrow_mut(|(blocks, texts)| (blocks.reserve(count), texts.reserve(count)));
}

fn take(layout: Layout, into: &mut Vec<usize>) {
    while into.len() < into.capacity() {
        // SAFETY: the layout has a size.
        let at = unsafe { alloc(layout) };
        if at.is_null() {
            return;
        }
        // SAFETY: the block is new, and has this size.
        unsafe { at.write_bytes(0xa5, layout.size()) };
        into.push(at.addr());
    }
}

/// Exhaust allocates blocks of both sizes until no memory is left, and returns the number of blocks.
#[rustgo::export]
pub fn exhaust() -> usize {
    BLOCKS.with_borrow_mut(|(blocks, texts)| {
        take(BLOCK, blocks);
        take(TEXT, texts);
        blocks.len() + texts.len()
    })
}

fn give(layout: Layout, from: &mut Vec<usize>, count: usize) {
    for _ in 0..count.min(from.len()) {
        let at = from.pop().expect("not empty");
        // SAFETY: the block has this layout, and nothing else frees it.
        unsafe { dealloc(std::ptr::with_exposed_provenance_mut(at), layout) }
    }
}

/// GiveText frees one small block.
#[rustgo::export]
pub fn give_text() {
    BLOCKS.with_borrow_mut(|(_, texts)| give(TEXT, texts, 1));
}

/// GiveAll frees all blocks.
#[rustgo::export]
pub fn give_all() {
    BLOCKS.with_borrow_mut(|(blocks, texts)| {
        give(BLOCK, blocks, usize::MAX);
        give(TEXT, texts, usize::MAX);
    });
}

/// Panics causes a panic with a static text.
#[rustgo::export]
pub fn panics() {
    panic!("static text")
}

/// Catches catches a panic, and returns the number of bytes of its text.
#[rustgo::export]
pub fn catches() -> u64 {
    catch_unwind(|| panic!("caught")).unwrap_err().downcast_ref::<&str>().map_or(0, |text| text.len() as u64)
}

/// Resumes resumes a panic whose payload has size zero, so only the exception needs memory.
#[rustgo::export]
pub fn resumes() {
    resume_unwind(Box::new(()))
}

/// ResumesCaught does what Resumes does, and catches the panic.
#[rustgo::export]
pub fn resumes_caught() -> bool {
    catch_unwind(AssertUnwindSafe(|| resume_unwind(Box::new(())))).is_err()
}

/// Panicking reports whether std counts a panic on this thread.
#[rustgo::export]
pub fn panicking() -> bool {
    std::thread::panicking()
}

/// A guard whose destructor adds 1 to a number.
struct Counted<'a>(&'a mut u64);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        *self.0 += 1;
    }
}

/// Allocates again and again, in the way that the number selects, until an allocation fails.
fn allocates(way: u8) {
    let mut kept = Vec::with_capacity(1 << 16);
    let mut vec = vec![0_u8; 100];
    let mut text = String::from("text");
    let mut map = std::collections::HashMap::new();
    let mut tree = std::collections::BTreeMap::new();
    let mut deque = std::collections::VecDeque::new();
    for round in 0_u64.. {
        match way {
            0 => kept.push(Box::<dyn Send>::from(Box::new([round; 512]))),
            1 => vec.extend_from_slice(&[7; 4096]),
            2 => text.push_str(&"long ".repeat(1000)),
            3 => _ = map.insert(round, [round; 64]),
            4 => _ = tree.insert(round, [round; 64]),
            5 => deque.push_back([round; 64]),
            6 => kept.push(Box::new(std::sync::Arc::new([round; 512]))),
            7 => kept.push(Box::new(format!("{round:4096}"))),
            8 => kept.push(Box::new(std::rc::Rc::<[u8]>::from(vec![1; 4096]).len())),
            _ => kept.push(Box::new(Vec::<u64>::with_capacity(1 << 12))),
        }
    }
}

/// Fails allocates until an allocation fails. The destructor of its outer guard adds 1 to `dropped`.
#[rustgo::export]
pub fn fails(way: u8, dropped: &mut [u64; 1]) {
    let _outer = Counted(&mut dropped[0]);
    let mut inner = 0;
    let guard = Counted(&mut inner);
    allocates(way);
    drop(guard);
}

/// FailsCaught does what Fails does, and catches the panic. It returns the number of dropped guards.
#[rustgo::export]
pub fn fails_caught(way: u8) -> u64 {
    let mut dropped = 0;
    let guard = Counted(&mut dropped);
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let _guard = guard;
        allocates(way);
    }));
    let text = caught.unwrap_err();
    assert_eq!(text.downcast_ref::<&str>(), Some(&"memory allocation failed"));
    dropped
}

/// AppendFails appends `first`, and then `more` until an allocation fails. It catches the panic, and appends `first` once more. It returns the
/// number of elements that it has appended.
#[rustgo::export(results(n))]
pub fn append_fails(dst: &mut Append<u8>, first: &[u8], more: &[u8]) -> isize {
    let mut appended = 2 * first.len();
    dst.extend_from_slice(first);
    let caught = catch_unwind(AssertUnwindSafe(|| {
        loop {
            dst.extend_from_slice(more);
            appended += more.len();
        }
    }));
    assert!(caught.is_err());
    dst.extend_from_slice(first);
    appended as isize
}
