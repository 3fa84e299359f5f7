//! Failures, with the reasons that Go code distinguishes.

use resvg::usvg;
use resvg::usvg::roxmltree;
use std::fmt::{Display, Formatter};

/// The reason for a failure.
#[derive(Clone, Copy, PartialEq, Debug, rustgo::Value)]
#[rustgo(name = "reason")]
#[repr(u8)]
pub enum Reason {
    /// The document is not SVG.
    Format,
    /// The document is not well-formed XML.
    Syntax,
    /// The text is not UTF-8.
    Encoding,
    /// The width or the height is missing or not positive.
    Size,
    /// The document or the picture exceeds a limit.
    TooLarge,
    /// The elements are nested too deeply, or refer to each other in a circle.
    TooDeep,
    /// The call needs more stack than the export has: the export with more stack must be called.
    Stack,
    /// The file has no font.
    Font,
}

/// The failure of a call. The line and the column count from 1, and are 0 if the place is not known.
#[derive(Debug, rustgo::Error)]
#[rustgo(name = "nativeError")]
pub struct Failure {
    pub reason: Reason,
    pub text: String,
    pub line: u32,
    pub column: u32,
}

impl Failure {
    pub fn new(reason: Reason, text: impl Into<String>) -> Self {
        Self { reason, text: text.into(), line: 0, column: 0 }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<roxmltree::Error> for Failure {
    fn from(error: roxmltree::Error) -> Self {
        use roxmltree::Error::{AttributesLimitReached, EntityReferenceLoop, NamespacesLimitReached, NoRootNode, NodesLimitReached};
        let reason = match &error {
            NodesLimitReached | AttributesLimitReached | NamespacesLimitReached | EntityReferenceLoop(_) => Reason::TooLarge,
            NoRootNode => Reason::Format,
            _ => Reason::Syntax,
        };
        let mut failure = Self::new(reason, error.to_string());
        // The text can end before the last tag, and roxmltree gives the beginning as the place.
        if reason == Reason::Syntax && !matches!(error, roxmltree::Error::UnclosedRootNode) {
            let at = error.pos();
            (failure.line, failure.column) = (at.row, at.col);
        }
        failure
    }
}

impl From<usvg::Error> for Failure {
    fn from(error: usvg::Error) -> Self {
        let reason = match error {
            usvg::Error::NotAnUtf8Str => Reason::Encoding,
            usvg::Error::ElementsLimitReached => Reason::TooLarge,
            usvg::Error::InvalidSize => Reason::Size,
            usvg::Error::ParsingFailed(roxmltree::Error::NodesLimitReached) => {
                return Self::new(Reason::TooLarge, "more than a million elements, or more than 1024 levels");
            }
            usvg::Error::ParsingFailed(error) => return error.into(),
            usvg::Error::SvgzFeatureNotEnabled | usvg::Error::MalformedGZip => Reason::Format,
        };
        Self::new(reason, error.to_string())
    }
}
