//! Rewrites HTML in a stream, by the crate lol_html.

mod edit;
mod snapshot;

use edit::{Edits, Unit};
use encoding_rs::Encoding;
use lol_html::errors::RewritingError;
use lol_html::{AsciiCompatibleEncoding, HandlerResult, MemorySettings, Selector, send};
use rustgo::{Append, OwnedFunc, Strs};
use snapshot::Snapshot;
use std::borrow::Cow;
use std::fmt::{Display, Formatter};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The reason for a failure.
#[derive(Clone, Copy, PartialEq, Debug, rustgo::Value)]
#[rustgo(name = "reason")]
#[repr(u8)]
pub enum Reason {
    /// A handler has returned an error, which Go has stored.
    Stopped,
    /// The rewriter needs more memory than its limit.
    Memory,
    /// The markup is ambiguous, and the rewriter is strict.
    Ambiguity,
    /// A handler has made a change that the encoding of the document cannot express.
    Edit,
    /// A selector is not valid.
    Selector,
    /// The encoding is unknown or not a superset of ASCII.
    Encoding,
}

/// The failure of a call.
#[derive(Debug, rustgo::Error)]
#[rustgo(name = "nativeError", int = "usize")]
pub struct Failure {
    pub reason: Reason,
    /// The index of the selector if the reason is `Selector`; otherwise 0.
    pub index: usize,
    pub text: String,
}

impl Failure {
    fn new(reason: Reason, text: &dyn Display) -> Self {
        Self { reason, index: 0, text: text.to_string() }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<RewritingError> for Failure {
    fn from(error: RewritingError) -> Self {
        let reason = match &error {
            RewritingError::MemoryLimitExceeded(_) => Reason::Memory,
            RewritingError::ParsingAmbiguity(_) => Reason::Ambiguity,
            RewritingError::ContentHandlerError(error) if error.is::<Stopped>() => Reason::Stopped,
            _ => Reason::Edit,
        };
        Self::new(reason, &error)
    }
}

/// The error that stops the rewriter after a Go handler has returned an error.
#[derive(Debug)]
struct Stopped;

impl Display for Stopped {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("a handler has returned an error")
    }
}

impl std::error::Error for Stopped {}

/// The kinds of handlers. A set of kinds is the sum of their numbers. The file handlers.go has the same numbers.
mod kind {
    pub const ELEMENT: u8 = 1;
    pub const COMMENT: u8 = 2;
    pub const TEXT: u8 = 4;
    pub const DOCTYPE: u8 = 8;
    pub const END: u8 = 16;
    pub const END_TAG: u8 = 32;
    /// This bit is added to the kind of a handler for the document.
    pub const OF_DOCUMENT: u8 = 128;
}

/// The Go function that calls all handlers. Its arguments are the kind of the handler, the handler's number, and a snapshot. It returns the handler's
/// changes, or nothing if the handler has returned an error.
type Dispatch = OwnedFunc<fn(u8, u32, &str) -> Option<Vec<u8>>>;

/// The state that a rewriter shares with its handlers and its output function.
struct Shared {
    dispatch: Dispatch,
    output: Mutex<Vec<u8>>,
    snapshots: Mutex<Vec<Snapshot>>,
    /// The numbers of end tag handlers that will never be called.
    dropped: Mutex<Vec<u32>>,
}

/// Locks a mutex. No lock is held while a Go function runs, so a panic cannot leave the value half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Calls the Go handler for a unit, and applies the changes that it returns. `shown` writes the snapshot of the unit.
    fn handle<U: Unit>(
        self: &Arc<Self>,
        kind: u8,
        number: u32,
        unit: &mut U,
        shown: for<'s> fn(&'s mut Snapshot, &U) -> &'s str,
    ) -> HandlerResult {
        let mut snapshot = lock(&self.snapshots).pop().unwrap_or_default();
        let edits = self.dispatch.call(kind, number, shown(&mut snapshot, unit));
        lock(&self.snapshots).push(snapshot);
        let edits = edits.ok_or(Stopped)?;
        if edits.is_empty() {
            return Ok(());
        }
        unit.apply_all(Edits::new(&edits), &|number| self.end_tag(number))
    }

    /// Returns the handler for an end tag.
    fn end_tag(self: &Arc<Self>, number: u32) -> send::EndTagHandler<'static> {
        let mut pending = Pending { number, shared: Some(Arc::clone(self)) };
        Box::new(move |tag| match pending.shared.take() {
            Some(shared) => shared.handle(kind::END_TAG, number, tag, |snapshot, tag| snapshot.end_tag(tag)),
            None => Ok(()),
        })
    }
}

/// A handler for an end tag. When a handler that was never called is dropped, its number goes to `Shared::dropped`.
struct Pending {
    number: u32,
    /// `None` if the handler has been called.
    shared: Option<Arc<Shared>>,
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(shared) = &self.shared {
            lock(&shared.dropped).push(self.number);
        }
    }
}

type Sink = Box<dyn FnMut(&[u8]) + Send>;

/// native is a rewriter of one document.
// The methods call Go functions, so no two calls may use the object at the same time (`exclusive`).
#[rustgo::object(name = "native", exclusive, close)]
pub struct Native {
    /// `None` after the end of the document or a failure.
    rewriter: Option<send::HtmlRewriter<'static, Sink>>,
    shared: Arc<Shared>,
}

#[rustgo::export(task, int = "usize")]
impl Native {
    /// newNative returns a rewriter. kinds has a set of kinds of handlers for each selector, and documentKinds one for each set of handlers for the
    /// document. A maxMemory of 0 means no limit, and a buffer of 0 the default. The flags are the options Lax, ESITags, DetectCharset and KeepRest.
    #[rustgo::export(name = "newNative")]
    #[allow(clippy::too_many_arguments, reason = "called in one place")]
    pub fn new(
        selectors: Strs<'_>,
        kinds: &[u8],
        document_kinds: &[u8],
        encoding: &str,
        max_memory: usize,
        buffer: usize,
        flags: [bool; 4],
        dispatch: Dispatch,
    ) -> Result<Self, Failure> {
        let [lax, esi, meta, keep_rest] = flags;
        let encoding = Encoding::for_label(encoding.as_bytes())
            .and_then(AsciiCompatibleEncoding::new)
            .ok_or_else(|| Failure::new(Reason::Encoding, &encoding))?;
        let mut memory = MemorySettings::new().with_graceful_bail_out_on_memory_limit_exceeded(keep_rest);
        if max_memory != 0 {
            memory = memory.with_max_allowed_memory_usage(max_memory);
        }
        if buffer != 0 {
            memory = memory.with_preallocated_parsing_buffer_size(buffer);
        }
        let mut settings = send::Settings::new_send()
            .with_encoding(encoding)
            .with_memory_settings(memory)
            .with_strict(!lax)
            .with_enable_esi_tags(esi)
            .with_adjust_charset_on_meta_tag(meta)
            .with_graceful_bail_out_on_content_handler_error(keep_rest);
        let shared = Arc::new(Shared { dispatch, output: Mutex::default(), snapshots: Mutex::default(), dropped: Mutex::default() });
        for (index, (selector, &kinds)) in selectors.iter().zip(kinds).enumerate() {
            let selector: Selector = selector.parse().map_err(|error| Failure { index, ..Failure::new(Reason::Selector, &error) })?;
            settings = settings.append_element_content_handler((Cow::Owned(selector), element_handlers(&shared, index as u32, kinds)));
        }
        for (index, &kinds) in document_kinds.iter().enumerate() {
            settings = settings.append_document_content_handler(document_handlers(&shared, index as u32, kinds));
        }
        let output = Arc::clone(&shared);
        let sink: Sink = Box::new(move |chunk| lock(&output.output).extend_from_slice(chunk));
        Ok(Self { rewriter: Some(send::HtmlRewriter::new(settings, sink)), shared })
    }

    /// write rewrites data and appends the output to dst, even if it returns an error. It panics after an error and after the document's end.
    #[rustgo::export(name = "write")]
    pub fn write(&mut self, dst: &mut Append<u8>, data: &[u8]) -> Result<(), Failure> {
        let rewriter = self.rewriter.as_mut().expect("the rewriter has ended");
        let result = rewriter.write(data);
        if result.is_err() {
            self.rewriter = None;
        }
        self.flush(dst);
        Ok(result?)
    }

    /// end ends the document and appends the rest of the output to dst, even if it returns an error. It panics after an error and after the
    /// document's end.
    #[rustgo::export(name = "end")]
    pub fn end(&mut self, dst: &mut Append<u8>) -> Result<(), Failure> {
        let result = self.rewriter.take().expect("the rewriter has ended").end();
        self.flush(dst);
        Ok(result?)
    }

    /// dropped returns the numbers of end tag handlers that will never be called, and forgets them.
    #[rustgo::export(name = "dropped")]
    pub fn dropped(&mut self) -> Vec<u32> {
        std::mem::take(&mut lock(&self.shared.dropped))
    }

    fn flush(&self, dst: &mut Append<u8>) {
        let mut output = lock(&self.shared.output);
        dst.extend_from_slice(&output);
        output.clear();
        // Free memory beyond 64 KiB, because later writes may be smaller.
        output.shrink_to(64 << 10);
    }
}

/// Returns the handlers of a selector.
fn element_handlers(shared: &Arc<Shared>, number: u32, kinds: u8) -> send::ElementContentHandlers<'static> {
    let mut handlers = send::ElementContentHandlers::default();
    if kinds & kind::ELEMENT != 0 {
        let shared = Arc::clone(shared);
        let handler: send::ElementHandler<'static> =
            Box::new(move |element| shared.handle(kind::ELEMENT, number, element, |snapshot, element| snapshot.element(element)));
        handlers.element = Some(handler);
    }
    if kinds & kind::COMMENT != 0 {
        handlers.comments = Some(comment_handler(shared, kind::COMMENT, number));
    }
    if kinds & kind::TEXT != 0 {
        handlers.text = Some(text_handler(shared, kind::TEXT, number));
    }
    handlers
}

/// Returns the handlers of one set for the document.
fn document_handlers(shared: &Arc<Shared>, number: u32, kinds: u8) -> send::DocumentContentHandlers<'static> {
    let mut handlers = send::DocumentContentHandlers::default();
    if kinds & kind::DOCTYPE != 0 {
        let shared = Arc::clone(shared);
        let handler: send::DoctypeHandler<'static> = Box::new(move |doctype| {
            shared.handle(kind::DOCTYPE | kind::OF_DOCUMENT, number, doctype, |snapshot, doctype| snapshot.doctype(doctype))
        });
        handlers.doctype = Some(handler);
    }
    if kinds & kind::COMMENT != 0 {
        handlers.comments = Some(comment_handler(shared, kind::COMMENT | kind::OF_DOCUMENT, number));
    }
    if kinds & kind::TEXT != 0 {
        handlers.text = Some(text_handler(shared, kind::TEXT | kind::OF_DOCUMENT, number));
    }
    if kinds & kind::END != 0 {
        let shared = Arc::clone(shared);
        let handler: send::EndHandler<'static> = Box::new(move |end| shared.handle(kind::END | kind::OF_DOCUMENT, number, end, |_, _| ""));
        handlers.end = Some(handler);
    }
    handlers
}

fn comment_handler(shared: &Arc<Shared>, kind: u8, number: u32) -> send::CommentHandler<'static> {
    let shared = Arc::clone(shared);
    Box::new(move |comment| shared.handle(kind, number, comment, |snapshot, comment| snapshot.comment(comment)))
}

fn text_handler(shared: &Arc<Shared>, kind: u8, number: u32) -> send::TextHandler<'static> {
    let shared = Arc::clone(shared);
    Box::new(move |chunk| shared.handle(kind, number, chunk, |snapshot, chunk| snapshot.chunk(chunk)))
}
