//! Frees memory that Go has copied.

use crate::border::record::Record;
use alloc::alloc::{Layout, dealloc};
use rustgo_schema::describe::{Field, Function, Type};
use rustgo_schema::{Basic, Describe, role};

/// The arguments of [`release`].
#[repr(C)]
struct Release {
    at: *mut u8,
    size: usize,
    align: usize,
}

/// Frees memory that Go got as [`Owned`](super::Owned), by the crate's allocator.
///
/// # Safety
/// `args` must point to a [`Release`] that describes such memory, and nothing may use the memory.
unsafe extern "C-unwind" fn release(args: *const u8, _: *mut u8) {
    // SAFETY: as promised by the caller.
    unsafe {
        let args = &*args.cast::<Release>();
        dealloc(args.at, Layout::from_size_align_unchecked(args.size, args.align));
    }
}

const RELEASE: Function = Function {
    go_name: "rust_release",
    rust_path: "rustgo::release",
    file: file!(),
    line: line!(),
    params: &[
        Field { name: "address", ty: Type::Address {}, offset: 0 },
        Field { name: "size", ty: Type::Basic(Basic::Uint), offset: 8 },
        Field { name: "align", ty: Type::Basic(Basic::Uint), offset: 16 },
    ],
    results_offset: 24,
    frame_size: 24,
    role: role::RELEASE,
    ..Function::EMPTY
};

const _: () = assert!(size_of::<Release>() == 24 && align_of::<Release>() == 8);

#[used]
#[cfg_attr(not(target_family = "wasm"), unsafe(link_section = "rustgo_exports"))]
static RECORD: Record<{ Describe::Function(&RELEASE).padded_len() }> = Record::new(Some(release), &Describe::Function(&RELEASE));
