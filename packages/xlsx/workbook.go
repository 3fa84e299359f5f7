//go:build amd64 || arm64

package xlsx

import (
	"fmt"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"rustgo.dev/go/rt"
)

// A Workbook is an open file.
type Workbook struct {
	native *native
	using  sync.RWMutex // Close never waits for it, so calls that read may be nested
	closed bool
	format Format
	sheets []Sheet
	names  []DefinedName
}

// A Format is a format of files.
type Format uint8

// The formats. The format xlsm is XLSX with macros.
const (
	XLSX Format = iota + 1
	XLSB
	XLS
	ODS
)

func (f Format) String() string {
	switch f {
	case XLSX:
		return "xlsx"
	case XLSB:
		return "xlsb"
	case XLS:
		return "xls"
	case ODS:
		return "ods"
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// A Sheet is a sheet of a workbook.
type Sheet struct {
	Name    string
	Visible Visibility
	Type    SheetType
}

// A Visibility tells whether programs show a sheet.
type Visibility uint8

const (
	Visible    Visibility = iota
	Hidden                // hidden by a user
	VeryHidden            // hidden by a program
)

// A SheetType is a type of sheets.
type SheetType uint8

// The types of sheets. Only a Worksheet and a MacroSheet have cells.
const (
	Worksheet SheetType = iota
	ChartSheet
	DialogSheet
	MacroSheet
	VBA
)

// A DefinedName is a name of the workbook for cells or for a formula.
type DefinedName struct {
	Name, Formula string
}

// Open opens a workbook from the content of a file. It makes a copy of the data. The error is an [*Error].
func Open(data []byte) (w *Workbook, err error) {
	defer func() {
		if value := recover(); value != nil {
			w, err = nil, panicked("", value)
		}
	}()
	n, err := newNative(data)
	if err != nil {
		return nil, failure("", err)
	}
	w = &Workbook{native: n}
	if err := w.load(); err != nil {
		n.Close()
		return nil, failure("", err)
	}
	return w, nil
}

// load reads the parts of the workbook that Open has parsed.
func (w *Workbook) load() error {
	format, err := w.native.format()
	if err != nil {
		return err
	}
	w.format = Format(format)
	sheets, names, err := w.native.sheets()
	if err != nil {
		return err
	}
	for _, s := range sheets {
		w.sheets = append(w.sheets, Sheet{Name: names[:s.Name], Visible: Visibility(s.Visible), Type: SheetType(s.Kind)})
		names = names[s.Name:]
	}
	defined, err := w.native.names()
	if err != nil {
		return err
	}
	for i := 0; i+1 < len(defined); i += 2 {
		w.names = append(w.names, DefinedName{Name: defined[i], Formula: defined[i+1]})
	}
	return nil
}

// OpenFile opens the workbook in a file.
func OpenFile(name string) (*Workbook, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Open(data)
}

// OpenReaderAt opens the workbook in the first size bytes of r, and reads all of them. Errors of r are returned as they are.
func OpenReaderAt(r io.ReaderAt, size int64) (*Workbook, error) {
	if size < 0 {
		return nil, fmt.Errorf("xlsx: negative size %d", size)
	}
	data, err := io.ReadAll(io.NewSectionReader(r, 0, size))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) < size {
		return nil, io.ErrUnexpectedEOF
	}
	return Open(data)
}

// Close frees the memory of the workbook. It returns an error if the workbook is closed already, or if a loop over it runs.
func (w *Workbook) Close() error {
	if !w.using.TryLock() {
		return rt.ErrInUse
	}
	defer w.using.Unlock()
	if w.closed || w.native == nil {
		return ErrClosed
	}
	if err := w.native.Close(); err != nil {
		return err
	}
	w.closed = true
	return nil
}

// use begins a call that reads a sheet. It returns an error if the workbook is closed or cannot have the sheet. Otherwise the caller must unlock
// w.using.
func (w *Workbook) use(sheet string) error {
	w.using.RLock()
	switch {
	case w.closed || w.native == nil:
		w.using.RUnlock()
		return ErrClosed
	case !utf8.ValidString(sheet):
		w.using.RUnlock()
		return &Error{Sheet: sheet, Err: ErrNoSheet}
	}
	return nil
}

// Format returns the format of the file.
func (w *Workbook) Format() Format { return w.format }

// Sheets returns the sheets in their order. The caller must not change them.
func (w *Workbook) Sheets() []Sheet { return w.sheets }

// SheetNames returns the names of the sheets in their order.
func (w *Workbook) SheetNames() []string {
	names := make([]string, len(w.sheets))
	for i, s := range w.sheets {
		names[i] = s.Name
	}
	return names
}

// DefinedNames returns the names that the workbook defines. The caller must not change them.
func (w *Workbook) DefinedNames() []DefinedName { return w.names }

// A Region is a rectangle of cells. Rows and columns count from 1.
type Region struct {
	FirstRow, FirstColumn, LastRow, LastColumn int
}

// String returns the region as a spreadsheet program shows it: A1:C2.
func (r Region) String() string {
	return CellName(r.FirstRow, r.FirstColumn) + ":" + CellName(r.LastRow, r.LastColumn)
}

// MergedRegions returns the regions of a sheet that are shown as one cell. The value is in the first cell of a region. The error is [ErrUnsupported] for
// xlsb and ods.
func (w *Workbook) MergedRegions(sheet string) (regions []Region, err error) {
	if err := w.use(sheet); err != nil {
		return nil, err
	}
	defer w.using.RUnlock()
	defer func() {
		if value := recover(); value != nil {
			regions, err = nil, panicked(sheet, value)
		}
	}()
	raw, err := w.native.merged(sheet)
	if err != nil {
		return nil, failure(sheet, err)
	}
	for _, r := range raw {
		regions = append(regions, Region{int(r.FirstRow) + 1, int(r.FirstColumn) + 1, int(r.LastRow) + 1, int(r.LastColumn) + 1})
	}
	return regions, nil
}

// CellName returns the name of a cell: CellName(3, 28) is AB3. Rows and columns count from 1.
func CellName(row, column int) string {
	return fmt.Sprint(ColumnName(column), row)
}

// ColumnName returns the letters of a column: ColumnName(28) is AB. It returns an empty string for a number below 1.
func ColumnName(column int) string {
	var letters [16]byte
	i := len(letters)
	for ; column > 0; column = (column - 1) / 26 {
		i--
		letters[i] = byte('A' + (column-1)%26)
	}
	return string(letters[i:])
}
