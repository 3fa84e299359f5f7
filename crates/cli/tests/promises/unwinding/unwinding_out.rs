//@ native: plain after_catch deep boxed places in_drop after_hundred framed locked blocking taken_back fold_out
//@ manifest: [package.metadata.rustgo]
//@ manifest: panic = "unwind"
//@ manifest: [profile.release]
//@ manifest: overflow-checks = true
//! Panics that unwind out of an exported function and reach Go, and endings that no `catch_unwind` catches.

use std::cell::{Cell, RefCell};
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

thread_local! {
    /// The digest of the events of the running call.
    static LOG: Cell<u64> = const { Cell::new(0) };
}

/// Adds an event to the digest.
fn log(event: u64) {
    LOG.set((LOG.get().rotate_left(7) ^ event).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1));
}

/// Calls f. If f panics, catches the panic and logs its text; otherwise logs the result.
fn attempt(f: impl FnOnce() -> u64) -> bool {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(result) => log(result),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
            text.unwrap_or("not text").bytes().for_each(|byte| log(u64::from(byte)));
            return false;
        }
    }
    true
}

/// Returns the digest of the events during f.
fn logged(f: impl FnOnce()) -> u64 {
    LOG.set(0);
    f();
    LOG.get()
}

/// Panics if `step` is the step that must fail.
fn check(step: u64, failing: u64) {
    assert!(step != failing, "step {step} fails");
}

/// Logs its number when it is dropped.
struct Noisy(u64);

impl Drop for Noisy {
    fn drop(&mut self) {
        log(self.0);
    }
}
/// The number of destructors of `Counted` that have run.
static DROPPED: AtomicU64 = AtomicU64::new(0);

/// Counts in `DROPPED` when it is dropped.
struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::SeqCst);
    }
}

/// Panics when it is dropped.
struct Bomb(&'static str);

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("the destructor of {}", self.0);
    }
}

/// Starts two panics when it is dropped. Neither is caught, because the second panic leaves a destructor during the unwinding of the first panic.
struct Nested;

impl Drop for Nested {
    fn drop(&mut self) {
        attempt(|| {
            let _bomb = Bomb("an inner local");
            panic!("the inner panic")
        });
    }
}

/// Catches ten panics when it is dropped, and then panics.
struct Late;

impl Drop for Late {
    fn drop(&mut self) {
        for round in 0..10 {
            attempt(|| panic!("a caught panic, {round}"));
        }
        panic!("the last panic");
    }
}

/// Faults when it is dropped.
struct Faults;

impl Drop for Faults {
    fn drop(&mut self) {
        let nowhere = black_box(std::ptr::null::<u64>());
        // SAFETY: none; the test expects the fault.
        log(unsafe { nowhere.read_volatile() });
    }
}

/// Plain lets a panic leave the function, or returns the digest of the destructors.
#[rustgo::export]
pub fn plain(x: u64) -> u64 {
    let (failing, n) = (x % 4, x / 4);
    logged(|| {
        let first = Noisy(n);
        check(0, failing);
        let second = Box::new(Noisy(first.0 + 1));
        check(1, failing);
        drop(first);
        check(2, failing);
        log(second.0);
    })
}

/// AfterCatch catches a panic and then panics out of the function.
#[rustgo::export]
pub fn after_catch(x: u64) -> u64 {
    let (inner, outer, n) = (x % 2, x / 2 % 3, x / 6);
    logged(|| {
        let fine = attempt(|| {
            let held = Noisy(n);
            check(inner, 0);
            held.0
        });
        check(outer, 0);
        assert!(fine || outer != 1, "the caught one of {n}");
    })
}

/// Deep lets a panic leave a recursion.
#[rustgo::export(stack = "64k")]
pub fn deep(x: u64) -> u64 {
    #[inline(never)]
    fn down(depth: u64, n: u64) -> u64 {
        let held = Noisy(n ^ depth);
        if depth == 0 {
            assert!(n % 2 == 0, "{n} is odd");
            return 1;
        }
        down(depth - 1, n) + (held.0 & 1)
    }
    logged(|| log(down(x % 50, x / 50)))
}

/// Boxed lets a panic leave closures in boxes.
#[rustgo::export]
pub fn boxed(x: u64) -> u64 {
    logged(|| {
        let steps: Vec<Box<dyn FnOnce() -> u64>> = (0..4)
            .map(|at| {
                let held = Noisy(x ^ at);
                Box::new(move || {
                    check(at, x % 6);
                    held.0
                }) as Box<dyn FnOnce() -> u64>
            })
            .collect();
        black_box(steps).into_iter().for_each(|step| log(step()));
    })
}

/// Places lets a panic leave functions of the standard library that name their caller's place.
#[rustgo::export]
pub fn places(x: u64) -> u64 {
    let (kind, n) = (x % 8, x / 8);
    let _held = vec![Noisy(n)];
    match kind {
        0 => black_box([1, 2, 3])[n as usize % 6],
        1 => black_box(None::<u64>).unwrap(),
        2 => black_box(Err::<u64, _>(n)).expect("a result"),
        3 => n / black_box(n % 2),
        4 => RefCell::new(n).try_borrow_mut().map(|_| n).unwrap(),
        5 => {
            let cell = RefCell::new(n);
            let _borrowed = cell.borrow();
            *cell.borrow_mut()
        }
        6 => vec![n].remove(black_box(1)),
        _ => n,
    }
}

/// InDrop lets a panic leave a destructor. The other values are dropped too.
#[rustgo::export]
pub fn in_drop(x: u64) -> u64 {
    struct Checks(u64, u64);
    impl Drop for Checks {
        fn drop(&mut self) {
            check(self.0, self.1);
        }
    }
    logged(|| {
        let list: Vec<(Noisy, Checks)> = (0..5).map(|at| (Noisy(x ^ at), Checks(at, x % 7))).collect();
        log(list.len() as u64);
    })
}

/// AfterHundred makes a hundred calls, and catches the panics of a third of them. Then it panics if x is odd.
#[rustgo::export]
pub fn after_hundred(x: u64) -> u64 {
    logged(|| {
        let caught = (0..100)
            .filter(|&round| {
                !attempt(|| {
                    check(round % 3, x % 3);
                    round
                })
            })
            .count() as u64;
        log(caught);
        assert!(x % 2 == 0, "after {caught} of {x}");
    })
}

/// Framed lets a panic leave large and aligned frames.
#[rustgo::export(stack = "128k")]
pub fn framed(x: u64) -> u64 {
    #[repr(align(64))]
    struct Aligned([u64; 16]);
    #[inline(never)]
    fn middle(n: u64, room: &mut [u64; 1280]) -> u64 {
        let aligned = black_box(Aligned([n; 16]));
        let _held = Noisy(n);
        room[n as usize % 1280] = 1;
        check(n % 3, 1);
        aligned.0[7] ^ room[9]
    }
    logged(|| {
        let mut room = black_box([x; 1280]);
        log(middle(x >> 1, &mut room));
        check(x % 2, 0);
        log(room.iter().fold(0, |a, b| a ^ b));
    })
}

/// Locked lets a panic leave the function while a lock is held and a thread-local cell is borrowed. The next call can take both.
#[rustgo::export]
pub fn locked(x: u64) -> u64 {
    thread_local! {
        static CELL: RefCell<u64> = const { RefCell::new(0) };
    }
    static LOCK: Mutex<u64> = Mutex::new(0);
    CELL.with(|cell| {
        let mut borrowed = cell.borrow_mut();
        let mut held = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        LOCK.clear_poison();
        (*held, *borrowed) = (x, x + u64::from(x % 2 == 0));
        check(x % 3, 0);
        *held ^ *borrowed << 1
    })
}

/// Blocking catches a panic if x is a multiple of 5. Then it lets a panic leave the blocking call if x is a multiple of 3.
#[rustgo::export(blocking)]
pub fn blocking(x: u64) -> u64 {
    logged(|| {
        attempt(|| {
            let held = Noisy(x);
            check(x % 5, 0);
            held.0
        });
        let _held = Noisy(x ^ 1);
        check(x % 3, 0);
    })
}

/// TakenBack lets a panic leave the function after guards have undone its changes of a thread-local variable.
#[rustgo::export]
pub fn taken_back(x: u64) -> u64 {
    thread_local! {
        static LEVEL: Cell<u64> = const { Cell::new(5) };
    }
    struct Lower;
    impl Drop for Lower {
        fn drop(&mut self) {
            LEVEL.set(LEVEL.get() - 1);
        }
    }
    LEVEL.set(LEVEL.get() + 1);
    let _lower = Lower;
    check(x % 4, 0);
    LEVEL.set(LEVEL.get() + 1);
    let _again = Lower;
    check(x % 4, 1);
    assert!(LEVEL.get() == 7, "the level is {}", LEVEL.get());
    LEVEL.get() ^ x
}

/// FoldOut lets a panic leave the closures of iterators.
#[rustgo::export]
pub fn fold_out(x: u64) -> u64 {
    let list: Vec<Box<u64>> = (0..8).map(|at| Box::new(x >> 8 ^ at)).collect();
    list.into_iter()
        .enumerate()
        .filter(|(at, _)| at % 3 != 1)
        .map(|(at, word)| {
            check(at as u64, x % 9);
            *word
        })
        .fold(0, |a, b| a ^ b)
}

/// Fails drops three values of the type `Counted`, and panics if `must` is true. One value is dropped before the panic.
#[rustgo::export]
pub fn fails(must: bool) -> u64 {
    let (_first, second, _third) = (Counted, Box::new(Counted), [(); 1].map(|()| Counted));
    drop(second);
    let before = DROPPED.load(Ordering::SeqCst);
    assert!(!must, "after {before} destructors");
    before
}

/// Dropped returns the number of destructors that have run.
#[rustgo::export]
pub fn dropped() -> u64 {
    DROPPED.load(Ordering::SeqCst)
}

static SHARED: Mutex<u64> = Mutex::new(0);

/// Poisons adds one to a number in a mutex, and panics while it holds the mutex if `must` is true.
#[rustgo::export]
pub fn poisons(must: bool) -> u64 {
    let mut held = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    *held += 1;
    assert!(!must, "with {}", *held);
    *held
}

/// Poisoned reports whether the mutex is poisoned, and returns its number, or 0 if the mutex is held. `clear` ends the poisoning.
#[rustgo::export]
pub fn poisoned(clear: bool) -> (bool, u64) {
    let was = SHARED.is_poisoned();
    if clear {
        SHARED.clear_poison();
    }
    let number = match SHARED.try_lock() {
        Ok(held) => *held,
        Err(std::sync::TryLockError::Poisoned(held)) => *held.into_inner(),
        Err(std::sync::TryLockError::WouldBlock) => 0,
    };
    (was, number)
}

/// Borrows borrows a thread-local cell mutably, and panics meanwhile if `must` is true. It returns false if the cell is borrowed already.
#[rustgo::export]
pub fn borrows(must: bool) -> bool {
    thread_local! {
        static CELL: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    }
    CELL.with(|cell| {
        let Ok(mut words) = cell.try_borrow_mut() else { return false };
        words.clear();
        assert!(!must, "while it is borrowed");
        true
    })
}

/// Fill writes the number to the words one by one, and panics before it writes the word with the given index. However it ends, a destructor then
/// writes the number of written words to the last word.
#[rustgo::export]
pub fn fill(words: &mut [u64], number: u64, before: usize) {
    struct Counts<'a>(&'a mut [u64], usize);
    impl Drop for Counts<'_> {
        fn drop(&mut self) {
            if let Some(last) = self.0.last_mut() {
                *last = self.1 as u64;
            }
        }
    }
    let mut counts = Counts(words, 0);
    for at in 0..counts.0.len() {
        assert!(at != before, "before {before}");
        counts.0[at] = number;
        counts.1 += 1;
    }
}

/// Payload causes a panic with a payload that `kind` selects: a text for 0 to 4, otherwise another type. The last two payloads have a destructor.
#[rustgo::export]
pub fn payload(kind: u64, n: u64) {
    let _local = Counted;
    match kind {
        0 => panic_any("a literal"),
        1 => panic_any(format!("text {n}")),
        2 => resume_unwind(Box::new("a literal, resumed")),
        3 => resume_unwind(Box::new(format!("text {n}, resumed"))),
        4 => {
            let caught = catch_unwind(|| panic!("text {n}, caught and resumed")).unwrap_err();
            resume_unwind(caught)
        }
        5 => panic_any(n as u32),
        6 => panic_any(Box::<dyn std::error::Error + Send + Sync>::from("an error")),
        7 => panic_any((Counted, vec![n; 100])),
        _ => resume_unwind(Box::new((Counted, String::from("with a destructor")))),
    }
}

/// IsPanicking reports whether `std::thread::panicking()` is true in the function or in a destructor.
#[rustgo::export]
pub fn is_panicking() -> bool {
    struct Asks<'a>(&'a Cell<bool>);
    impl Drop for Asks<'_> {
        fn drop(&mut self) {
            self.0.set(std::thread::panicking());
        }
    }
    let inside = Cell::new(false);
    drop(Asks(&inside));
    std::thread::panicking() || inside.get()
}

/// CaughtInDrop lets a panic leave the function, and catches another panic in a destructor during the unwinding.
#[rustgo::export]
pub fn caught_in_drop(n: u64) -> u64 {
    struct Catches(u64);
    impl Drop for Catches {
        fn drop(&mut self) {
            attempt(|| panic!("the inner one of {}", self.0));
        }
    }
    let catches = Catches(n);
    assert!(n % 2 == 0, "the outer one of {}", catches.0);
    catches.0
}

/// Ends ends in a way that natively aborts the process, or faults. No `catch_unwind` catches it.
#[rustgo::export]
pub fn ends(kind: u64) -> u64 {
    extern "C" fn cannot_unwind(n: u64) -> u64 {
        assert!(n == 0, "inside extern C");
        n
    }
    let f: extern "C" fn(u64) -> u64 = black_box(cannot_unwind);
    let ended = catch_unwind(AssertUnwindSafe(|| match kind {
        0 => f(1),
        1 => {
            let _bomb = Bomb("a local");
            panic!("the first panic")
        }
        2 => {
            let _bombs = [Bomb("the first"), Bomb("the second")];
            2
        }
        3 => std::process::abort(),
        4 => {
            let _held = Faults;
            4
        }
        5 => {
            let _nested = Nested;
            panic!("the first panic")
        }
        6 => {
            let _late = Late;
            resume_unwind(Box::new(String::from("a resumed panic")))
        }
        7 => {
            let _faults = Faults;
            panic!("the first panic")
        }
        _ => f(0),
    }));
    ended.unwrap_or(77)
}

/// EndsUncaught ends as Ends does with the kinds 0 and 1, without a `catch_unwind`.
#[rustgo::export]
pub fn ends_uncaught(kind: u64) -> u64 {
    extern "C" fn cannot_unwind(n: u64) -> u64 {
        assert!(n == 0, "inside extern C");
        n
    }
    let f: extern "C" fn(u64) -> u64 = black_box(cannot_unwind);
    let _bomb = (kind == 1).then(|| Bomb("an option"));
    assert!(kind != 1, "the first panic");
    f(1 - kind.min(1))
}

/// Overflow causes an arithmetic overflow, catches the panic, and returns its message. The option `overflow-checks` is on.
#[rustgo::export]
pub fn overflow(kind: u64, n: u64) -> String {
    let (most, least, byte) = (black_box(u64::MAX), black_box(i64::MIN), black_box(200_u8));
    let caught = catch_unwind(|| {
        let _held = Counted;
        match kind {
            0 => most + n,
            1 => black_box(0) - n,
            2 => most * (n + 1),
            3 => (-least) as u64 + n,
            4 => 1 << (n + 63),
            5 => n >> (n + 63),
            6 => u64::from(byte + 56),
            7 => (n as i64 - 1 + least - 1) as u64,
            _ => n,
        }
    });
    match caught {
        Ok(n) => n.to_string(),
        Err(payload) => payload.downcast::<String>().map_or_else(|rest| rest.downcast_ref::<&str>().unwrap().to_string(), |text| *text),
    }
}

/// CatchesMany catches panics with allocated values alive, and returns the number of caught panics.
#[rustgo::export]
pub fn catches_many(times: u64) -> u64 {
    let fails = |round: u64| {
        let held = (vec![round; 50], format!("{round}"), Box::new(Noisy(round)));
        assert!(round % 10 == 9, "round {} of {times}", held.1);
        held.0[3]
    };
    (0..times).filter(|&round| catch_unwind(|| fails(round)).is_err()).count() as u64
}

/// Takes owns its arguments. It returns the length of the text if the list is empty, and panics otherwise.
#[rustgo::export]
pub fn takes(list: Vec<u64>, text: String) -> u64 {
    let more = vec![text.clone(); 10];
    assert!(list.is_empty(), "{} in the list, {}", list.len(), more[9]);
    text.len() as u64
}
