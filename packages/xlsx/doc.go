// Package xlsx reads spreadsheets: xlsx and xlsm, xlsb, xls and ods. The readers are the Rust crate calamine.
//
//	w, err := xlsx.OpenFile("orders.xlsx")
//	if err != nil {
//		return err
//	}
//	defer w.Close()
//	for row, err := range w.Rows("Sheet1") {
//		if err != nil {
//			return err
//		}
//		for column, value := range row.Cells {
//			fmt.Println(xlsx.CellName(row.Number, column+1), value)
//		}
//	}
//
// [Workbook.Rows] decompresses and parses the sheet while the loop runs, so a sheet of any length needs little memory. [Workbook.Strings] returns a whole
// sheet as texts. [Workbook.Formulas] and [Workbook.MergedRegions] read the sheet once more.
//
// A [Value] is a number, a text, a bool, a time, a duration or an error such as #DIV/0!. The format of a cell decides only whether its number is a
// time or a duration: [Value.String] returns 1234.5, not the 1,234.50 € that a spreadsheet program shows. A cell with a formula has the value that
// the spreadsheet program has saved. This package does not calculate formulas.
//
// # Memory
//
// A Workbook has a copy of the file, the shared texts and the styles in memory outside of Go's heap. Close frees this memory. Without Close the
// garbage collector frees it later. For xls and ods files the crate makes a table of the whole sheet, in which an empty cell takes as much memory as
// any other.
//
// Be careful with files from untrusted sources: the shared texts of an xlsx file may be a thousand times as large as the file, and a small xls or ods
// file may make a large table. [rustgo.dev/go/rt.SetMemoryLimit] bounds the memory of all Rust packages of the program outside of Go's heap. If a
// file needs more, the call returns an [Error]. In Go's heap, a loop over a sheet keeps one row and the shared texts that it has read. The result of
// Strings has limits of its own.
//
// # Goroutines
//
// Goroutines may use a Workbook at the same time, and loops may be nested. Each running loop needs a reader of its own. A loop uses the reader of an
// earlier loop that has ended, if there is one. Otherwise it makes a reader, and parses the shared texts and the styles again.
package xlsx

//go:generate rustgo build --crate rust
