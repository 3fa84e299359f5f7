//! Reads workbooks of all formats.

use crate::batch::Batch;
use crate::error::{Failure, Reason};
use crate::{RawSheet, Region};
use calamine::{Dimensions, Ods, Range, Reader, SheetType, SheetVisible, Xls, Xlsb, Xlsx};
use std::io::Cursor;
use std::sync::Arc;

type File = Cursor<Arc<[u8]>>;

/// A reader of a workbook.
pub enum Book {
    Xlsx(Xlsx<File>),
    Xlsb(Xlsb<File>),
    Xls(Xls<File>),
    Ods(Ods<File>),
}

/// The first bytes of a compound file, the container of xls files and of encrypted xlsx files.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
/// The first bytes of a zip file.
const ZIP: &[u8] = b"PK\x03\x04";
/// The bytes from offset 30 of an OpenDocument spreadsheet: the name of the first entry of the zip file, and the content of this entry, which is not
/// compressed.
const OPEN_DOCUMENT: &[u8] = b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet";

impl Book {
    /// Opens the file with the reader for its format.
    pub fn open(file: Arc<[u8]>) -> Result<Self, Failure> {
        let reader = Cursor::new(Arc::clone(&file));
        if file.starts_with(COMPOUND) {
            return match Xls::new(reader.clone()) {
                Ok(book) => Ok(Self::Xls(book)),
                // The reader for xlsx detects encrypted files.
                Err(error) => match Xlsx::new(reader).map_err(Failure::from) {
                    Err(failure) if failure.reason == Reason::Password => Err(failure),
                    _ => Err(error.into()),
                },
            };
        }
        if !file.starts_with(ZIP) {
            return Err(Failure::new(Reason::Format, &"neither a zip file nor a compound file"));
        }
        if file.get(30..30 + OPEN_DOCUMENT.len()) == Some(OPEN_DOCUMENT) {
            return Ok(Self::Ods(Ods::new(reader)?));
        }
        // The main part of a file has another name in each format, so only the right reader succeeds. If none does, the error for the most common
        // format is the most useful.
        let xlsx = match Xlsx::new(reader.clone()) {
            Ok(book) => return Ok(Self::Xlsx(book)),
            Err(error) => error,
        };
        if let Ok(book) = Xlsb::new(reader.clone()) {
            return Ok(Self::Xlsb(book));
        }
        if let Ok(book) = Ods::new(reader) {
            return Ok(Self::Ods(book));
        }
        Err(xlsx.into())
    }

    /// Returns the value of Go's constant for the format.
    pub fn format(&self) -> u8 {
        match self {
            Self::Xlsx(_) => 1,
            Self::Xlsb(_) => 2,
            Self::Xls(_) => 3,
            Self::Ods(_) => 4,
        }
    }

    /// Returns the sheets, and all their names in one text.
    pub fn sheets(&self) -> (Vec<RawSheet>, String) {
        let sheets = match self {
            Self::Xlsx(book) => book.sheets_metadata(),
            Self::Xlsb(book) => book.sheets_metadata(),
            Self::Xls(book) => book.sheets_metadata(),
            Self::Ods(book) => book.sheets_metadata(),
        };
        let raw = |sheet: &calamine::Sheet| RawSheet {
            name: sheet.name.len(),
            visible: match sheet.visible {
                SheetVisible::Visible => 0,
                SheetVisible::Hidden => 1,
                SheetVisible::VeryHidden => 2,
            },
            kind: match sheet.typ {
                SheetType::WorkSheet => 0,
                SheetType::ChartSheet => 1,
                SheetType::DialogSheet => 2,
                SheetType::MacroSheet => 3,
                SheetType::Vba => 4,
            },
        };
        (sheets.iter().map(raw).collect(), sheets.iter().map(|sheet| sheet.name.as_str()).collect())
    }

    /// Returns the defined names, each followed by its formula.
    pub fn names(&self) -> Vec<String> {
        let names = match self {
            Self::Xlsx(book) => book.defined_names(),
            Self::Xlsb(book) => book.defined_names(),
            Self::Xls(book) => book.defined_names(),
            Self::Ods(book) => book.defined_names(),
        };
        names.iter().flat_map(|(name, text)| [name.clone(), text.clone()]).collect()
    }

    /// Returns the merged regions of a sheet.
    pub fn merged(&mut self, sheet: &str) -> Result<Vec<Region>, Failure> {
        let regions = match self {
            Self::Xlsx(book) => book.merge_cells_by_sheet_name(sheet)?,
            Self::Xls(book) => book.merge_cells_by_sheet_name(sheet)?,
            Self::Xlsb(_) | Self::Ods(_) => {
                return Err(Failure::new(Reason::Unsupported, &"merged regions are not read from files of this format"));
            }
        };
        let region = |Dimensions { start, end }: &Dimensions| Region {
            first_row: start.0,
            first_column: start.1,
            last_row: end.0,
            last_column: end.1,
        };
        Ok(regions.iter().map(region).collect())
    }

    /// Adds the cells of a sheet to the batch.
    pub fn cells(&mut self, sheet: &str, batch: &mut Batch<'_>) -> Result<(), Failure> {
        match self {
            Self::Xlsx(book) => {
                let mut reader = book.worksheet_cells_reader(sheet)?;
                while let Some(cell) = reader.next_cell()? {
                    if !batch.value_ref(cell.get_position(), cell.get_value()) {
                        break;
                    }
                }
            }
            Self::Xlsb(book) => {
                let mut reader = book.worksheet_cells_reader(sheet)?;
                while let Some(cell) = reader.next_cell()? {
                    if !batch.value_ref(cell.get_position(), cell.get_value()) {
                        break;
                    }
                }
            }
            Self::Xls(book) => used(&book.worksheet_range(sheet)?, |position, value| batch.value(position, value)),
            Self::Ods(book) => used(&book.worksheet_range(sheet)?, |position, value| batch.value(position, value)),
        }
        Ok(())
    }

    /// Adds the formulas of a sheet to the batch.
    pub fn formulas(&mut self, sheet: &str, batch: &mut Batch<'_>) -> Result<(), Failure> {
        let mut add = |position, formula: &String| formula.is_empty() || batch.text(position, formula);
        match self {
            Self::Xlsx(book) => {
                let mut reader = book.worksheet_cells_reader(sheet)?;
                while let Some(cell) = reader.next_formula()? {
                    if !add(cell.get_position(), cell.get_value()) {
                        break;
                    }
                }
            }
            Self::Xlsb(book) => {
                let mut reader = book.worksheet_cells_reader(sheet)?;
                while let Some(cell) = reader.next_formula()? {
                    if !add(cell.get_position(), cell.get_value()) {
                        break;
                    }
                }
            }
            Self::Xls(book) => used(&book.worksheet_formula(sheet)?, add),
            Self::Ods(book) => used(&book.worksheet_formula(sheet)?, add),
        }
        Ok(())
    }
}

/// Calls `add` with each value of a range and its position in the sheet, until `add` returns false.
fn used<T: calamine::CellType>(range: &Range<T>, mut add: impl FnMut((u32, u32), &T) -> bool) {
    let (first_row, first_column) = range.start().unwrap_or_default();
    for (row, column, value) in range.used_cells() {
        if !add((first_row + row as u32, first_column + column as u32), value) {
            break;
        }
    }
}
