//! Pictures inside of a document, as data URLs.

use crate::error::{Failure, Reason};
use crate::graph::{self, Most};
use crate::{entities, xml};
use resvg::usvg::{ImageHrefResolver, ImageKind, Options, Tree};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The limits of one document and all documents inside of it.
pub struct Nesting {
    /// The levels of nesting that are left.
    pub levels: AtomicU64,
    /// The elements that are left.
    pub elements: AtomicU64,
    /// The time for parsing that is left.
    pub nanoseconds: AtomicU64,
    pub most_elements: u64,
    pub most_pixels: u64,
    pub most_bytes: u64,
    /// The first failure, which usvg does not pass on.
    pub failure: Mutex<Option<Failure>>,
}

impl Nesting {
    pub fn fail(&self, failure: Failure) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
    }

    pub fn failed(&self) -> Option<Failure> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Returns a resolver that reads no files.
pub fn resolver(nesting: &Nesting) -> ImageHrefResolver<'_> {
    let default = ImageHrefResolver::default_data_resolver();
    ImageHrefResolver {
        resolve_data: Box::new(move |mime, data, options| {
            if mime == "image/svg+xml" || mime == "text/plain" && imagesize::image_type(&data).is_err() {
                return document(&data, options, nesting);
            }
            let size = imagesize::blob_size(&data).ok()?;
            let pixels = (size.width as u64).saturating_mul(size.height as u64);
            if pixels > nesting.most_pixels {
                nesting.fail(Failure::new(
                    Reason::TooLarge,
                    format!("an image of {} × {} pixels, with a limit of {} (MaxPixels)", size.width, size.height, nesting.most_pixels),
                ));
                return None;
            }
            default(mime, data, options)
        }),
        resolve_string: Box::new(|href, _| {
            log::warn!("The image '{}' is not in the document. Skipped.", href);
            None
        }),
    }
}

fn document(data: &Arc<Vec<u8>>, options: &Options<'_>, nesting: &Nesting) -> Option<ImageKind> {
    if nesting.failure.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
        return None;
    }
    let text = std::str::from_utf8(data).ok()?;
    if entities::expanded(text) > nesting.most_bytes {
        nesting.fail(entities::too_large(nesting.most_bytes));
        return None;
    }
    let left = Most {
        levels: u64::MAX,
        elements: nesting.elements.load(Ordering::Relaxed) / WEIGHT,
        nanoseconds: nesting.nanoseconds.load(Ordering::Relaxed) / WEIGHT,
    };
    let xml = xml(text, nesting.most_elements).inspect_err(|error| log::warn!("Failed to load an SVG image: {}.", error)).ok()?;
    let size = match graph::measure(&xml, "", &left) {
        Ok(size) => size,
        Err(failure) if failure.reason == Reason::TooLarge => {
            nesting.fail(Failure::new(Reason::TooLarge, "documents inside of this one exceed a limit (MaxElements, MaxTime)"));
            return None;
        }
        Err(failure) => {
            nesting.fail(Failure::new(failure.reason, failure.text));
            return None;
        }
    };
    let levels = size.levels + LEVELS;
    if nesting.levels.load(Ordering::Relaxed) < levels {
        nesting.fail(Failure::new(Reason::Stack, "documents inside of others are nested too deeply"));
        return None;
    }
    nesting.elements.fetch_sub(WEIGHT * size.elements, Ordering::Relaxed);
    nesting.nanoseconds.fetch_sub(WEIGHT * size.nanoseconds, Ordering::Relaxed);
    nesting.levels.fetch_sub(levels, Ordering::Relaxed);
    let tree = Tree::from_data_nested(data, options);
    nesting.levels.fetch_add(levels, Ordering::Relaxed);
    tree.inspect_err(|error| log::warn!("Failed to load an SVG image: {}.", error)).ok().map(ImageKind::SVG)
}

/// An element of a document inside of another one counts as so many, because the time and the memory for a small document are mostly not for its elements.
const WEIGHT: u64 = 8;
/// The levels of nesting whose stack a document inside of another one needs in addition.
const LEVELS: u64 = 6;
