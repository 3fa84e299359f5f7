//! Batches of cells for Go, of some thousand cells each.

use calamine::{CellErrorType, Data, DataRef, ExcelDateTime, ExcelDateTimeType};
use rustgo::Func;
use std::collections::HashMap;

/// The kinds of cells. The file value.go has the same numbers.
mod kind {
    pub const NUMBER: u8 = 1;
    pub const BOOL: u8 = 2;
    pub const TIME: u8 = 3;
    pub const TIME_1904: u8 = 4;
    pub const DURATION: u8 = 5;
    pub const ERROR: u8 = 6;
    /// A text of `bits` bytes. These bytes follow the text of the previous cell. The kinds `ERROR`, `ISO_TIME` and `ISO_DURATION` have texts of the
    /// same form.
    pub const TEXT: u8 = 7;
    /// A text in the form of `TEXT`. It also gets the next number for `SHARED`, counted from 0.
    pub const NEW_SHARED: u8 = 8;
    /// The text with the number `bits`.
    pub const SHARED: u8 = 9;
    pub const ISO_TIME: u8 = 10;
    pub const ISO_DURATION: u8 = 11;
}

/// raw is a cell with a value.
#[derive(Clone, Copy, rustgo::Value)]
#[rustgo(name = "raw")]
#[repr(C)]
pub struct Raw {
    pub row: u32,
    pub column: u16,
    pub kind: u8,
    /// The bits of a float, a bool, the length of a text in bytes, or the number of a shared text.
    pub bits: u64,
}

/// A batch ends with this number of cells, or with the cell that brings its texts to this number of bytes. Go cannot preempt the call within a batch.
const CELLS: usize = 1024;
const TEXT: usize = 32 << 10;

/// Collects cells for a Go function.
pub struct Batch<'a> {
    take: Func<'a, fn(&[Raw], &str) -> bool>,
    cells: Vec<Raw>,
    text: String,
    /// The numbers of the shared texts, by address and length. Go gets each shared text once. The workbook keeps the texts while it is read.
    shared: HashMap<(usize, usize), u64>,
    /// True after Go has requested no more cells.
    ended: bool,
}

impl<'a> Batch<'a> {
    pub fn new(take: Func<'a, fn(&[Raw], &str) -> bool>) -> Self {
        Self { take, cells: Vec::with_capacity(CELLS), text: String::new(), shared: HashMap::new(), ended: false }
    }

    /// Adds a cell, and reports whether Go wants more cells.
    fn add(&mut self, (row, column): (u32, u32), kind: u8, bits: u64) -> bool {
        // No format has more than 16,384 columns, so Go refuses column `u16::MAX`.
        let column = u16::try_from(column).unwrap_or(u16::MAX);
        self.cells.push(Raw { row, column, kind, bits });
        if self.cells.len() < CELLS && self.text.len() < TEXT {
            return true;
        }
        self.flush()
    }

    /// Adds a text, and reports whether Go wants more cells.
    pub fn text(&mut self, position: (u32, u32), text: &str) -> bool {
        self.add_text(position, kind::TEXT, text)
    }

    fn add_text(&mut self, position: (u32, u32), kind: u8, text: &str) -> bool {
        self.text.push_str(text);
        self.add(position, kind, text.len() as u64)
    }

    fn time(&mut self, position: (u32, u32), time: &ExcelDateTime) -> bool {
        // The crate has no function that returns the date system of a time. Comparing with a time of the other system shows it.
        let kind = match time.is_duration() {
            true => kind::DURATION,
            false if *time == ExcelDateTime::new(time.as_f64(), ExcelDateTimeType::DateTime, true) => kind::TIME_1904,
            false => kind::TIME,
        };
        self.add(position, kind, time.as_f64().to_bits())
    }

    fn error(&mut self, position: (u32, u32), error: &CellErrorType) -> bool {
        self.add_text(position, kind::ERROR, &error.to_string())
    }

    /// Adds a value, and reports whether Go wants more cells.
    pub fn value(&mut self, position: (u32, u32), value: &Data) -> bool {
        match value {
            Data::Int(number) => self.add(position, kind::NUMBER, (*number as f64).to_bits()),
            Data::Float(number) => self.add(position, kind::NUMBER, number.to_bits()),
            Data::String(text) => self.text(position, text),
            Data::Bool(value) => self.add(position, kind::BOOL, u64::from(*value)),
            Data::DateTime(time) => self.time(position, time),
            Data::DateTimeIso(text) => self.add_text(position, kind::ISO_TIME, text),
            Data::DurationIso(text) => self.add_text(position, kind::ISO_DURATION, text),
            Data::Error(error) => self.error(position, error),
            Data::Empty => true,
        }
    }

    /// Adds a value that may be one of the workbook's shared texts, and reports whether Go wants more cells.
    pub fn value_ref(&mut self, position: (u32, u32), value: &DataRef<'_>) -> bool {
        match value {
            DataRef::Int(number) => self.add(position, kind::NUMBER, (*number as f64).to_bits()),
            DataRef::Float(number) => self.add(position, kind::NUMBER, number.to_bits()),
            DataRef::String(text) => self.text(position, text),
            DataRef::SharedString(text) => {
                let next = self.shared.len() as u64;
                match *self.shared.entry((text.as_ptr() as usize, text.len())).or_insert(next) {
                    number if number == next => self.add_text(position, kind::NEW_SHARED, text),
                    number => self.add(position, kind::SHARED, number),
                }
            }
            DataRef::Bool(value) => self.add(position, kind::BOOL, u64::from(*value)),
            DataRef::DateTime(time) => self.time(position, time),
            DataRef::DateTimeIso(text) => self.add_text(position, kind::ISO_TIME, text),
            DataRef::DurationIso(text) => self.add_text(position, kind::ISO_DURATION, text),
            DataRef::Error(error) => self.error(position, error),
            DataRef::Empty => true,
        }
    }

    /// Passes the collected cells to Go, and reports whether Go wants more cells. After Go has refused more cells, later calls pass nothing.
    pub fn flush(&mut self) -> bool {
        self.ended = self.ended || !self.cells.is_empty() && !self.take.call(&self.cells, &self.text);
        self.cells.clear();
        self.text.clear();
        !self.ended
    }
}
