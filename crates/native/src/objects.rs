//! Objects, as Go has them.

use crate::exports::{Exports, Shim};
use rustgo_schema::{Decl, Type, role};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a Go pointer to an object leads to: `rt.Object`, of which Rust reads the address of this, and of that the address of the value.
pub struct Object {
    memory: Memory,
    /// What drops the value, if it is on the heap.
    drop: Option<Shim>,
}

enum Memory {
    /// A word that leads to the word that leads to the value.
    Heap { object: Box<[*mut u8; 1]>, inner: Box<[*mut u8; 1]> },
    /// The words of an inline object.
    Inline(Box<[u64]>),
}

impl Object {
    /// The zero value in Go.
    pub fn zero(words: u64) -> Self {
        let memory = match words {
            0 => Memory::Heap { object: Box::new([std::ptr::null_mut()]), inner: Box::new([std::ptr::null_mut()]) },
            words => Memory::Inline(vec![0; words as usize].into()),
        };
        Self { memory, drop: None }
    }

    /// What a call gave: the address of a value on the heap, or the words of an inline object.
    ///
    /// # Safety
    /// `at` must lead to a result of that type.
    pub unsafe fn given(at: *const u8, decl: &Decl, words: u64, exports: &Exports) -> Self {
        let mut new = Self::zero(words);
        match &mut new.memory {
            Memory::Heap { object, inner } => {
                // SAFETY: the caller's.
                inner[0] = unsafe { at.cast::<*mut u8>().read_unaligned() };
                object[0] = inner.as_mut_ptr().cast();
            }
            // SAFETY: the caller's.
            Memory::Inline(own) => unsafe { own.as_mut_ptr().copy_from_nonoverlapping(at.cast(), own.len()) },
        }
        new.drop = exports.of_role(role::DROP, &decl.rust_path, None).map(|export| export.shim);
        new
    }

    /// What a Go pointer to it is.
    pub fn address(&mut self) -> *mut u8 {
        match &mut self.memory {
            Memory::Heap { object, .. } => object.as_mut_ptr().cast(),
            Memory::Inline(words) => words.as_mut_ptr().cast(),
        }
    }

    /// A call has taken the value out.
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
            // SAFETY: the value is there, and nobody uses it. Where Rust's drop panics the collector's would too, which no test sees.
            let _ = catch_unwind(AssertUnwindSafe(|| unsafe { drop((&raw const value).cast(), std::ptr::null_mut()) }));
        }
    }
}

/// The object type that a parameter is, or leads to; and does the call take the value?
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
