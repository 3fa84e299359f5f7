//! Failures, with the reasons that Go code distinguishes.

use calamine::{OdsError, XlsError, XlsbError, XlsxError};
use std::fmt::{Display, Formatter};

/// The reason for a failure.
#[derive(Clone, Copy, PartialEq, Debug, rustgo::Value)]
#[rustgo(name = "reason")]
#[repr(u8)]
pub enum Reason {
    /// The file has none of the formats that this package reads.
    Format,
    /// The file is encrypted.
    Password,
    /// The workbook has no sheet with this name.
    NoSheet,
    /// The sheet has no cells: it is a chart, for example.
    NotCells,
    /// calamine does not read the requested data from files of this format.
    Unsupported,
    /// The file is damaged, or has something that calamine does not understand.
    Corrupt,
}

/// The failure of a call.
#[derive(Debug, rustgo::Error)]
#[rustgo(name = "nativeError")]
pub struct Failure {
    pub reason: Reason,
    pub text: String,
}

impl Failure {
    pub fn new(reason: Reason, text: &dyn Display) -> Self {
        Self { reason, text: text.to_string() }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<XlsxError> for Failure {
    fn from(error: XlsxError) -> Self {
        let reason = match &error {
            XlsxError::Password => Reason::Password,
            XlsxError::WorksheetNotFound(_) => Reason::NoSheet,
            XlsxError::NotAWorksheet(_) => Reason::NotCells,
            _ => Reason::Corrupt,
        };
        Self::new(reason, &error)
    }
}

impl From<XlsbError> for Failure {
    fn from(error: XlsbError) -> Self {
        let reason = match &error {
            XlsbError::Password => Reason::Password,
            XlsbError::WorksheetNotFound(_) => Reason::NoSheet,
            _ => Reason::Corrupt,
        };
        Self::new(reason, &error)
    }
}

impl From<XlsError> for Failure {
    fn from(error: XlsError) -> Self {
        let reason = match &error {
            XlsError::Password => Reason::Password,
            XlsError::WorksheetNotFound(_) => Reason::NoSheet,
            _ => Reason::Corrupt,
        };
        Self::new(reason, &error)
    }
}

impl From<OdsError> for Failure {
    fn from(error: OdsError) -> Self {
        let reason = match &error {
            OdsError::Password => Reason::Password,
            OdsError::WorksheetNotFound(_) => Reason::NoSheet,
            _ => Reason::Corrupt,
        };
        Self::new(reason, &error)
    }
}
