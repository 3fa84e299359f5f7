//! Go objects, imitated for native calls.

use crate::exports::{Exports, Shim};
use rustgo_schema::{Decl, Type, role};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The target of a Go pointer to an object. In Go that is an `rt.Object`: its first word points to a struct whose first word points to the value.
pub struct Object {
    memory: Memory,
    /// The shim that drops the value, for a value on the heap.
    drop: Option<Shim>,
}

enum Memory {
    /// Two words: `object` points to `inner`, and `inner` points to the value.
    Heap { object: Box<[*mut u8; 1]>, inner: Box<[*mut u8; 1]> },
    /// The words of an inline object.
    Inline(Box<[u64]>),
}

impl Object {
    /// An object in the state of Go's zero value.
    pub fn zero(words: u64) -> Self {
        let memory = match words {
            0 => Memory::Heap { object: Box::new([std::ptr::null_mut()]), inner: Box::new([std::ptr::null_mut()]) },
            words => Memory::Inline(vec![0; words as usize].into()),
        };
        Self { memory, drop: None }
    }

    /// The object returned by a call: the address of a value on the heap, or the words of an inline object.
    ///
    /// # Safety
    /// `at` must point to a result of that type.
    pub unsafe fn given(at: *const u8, decl: &Decl, words: u64, exports: &Exports) -> Self {
        let mut new = Self::zero(words);
        match &mut new.memory {
            Memory::Heap { object, inner } => {
                // SAFETY: as promised by the caller.
                inner[0] = unsafe { at.cast::<*mut u8>().read_unaligned() };
                object[0] = inner.as_mut_ptr().cast();
            }
            // SAFETY: as promised by the caller.
            Memory::Inline(own) => unsafe { own.as_mut_ptr().copy_from_nonoverlapping(at.cast(), own.len()) },
        }
        new.drop = exports.of_role(role::DROP, &decl.rust_path, None).map(|export| export.shim);
        new
    }

    /// The address that Go would pass for the object.
    pub fn address(&mut self) -> *mut u8 {
        match &mut self.memory {
            Memory::Heap { object, .. } => object.as_mut_ptr().cast(),
            Memory::Inline(words) => words.as_mut_ptr().cast(),
        }
    }

    /// Marks the value as taken by a call.
    pub fn consumed(&mut self) {
        if let Memory::Heap { inner, .. } = &mut self.memory {
            inner[0] = std::ptr::null_mut();
        }
    }

    /// Drops the value.
    pub fn close(&mut self) {
        if let (Memory::Heap { inner, .. }, Some(drop)) = (&mut self.memory, self.drop)
            && !inner[0].is_null()
        {
            let value = std::mem::replace(&mut inner[0], std::ptr::null_mut());
            // SAFETY: the value exists and is not in use. If its drop panics, the panic is ignored: in Go it would happen in the
            // garbage collector, which no test observes.
            let _ = catch_unwind(AssertUnwindSafe(|| unsafe { drop((&raw const value).cast(), std::ptr::null_mut()) }));
        }
    }
}

/// The declaration and size of the object type that a parameter is or points to, and whether the call takes the value.
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
