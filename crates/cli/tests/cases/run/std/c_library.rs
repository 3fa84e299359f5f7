//! The functions of a C library that a package includes, called as C and std call them. Natively they are the system's.
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io::{BufRead, Error};

unsafe extern "C" {
    fn strnlen(text: *const c_char, most: usize) -> usize;
    fn strcmp(a: *const c_char, b: *const c_char) -> c_int;
    fn strncmp(a: *const c_char, b: *const c_char, most: usize) -> c_int;
    fn memchr(from: *const c_void, byte: c_int, len: usize) -> *mut c_void;
    fn memrchr(from: *const c_void, byte: c_int, len: usize) -> *mut c_void;
    fn strchr(text: *const c_char, byte: c_int) -> *mut c_char;
    fn strrchr(text: *const c_char, byte: c_int) -> *mut c_char;
    fn strdup(text: *const c_char) -> *mut c_char;
    fn strndup(text: *const c_char, most: usize) -> *mut c_char;
    fn reallocarray(address: *mut c_void, count: usize, size: usize) -> *mut c_void;
    fn memalign(alignment: usize, size: usize) -> *mut c_void;
    fn free(address: *mut c_void);
    fn sysconf(name: c_int) -> i64;
    fn write(stream: c_int, from: *const c_void, size: usize) -> isize;
    fn getentropy(to: *mut c_void, size: usize) -> c_int;
    fn abort() -> !;
    fn snprintf(to: *mut c_char, size: usize, format: *const c_char, ...) -> c_int;
    fn fprintf(stream: *mut c_void, format: *const c_char, ...) -> c_int;
    fn fflush(stream: *mut c_void) -> c_int;
    static stderr: *mut c_void;
    fn qsort(from: *mut c_void, count: usize, size: usize, compare: unsafe extern "C" fn(*const c_void, *const c_void) -> c_int);
    fn strcat(to: *mut c_char, from: *const c_char) -> *mut c_char;
    fn strstr(text: *const c_char, wanted: *const c_char) -> *mut c_char;
    fn strtoull(text: *const c_char, end: *mut *mut c_char, base: c_int) -> u64;
    fn atoi(text: *const c_char) -> c_int;
    fn time(to: *mut i64) -> i64;
    fn gettimeofday(to: *mut [i64; 2], zone: *mut c_void) -> c_int;
    fn gmtime_r(seconds: *const i64, to: *mut [i32; 14]) -> *mut [i32; 14];
    fn localtime_r(seconds: *const i64, to: *mut [i32; 14]) -> *mut [i32; 14];
    fn timegm(from: *mut [i32; 14]) -> i64;
    fn mktime(from: *mut [i32; 14]) -> i64;
    fn tzset();
    fn isatty(stream: c_int) -> c_int;
    fn pthread_self() -> usize;
    fn pthread_equal(a: usize, b: usize) -> c_int;
    fn pthread_attr_init(attributes: *mut [u64; 8]) -> c_int;
    fn pthread_getattr_np(thread: usize, attributes: *mut [u64; 8]) -> c_int;
    fn pthread_attr_getstack(attributes: *const [u64; 8], lowest: *mut *mut c_void, size: *mut usize) -> c_int;
    fn pthread_attr_getguardsize(attributes: *const [u64; 8], size: *mut usize) -> c_int;
    fn pthread_attr_destroy(attributes: *mut [u64; 8]) -> c_int;
}

/// The digits of `x` in base 4, as letters.
fn text(x: u64) -> CString {
    let digits: Vec<u8> = (0..32).map(|at| x >> (2 * at)).take_while(|rest| *rest > 0).map(|rest| b'a' + (rest & 3) as u8).collect();
    CString::new(digits).expect("letters are no zeros")
}

fn distance<T>(from: *const T, to: *const T) -> u64 {
    if to.is_null() { 99 } else { to.addr() as u64 - from.addr() as u64 }
}

#[rustgo::export]
pub fn searched(x: u64) -> u64 {
    let text = text(x);
    let (from, len) = (text.as_ptr(), text.as_bytes().len());
    let mut sum = 0u64;
    for byte in [b'a', b'c', b'z', 0].map(c_int::from) {
        let found = unsafe {
            [
                distance(from.cast(), memchr(from.cast(), byte, len).cast_const()),
                distance(from.cast(), memrchr(from.cast(), byte, len).cast_const()),
                distance(from, strchr(from, byte).cast_const()),
                distance(from, strrchr(from, byte).cast_const()),
                strnlen(from, len / 2) as u64,
            ]
        };
        sum = found.into_iter().fold(sum, |sum, found| sum.wrapping_mul(101).wrapping_add(found));
    }
    sum
}

#[rustgo::export]
pub fn compared(x: u64) -> u64 {
    let (a, b) = (text(x), text(x ^ 1 << (x % 40)));
    let orders = [
        unsafe { strcmp(a.as_ptr(), b.as_ptr()) },
        unsafe { strcmp(a.as_ptr(), a.as_ptr()) },
        unsafe { strncmp(a.as_ptr(), b.as_ptr(), x as usize % 20) },
    ];
    orders.into_iter().fold(0, |sum, order| 3 * sum + (order.signum() + 1) as u64)
}

#[rustgo::export]
pub fn copied(x: u64) -> u64 {
    let text = text(x);
    let copies = unsafe { [strdup(text.as_ptr()), strndup(text.as_ptr(), 3)] };
    let sums = copies.map(|copy| unsafe { CStr::from_ptr(copy) }.to_bytes().iter().fold(7, |sum: u64, byte| 31 * sum + u64::from(*byte)));
    copies.into_iter().for_each(|copy| unsafe { free(copy.cast()) });
    sums[0] ^ sums[1].rotate_left(32)
}

#[rustgo::export]
pub fn allocated(x: u64) -> u64 {
    let mut result = 0;
    unsafe {
        let numbers = reallocarray(std::ptr::null_mut(), 4, 8).cast::<u64>();
        numbers.write(x);
        let more = reallocarray(numbers.cast(), 400, 8).cast::<u64>();
        result += more.read();
        // More than 2⁶⁴ bytes: nothing is allocated, and the old memory stays.
        result ^= u64::from(reallocarray(more.cast(), usize::MAX / 4, 8).is_null());
        free(more.cast());
        let aligned = memalign(1 << (4 + x % 8), 100);
        result = result << 1 | u64::from(aligned.addr().is_multiple_of(1 << (4 + x % 8)));
        free(aligned);
    }
    result
}

/// std takes the text of an error from the C library, and searches lines with its functions.
#[rustgo::export]
pub fn errors(x: u64) -> u64 {
    // For some numbers only the C library has a text.
    const KNOWN: [i32; 12] = [1, 2, 4, 5, 11, 12, 13, 22, 32, 38, 110, 4000];
    let error = Error::from_raw_os_error(KNOWN[x as usize % KNOWN.len()]);
    format!("{error} {error:?}").bytes().fold(0, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)))
}

#[rustgo::export]
pub fn lines(x: u64) -> u64 {
    let text = format!("{x}\nline\n\n{}\nthe last", x / 2);
    text.as_bytes().lines().map_while(Result::ok).fold(0, |sum, line| sum * 1000 + line.len() as u64)
}

/// errno has the reason for a failed call.
#[rustgo::export]
pub fn errno(x: u64) -> u64 {
    let closed = unsafe { write(-1, (&raw const x).cast(), 8) };
    let first = Error::last_os_error().raw_os_error();
    let mut bytes = [0u8; 300];
    let too_long = unsafe { getentropy(bytes.as_mut_ptr().cast(), bytes.len()) };
    let second = Error::last_os_error().raw_os_error();
    (closed as u64) << 48 ^ (first.unwrap_or(0) as u64) << 32 ^ (too_long as u32 as u64) << 16 ^ second.unwrap_or(0) as u64
}

#[rustgo::export]
pub fn page(x: u64) -> u64 {
    const PAGE_SIZE: c_int = 30;
    unsafe { sysconf(PAGE_SIZE) as u64 ^ x }
}

unsafe extern "C" fn ascending(a: *const c_void, b: *const c_void) -> c_int {
    let (a, b) = unsafe { (a.cast::<u64>().read(), b.cast::<u64>().read()) };
    a.cmp(&b) as c_int
}

#[rustgo::export]
pub fn sorted(x: u64) -> u64 {
    let mut numbers: Vec<u64> = (1..40).map(|at| x.wrapping_mul(at) >> 5).collect();
    unsafe { qsort(numbers.as_mut_ptr().cast(), numbers.len(), 8, ascending) };
    numbers.iter().fold(0, |sum, number| sum.rotate_left(3) ^ number)
}

#[rustgo::export]
pub fn numbers(x: u64) -> u64 {
    let mut room = [0 as c_char; 64];
    let mut end = std::ptr::null_mut();
    unsafe {
        strcat(room.as_mut_ptr(), c"0x".as_ptr());
        strcat(room.as_mut_ptr(), CString::new(format!("{x:x}<{x}")).unwrap().as_ptr());
        let number = strtoull(room.as_ptr(), &raw mut end, 0);
        let after = strstr(room.as_ptr(), c"<".as_ptr());
        number ^ distance(room.as_ptr(), end.cast_const()) << 40 ^ (atoi(after.wrapping_add(1)) as u64) << 5
    }
}

/// Arguments in registers and on the stack.
#[rustgo::export]
pub fn formatted(x: u64) -> u64 {
    let mut room = [0 as c_char; 300];
    let (number, long) = (x as c_int, x as i64);
    let (float, text) = (f64::from(x as u32) / 1024.0, text(x));
    let format = c"%d|%5u|%-6x|%#o|%08ld|%s|%.3s|%f|%e|%g|%10.3f|%G|%c|%d|%g|%f|%g|%e|%f|%zu";
    let len = unsafe {
        snprintf(
            room.as_mut_ptr(), 300, format.as_ptr(), number, number, number, number, long, text.as_ptr(), text.as_ptr(), float, float, float,
            float, float, c_int::from(b'c'), number, float * 3.0, float, -float, float, 0.5, x as usize,
        )
    };
    let bytes = unsafe { CStr::from_ptr(room.as_ptr()) }.to_bytes();
    let nothing = unsafe { fprintf(stderr, c"%s".as_ptr(), c"".as_ptr()) + fflush(stderr) };
    bytes.iter().fold(len as u64 + nothing as u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)))
}

/// C's older clocks agree with std's.
#[rustgo::export]
pub fn clocks(x: u64) -> u64 {
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_micros() as i64;
    let (before, mut seconds, mut precise) = (now(), 0, [0; 2]);
    unsafe {
        assert_eq!(time(&raw mut seconds), seconds);
        assert_eq!(gettimeofday(&raw mut precise, std::ptr::null_mut()), 0);
    }
    // The kernel's `time` may be a tick behind.
    assert!((before / 1_000_000 - 1..=now() / 1_000_000).contains(&seconds));
    assert!((before..=now()).contains(&(precise[0] * 1_000_000 + precise[1])));
    x
}

/// Dates in UTC, also with fields outside their ranges, and the error for years that do not fit.
#[rustgo::export]
pub fn dates(x: u64) -> u64 {
    let seconds = x as i64 >> 8;
    let (mut date, mut local) = ([0; 14], [0; 14]);
    unsafe {
        tzset();
        if gmtime_r(&raw const seconds, &raw mut date).is_null() {
            let error = Error::last_os_error().raw_os_error().unwrap_or(0);
            assert!(localtime_r(&raw const seconds, &raw mut local).is_null());
            return error as u64;
        }
        // The time zone may be another one natively.
        assert!(!localtime_r(&raw const seconds, &raw mut local).is_null());
        assert_eq!(mktime(&raw mut local), seconds);
        assert_eq!(timegm(&raw mut date), seconds);
        let sum = date[..9].iter().fold(0u64, |sum, field| sum.wrapping_mul(61).wrapping_add(*field as u64));
        date[3] += 40;
        date[4] -= 17;
        sum.wrapping_add(timegm(&raw mut date) as u64)
    }
}

/// Each function for files fails. (Natively these paths do not exist, and nobody can make them.)
#[rustgo::export]
pub fn files(x: u64) -> u64 {
    use std::fs;
    let (a, b) = ("/proc/nowhere/a", "/proc/nowhere/b");
    let results = [
        fs::read_dir(a).map(drop),
        fs::create_dir_all(a),
        fs::remove_file(a),
        fs::remove_dir_all(a),
        fs::rename(a, b),
        fs::hard_link(a, b),
        fs::copy(a, b).map(drop),
        fs::set_permissions(a, std::os::unix::fs::PermissionsExt::from_mode(0o600)),
        std::os::unix::fs::symlink(a, b),
        std::env::set_current_dir(a),
        fs::OpenOptions::new().append(true).open(a).and_then(|file| file.set_len(3).and_then(|()| file.sync_all())),
    ];
    for (at, result) in results.into_iter().enumerate() {
        let kind = result.expect_err("no path exists").kind();
        assert!(!cfg!(rustgo) || kind == std::io::ErrorKind::Unsupported, "{at}: {kind:?}");
    }
    x
}

/// No stream is a terminal, also natively in a test.
#[rustgo::export]
pub fn terminal(x: u64) -> u64 {
    let answers = [0, 1, 2].map(|stream| unsafe { isatty(stream) });
    let errno = Error::last_os_error().raw_os_error();
    use std::io::IsTerminal;
    x << 32 ^ answers.into_iter().sum::<c_int>() as u64 ^ u64::from(std::io::stderr().is_terminal()) << 8 ^ (errno == Some(25)) as u64
}

/// The place of a goroutine's stack is not known. A caller gets errors; natively it gets the place.
#[rustgo::export]
pub fn stack(x: u64) -> u64 {
    let mut attributes = [u64::MAX; 8];
    let (mut lowest, mut size, mut guard) = (std::ptr::null_mut(), x as usize, x as usize);
    unsafe {
        let me = pthread_self();
        let same = pthread_equal(me, pthread_self());
        let made = pthread_attr_init(&raw mut attributes);
        let known = pthread_getattr_np(me, &raw mut attributes);
        let place = pthread_attr_getstack(&raw const attributes, &raw mut lowest, &raw mut size);
        let guarded = pthread_attr_getguardsize(&raw const attributes, &raw mut guard);
        let destroyed = pthread_attr_destroy(&raw mut attributes);
        assert!(same != 0 && made == 0 && destroyed == 0);
        if cfg!(rustgo) {
            assert_eq!((known, place, guarded), (38, 22, 22));
            assert!(lowest.is_null() && size == x as usize && guard == x as usize);
        }
    }
    x
}

/// A Go program's Rust code sees no environment variable. (Natively this variable is not set either.)
#[rustgo::export]
pub fn environment(x: u64) -> u64 {
    match std::env::var("RUSTGO_IS_NOT_SET") {
        Ok(value) => value.len() as u64,
        Err(_) => x,
    }
}

#[rustgo::export]
pub fn aborted_panics(x: u64) -> u64 {
    if x == u64::MAX {
        unsafe { abort() };
    }
    x
}
