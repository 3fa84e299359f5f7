//! Documents of the crate resvg, as objects for the Go files of the package.

mod cost;
mod draw;
mod entities;
mod error;
mod graph;
mod images;
mod styles;
mod warnings;

use draw::RawTarget;
use error::{Failure, Reason};
use graph::Most;
use images::Nesting;
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::roxmltree::{Document, ParsingOptions};
use resvg::usvg::{self, Options, Tree};
use rustgo::{Slices, Strs};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

/// The levels of nesting for which the exports have enough stack, and those for which the exports with more stack have. A level needs about 4 KiB.
const LEVELS: u64 = 200;
const DEEP_LEVELS: u64 = 1800;

/// fontSet is a set of fonts.
#[rustgo::object(name = "fontSet", stack = "64k")]
pub struct FontSet(Arc<Database>);

#[rustgo::export(int = "usize")]
impl FontSet {
    /// newFontSet reads fonts and collections of fonts. The failure has the number of a file without fonts as its line, from 1.
    #[rustgo::export(name = "newFontSet", blocking, stack = "256k")]
    pub fn new(files: Slices<'_, u8>) -> Result<Self, Failure> {
        let mut fonts = Database::new();
        for (i, file) in files.iter().enumerate() {
            if fonts.load_font_source(Source::Binary(Arc::new(file.to_vec()))).is_empty() {
                return Err(Failure::new(Reason::Font, format!("file {i} has no font in TrueType or OpenType")));
            }
        }
        Ok(Self(Arc::new(fonts)))
    }

    /// families returns the names of the families, the first one of each font.
    #[rustgo::export(name = "families")]
    pub fn families(&self) -> Vec<String> {
        self.0.faces().filter_map(|face| face.families.first()).map(|(name, _)| name.clone()).collect()
    }
}

/// rawOptions are the numbers of the options.
#[derive(Clone, Copy, rustgo::Value)]
#[rustgo(name = "rawOptions")]
#[repr(C)]
pub struct RawOptions {
    pub dpi: f32,
    pub font_size: f32,
    pub default_width: f32,
    pub default_height: f32,
    pub max_elements: u64,
    pub max_bytes: u64,
    pub max_pixels: u64,
    pub max_nanoseconds: u64,
}

/// native is a document. Goroutines may draw it at the same time.
#[rustgo::object(name = "native", close, stack = "1m")]
pub struct Native {
    tree: Tree,
    deep: bool,
    warnings: Vec<String>,
}

#[rustgo::export]
impl Native {
    /// parse reads a document. The families are the default one, and those for serif, sans-serif, cursive, fantasy and monospace.
    #[rustgo::export(name = "parse", blocking, stack = "1m")]
    pub fn parse(
        text: &[u8],
        fonts: Option<&FontSet>,
        options: RawOptions,
        families: Strs<'_>,
        languages: Strs<'_>,
        sheet: &str,
    ) -> Result<Self, Failure> {
        read(text, fonts, &options, families, languages, sheet, LEVELS)
    }

    /// parseDeep reads a document for which parse has too little stack.
    #[rustgo::export(name = "parseDeep", blocking, stack = "8m")]
    pub fn parse_deep(
        text: &[u8],
        fonts: Option<&FontSet>,
        options: RawOptions,
        families: Strs<'_>,
        languages: Strs<'_>,
        sheet: &str,
    ) -> Result<Self, Failure> {
        read(text, fonts, &options, families, languages, sheet, DEEP_LEVELS)
    }

    /// info returns the size of the document, and whether drawDeep must draw it.
    #[rustgo::export(name = "info", results(width, height, deep))]
    pub fn info(&self) -> (f32, f32, bool) {
        (self.tree.size().width(), self.tree.size().height(), self.deep)
    }

    /// warnings returns the warnings of the crates.
    #[rustgo::export(name = "warnings")]
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// draw draws the document.
    #[rustgo::export(name = "draw", blocking, stack = "1m")]
    pub fn draw(&self, pixels: &mut [u8], target: RawTarget) -> Result<(), Failure> {
        draw::draw(&self.tree, pixels, &target)
    }

    /// drawDeep draws a document for which draw has too little stack.
    #[rustgo::export(name = "drawDeep", blocking, stack = "8m")]
    pub fn draw_deep(&self, pixels: &mut [u8], target: RawTarget) -> Result<(), Failure> {
        draw::draw(&self.tree, pixels, &target)
    }
}

/// Parses a text with at most `limit` nodes, but at least a thousand.
fn xml(text: &str, limit: u64) -> Result<Document<'_>, usvg::roxmltree::Error> {
    // Text and comments are nodes too, mostly one or two for each element.
    let nodes_limit = u32::try_from(limit.saturating_mul(4).max(1000)).unwrap_or(u32::MAX);
    Document::parse_with_options(text, ParsingOptions { allow_dtd: true, nodes_limit, ..ParsingOptions::default() })
}

#[inline(never)]
fn read(
    text: &[u8],
    fonts: Option<&FontSet>,
    raw: &RawOptions,
    families: Strs<'_>,
    languages: Strs<'_>,
    sheet: &str,
    levels: u64,
) -> Result<Native, Failure> {
    let text = std::str::from_utf8(text).map_err(|error| Failure::new(Reason::Encoding, error.to_string()))?;
    if entities::expanded(text) > raw.max_bytes {
        return Err(entities::too_large(raw.max_bytes));
    }
    let document = xml(text, raw.max_elements)?;
    let most = Most { levels: DEEP_LEVELS, elements: raw.max_elements, nanoseconds: raw.max_nanoseconds };
    let size = graph::measure(&document, sheet, &most)?;
    if size.levels > levels {
        return Err(Failure::new(Reason::Stack, "too many levels for this call"));
    }
    let nesting = Nesting {
        levels: AtomicU64::new(levels - size.levels),
        elements: AtomicU64::new(raw.max_elements - size.elements),
        nanoseconds: AtomicU64::new(raw.max_nanoseconds - size.nanoseconds),
        most_elements: raw.max_elements,
        most_pixels: raw.max_pixels,
        most_bytes: raw.max_bytes,
        failure: Mutex::new(None),
    };
    let mut options = Options {
        dpi: raw.dpi,
        font_family: families[0].to_owned(),
        font_size: raw.font_size,
        languages: languages.iter().map(str::to_owned).collect(),
        default_size: usvg::Size::from_wh(raw.default_width, raw.default_height)
            .ok_or_else(|| Failure::new(Reason::Size, "the default size is not positive"))?,
        image_href_resolver: images::resolver(&nesting),
        style_sheet: (!sheet.is_empty()).then(|| sheet.to_owned()),
        ..Options::default()
    };
    if let Some(fonts) = fonts {
        options.fontdb = Arc::clone(&fonts.0);
        let fonts = options.fontdb_mut();
        fonts.set_serif_family(&families[1]);
        fonts.set_sans_serif_family(&families[2]);
        fonts.set_cursive_family(&families[3]);
        fonts.set_fantasy_family(&families[4]);
        fonts.set_monospace_family(&families[5]);
    }
    let (tree, warnings) = warnings::collect(|| Tree::from_xmltree(&document, &options));
    if let Some(failure) = nesting.failed() {
        return Err(match failure.reason {
            Reason::Stack if levels == DEEP_LEVELS => Failure { reason: Reason::TooDeep, ..failure },
            _ => failure,
        });
    }
    // A document inside of this one may need the stack of all levels.
    Ok(Native { tree: tree?, deep: levels == DEEP_LEVELS, warnings })
}
