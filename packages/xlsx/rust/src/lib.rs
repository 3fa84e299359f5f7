//! Workbooks of the crate calamine, as objects for the Go files of the package.

mod batch;
mod book;
mod error;

use batch::{Batch, Raw};
use book::Book;
use error::Failure;
use rustgo::Func;
use std::sync::{Arc, Mutex, PoisonError};

/// rawSheet is a sheet of a workbook.
#[derive(Clone, Copy, rustgo::Value)]
#[rustgo(name = "rawSheet")]
#[repr(C)]
pub struct RawSheet {
    /// The length of the sheet's name in bytes.
    pub name: usize,
    /// The values of constants of Go's types Visibility and SheetType.
    pub visible: u8,
    pub kind: u8,
}

/// rawRegion is a rectangle of cells. Rows and columns count from 0; the last ones belong to the region.
#[derive(Clone, Copy, rustgo::Value)]
#[rustgo(name = "rawRegion")]
#[repr(C)]
pub struct Region {
    pub first_row: u32,
    pub first_column: u32,
    pub last_row: u32,
    pub last_column: u32,
}

/// native is a workbook. A reader of calamine changes while it reads. So each call takes a reader out of the pool, or makes another reader if the
/// pool is empty. Goroutines and nested loops do not wait for one another.
#[rustgo::object(name = "native", close)]
pub struct Native {
    file: Arc<[u8]>,
    pool: Mutex<Vec<Book>>,
}

impl Native {
    /// Calls a function with a reader. A reader is lost if the function panics.
    fn with<T>(&self, function: impl FnOnce(&mut Book) -> Result<T, Failure>) -> Result<T, Failure> {
        let pooled = self.pool.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut book = match pooled {
            Some(book) => book,
            None => Book::open(Arc::clone(&self.file))?,
        };
        let result = function(&mut book);
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).push(book);
        result
    }
}

#[rustgo::export(int = "usize")]
impl Native {
    /// newNative reads the sheets, the styles and the shared strings of a file.
    #[rustgo::export(name = "newNative", blocking, stack = "256k")]
    pub fn new(file: &[u8]) -> Result<Self, Failure> {
        let file: Arc<[u8]> = file.into();
        let book = Book::open(Arc::clone(&file))?;
        Ok(Self { file, pool: Mutex::new(vec![book]) })
    }

    /// format returns the value of Go's constant for the format.
    #[rustgo::export(name = "format")]
    pub fn format(&self) -> Result<u8, Failure> {
        self.with(|book| Ok(book.format()))
    }

    /// sheets returns the sheets, and all their names in one text.
    #[rustgo::export(name = "sheets", results(sheets, names, err))]
    pub fn sheets(&self) -> Result<(Vec<RawSheet>, String), Failure> {
        self.with(|book| Ok(book.sheets()))
    }

    /// names returns the defined names, each followed by its formula.
    #[rustgo::export(name = "names")]
    pub fn names(&self) -> Result<Vec<String>, Failure> {
        self.with(|book| Ok(book.names()))
    }

    /// merged returns the merged regions of a sheet.
    #[rustgo::export(name = "merged", blocking, stack = "256k")]
    pub fn merged(&self, sheet: &str) -> Result<Vec<Region>, Failure> {
        self.with(|book| book.merged(sheet))
    }

    /// cells calls take with batches of the cells of a sheet, or of the formulas of its cells, and with their texts. It ends when take returns false.
    /// After all cells it calls take once more, without cells, unless take has returned false or there is an error.
    #[rustgo::export(name = "cells", task, stack = "1m")]
    pub fn cells(&self, sheet: &str, formulas: bool, take: Func<'_, fn(&[Raw], &str) -> bool>) -> Result<(), Failure> {
        self.with(|book| {
            let mut batch = Batch::new(take);
            let result = if formulas { book.formulas(sheet, &mut batch) } else { book.cells(sheet, &mut batch) };
            // The cells before a damaged place are good, so Go gets them. An empty batch tells Go that the sheet is complete.
            if batch.flush() && result.is_ok() {
                take.call(&[], "");
            }
            result
        })
    }
}
