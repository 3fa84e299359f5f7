//! Chooses the hints of refusals. A hint says what the user can do about an error code or an undefined symbol.

use crate::diag::wall::Wall;
use crate::diag::{Diagnostic, ErrorCode};
use crate::load::Function;

/// Adds the kind ([`Wall`]) and the hint to an error in the code of `function`. If the error has a hint already, this hint stays. The exception is an
/// error about the form of code that rustc compiled: the author cannot change the form of this code, so another hint says so.
pub fn complete(error: Diagnostic, function: &Function) -> Diagnostic {
    use ErrorCode::{Decode, DynamicStack, IndirectCall, Unsupported};
    let is_form = matches!(error.code, Unsupported | Decode | DynamicStack | IndirectCall);
    match error.hint {
        _ if is_form && function.is_rust => error.wall(Wall::Limit).hint(LIMIT),
        Some(_) => error,
        None => match for_code(error.code) {
            Some(hint) => error.hint(hint),
            None => error,
        },
    }
}

/// Adds the kind and the hint to an error about data of the archive member `member`.
pub fn complete_data(error: Diagnostic, member: &str) -> Diagnostic {
    // The names of rustc's object files have this form.
    if member.ends_with(".rcgu.o") { error.wall(Wall::Limit).hint(LIMIT) } else { error.hint(UNSUPPORTED) }
}

/// The hint for code whose form the compiler has chosen, not the author.
const LIMIT: &str = "rustc made this code, so unless it contains asm!, this is a limit of rustgo and not a mistake in the crate: please report it with the file of `rustgo inspect --refused` (machine code, no source text)";

/// Returns the hint for an error in a function's code.
fn for_code(reason: ErrorCode) -> Option<&'static str> {
    Some(match reason {
        ErrorCode::ThreadLocal => THREAD_LOCAL,
        ErrorCode::Syscall => "leave input, output and system calls to Go and pass the data in",
        ErrorCode::Instruction => "leave this instruction out, or do its work in Go",
        ErrorCode::DynamicStack => "Go must know every frame's size beforehand; use fixed-size buffers, or a slice passed from Go",
        ErrorCode::IndirectCall => "call through generics instead of `dyn` or function pointers, so that the compiler knows the target",
        ErrorCode::Decode => {
            "the function may be built for a newer processor than this tool knows, or contain data between its instructions"
        }
        ErrorCode::Unsupported => UNSUPPORTED,
        _ => return None,
    })
}

/// The hint for code in a form that no known compiler generates.
const UNSUPPORTED: &str = "rustgo does not understand this form of code; if it is hand-written assembly, build the crate without the assembly (many crates have a feature for that)";

/// Returns the kind of the reason, and the hint, for a symbol that nothing in the archive defines. Both depend on the symbol's purpose.
pub fn for_symbol(name: &str) -> (Wall, &'static str) {
    if is_math(name) {
        return (Wall::Math, MATH);
    }
    let known = FAMILIES.iter().find(|(_, names, _)| names.contains(&name)).map(|&(wall, _, hint)| (wall, hint));
    known.unwrap_or_else(|| by_form(name))
}

const MATH: &str = "depend on rustgo-support in the crate's own Cargo.toml: then rustgo adds C's math functions from the crate libm";

/// True if one of the reasons is a missing math function of C.
pub fn needs_mathematics(reasons: &[Diagnostic]) -> bool {
    reasons.iter().any(|reason| reason.wall == Wall::Math)
}

/// Returns the message for a function that needs an undefined symbol. All math functions of C share one message, so that they count as one reason.
pub fn undefined_message(name: &str) -> String {
    match is_math(name) {
        true => "needs a C math function, which nothing defines".to_owned(),
        false => format!("needs {name}, which nothing defines"),
    }
}

/// Returns the kind and hint for a symbol whose purpose follows from the start or end of its name.
fn by_form(name: &str) -> (Wall, &'static str) {
    let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    // rustc mangles the names of these allocation functions: `_RNvCs…_7___rustc12___rust_alloc`.
    let of_alloc = ["__rust_alloc", "__rust_alloc_zeroed", "__rust_realloc", "__rust_dealloc", "__rust_no_alloc_shim_is_unstable_v2"];
    match name {
        _ if of_alloc.iter().any(|end| name.ends_with(end)) => (Wall::Memory, MEMORY),
        // The mangled names of C++'s operators new and delete begin with these prefixes.
        _ if begins(&["_Znw", "_Zna", "_Zdl", "_Zda"]) => (Wall::Memory, MEMORY),
        _ if begins(&["__cxa_", "__gxx_", "_ZSt", "_ZNSt", "_ZNKSt", "_ZTVN10__cxxabiv1"]) => (Wall::CPlusPlus, CPLUSPLUS),
        _ if begins(&["_Unwind_"]) => (Wall::Unwinding, "only Rust's own panics unwind; leave out what throws, catches or walks the stack"),
        "pthread_create" => (Wall::Threads, NO_THREADS),
        _ if begins(&["pthread_", "sem_", "sched_"]) => (Wall::Threads, THREADS),
        _ if begins(&["posix_spawn", "exec", "sig"]) => (Wall::Processes, PROCESSES),
        _ if begins(&["inet_", "if_", "getaddrinfo", "freeaddrinfo", "gethostby"]) => (Wall::Network, NETWORK),
        _ if begins(&["__start_", "__stop_"]) => (
            Wall::Functions,
            "a linker defines this symbol for a section, and rustgo runs no such linker; list the section's entries in a static array",
        ),
        _ if begins(&["__"]) && name.ends_with("_chk") => {
            (Wall::Functions, "the C code calls checked variants of C library functions; compile it with -U_FORTIFY_SOURCE")
        }
        _ => (
            Wall::Functions,
            "nothing in the crate's archive defines it, and a Go program has no C library; leave out the code that needs it, or do its work in Go",
        ),
    }
}

const THREAD_LOCAL: &str = "thread-local variables work only through __tls_get_addr: compile the C with -fPIC, and without -ftls-model";
const MEMORY: &str = "the Rust heap has malloc, calloc, realloc, free, aligned_alloc and posix_memalign; a no_std crate gets an allocator from rustgo-support's feature `heap`";
const THREADS: &str =
    "threads belong to Go: start goroutines there, and pass the data in; std's locks and atomics are available, C's locks are not";
const NO_THREADS: &str = "threads belong to Go: start goroutines there, and pass the data in; or state threads = \"none\" in Cargo.toml, so that starting a thread fails and rayon works on the calling thread (docs/std.md)";
const PROCESSES: &str =
    "processes and signals belong to Go (packages os, os/exec and os/signal): start programs there, and pass the data in";
const NETWORK: &str = "the network belongs to Go (package net): connect there, and pass the data in";
const FILES: &str = "input and output belong to Go, except println! and eprintln!; take the data as an argument, and return the output";
const CLOCKS: &str = "clocks and timers belong to Go: take the time as an argument, and sleep there (package time)";
const CPLUSPLUS: &str =
    "this is C++'s runtime library, and a Go program has none; compile with -fno-exceptions -fno-rtti, without the C++ library";

/// Symbols of the C library, grouped by purpose: each group has the kind of the reason, the symbols, and the hint. On Linux, std refers to most of
/// these symbols.
const FAMILIES: [(Wall, &[&str], &str); 13] = [
    (Wall::Memory, &["valloc", "asprintf", "vasprintf", "mmap", "mremap", "munmap", "mprotect", "madvise", "brk", "sbrk"], MEMORY),
    (Wall::ThreadLocal, &["pthread_getspecific"], THREAD_LOCAL),
    (
        Wall::System,
        &["arc4random", "arc4random_buf", "rand", "random", "srand", "srandom", "rand_r"],
        "random numbers come from the system; call getrandom, or take random bytes from Go (crypto/rand)",
    ),
    (
        Wall::Files,
        &[
            "open",
            "open64",
            "openat",
            "openat64",
            "creat64",
            "close",
            "read",
            "readv",
            "pread64",
            "preadv",
            "preadv64",
            "pwrite64",
            "pwritev",
            "pwritev64",
            "lseek",
            "lseek64",
            "fsync",
            "fdatasync",
            "ftruncate64",
            "truncate64",
            "fcntl",
            "fcntl64",
            "ioctl",
            "flock",
            "stat",
            "stat64",
            "lstat64",
            "fstat64",
            "fstatat64",
            "statx",
            "access",
            "faccessat",
            "chmod",
            "fchmod",
            "chown",
            "fchown",
            "lchown",
            "mkdir",
            "rmdir",
            "unlink",
            "unlinkat",
            "rename",
            "link",
            "linkat",
            "symlink",
            "readlink",
            "opendir",
            "fdopendir",
            "readdir",
            "readdir64",
            "readdir64_r",
            "closedir",
            "dirfd",
            "chdir",
            "chroot",
            "mkfifo",
            "futimens",
            "utimensat",
            "sendfile64",
            "splice",
            "copy_file_range",
            "isatty",
            "printf",
            "vprintf",
            "fprintf",
            "vfprintf",
            "puts",
            "putchar",
            "putc",
            "fputc",
            "fputs",
            "fwrite",
            "fread",
            "fopen",
            "fopen64",
            "fdopen",
            "fclose",
            "fflush",
            "fseek",
            "ftell",
            "fileno",
            "fgets",
            "getc",
            "ferror",
            "feof",
            "setvbuf",
            "perror",
            "stdin",
            "stdout",
            "stderr",
        ],
        FILES,
    ),
    (
        Wall::Network,
        &[
            "socket",
            "socketpair",
            "bind",
            "listen",
            "accept",
            "accept4",
            "connect",
            "shutdown",
            "send",
            "sendto",
            "sendmsg",
            "recv",
            "recvfrom",
            "recvmsg",
            "getsockopt",
            "setsockopt",
            "getsockname",
            "getpeername",
            "gai_strerror",
            "res_init",
            "__res_init",
            "poll",
            "ppoll",
            "select",
            "epoll_create1",
            "epoll_ctl",
            "epoll_wait",
            "eventfd",
        ],
        NETWORK,
    ),
    (
        Wall::Functions,
        &["snprintf", "vsnprintf", "sprintf", "vsprintf", "sscanf", "vsscanf"],
        "a no_std crate gets C's formatted output with the feature libc of rustgo-support; C's formatted input is not available: read in Rust or Go",
    ),
    (Wall::Threads, &["__sched_cpucount", "prctl", "gettid"], THREADS),
    (
        Wall::Processes,
        &[
            "fork", "vfork", "clone", "wait", "waitpid", "waitid", "wait4", "pipe", "pipe2", "dup", "dup2", "dup3", "setsid", "setpgid",
            "pause",
        ],
        PROCESSES,
    ),
    (
        Wall::Processes,
        &["exit", "_exit", "_Exit", "atexit", "raise", "kill"],
        "only Go may end the program; panic instead: a Rust panic becomes a Go panic",
    ),
    (
        Wall::Functions,
        &["__stack_chk_fail", "__stack_chk_guard"],
        "compile the C with -fno-stack-protector: Go's stacks have no such guard",
    ),
    (
        Wall::Time,
        &[
            "gettimeofday",
            "time",
            "clock",
            "clock_nanosleep",
            "nanosleep",
            "sleep",
            "usleep",
            "localtime",
            "gmtime",
            "timerfd_create",
            "timerfd_settime",
        ],
        CLOCKS,
    ),
    (
        Wall::System,
        &["strerror", "strerror_r"],
        "error texts come from the C library; return the error number, and get its text in Go (syscall.Errno)",
    ),
    (
        Wall::System,
        &[
            "gnu_get_libc_version",
            "setuid",
            "setgid",
            "setgroups",
            "secure_getenv",
            "setenv",
            "unsetenv",
            "environ",
            "getpid",
            "getppid",
            "getuid",
            "geteuid",
            "getgid",
            "getegid",
            "getpwuid_r",
            "uname",
            "gethostname",
            "getrlimit",
            "getrlimit64",
            "setrlimit64",
            "getrusage",
            "sysinfo",
            "getpagesize",
        ],
        "data about environment, process and system is available in Go (packages os and runtime): pass it in",
    ),
];

/// True for math functions of C's `<math.h>` that the support crate has with its feature `libm`. rustgo turns on the feature.
fn is_math(name: &str) -> bool {
    const OF_DOUBLES: [&str; 47] = [
        "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "erf", "erfc", "exp",
        "exp10", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "frexp", "hypot", "ilogb", "ldexp", "lgamma",
        "lgamma_r", "log", "log10", "log1p", "log2", "modf", "pow", "rint", "round", "scalbn", "sin", "sincos", "sinh", "sqrt", "tan",
        "tanh", "trunc",
    ];
    const LONG: [&str; 4] = ["nearbyint", "nextafter", "remainder", "roundeven"];
    // The name of an f32 version ends in `f`, except lgammaf_r.
    let is = |name: &str| OF_DOUBLES.contains(&name) || LONG.contains(&name) || name == "tgamma";
    is(name) || name.strip_suffix('f').is_some_and(is) || name == "lgammaf_r"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_symbol_has_the_hint_that_fits() {
        for (names, part) in [
            (&["valloc", "asprintf", "mmap"][..], "Rust heap"),
            (&["__rust_alloc", "_RNvCs1a_7___rustc14___rust_dealloc", "_Znwm", "_ZdlPvm"], "Rust heap"),
            (&["pthread_getspecific"], "thread-local"),
            (&["sin", "sinf", "sincosf", "lgammaf_r", "tgammaf"], "crate libm"),
            (&["arc4random"], "crypto/rand"),
            (&["fputs", "puts", "stderr", "open64"], "eprintln!"),
            (&["socket", "getaddrinfo"], "package net"),
            (&["fork", "posix_spawnp", "sigaction", "execvp"], "os/exec"),
            (&["pthread_mutex_lock", "gettid"], "goroutines"),
            (&["exit", "_exit"], "panic"),
            (&["gettimeofday", "clock_nanosleep"], "clocks"),
            (&["strerror", "strerror_r"], "syscall.Errno"),
            (&["setenv", "getpid"], "environment"),
            (&["__start_registry", "__stop_registry"], "linker"),
            (&["__memcpy_chk", "__printf_chk"], "FORTIFY"),
            (&["__cxa_throw", "__gxx_personality_v0"], "C++"),
            (&["_Unwind_RaiseException"], "panics unwind"),
            (&["erand48", "nowhere", "__gmpz_init"], "leave out the code that needs it"),
        ] {
            for name in names {
                let (_, hint) = for_symbol(name);
                assert!(hint.contains(part), "{name}: {hint}");
            }
        }
    }

    #[test]
    fn a_symbol_is_in_one_family() {
        let mut names: Vec<&str> = FAMILIES.iter().flat_map(|(_, names, _)| names.iter().copied()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(!names.into_iter().any(is_math));
    }
}
