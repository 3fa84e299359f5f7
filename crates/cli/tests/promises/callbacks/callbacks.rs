//! Rust code that calls Go functions.

use rustgo::{Append, Func, Slices};
use std::cell::Cell;
use std::cmp::Ordering;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;

/// Sort sorts with a comparison in Go.
#[rustgo::export]
pub fn sort(numbers: &mut [u64], less: Func<'_, fn(u64, u64) -> bool>) {
    numbers.sort_by(|&a, &b| match (less.call(a, b), less.call(b, a)) {
        (true, _) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => Ordering::Equal,
    });
}

/// Repeat adds the results of n calls.
#[rustgo::export]
pub fn repeat(n: u64, f: Func<'_, fn(u64) -> u64>) -> u64 {
    (0..n).fold(0, |sum, i| sum.wrapping_add(f.call(i)))
}

/// Mixed passes numbers of all kinds to Go functions, and gets such results.
#[rustgo::export]
pub fn mixed(f: Func<'_, fn(u8, f64, i16, [u32; 3]) -> f32>, g: Func<'_, fn(bool, char) -> [u16; 2]>, h: Func<'_, fn() -> i64>) -> (f32, u16, i64) {
    let [_, second] = g.call(true, 'é');
    (f.call(200, -0.5, -7, [1, 2, 3]), second, h.call())
}

/// Words calls f with each word, its UTF-16 units and its number, until f returns false. Go frees the words and the units.
#[rustgo::export]
pub fn words(text: &str, f: Func<'_, fn(String, Vec<u16>, u32) -> bool>) -> u32 {
    let mut count = 0;
    for word in text.split(' ') {
        count += 1;
        if !f.call(word.to_owned(), word.encode_utf16().collect(), count) {
            break;
        }
    }
    count
}

static LOCK: Mutex<u64> = Mutex::new(0);

struct Guard<'a>(&'a mut u64);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        *self.0 += 1;
    }
}

/// Guarded calls f, if there is one, while it holds a lock and a guard. The guard's destructor adds 1 to `dropped`.
#[rustgo::export]
pub fn guarded(dropped: &mut u64, f: Option<Func<'_, fn()>>) -> bool {
    let _guard = Guard(dropped);
    let mut locked = LOCK.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    *locked += 1;
    f.map(|f| f.call()).is_some()
}

/// Catches catches a panic of the function. If `again` is true, it resumes the panic.
#[rustgo::export]
pub fn catches(again: bool, f: Func<'_, fn()>) -> bool {
    match catch_unwind(AssertUnwindSafe(|| f.call())) {
        Ok(()) => false,
        Err(payload) if again => resume_unwind(payload),
        Err(_) => true,
    }
}

/// FailsAfter calls f, catches its panic, and then panics in a destructor.
#[rustgo::export]
pub fn fails_after(f: Func<'_, fn()>) {
    struct Fails;
    impl Drop for Fails {
        fn drop(&mut self) {
            if !std::thread::panicking() {
                panic!("Rust's own panic");
            }
        }
    }
    let _ = catch_unwind(AssertUnwindSafe(|| f.call()));
    let _fails = Fails;
}

/// CallsInDrop calls f. Two destructors then call `after`, also while a panic of f unwinds.
#[rustgo::export]
pub fn calls_in_drop(f: Func<'_, fn()>, after: Func<'_, fn(u64)>) {
    struct Calls<'a>(Func<'a, fn(u64)>, u64);
    impl Drop for Calls<'_> {
        fn drop(&mut self) {
            self.0.call(self.1);
        }
    }
    let _first = Calls(after, 1);
    let _second = Calls(after, 2);
    f.call();
}

thread_local! { static DEPTH: Cell<u64> = const { Cell::new(0) }; }

/// Descend recurses in Rust before it calls Go, and counts its depth in a thread-local variable.
#[rustgo::export]
pub fn descend(n: u64, f: Func<'_, fn(u64)>) -> u64 {
    fn deep(n: u64, f: Func<'_, fn(u64)>) {
        DEPTH.set(DEPTH.get() + 1);
        if n == 0 { f.call(DEPTH.get()) } else { deep(n - 1, f) }
        DEPTH.set(DEPTH.get() - 1);
    }
    deep(n, f);
    DEPTH.get()
}

/// Lasts calls the function four times with a sum over the borrowed memory, and once more in a destructor.
#[rustgo::export]
pub fn lasts(words: &[u64], text: &str, number: &mut u64, f: Func<'_, fn(u64)>) {
    struct Last<'a>(&'a [u64], Func<'a, fn(u64)>);
    impl Drop for Last<'_> {
        fn drop(&mut self) {
            self.1.call(std::hint::black_box(self.0).iter().sum());
        }
    }
    let _last = Last(words, f);
    for _ in 0..4 {
        *number += 1;
        f.call(std::hint::black_box(words).iter().sum::<u64>() + std::hint::black_box(text).len() as u64 + std::hint::black_box(&*number));
    }
}

/// Fills sets each element of dst to f's result for the element of src at the same index, and counts the elements in number. Then it calls f with
/// the sum of dst and number. Fills panics if src or the first row changes during the calls for the elements.
#[rustgo::export]
pub fn fills(dst: &mut [u64], src: &[u64], number: &mut u64, rows: Slices<'_, u8>, f: Func<'_, fn(u64) -> u64>) {
    let (before, first) = (src.to_vec(), rows.get(0).map(<[u8]>::to_vec));
    for i in 0..dst.len() {
        dst[i] = f.call(std::hint::black_box(src)[i]);
        *number += 1;
    }
    assert_eq!((src, rows.get(0)), (&before[..], first.as_deref()), "borrowed memory has changed");
    f.call(std::hint::black_box(&*dst).iter().sum::<u64>() + *std::hint::black_box(&*number));
}

/// Sets replaces the value by f's result for it, and then adds f's result for the new value.
#[rustgo::export]
pub fn sets(value: Option<&mut u64>, f: Func<'_, fn(u64) -> u64>) {
    if let Some(value) = value {
        *value = f.call(*value);
        *value += f.call(*value);
    }
}

/// AppendCalled appends the function's result for each element of src.
#[rustgo::export]
pub fn append_called(dst: &mut Append<u64>, src: &[u64], f: Func<'_, fn(u64) -> u64>) {
    src.iter().for_each(|&x| dst.push(f.call(x)));
}

/// Eight calls f. On amd64 it then uses all eight registers of the x87 stack. It returns 36.
#[rustgo::export]
pub fn eight(f: Func<'_, fn()>) -> u64 {
    f.call();
    let mut sum = 36;
    // SAFETY: the code leaves the x87 stack empty.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        let one = 1_u64;
        sum = 0;
        std::arch::asm!(
            "fild qword ptr [{one}]", "fild qword ptr [{one}]", "fild qword ptr [{one}]", "fild qword ptr [{one}]",
            "fild qword ptr [{one}]", "fild qword ptr [{one}]", "fild qword ptr [{one}]", "fild qword ptr [{one}]",
            "faddp", "faddp", "faddp", "faddp", "faddp", "faddp", "faddp", "fistp qword ptr [{sum}]",
            one = in(reg) &one, sum = in(reg) &mut sum,
            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _, out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
        );
        sum += 28;
    }
    sum
}

/// Faults reads address 0 while the x87 stack holds two values. On other machines than amd64 it does nothing.
#[rustgo::export(task)]
pub fn faults() {
    // SAFETY: none. The test wants the fault.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!("fldz", "fldz", "mov eax, [{zero}]", "fstp st(0)", "fstp st(0)", zero = in(reg) 0_usize,
            out("eax") _, out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _, out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _);
    }
}

/// Stores passes n stores to f, and counts the calls that return true.
#[rustgo::export]
pub fn stores(n: u64, f: Func<'_, fn(Store, i8) -> bool>) -> u64 {
    (0..n).filter(|&i| f.call(Store(vec![i; 3]), -1)).count() as u64
}

/// A List is a linked list. Its destructor recurses.
#[rustgo::object(close)]
pub struct List(Option<Box<(u64, List)>>);

#[rustgo::export(task, stack = "16m")]
impl List {
    /// NewList makes a list of n numbers.
    pub fn new(n: u64) -> List {
        (0..n).fold(List(None), |list, i| List(Some(Box::new((i, list)))))
    }

    /// Sum adds the numbers.
    pub fn sum(&self) -> u64 {
        self.0.as_ref().map_or(0, |node| node.0 + node.1.sum())
    }
}

/// A Store holds numbers.
#[rustgo::object]
pub struct Store(Vec<u64>);

#[rustgo::export]
impl Store {
    /// NewStore makes a store.
    pub fn new(numbers: &[u64]) -> Store {
        Store(numbers.to_vec())
    }

    /// Each calls the function with each number.
    pub fn each(&self, f: Func<'_, fn(u64)>) {
        self.0.iter().for_each(|&number| f.call(number));
    }

    /// Update replaces each number by f's result for it.
    pub fn update(&mut self, f: Func<'_, fn(u64) -> u64>) {
        self.0.iter_mut().for_each(|number| *number = f.call(*number));
    }
}

static HELD: Mutex<u64> = Mutex::new(0);

/// Locked calls f while it holds a lock.
#[rustgo::export]
pub fn locked(f: Func<'_, fn()>) -> u64 {
    let mut count = HELD.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    f.call();
    *count += 1;
    *count
}

/// Waits for the lock when it is dropped.
struct Waits;

impl Drop for Waits {
    fn drop(&mut self) {
        *HELD.lock().unwrap_or_else(std::sync::PoisonError::into_inner) += 100;
    }
}

/// LockedAfter calls f, and then takes the lock in a destructor, also if f panics.
#[rustgo::export]
pub fn locked_after(f: Func<'_, fn()>) {
    let _waits = Waits;
    f.call();
}
