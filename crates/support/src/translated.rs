//! The functions of a crate that is compiled for WebAssembly and translated to Go (`fallback = "wasm"`). The Go package `rt/translated` calls them.
//!
//! Such a crate has std's allocator and std's panic handler. Panics abandon the frames: a hook writes the panic's report, and std then executes the
//! instruction `unreachable`. The translation of this instruction is a Go panic, which the Go code recovers.

extern crate std;

use crate::border::Shim;
use crate::panic::{Report, fill};
use alloc::alloc::{Layout, alloc, dealloc};
use alloc::boxed::Box;
use alloc::string::String;
use core::cell::UnsafeCell;
use core::fmt;
use std::panic::PanicHookInfo;
use std::rt::panic_count;

/// The size of the buffer for a panic's message, as in the Go package `rt`.
const MESSAGE: usize = 4096;

/// The report of a panic. `raised` is not 0 after a panic. The Go package `rt/translated` relies on this layout.
#[repr(C)]
struct Raised {
    report: Report,
    raised: u32,
}

struct Shared<T>(UnsafeCell<T>);

// SAFETY: translated code runs on one goroutine at a time.
unsafe impl<T> Sync for Shared<T> {}

/// The text of a panic's payload, which lies in an abandoned frame. Nothing else can free it.
static PAYLOAD: Shared<Option<String>> = Shared(UnsafeCell::new(None));

static TEXT: Shared<[u8; MESSAGE]> = Shared(UnsafeCell::new([0; MESSAGE]));
static RAISED: Shared<Raised> = Shared(UnsafeCell::new(Raised {
    report: Report {
        message: core::ptr::null_mut(),
        capacity: MESSAGE,
        length: 0,
        file: core::ptr::null(),
        file_len: 0,
        line: 0,
        column: 0,
    },
    raised: 0,
}));

/// Installs the hooks for panics and for failed allocations, and returns the address of the report that the panic hook writes.
#[unsafe(no_mangle)]
extern "C" fn rustgo_start() -> *const u8 {
    // SAFETY: nothing else runs.
    unsafe { (*RAISED.0.get()).report.message = TEXT.0.get().cast() };
    std::panic::set_hook(Box::new(report));
    std::alloc::set_alloc_error_hook(|_| panic!("memory allocation failed"));
    RAISED.0.get().cast()
}

fn report(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let text = payload.downcast_ref::<String>();
    let message: &dyn fmt::Display = match (payload.downcast_ref::<&'static str>(), text) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => &"Box<dyn Any>",
    };
    // SAFETY: nothing else runs, and the message points to a buffer of this capacity.
    unsafe {
        let raised = &mut *RAISED.0.get();
        fill(&mut raised.report, message, info.location());
        raised.raised = 1;
        let payload = &mut *PAYLOAD.0.get();
        // A hook of the crate may call this one twice.
        if let Some(text) = text
            && payload.as_ref().is_none_or(|kept| kept.as_ptr() != text.as_ptr())
        {
            // std made the text for this panic, or the crate passed it to `panic_any`. After the hook std aborts, so nothing else frees the text.
            drop(payload.replace(core::ptr::read(text)));
        }
    }
}

/// Ends the panics or the abort that abandoned the last call, as if they had been caught. Without this, `thread::panicking` would stay true, and the
/// text of each panic would stay allocated.
#[unsafe(no_mangle)]
extern "C" fn rustgo_recovered() {
    while panic_count::get_count() > 0 {
        panic_count::decrease();
    }
    // SAFETY: nothing else runs.
    drop(unsafe { (*PAYLOAD.0.get()).take() });
}

/// Calls a shim.
///
/// # Safety
/// `shim` must be the index of a shim in the module's function table. `arguments` and `results` must be the addresses of the shim's arguments and
/// results, with the layout in the shim's record.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn rustgo_run_shim(shim: Shim, arguments: *const u8, results: *mut u8) {
    // SAFETY: as promised by the caller.
    unsafe { shim(arguments, results) }
}

/// Returns the address of new memory, or null.
#[unsafe(no_mangle)]
extern "C" fn rustgo_allocate(size: usize, align: usize) -> *mut u8 {
    match Layout::from_size_align(size, align) {
        // SAFETY: the size is not 0.
        Ok(layout) if size > 0 => unsafe { alloc(layout) },
        _ => core::ptr::null_mut(),
    }
}

/// Frees memory that Rust has allocated.
///
/// # Safety
/// The memory must have been allocated with this size and alignment, and nothing may use it any more.
#[unsafe(no_mangle)]
unsafe extern "C" fn rustgo_free(address: *mut u8, size: usize, align: usize) {
    if let Ok(layout) = Layout::from_size_align(size, align)
        && size > 0
    {
        // SAFETY: as promised by the caller.
        unsafe { dealloc(address, layout) }
    }
}
