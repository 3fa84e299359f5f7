//! Panics that unwind (`panic = "unwind"`): starts and ends the unwinding of a Rust panic, and catches it in the shim of an export.
//!
//! A panic passes through these steps:
//!
//! 1. The panic entry of `rt` calls [`rustgo_format_panic`] on its static stack. This function makes the payload as std does, and calls std's
//!    `resume_unwind`, which counts the panic and makes the exception. std then calls [`_Unwind_RaiseException`].
//! 2. `rt` leaves the static stack, and unwinds the frames of the Rust functions that led to the panic. Landing pads run on the goroutine's stack.
//! 3. If no `catch_unwind` of the crate catches the panic, the shim's [`catch`] does. It calls `rt` again.
//! 4. `rt` calls [`rustgo_format_panic`] a second time, which gives the message and the location of the panic to `rt` and drops the payload. All Rust
//!    frames have been unwound by then, and `rt` makes the Go panic.
//!
//! std's panic code runs only in the steps 1 and 4, on the static stack, unless the crate calls `catch_unwind` or `resume_unwind`. So unwinding needs
//! no more of the goroutine's stack. std owns the count of panics and the memory of the exception; this module relies on the layout of neither.
//!
//! A panic that must not unwind abandons all frames instead, as panics do in a package without unwinding. The compiler starts such a panic if a panic
//! leaves an `extern "C"` function, or leaves a destructor that runs because of another panic. Then all panics of the thread end, and the message
//! names all of them. std counts the panics that have not been caught. These are the panics that started first: the last one is always caught first,
//! because a destructor that panics must catch its panic before it returns.

use crate::panic::{Report, fill};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::any::Any;
use core::cell::UnsafeCell;
use core::fmt;
use core::mem::ManuallyDrop;
use core::panic::{Location, PanicInfo, PanicPayload};
use core::ptr::{null, null_mut};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rt::panic_count;
use std::thread_local;

/// The largest number of return addresses that a [`Note`] keeps. `rt` has the same limit.
const FRAMES: usize = 64;
/// The number of panics of a thread for which a [`Note`] is kept. A thread has several panics if a destructor panics during unwinding.
const NOTES: usize = 4;

/// The value of [`Unwinding::ends`] that tells `rt` that the next exception belongs to the panic that is starting.
const READY: usize = 2;

/// The value of [`Unwinding::ends_process`].
const ENDS_PROCESS: usize = cfg!(rustgo_ends_process) as usize;

/// The argument of [`rustgo_format_panic`]. The Go package `rustgo.dev/go/rt` relies on this layout.
#[repr(C)]
#[derive(Debug)]
pub struct Unwinding {
    /// Output, as for a panic that abandons its frames.
    pub report: Report,
    /// At the start of a panic, an input: the return addresses of the Rust frames. At its end, an output that has room for [`FRAMES`] of them.
    pub frames: *mut usize,
    /// The number of return addresses.
    pub count: usize,
    /// Input: 1 at the end of a panic, 0 at its start. Output: [`READY`] before the panic's exception is raised.
    pub ends: usize,
    /// Output: 1 if `rt` must end the process when a panic abandons its frames, because code of the crate is sound only if nothing runs afterwards.
    pub ends_process: usize,
}

/// The part of an exception that belongs to the unwinder (Itanium C++ ABI, exception handling, 1.2).
#[repr(C)]
struct Exception {
    class: u64,
    cleanup: *const (),
    /// The private words, which std does not use. The first is [`Unwinding::ends_process`]. In the second `rt` stores the formatter.
    ends_process: usize,
    _formatter: usize,
}

/// The facts about a panic that are not in its payload.
struct Note {
    /// The identity of the payload, whose address does not change until the payload is dropped.
    payload: Identity,
    exception: *mut Exception,
    /// The number of uncaught panics of the thread when this panic started, including this panic. 0 before the exception is raised. Also 0 once a
    /// later panic has the same number or a smaller one, because this panic must have been caught before.
    depth: usize,
    location: Option<&'static Location<'static>>,
    frames: [usize; FRAMES],
    count: usize,
}

/// The identity of a payload: its address, and, if it is a text, the address and length of the text. The address alone is not enough, because a new
/// payload may get the address of a dropped payload.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Identity(*const u8, *const u8, usize);

impl Note {
    const NONE: Note = Note { payload: Identity::NONE, exception: null_mut(), depth: 0, location: None, frames: [0; FRAMES], count: 0 };

    /// True if the panic has not been caught. `count` is the number of panics of the thread that have not been caught.
    fn is_unwinding(&self, count: usize) -> bool {
        (1..=count).contains(&self.depth)
    }
}

impl Identity {
    const NONE: Identity = Identity(null(), null(), 0);

    fn of(payload: &(dyn Any + Send)) -> Identity {
        let text = text(payload).unwrap_or_default();
        Identity((&raw const *payload).cast(), text.as_ptr(), text.len())
    }
}

/// Returns the text of a payload that is a `&'static str` or a `String`.
fn text(payload: &(dyn Any + Send)) -> Option<&str> {
    let text = payload.downcast_ref::<&'static str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}

struct Notes {
    notes: [Note; NOTES],
    /// The index of the last note.
    last: usize,
    /// An address on the stack of [`begin`] while the panic of the last note has started but has not raised its exception. Otherwise 0.
    pending: usize,
    /// True if an allocation has failed since the last panic ended. If the allocation of an exception failed, std counts a panic that has no
    /// exception.
    has_failed: bool,
}

/// The largest size in bytes of the stack on which [`begin`] runs.
const STACK: usize = 64 << 10;

impl Notes {
    /// Ends a panic that has started but cannot raise its exception any more, because its frames were abandoned. Lowers std's count of panics.
    fn settle(&mut self) {
        if core::mem::take(&mut self.pending) != 0 {
            panic_count::decrease();
        }
    }

    /// Empties the oldest note whose panic has been caught (or the oldest note, if none has been), makes it the last note, and returns it.
    #[optimize(size)]
    #[inline(never)]
    fn add(&mut self) -> &mut Note {
        let count = panic_count::get_count();
        let mut older = (1..=NOTES).map(|distance| (self.last + distance) % NOTES);
        self.last = older.find(|&at| !self.notes[at].is_unwinding(count)).unwrap_or((self.last + 1) % NOTES);
        let note = &mut self.notes[self.last];
        (note.payload, note.depth, note.location, note.count) = (Identity::NONE, 0, None, 0);
        note
    }

    #[optimize(size)]
    #[inline(never)]
    fn of(&mut self, payload: &(dyn Any + Send)) -> Option<&mut Note> {
        let payload = Identity::of(payload);
        self.notes.iter_mut().find(|note| note.payload == payload)
    }
}

thread_local! {
    static THREAD: UnsafeCell<Notes> =
        const { UnsafeCell::new(Notes { notes: [const { Note::NONE }; NOTES], last: 0, pending: 0, has_failed: false }) };
}

unsafe extern "C-unwind" {
    /// `rt`: unwinds the frames above the caller, or, for a caller on the static stack (the start of a panic), the frames that led to the panic.
    fn rustgo_raise(exception: *mut Exception) -> !;
    /// `rt`: makes the Go panic of an exception that the shim has caught.
    fn rustgo_unwound(exception: *mut u8) -> !;
    /// `rt`: starts a panic. The argument is the address of an [`AnyPanic`], with the lowest bit set.
    fn rustgo_panic(panic: *const u8) -> !;
    fn _Unwind_Resume(exception: *mut Exception) -> !;
}

/// Calls `body`. If a Rust panic leaves `body`, calls `after` and makes a Go panic of the Rust panic. `after` must not panic. If `body` cannot panic,
/// the compiler leaves the landing pad out.
#[inline(always)]
pub fn catch<F: FnOnce(), A: FnOnce()>(body: F, after: A) {
    type Both<F, A> = (ManuallyDrop<F>, ManuallyDrop<A>);
    #[inline(always)]
    fn call<F: FnOnce(), A: FnOnce()>(both: *mut u8) {
        // SAFETY: `catch` passes the address of both closures, and calls this function once.
        unsafe { ManuallyDrop::take(&mut (*both.cast::<Both<F, A>>()).0)() }
    }
    #[inline(always)]
    fn caught<F: FnOnce(), A: FnOnce()>(both: *mut u8, exception: *mut u8) {
        // SAFETY: `catch` passes the address of both closures, and this function runs once. The exception has unwound all frames below this one, and
        // nothing else uses the exception.
        unsafe {
            ManuallyDrop::take(&mut (*both.cast::<Both<F, A>>()).1)();
            rustgo_unwound(exception)
        }
    }
    let mut both: Both<F, A> = (ManuallyDrop::new(body), ManuallyDrop::new(after));
    // SAFETY: `call` and `caught` take the address of `both`. `caught` does not unwind.
    unsafe { core::intrinsics::catch_unwind(call::<F, A>, (&raw mut both).cast(), caught::<F, A>) };
}

/// A panic that [`rustgo_panic_payload`] starts: its payload may have any type.
struct AnyPanic<'a> {
    payload: &'a mut dyn PanicPayload,
    location: &'static Location<'static>,
}

/// Starts or ends a panic. `panic` is the argument of `rustgo_panic` at the start, and the exception at the end. The function returns only at the
/// end, or at the start of a panic that must not unwind.
///
/// # Safety
/// `rt` calls this function on its static stack. `panic` must be as described, the frames that it refers to must exist, and `unwinding` must be
/// writable, its message with `capacity` bytes.
#[optimize(size)]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn rustgo_format_panic(panic: *const u8, unwinding: *mut Unwinding) {
    // SAFETY: as promised by the caller.
    unsafe {
        (*unwinding).ends_process = ENDS_PROCESS;
        match (*unwinding).ends {
            0 => begin(panic, &mut *unwinding),
            _ => end(panic.cast_mut().cast(), &mut *unwinding),
        }
    }
}

/// # Safety
/// See [`rustgo_format_panic`].
#[optimize(size)]
unsafe fn begin(panic: *const u8, unwinding: &mut Unwinding) {
    with_notes(Notes::settle);
    let payload: Box<dyn Any + Send>;
    let location;
    if panic.addr() & 1 != 0 {
        // SAFETY: an address with this bit refers to an `AnyPanic`, see `rustgo_panic_payload`. std takes the box of a payload once.
        unsafe {
            let panic = &mut *panic.cast_mut().byte_sub(1).cast::<AnyPanic<'_>>();
            payload = Box::from_raw(panic.payload.take_box());
            location = Some(panic.location);
        }
    } else {
        // SAFETY: all other panics come from the compiler's calls of the panic handler.
        let info = unsafe { &*panic.cast::<PanicInfo<'_>>() };
        let message = info.message();
        // SAFETY: locations are static data; `PanicInfo` only shortens the lifetime.
        location = info.location().map(|location| unsafe { &*(&raw const *location).cast::<Location<'static>>() });
        if location.is_some_and(is_failed_allocation) {
            with_notes(|all| all.has_failed = true);
        }
        if !info.can_unwind() {
            // SAFETY: the frames of all panics are abandoned. The rest is as promised by the caller.
            unsafe {
                let ended = end_all();
                let last = ended.iter().flatten().next_back().map_or(location, |ended| ended.location);
                fill(&mut unwinding.report, &Abandoned { message: &message, ended: &ended }, last);
            }
            return;
        }
        // The location is stored first, so that `rt` has it even if the formatting of the message panics or faults.
        unwinding.report.place(location);
        payload = match message.as_str() {
            Some(text) => Box::new(text),
            None => Box::new(message.to_string()),
        };
    }
    with_notes(|all| {
        // If a note has this identity already, its payload was dropped and the new one got its address, or both payloads have size zero.
        while let Some(other) = all.of(&*payload) {
            other.payload = Identity::NONE;
        }
        let note = all.add();
        (note.payload, note.location, note.count) = (Identity::of(&*payload), location, unwinding.count.min(FRAMES));
        // SAFETY: `rt` passes `count` addresses.
        let frames = unsafe { core::slice::from_raw_parts(unwinding.frames, note.count) };
        note.frames[..note.count].copy_from_slice(frames);
        all.pending = (&raw const location).addr();
    });
    // Tells `rt` that the next exception belongs to this panic.
    unwinding.ends = READY;
    resume_unwind(payload)
}

/// True for a location in `rustgo_alloc_error`, the only function of its file that panics in this build. Only the location tells that an allocation
/// has failed: a flag in a thread-local variable may need memory, and the heap has memory again only after the panic has started.
fn is_failed_allocation(location: &Location<'_>) -> bool {
    location.file().strip_suffix("panic.rs").is_some_and(|folder| file!().strip_suffix("unwinding.rs") == Some(folder))
}

/// # Safety
/// See [`rustgo_format_panic`].
#[optimize(size)]
#[inline(never)]
unsafe fn end(exception: *mut Exception, unwinding: &mut Unwinding) {
    with_notes(Notes::settle);
    // SAFETY: the shim has caught the exception.
    let Some(payload) = (unsafe { take(exception) }) else { return };
    let location = with_notes(|all| {
        let note = all.of(&*payload)?;
        note.payload = Identity::NONE;
        // SAFETY: `rt` has room for this many addresses.
        unsafe { core::slice::from_raw_parts_mut(unwinding.frames, note.count) }.copy_from_slice(&note.frames[..note.count]);
        unwinding.count = note.count;
        note.location
    });
    // SAFETY: as promised by the caller. No Rust frame of this thread is left. So if std still counts uncaught panics, a fault or an exhausted stack
    // has ended their frames.
    unsafe {
        fill(&mut unwinding.report, &shown(&*payload), location);
        end_all();
    }
}

/// The text of a payload, or std's words for a payload that is not a text.
fn shown(payload: &(dyn Any + Send)) -> &str {
    text(payload).unwrap_or("Box<dyn Any>")
}

/// Catches the exception as `catch_unwind` does: std counts the panic as ended, frees the exception, and returns the payload.
///
/// # Safety
/// No frame may still have to be unwound for this exception.
#[optimize(size)]
#[inline(never)]
unsafe fn take(exception: *mut Exception) -> Option<Box<dyn Any + Send>> {
    // SAFETY: `_Unwind_Resume` continues the exception, and `catch_unwind` catches it at once.
    catch_unwind(AssertUnwindSafe(|| unsafe { _Unwind_Resume(exception) })).err()
}

/// A panic that has ended because its frames were abandoned.
struct Ended {
    payload: Box<dyn Any + Send>,
    location: Option<&'static Location<'static>>,
}

/// Ends the uncaught panics of this thread, and sets std's count of panics to 0. Returns the panics in the order in which they started.
///
/// # Safety
/// The frames of the uncaught panics must be abandoned: no code may unwind the frames later.
#[optimize(size)]
#[inline(never)]
unsafe fn end_all() -> [Option<Ended>; NOTES] {
    let count = panic_count::get_count();
    let mut exceptions = [(0, null_mut()); NOTES];
    with_notes(|all| {
        // After a failed allocation the count does not tell which exceptions exist, so no exception is freed.
        let has_failed = core::mem::take(&mut all.has_failed);
        for (note, exception) in all.notes.iter_mut().zip(&mut exceptions) {
            if note.is_unwinding(count) && !has_failed {
                *exception = (note.depth, note.exception);
            }
            note.depth = 0;
        }
    });
    let mut ended = [const { None }; NOTES];
    for ended in &mut ended {
        // The uncaught panic that started first is next.
        let Some((depth, exception)) = exceptions.iter_mut().filter(|(depth, _)| *depth != 0).min_by_key(|(depth, _)| *depth) else {
            break;
        };
        *depth = 0;
        // SAFETY: as promised by the caller.
        *ended = unsafe { take(*exception) }.map(|payload| {
            let location = with_notes(|all| all.of(&*payload).and_then(|note| note.location));
            Ended { payload, location }
        });
    }
    // std still counts the panics without a note (if more than `NOTES` are uncaught), and all panics after a failed allocation.
    while panic_count::get_count() > 0 {
        panic_count::decrease();
    }
    ended
}

/// The message of a panic that must not unwind, and the panics that have led to it.
struct Abandoned<'a> {
    message: &'a dyn fmt::Display,
    ended: &'a [Option<Ended>],
}

impl fmt::Display for Abandoned<'_> {
    #[optimize(size)]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        for (at, ended) in self.ended.iter().flatten().enumerate() {
            write!(f, "{}{}", if at == 0 { ": " } else { ", then " }, shown(&*ended.payload))?;
            if let Some(location) = ended.location {
                write!(f, " ({location})")?;
            }
        }
        Ok(())
    }
}

#[inline(always)]
fn with_notes<R>(act: impl FnOnce(&mut Notes) -> R) -> R {
    // SAFETY: no `act` of this module calls this function.
    THREAD.with(|notes| act(unsafe { &mut *notes.get() }))
}

/// Unwinds the frames above the caller. std calls this function for each panic and for each `resume_unwind`.
///
/// # Safety
/// `exception` must be std's exception, which stays alive until it is caught.
#[unsafe(no_mangle)]
#[optimize(size)]
unsafe extern "C-unwind" fn _Unwind_RaiseException(exception: *mut Exception) -> ! {
    with_notes(|all| {
        let here = 0_u8;
        if (1..STACK).contains(&all.pending.wrapping_sub((&raw const here).addr())) {
            all.pending = 0;
        } else {
            all.settle();
            all.add();
        }
        let depth = panic_count::get_count();
        // Other panics with this depth or a greater one have been caught.
        all.notes.iter_mut().filter(|note| note.depth >= depth).for_each(|note| note.depth = 0);
        let note = &mut all.notes[all.last];
        (note.exception, note.depth) = (exception, depth);
        // SAFETY: the exception is alive, and its private words belong to this module and to `rt`.
        unsafe { (*exception).ends_process = ENDS_PROCESS };
    });
    // SAFETY: as promised by the caller.
    unsafe { rustgo_raise(exception) }
}

/// Replaces std's function for panics with a payload of any type ([`std::panic::panic_any`]), which asks for the thread's name and prints a message.
/// The command line tool redirects the call. `#[track_caller]` adds the location as the next parameter. This function ignores all further arguments.
#[unsafe(no_mangle)]
#[track_caller]
fn rustgo_panic_payload(payload: &mut dyn PanicPayload) -> ! {
    let mut panic = AnyPanic { payload, location: Location::caller() };
    // SAFETY: `rt` reads the panic before it leaves this stack. The lowest bit of its address is 0.
    unsafe { rustgo_panic((&raw mut panic).cast::<u8>().byte_add(1)) }
}

/// Replaces std's functions that end the process because of an exception that is not Rust's, or because a caught panic is dropped by another
/// language. No such exception exists in a Go program. The command line tool redirects the calls.
#[unsafe(no_mangle)]
extern "C" fn rustgo_foreign_exception() -> ! {
    core::intrinsics::abort()
}

/// std calls this function for an exception that is not Rust's. No such exception exists in a Go program.
#[unsafe(no_mangle)]
extern "C" fn _Unwind_DeleteException(_: *mut Exception) {}
