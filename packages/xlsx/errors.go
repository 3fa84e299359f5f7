//go:build amd64 || arm64

package xlsx

import (
	"errors"
	"fmt"

	"rustgo.dev/go/rt"
)

// The causes of an [Error], for [errors.Is].
var (
	// ErrFormat means that the file has none of the formats that this package reads.
	ErrFormat = errors.New("not a spreadsheet")
	// ErrPassword means that the file is encrypted.
	ErrPassword = errors.New("protected by a password")
	// ErrNoSheet means that the workbook has no sheet with this name.
	ErrNoSheet = errors.New("no such sheet")
	// ErrNotCells means that the sheet has no cells: it is a chart.
	ErrNotCells = errors.New("not a sheet of cells")
	// ErrUnsupported means that the package cannot read what was requested from files of the workbook's format.
	ErrUnsupported = errors.New("not supported for this format")
	// ErrCorrupt means that the file is damaged, has something that the crate does not understand, or needs more memory than there is.
	ErrCorrupt = errors.New("damaged file")
	// ErrTooLarge means that the sheet has more values or texts than [Workbook.Strings] returns.
	ErrTooLarge = errors.New("too large")
	// ErrClosed means that the workbook has been closed, or that no function has opened it.
	ErrClosed = rt.ErrClosed
)

// An Error is an error of a workbook.
type Error struct {
	Sheet string // empty if the error is not about a sheet
	Err   error  // one of the errors above
	Text  string // the message of the crate
}

func (e *Error) Error() string {
	sheet := ""
	if e.Sheet != "" {
		sheet = fmt.Sprintf("sheet %q: ", e.Sheet)
	}
	if e.Text == "" {
		return "xlsx: " + sheet + e.Err.Error()
	}
	return "xlsx: " + sheet + e.Err.Error() + ": " + e.Text
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

var causes = map[reason]error{
	reasonFormat:      ErrFormat,
	reasonPassword:    ErrPassword,
	reasonNoSheet:     ErrNoSheet,
	reasonNotCells:    ErrNotCells,
	reasonUnsupported: ErrUnsupported,
	reasonCorrupt:     ErrCorrupt,
}

// failure returns an error of the Rust code as an *Error.
func failure(sheet string, err error) error {
	var native nativeError
	if !errors.As(err, &native) {
		return err
	}
	return &Error{Sheet: sheet, Err: causes[native.Reason], Text: native.Text}
}

// panicked returns the error for a panic of the Rust code. For the value of any other panic, it panics again. The readers of the crate panic for
// some damaged files.
func panicked(sheet string, value any) error {
	if p, ok := value.(*rt.Panic); ok {
		return &Error{Sheet: sheet, Err: ErrCorrupt, Text: p.Error()}
	}
	panic(value)
}
