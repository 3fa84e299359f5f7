//! Panics that unwind (`panic = "unwind"`): starts and ends the unwinding of a Rust panic, and catches it in the shim of an export.
//!
//! A panic takes this way:
//!
//! 1. The panic entry of `rt` calls [`rustgo_format_panic`] on its static stack. This function makes the payload as std does, and calls std's
//!    `resume_unwind`, which counts the panic and makes the exception. std then calls [`_Unwind_RaiseException`].
//! 2. `rt` leaves the static stack, and unwinds the frames of the Rust functions that led to the panic. Landing pads run on the goroutine's stack.
//! 3. If no `catch_unwind` of the crate catches the panic, the shim's [`catch`] does. It calls `rt` again.
//! 4. `rt` calls [`rustgo_format_panic`] a second time, which gives the message and the place of the panic to `rt` and drops the payload. Then the
//!    frames are gone, and `rt` makes the Go panic.
//!
//! std runs in the steps 1 and 4 only, so a crate needs no more stack because its panics unwind. std keeps the count of panics and the memory of the
//! exception; this module relies on neither's layout. A panic that must not unwind (a second panic in a destructor that runs because of the first)
//! abandons all frames instead, as panics do in a package without unwinding.

use crate::panic::{Report, fill};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use core::any::Any;
use core::cell::UnsafeCell;
use core::mem::ManuallyDrop;
use core::panic::{Location, PanicInfo, PanicPayload};
use core::ptr::{null, null_mut};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread_local;

/// The number of return addresses that are kept for each panic. `rt` has the same number.
const FRAMES: usize = 64;
/// The number of panics of a thread whose places are kept. A thread has several if a destructor that runs because of a panic panics itself.
const NOTES: usize = 4;

/// The value of [`Unwinding::ends`] that tells `rt` that the next exception is the exception of the panic that starts.
const READY: usize = 2;

/// The argument of [`rustgo_format_panic`]. The Go package `rustgo.dev/go/rt` relies on this layout.
#[repr(C)]
#[derive(Debug)]
pub struct Unwinding {
    /// Output, as for a panic that abandons its frames.
    pub report: Report,
    /// At the start of a panic, an input: the return addresses of the Rust frames. At its end an output, with room for [`FRAMES`] addresses.
    pub frames: *mut usize,
    /// The number of return addresses.
    pub count: usize,
    /// Input: 1 at the end of a panic, 0 at its start. Output: [`READY`] before the panic's exception is raised.
    pub ends: usize,
}

/// The part of an exception that belongs to the unwinder (Itanium C++ ABI, exception handling, 1.2).
#[repr(C)]
struct Exception {
    class: u64,
    cleanup: *const (),
    /// The address of a word that the unwinder of `rt` sets to 0 when the exception is caught; or null.
    flying: *mut usize,
    _unused: usize,
}

/// The facts about a panic that are not in its payload.
struct Note {
    /// The payload. It keeps its address from the panic until it is dropped.
    payload: Identity,
    exception: *mut Exception,
    /// Not 0 while the panic unwinds.
    flying: usize,
    location: Option<&'static Location<'static>>,
    frames: [usize; FRAMES],
    count: usize,
}

/// The identity of a payload: its address, and, if it is a text, the address and length of the text. Another payload may get the address of one that
/// was dropped.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Identity(*const u8, *const u8, usize);

impl Identity {
    const NONE: Identity = Identity(null(), null(), 0);

    fn of(payload: &(dyn Any + Send)) -> Identity {
        let text = text(payload).unwrap_or_default();
        Identity((&raw const *payload).cast(), text.as_ptr(), text.len())
    }
}

/// Returns the text of a payload that is one.
fn text(payload: &(dyn Any + Send)) -> Option<&str> {
    let text = payload.downcast_ref::<&'static str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}

struct Notes {
    notes: [Note; NOTES],
    next: usize,
    /// True if the next exception belongs to the last note.
    is_pending: bool,
}

thread_local! {
    static THREAD: UnsafeCell<Notes> = const {
        UnsafeCell::new(Notes {
            notes: [const {
                Note { payload: Identity::NONE, exception: null_mut(), flying: 0, location: None, frames: [0; FRAMES], count: 0 }
            }; NOTES],
            next: 0,
            is_pending: false,
        })
    };
}

unsafe extern "C-unwind" {
    /// `rt`: unwinds the frames above the caller. On the static stack of `rt`, an exception of a panic that starts there unwinds the frames of that panic.
    fn rustgo_raise(exception: *mut Exception) -> !;
    /// `rt`: makes the Go panic of an exception that the shim has caught.
    fn rustgo_unwound(exception: *mut u8) -> !;
    /// `rt`: starts a panic. The argument is an address with the lowest bit set, of an [`AnyPanic`].
    fn rustgo_panic(panic: *const u8) -> !;
    fn _Unwind_Resume(exception: *mut Exception) -> !;
}

/// Calls `body`, and makes a Go panic of a Rust panic that leaves it. If `body` cannot panic, the compiler leaves the landing pad out.
#[inline(always)]
pub fn catch<F: FnOnce()>(body: F) {
    #[inline(always)]
    fn call<F: FnOnce()>(body: *mut u8) {
        // SAFETY: `catch` passes the address of its `body`, and calls this function once.
        unsafe { ManuallyDrop::take(&mut *body.cast::<ManuallyDrop<F>>())() }
    }
    #[inline(always)]
    fn caught(_: *mut u8, exception: *mut u8) {
        // SAFETY: the exception has ended all frames below this one, and nothing else uses it.
        unsafe { rustgo_unwound(exception) }
    }
    let mut body = ManuallyDrop::new(body);
    // SAFETY: `call` takes the address of `body`. `caught` does not unwind.
    unsafe { core::intrinsics::catch_unwind(call::<F>, (&raw mut body).cast(), caught) };
}

/// A panic whose payload is not the text of a message.
struct AnyPanic<'a> {
    payload: &'a mut dyn PanicPayload,
    location: &'static Location<'static>,
}

/// Starts or ends a panic. `panic` is the argument of `rustgo_panic` at the start, and the exception at the end. Returns at the end, and at the start of a
/// panic that must not unwind.
///
/// # Safety
/// `rt` calls this function on its static stack. `panic` must be as described, the frames that it refers to must exist, and `unwinding` must be
/// writable, its message with `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn rustgo_format_panic(panic: *const u8, unwinding: *mut Unwinding) {
    // SAFETY: as promised by the caller.
    unsafe {
        match (*unwinding).ends {
            0 => begin(panic, &mut *unwinding),
            _ => end(panic.cast_mut().cast(), &mut *unwinding),
        }
    }
}

/// # Safety
/// See [`rustgo_format_panic`].
unsafe fn begin(panic: *const u8, unwinding: &mut Unwinding) {
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
        if !info.can_unwind() {
            // SAFETY: as promised by the caller.
            unsafe { fill(&mut unwinding.report, &message, location) };
            abandon();
            return;
        }
        // If the formatting of the message does not end well, at least the place is known.
        unwinding.report.place(location);
        payload = match message.as_str() {
            Some(text) => Box::new(text),
            None => Box::new(message.to_string()),
        };
    }
    with_notes(|all| {
        all.next = (all.next + 1) % NOTES;
        all.is_pending = true;
        // Another note of this payload is one of a dropped payload with the same address.
        let payload = Identity::of(&*payload);
        all.notes.iter_mut().filter(|note| note.payload == payload).for_each(|note| note.payload = Identity::NONE);
        let note = &mut all.notes[all.next];
        note.payload = payload;
        (note.location, note.count, note.flying) = (location, unwinding.count.min(FRAMES), 0);
        // SAFETY: `rt` passes `count` addresses.
        let frames = unsafe { core::slice::from_raw_parts(unwinding.frames, note.count) };
        note.frames[..note.count].copy_from_slice(frames);
    });
    // The next exception on this stack is the panic's own.
    unwinding.ends = READY;
    resume_unwind(payload)
}

/// # Safety
/// See [`rustgo_format_panic`].
unsafe fn end(exception: *mut Exception, unwinding: &mut Unwinding) {
    // SAFETY: the shim has caught the exception.
    let Some(payload) = (unsafe { take(exception) }) else { return };
    let location = with_notes(|all| {
        let payload = Identity::of(&*payload);
        let note = all.notes.iter_mut().find(|note| note.payload == payload)?;
        note.payload = Identity::NONE;
        // SAFETY: `rt` has room for this many addresses.
        unsafe { core::slice::from_raw_parts_mut(unwinding.frames, note.count) }.copy_from_slice(&note.frames[..note.count]);
        unwinding.count = note.count;
        note.location
    });
    // SAFETY: as promised by the caller. The words for a payload that is no text are std's.
    unsafe { fill(&mut unwinding.report, &text(&*payload).unwrap_or("Box<dyn Any>"), location) };
}

/// Catches the exception as `catch_unwind` does: std counts the panic as ended, frees the exception, and returns the payload.
///
/// # Safety
/// No frame may wait for this exception.
unsafe fn take(exception: *mut Exception) -> Option<Box<dyn Any + Send>> {
    // SAFETY: the exception goes on at this call, and is caught here.
    catch_unwind(AssertUnwindSafe(|| unsafe { _Unwind_Resume(exception) })).err()
}

/// Ends the panics of this thread that unwind, because their frames are abandoned. A panic that has reached a landing pad which both runs destructors and
/// catches counts as caught, because nothing tells when the destructors have ended. Its payload is lost, and std goes on to count it.
fn abandon() {
    for at in 0..NOTES {
        let exception = with_notes(|all| {
            let is_flying = core::mem::take(&mut all.notes[at].flying) != 0;
            is_flying.then_some(all.notes[at].exception)
        });
        if let Some(exception) = exception {
            // SAFETY: the frames for which the exception would go on are abandoned.
            drop(unsafe { take(exception) });
        }
    }
}

fn with_notes<R>(act: impl FnOnce(&mut Notes) -> R) -> R {
    // SAFETY: no `act` of this module calls this function.
    THREAD.with(|notes| act(unsafe { &mut *notes.get() }))
}

/// Unwinds. std calls this function for each panic and for each `resume_unwind`.
///
/// # Safety
/// `exception` must be std's exception, which stays alive until it is caught.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn _Unwind_RaiseException(exception: *mut Exception) -> ! {
    with_notes(|all| {
        if !core::mem::take(&mut all.is_pending) {
            all.next = (all.next + 1) % NOTES;
            all.notes[all.next].payload = Identity::NONE;
        }
        let note = &mut all.notes[all.next];
        (note.exception, note.flying) = (exception, 1);
        // SAFETY: the exception is alive, and its private words belong to this module.
        unsafe { (*exception).flying = &raw mut note.flying };
    });
    // SAFETY: as promised by the caller.
    unsafe { rustgo_raise(exception) }
}

/// Replaces std's function for panics with a payload of any type ([`std::panic::panic_any`]), which asks for the thread's name and prints. The command
/// line tool redirects the call. `#[track_caller]` adds the location as the next parameter. This function ignores all further arguments.
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
