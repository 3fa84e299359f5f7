//! Compares the fast memory functions with the plain functions, and the plain functions with loops over slices.

#[cfg(target_arch = "aarch64")]
use super::aarch64 as machine;
use super::plain;
use std::vec;
use std::vec::Vec;
#[cfg(target_arch = "x86_64")]
use {
    super::x86_64 as machine,
    core::sync::atomic::Ordering,
    std::sync::{Mutex, MutexGuard, PoisonError},
};

/// The tests use every length up to this one, and some larger lengths (`SPARSE`).
const DENSE: usize = 600;
const SPARSE: [usize; 10] = [1000, 1023, 2047, 4096, 4097, 8191, 65536, 100_003, 1 << 20, (1 << 20) + 77];

type Copy = unsafe extern "C" fn(*mut u8, *const u8, usize) -> *mut u8;
type Set = unsafe extern "C" fn(*mut u8, i32, usize) -> *mut u8;
type Compare = unsafe extern "C" fn(*const u8, *const u8, usize) -> i32;

struct Functions {
    memcpy: Copy,
    memmove: Copy,
    memset: Set,
    memcmp: Compare,
    bcmp: Compare,
    strlen: unsafe extern "C" fn(*const u8) -> usize,
}

const PLAIN: Functions = Functions {
    memcpy: plain::memcpy,
    memmove: plain::memmove,
    memset: plain::memset,
    memcmp: plain::memcmp,
    bcmp: plain::bcmp,
    strlen: plain::strlen,
};

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const FAST: Functions = Functions {
    memcpy: machine::memcpy,
    memmove: machine::memmove,
    memset: machine::memset,
    memcmp: machine::memcmp,
    bcmp: machine::bcmp,
    strlen: machine::strlen,
};

/// Calls `check` for the plain functions and for the fast functions. On x86-64, `check` tests the fast functions without CPU features, with ERMS, and
/// with the features that they find in this CPU.
fn each(check: impl Fn(&Functions)) {
    check(&PLAIN);
    #[cfg(target_arch = "x86_64")]
    {
        let _guard = one_choice_at_a_time();
        for features in [machine::KNOWN, machine::KNOWN | machine::ERMS, 0] {
            machine::FEATURES.store(features, Ordering::Relaxed);
            check(&FAST);
        }
    }
    #[cfg(target_arch = "aarch64")]
    check(&FAST);
}

#[cfg(target_arch = "x86_64")]
fn one_choice_at_a_time() -> MutexGuard<'static, ()> {
    static CHOICE: Mutex<()> = Mutex::new(());
    CHOICE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a test pattern in which neighbouring bytes differ, and neighbouring blocks of bytes differ too.
fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect()
}

/// Copies `len` bytes within a buffer, and compares the whole buffer with the result of the same copy in a slice.
fn check_move(functions: &Functions, buffer: &mut Vec<u8>, model: &mut Vec<u8>, src: usize, dst: usize, len: usize) {
    model.copy_within(src..src + len, dst);
    let disjoint = src + len <= dst || dst + len <= src;
    for copy in [Some(functions.memmove), disjoint.then_some(functions.memcpy)].into_iter().flatten() {
        let before = buffer.clone();
        let start = buffer.as_mut_ptr();
        let returned = unsafe { copy(start.add(dst), start.add(src), len) };
        assert_eq!(returned, unsafe { start.add(dst) });
        assert!(buffer == model, "from {src} to {dst}, {len} bytes");
        *buffer = before;
    }
    buffer.copy_from_slice(model);
}

#[test]
fn copies_at_every_length_and_alignment() {
    each(|functions| {
        for len in 0..=DENSE {
            // Copies in both directions between two areas that do not overlap, at 56 pairs of offsets.
            let mut buffer = pattern(2 * DENSE + 256);
            let mut model = buffer.clone();
            for src_align in [0, 1, 7, 8, 15, 16, 31, 33] {
                for dst_align in [0, 1, 5, 8, 15, 16, 31] {
                    check_move(functions, &mut buffer, &mut model, src_align, DENSE + 64 + dst_align, len);
                    check_move(functions, &mut buffer, &mut model, DENSE + 64 + src_align, dst_align, len);
                }
            }
        }
    });
}

#[test]
fn moves_at_every_overlap() {
    each(|functions| {
        for len in 0..=DENSE {
            let mut buffer = pattern(2 * DENSE + 64);
            let mut model = buffer.clone();
            let near = (0..70).chain([95, 96, 97, 127, 128, 129, 160, 255, 256, 257, 300, 599]);
            for distance in near.filter(|distance| *distance <= len) {
                for align in [0, 1, 17, 32] {
                    check_move(functions, &mut buffer, &mut model, align, align + distance, len);
                    check_move(functions, &mut buffer, &mut model, align + distance, align, len);
                }
            }
        }
    });
}

#[test]
fn copies_and_moves_long_areas() {
    each(|functions| {
        for len in SPARSE {
            for (src, dst) in
                [(0, len + 64), (3, len + 65), (len + 70, 1), (5, 5), (0, 1), (1, 0), (0, 40), (67, 2), (0, len / 2), (len / 2 + 3, 1)]
            {
                let mut buffer = pattern(2 * len + 256);
                let mut model = buffer.clone();
                check_move(functions, &mut buffer, &mut model, src, dst, len);
            }
        }
    });
}

#[test]
fn moves_at_random() {
    const SIZE: usize = 3000;
    each(|functions| {
        // A linear congruential generator chooses the cases. Source: Knuth, The Art of Computer Programming, volume 2, 3.3.4.
        let mut state = 1_u64;
        let mut below = |end: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % end
        };
        let mut buffer = pattern(SIZE);
        let mut model = buffer.clone();
        for _ in 0..5000 {
            let len = below(SIZE);
            let (src, dst) = (below(SIZE - len), below(SIZE - len));
            check_move(functions, &mut buffer, &mut model, src, dst, len);
        }
    });
}

#[test]
fn sets_at_every_length_and_alignment() {
    each(|functions| {
        for len in (0..=DENSE).chain(SPARSE) {
            for align in [0, 1, 7, 8, 15, 16, 31, 32, 33] {
                // `memset` must use only the low eight bits of the value.
                for value in [0, 0xa5, 0x1ff, -1] {
                    let mut buffer = pattern(len + 128);
                    let mut model = buffer.clone();
                    model[align..align + len].fill(value as u8);
                    let start = unsafe { buffer.as_mut_ptr().add(align) };
                    assert_eq!(unsafe { (functions.memset)(start, value, len) }, start);
                    assert!(buffer == model, "at {align}, {len} bytes of {value}");
                }
            }
        }
    });
}

#[test]
fn compares_at_every_length_and_difference() {
    each(|functions| {
        for len in 0..=DENSE {
            let (a_align, b_align) = (len % 17, len % 5);
            let mut a = vec![0xee; a_align];
            a.extend(pattern(len));
            a.push(1);
            let mut b = vec![0xdd; b_align];
            b.extend(pattern(len));
            b.push(2);
            let order = |a: &[u8], b: &[u8]| {
                let (a, b) = (a[a_align..].as_ptr(), b[b_align..].as_ptr());
                let (memcmp, bcmp) = unsafe { ((functions.memcmp)(a, b, len), (functions.bcmp)(a, b, len)) };
                assert_eq!(memcmp == 0, bcmp == 0);
                memcmp.signum()
            };
            // The bytes after the two areas differ. They must not affect the result.
            assert_eq!(order(&a, &b), 0, "{len} equal bytes");
            for at in 0..len {
                for (x, y) in [(0x7f, 0x80), (0x80, 0x7f), (0, 0xff), (5, 4)] {
                    let (mut a, mut b) = (a.clone(), b.clone());
                    // A second difference with the opposite sign must not affect the result.
                    (a[a_align + len - 1], b[b_align + len - 1]) = (y, x);
                    (a[a_align + at], b[b_align + at]) = (x, y);
                    assert_eq!(order(&a, &b), if x < y { -1 } else { 1 }, "{len} bytes that differ at {at}");
                }
            }
        }
    });
}

/// The address of `PAGE` bytes of accessible memory, between two inaccessible parts of the same size.
#[cfg(target_os = "linux")]
struct Fenced(*mut u8);

#[cfg(target_os = "linux")]
impl Fenced {
    /// The size of each of the three parts in bytes; a multiple of every page size.
    const PAGE: usize = 65536;

    fn new() -> Self {
        use core::ffi::{c_int, c_long, c_void};
        unsafe extern "C" {
            fn mmap(at: *mut c_void, len: usize, prot: c_int, flags: c_int, fd: c_int, offset: c_long) -> *mut c_void;
            fn mprotect(at: *mut c_void, len: usize, prot: c_int) -> c_int;
        }
        const READ_WRITE: c_int = 1 | 2;
        const PRIVATE_ANONYMOUS: c_int = 2 | 0x20;
        let start = unsafe { mmap(core::ptr::null_mut(), 3 * Self::PAGE, 0, PRIVATE_ANONYMOUS, -1, 0) };
        assert_ne!(start.addr(), usize::MAX, "mmap failed");
        let inner = unsafe { start.cast::<u8>().add(Self::PAGE) };
        assert_eq!(unsafe { mprotect(inner.cast(), Self::PAGE, READ_WRITE) }, 0);
        Self(inner)
    }

    /// Returns two areas of `len` bytes: the first and the last bytes of the accessible memory.
    fn ends(&self, len: usize) -> [*mut u8; 2] {
        [self.0, unsafe { self.0.add(Self::PAGE - len) }]
    }
}

#[test]
#[cfg(target_os = "linux")]
fn nothing_outside_is_touched() {
    // An access outside an area ends the process.
    let (one, two) = (Fenced::new(), Fenced::new());
    each(|functions| {
        for len in (0..=DENSE).chain([1000, 4096, 50_000]) {
            for (a, b) in one.ends(len).into_iter().zip(two.ends(len)).chain(one.ends(len).into_iter().zip(two.ends(len).into_iter().rev()))
            {
                unsafe {
                    (functions.memset)(a, 0x5a, len);
                    (functions.memcpy)(b, a, len);
                    (functions.memmove)(a, b, len);
                    assert_eq!(((functions.memcmp)(a, b, len), (functions.bcmp)(a, b, len)), (0, 0), "{len} bytes");
                }
            }
            let text = one.ends(len + 1)[1];
            unsafe {
                text.write_bytes(1, len);
                text.add(len).write(0);
                assert_eq!((functions.strlen)(text), len);
                // The first and the last copy run backward, because the destination begins within the source.
                let [start, end] = one.ends(len);
                (functions.memmove)(start.add(len / 4), start, len);
                (functions.memmove)(end.sub(len / 4), end, len);
                (functions.memmove)(end, end.sub(len / 4), len);
            }
        }
    });
}

#[test]
#[cfg(target_arch = "x86_64")]
fn the_features_are_those_of_the_cpu() {
    let _guard = one_choice_at_a_time();
    let avx = if std::is_x86_feature_detected!("avx") { machine::AVX } else { 0 };
    let erms = if std::is_x86_feature_detected!("ermsb") { machine::ERMS } else { 0 };
    let (mut target, source) = (pattern(257), pattern(257));
    let (target, source) = (target.as_mut_ptr(), source.as_ptr());
    for function in ["memcpy", "memmove", "memset"] {
        machine::FEATURES.store(0, Ordering::Relaxed);
        unsafe {
            match function {
                "memcpy" => (FAST.memcpy)(target, source, 257),
                "memmove" => (FAST.memmove)(target, source, 257),
                _ => (FAST.memset)(target, 1, 257),
            }
        };
        assert_eq!(machine::FEATURES.load(Ordering::Relaxed), machine::KNOWN | avx | erms, "{function}");
    }
}

#[test]
fn measures_text_at_every_length_and_alignment() {
    each(|functions| {
        for len in 0..=DENSE {
            for align in 0..33 {
                // Zeros before the text and after its end must not affect the result.
                let mut text = vec![0; align];
                text.resize(align + len, 0xff);
                text.extend([0, 1, 0]);
                assert_eq!(unsafe { (functions.strlen)(text.as_ptr().add(align)) }, len, "at {align}");
            }
        }
    });
}
