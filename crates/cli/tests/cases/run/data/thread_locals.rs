//! Thread-local variables, as rustc makes them: with and without a computed initial value, with and without a destructor.
use std::cell::{Cell, RefCell};

thread_local! {
    static SEED: Cell<u64> = const { Cell::new(7) };
    static LAST: Cell<Option<u64>> = const { Cell::new(None) };
    static TABLE: [u64; 16] = std::array::from_fn(|at| (at as u64 + 3).pow(7));
    static TEXT: RefCell<String> = RefCell::new(String::from("text"));
    static HELD: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

#[rustgo::export]
pub fn constant(x: u64) -> u64 {
    SEED.set(x ^ 7);
    SEED.get().wrapping_mul(3) ^ LAST.replace(Some(x)).map_or(0, |last| last.min(0))
}

#[rustgo::export]
pub fn computed(x: u64) -> u64 {
    TABLE.with(|table| table[(x % 16) as usize] ^ x)
}

#[rustgo::export]
pub fn dropped(x: u64) -> u64 {
    TEXT.with_borrow_mut(|text| {
        text.truncate(4);
        text.push_str(&x.to_string());
        text.len() as u64
    })
}

#[rustgo::export]
pub fn borrowed_panics(x: u64) -> u64 {
    // A call that panics leaves the list borrowed.
    HELD.with(|list| {
        let _held = list.borrow();
        if x == u64::MAX { list.try_borrow_mut().expect("it is not borrowed").len() as u64 } else { x }
    })
}
