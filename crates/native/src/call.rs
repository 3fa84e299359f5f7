//! Calls an export natively, with the argument and result areas that Go's assembly would use.

use crate::exports::{Export, Exports};
use crate::memory::Memory;
use crate::objects::{Object, parameter};
use crate::protocol::{Reader, Result, answer};
use crate::show::Show;
use rustgo_schema::{Field, Function, Type, role};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// The location and the message of the last panic. The panic hook stores them here.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Sets a panic hook that records panics instead of printing them.
pub fn remember_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let message = info.payload_as_str().unwrap_or("(no text)");
        if cfg!(test) {
            // A failing test of this crate panics too. Its message must also be printed.
            eprintln!("{place}: {message}");
        }
        PANIC.with_borrow_mut(|panic| *panic = Some(format!("{place}\n{message}")));
    }));
}

/// The objects that calls have returned or that the Go test has made by `zero`. They have numbers, which start at 1.
#[derive(Default)]
pub struct Session {
    pub objects: BTreeMap<u32, Object>,
    /// The number of the newest object. 0 if there is none.
    pub last: u32,
}

/// The argument area and result area of one call.
struct Frame {
    words: Vec<u64>,
    results: usize,
}

impl Frame {
    fn of(function: &Function) -> Self {
        let results = function.results_offset as usize;
        // The areas are filled with a pattern. If the call does not write a result, the answer shows the pattern.
        Self { words: vec![0xa5a5_a5a5_a5a5_a5a5; results.max(function.frame_size as usize).div_ceil(8) + 1], results }
    }

    fn at(&mut self, offset: usize) -> *mut u8 {
        // SAFETY: the areas were made for the record that states the offset, so the offset lies within the areas.
        unsafe { self.words.as_mut_ptr().cast::<u8>().add(offset) }
    }

    /// Calls the shim, the function that Go's assembly would call. If the call panics, returns the text of the panic.
    fn call(&mut self, export: &Export) -> std::result::Result<(), String> {
        let (args, results) = (self.at(0), self.at(self.results));
        // SAFETY: the areas have the layout that the record describes, and the caller has filled them.
        catch_unwind(AssertUnwindSafe(|| unsafe { (export.shim)(args, results) }))
            .map_err(|_| PANIC.take().unwrap_or_else(|| "\n(a panic that nobody saw)".into()))
    }
}

/// Calls the export with the index `number`, and formats the results. Formats at most `most` items of an iterator.
pub fn call(exports: &Exports, session: &mut Session, number: usize, most: usize, from: &mut Reader<'_>) -> Result<(u8, String)> {
    let export = exports.all.get(number).ok_or_else(|| format!("there is no export {number}"))?;
    let function = &export.function;
    let (mut memory, mut frame) = (Memory::default(), Frame::of(function));
    // SAFETY: the areas were made for this function.
    unsafe { memory.arguments(&function.params, from, frame.at(0), &mut session.objects)? };
    from.end()?;
    let outcome = frame.call(export);
    for object in memory.consumed.iter().filter(|_| outcome.is_ok()) {
        session.objects.entry(*object).and_modify(Object::consumed);
    }
    if let Err(panic) = outcome {
        return Ok((answer::PANIC, panic));
    }
    let mut next = session.last + 1;
    let mut show = Show { exports, objects: &mut session.objects, next: &mut next, text: String::new() };
    let mut lines = Vec::new();
    let mut line = |name: &str, value: String| lines.push(format!("{name} = {value}\n"));
    let appended = |field: &&Field| matches!(field.ty, Type::Append { .. });
    for field in function.params.iter().filter(appended) {
        // SAFETY: the argument is the address of the slice's header, which the call has updated.
        unsafe { show.value(&field.ty, frame.at(field.offset as usize)) };
        line(&format!("appended {}", field.name), std::mem::take(&mut show.text));
    }
    for (index, field) in function.results.iter().enumerate() {
        let name = if field.name.is_empty() { format!("result {index}") } else { format!("result {}", field.name) };
        let at = frame.at(field.offset as usize);
        if let Type::Iterator { items } = &field.ty {
            // SAFETY: the call has written the iterator's address here.
            let iterator = unsafe { at.cast::<u64>().read_unaligned() };
            if let Err(panic) = iterate(exports, function, iterator, items, most, &mut show) {
                return Ok((answer::PANIC, panic));
            }
        } else {
            // SAFETY: the call has written this result.
            unsafe { show.value(&field.ty, at) };
        }
        line(&name, std::mem::take(&mut show.text));
    }
    for field in function.params.iter().filter(|field| leads_to_memory(&field.ty)) {
        // SAFETY: the call has returned, and its arguments still have the layout of Go's arguments.
        unsafe { show.value(&field.ty, frame.at(field.offset as usize)) };
        line(&field.name, std::mem::take(&mut show.text));
    }
    session.last = next - 1;
    Ok((answer::TEXT, lines.concat()))
}

/// True if the parameter is a pointer or a slice, but no object: Go sees what the call writes to the memory of such a parameter.
fn leads_to_memory(ty: &Type) -> bool {
    parameter(ty).is_none() && matches!(ty, Type::Pointer { .. } | Type::Slice { .. })
}

/// Fetches items from an iterator as Go's loop does: first 4 items, then each time twice as many, at most one batch. Formats at most `most` items.
fn iterate(
    exports: &Exports,
    of: &Function,
    iterator: u64,
    items: &[Type],
    most: usize,
    show: &mut Show<'_>,
) -> std::result::Result<(), String> {
    let companion = |role| exports.of_role(role, &of.owner, Some(&of.go_name));
    let (Some(next), Some(end)) = (companion(role::NEXT), companion(role::END)) else { return Err("\nthe iterator has no record".into()) };
    let batch = next.function.params.get(2).map_or(1, |field| match &field.ty {
        Type::Pointer { elem, .. } => match &**elem {
            Type::Array { len, .. } => *len as usize,
            _ => 1,
        },
        _ => 1,
    });
    let mut buffers: Vec<Vec<u64>> = items.iter().map(|item| vec![0; (item.layout().size as usize * batch).div_ceil(8) + 1]).collect();
    let (mut want, mut seen) = (4.min(batch), 0);
    show.text.push('<');
    loop {
        let mut frame = Frame::of(&next.function);
        frame.words[0] = iterator;
        frame.words[1] = want as u64;
        for (index, buffer) in buffers.iter_mut().enumerate() {
            frame.words[2 + index] = buffer.as_mut_ptr().expose_provenance() as u64;
        }
        frame.call(next)?;
        let count = frame.words[frame.results / 8] as usize;
        let at = |part: usize, item: &Type, index: usize| {
            // SAFETY: the index lies within the buffer, which has room for the items of one batch.
            unsafe { buffers[part].as_ptr().cast::<u8>().add(index * item.layout().size as usize) }
        };
        for index in 0..count {
            let is_seen = seen < most;
            if is_seen && seen > 0 {
                show.text.push(' ');
            }
            for (part, item) in items.iter().enumerate() {
                if is_seen && part > 0 {
                    show.text.push(':');
                }
                // SAFETY: `at` returns the address of a fetched item.
                unsafe { if is_seen { show.value(item, at(part, item, index)) } else { show.discard(item, at(part, item, index)) } };
            }
            seen += 1;
        }
        if seen > most {
            show.text.push_str(" …");
            break;
        }
        if count < want {
            break;
        }
        want = (2 * want).min(batch);
    }
    let _ = write!(show.text, ">");
    let mut frame = Frame::of(&end.function);
    frame.words[0] = iterator;
    frame.call(end)
}
