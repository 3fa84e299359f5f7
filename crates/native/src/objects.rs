//! Objects as Go passes them to Rust, for native calls.

use crate::exports::{Exports, Shim};
use rustgo_schema::{Decl, Type, role};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The memory to which Go's pointer to an object would point. In Go this memory is an `rt.Object` or the words of an inline object. The first word
/// of an `rt.Object` points to a struct, and the first word of this struct points to the value.
pub struct Object {
    memory: Memory,
    /// The shim that drops the object's value in the Rust heap. `None` if there is no value in the heap.
    drop: Option<Shim>,
}

enum Memory {
    /// An object with its value in the Rust heap. The word `object` points to the word `inner`, which points to the value.
    Heap { object: Box<[*mut u8; 1]>, inner: Box<[*mut u8; 1]> },
    /// The words of an inline object, whose value lives in Go's memory.
    Inline(Box<[u64]>),
}

impl Object {
    /// Makes an object in the state of Go's zero value: without a value in the heap, or with words that are 0.
    pub fn zero(words: u64) -> Self {
        let memory = match words {
            0 => Memory::Heap { object: Box::new([std::ptr::null_mut()]), inner: Box::new([std::ptr::null_mut()]) },
            words => Memory::Inline(vec![0; words as usize].into()),
        };
        Self { memory, drop: None }
    }

    /// Makes the object that a call has returned. The call's result is the address of a value in the heap, or the words of an inline object.
    ///
    /// # Safety
    /// `at` must point to a result of the type that `decl` and `words` describe.
    pub unsafe fn given(at: *const u8, decl: &Decl, words: u64, exports: &Exports) -> Self {
        let mut new = Self::zero(words);
        match &mut new.memory {
            Memory::Heap { object, inner } => {
                // SAFETY: the caller promises that `at` points to the result, one address.
                inner[0] = unsafe { at.cast::<*mut u8>().read_unaligned() };
                object[0] = inner.as_mut_ptr().cast();
            }
            // SAFETY: the caller promises that `at` points to the result, the object's words.
            Memory::Inline(own) => unsafe { own.as_mut_ptr().copy_from_nonoverlapping(at.cast(), own.len()) },
        }
        new.drop = exports.of_role(role::DROP, &decl.rust_path, None).map(|export| export.shim);
        new
    }

    /// Returns the address that Go would pass to Rust for the object.
    pub fn address(&mut self) -> *mut u8 {
        match &mut self.memory {
            Memory::Heap { object, .. } => object.as_mut_ptr().cast(),
            Memory::Inline(words) => words.as_mut_ptr().cast(),
        }
    }

    /// Marks the object as empty, because a call has consumed its value.
    pub fn consumed(&mut self) {
        if let Memory::Heap { inner, .. } = &mut self.memory {
            inner[0] = std::ptr::null_mut();
        }
    }

    /// Drops the object's value, if there is one.
    pub fn close(&mut self) {
        if let (Memory::Heap { inner, .. }, Some(drop)) = (&mut self.memory, self.drop)
            && !inner[0].is_null()
        {
            let value = std::mem::replace(&mut inner[0], std::ptr::null_mut());
            // SAFETY: the value exists and is not in use. A panic of the drop is ignored: in Go it would happen in the garbage
            // collector, where no test observes it.
            let _ = catch_unwind(AssertUnwindSafe(|| unsafe { drop((&raw const value).cast(), std::ptr::null_mut()) }));
        }
    }
}

/// For a parameter that is an object or points to one: returns the object type's declaration, its number of words, and true if the call consumes
/// the value.
pub fn parameter(ty: &Type) -> Option<(&Decl, u64, bool)> {
    match ty {
        Type::Object { decl, words, .. } => Some((decl, *words, true)),
        Type::Pointer { elem, .. } => match &**elem {
            Type::Object { decl, words, .. } => Some((decl, *words, false)),
            _ => None,
        },
        _ => None,
    }
}
