//go:build amd64 || arm64

package xlsx

import (
	"fmt"
	"iter"
	"math"
)

// The largest numbers of a row and of a column in any format.
const (
	maxRow    = 1 << 20
	maxColumn = 1 << 14
)

// A Row is a row of a sheet that has values.
type Row struct {
	Number int     // counts from 1, as spreadsheet programs show it
	Cells  []Value // Cells[0] is in column A; cells without a value are the zero Value
}

// Rows yields the rows of a sheet that have values, in the order of the file, which is mostly from top to bottom. After an error the loop ends.
//
// Row.Cells is valid until the next row: use [slices.Clone] to keep it. Texts stay valid, but each may keep up to 32 KiB of other texts of the sheet
// in memory. A program that keeps a few of many texts should use [strings.Clone].
//
// The sheet is read while the loop runs. The body may use the workbook, except Close.
func (w *Workbook) Rows(sheet string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		r := reader{sheet: sheet, number: -1}
		r.yield = func() bool { return yield(Row{Number: r.number + 1, Cells: r.cells}, nil) }
		if err := w.read(&r, false); err != nil {
			yield(Row{}, err)
		}
	}
}

// The limits of Strings.
const (
	maxStrings = 1 << 24
	maxText    = 1 << 28
)

// Strings returns the values of a sheet as texts. Each row ends with its last value, and the last row is the last one that has values. If a row
// occurs more than once in the file, its values are joined.
//
// The error is [ErrTooLarge] if the result would have more than 16,777,216 texts, or if the texts that it needs from the file exceed 256 MiB. An
// empty cell before the last value of a row counts as a text. A text that several cells share counts once.
func (w *Workbook) Strings(sheet string) ([][]string, error) {
	var rows [][]string
	r := reader{sheet: sheet, number: -1}
	cells := 0
	r.yield = func() bool {
		for len(rows) <= r.number {
			rows = append(rows, nil)
		}
		texts := rows[r.number]
		cells += max(len(r.cells)-len(texts), 0)
		if cells > maxStrings || r.text > maxText {
			r.err = &Error{Sheet: sheet, Err: ErrTooLarge, Text: "read it with Rows"}
			return false
		}
		if len(texts) < len(r.cells) {
			texts = make([]string, len(r.cells))
			copy(texts, rows[r.number])
			rows[r.number] = texts
		}
		for i, value := range r.cells {
			if !value.IsEmpty() {
				texts[i] = value.String()
			}
		}
		return true
	}
	if err := w.read(&r, false); err != nil {
		return nil, err
	}
	return rows, nil
}

// A Formula is the formula of a cell.
type Formula struct {
	Row, Column int // count from 1
	Text        string
}

// Formulas yields the formulas of a sheet, as they are in the file. A formula that the file shares between cells is expanded for each cell. After an error
// the loop ends. The body may use the workbook, except Close.
//
// The formulas of an xls or xlsb file are put together from their compiled form; the crate does not know all functions. The formulas of an ods file
// have the syntax of OpenDocument.
func (w *Workbook) Formulas(sheet string) iter.Seq2[Formula, error] {
	return func(yield func(Formula, error) bool) {
		r := reader{sheet: sheet, number: -1}
		r.yield = func() bool {
			for i, value := range r.cells {
				if value.kind == KindText && !yield(Formula{Row: r.number + 1, Column: i + 1, Text: value.text}, nil) {
					return false
				}
			}
			return true
		}
		if err := w.read(&r, true); err != nil {
			yield(Formula{}, err)
		}
	}
}

// A reader collects the cells that Rust code finds, and makes rows of them.
type reader struct {
	sheet  string
	yield  func() bool // yields the row in number and cells
	number int         // counts from 0; -1 if there is no row yet
	cells  []Value
	shared []string // by the numbers that the Rust code gives them
	text   int      // the number of bytes of all texts that the Rust code has passed
	body   bool     // the loop's body runs, so a panic does not come from the Rust code
	ended  bool
	err    error
}

// read reads a sheet, and yields all rows.
func (w *Workbook) read(r *reader, formulas bool) (err error) {
	if err := w.use(r.sheet); err != nil {
		return err
	}
	defer w.using.RUnlock()
	defer func() {
		if r.body {
			return // without recover, so that the traceback shows the place in the loop's body
		}
		if value := recover(); value != nil {
			err = panicked(r.sheet, value)
		}
	}()
	if err := w.native.cells(r.sheet, formulas, r.take); err != nil && !r.ended {
		return failure(r.sheet, err)
	}
	return r.err
}

// emit yields the row, and reports whether the loop continues.
func (r *reader) emit() bool {
	if r.number < 0 {
		return true
	}
	r.body = true
	r.ended = !r.yield()
	r.body = false
	return !r.ended
}

// take adds cells of the Rust code to the row, and yields each row that is complete. If cells is empty, the last row is complete.
func (r *reader) take(cells []raw, text string) bool {
	if len(cells) == 0 {
		return r.emit()
	}
	r.text += len(text)
	for i := range cells {
		c := &cells[i]
		row, column := int(c.Row), int(c.Column)
		if row != r.number {
			if !r.emit() {
				return false
			}
			r.number, r.cells = row, r.cells[:0]
		}
		if row >= maxRow || column >= maxColumn {
			r.err = &Error{Sheet: r.sheet, Err: ErrCorrupt, Text: fmt.Sprintf("a cell in row %d and column %d", row+1, column+1)}
			r.number, r.ended = -1, true
			return false
		}
		for len(r.cells) <= column {
			r.cells = append(r.cells, Value{})
		}
		value := &r.cells[column]
		switch c.Kind {
		case rawNumber:
			*value = Value{kind: KindNumber, number: math.Float64frombits(c.Bits)}
		case rawBool:
			*value = Value{kind: KindBool, number: float64(c.Bits)}
		case rawTime:
			*value = Value{kind: KindTime, number: math.Float64frombits(c.Bits)}
		case rawTime1904:
			*value = Value{kind: KindTime, number: from1904(math.Float64frombits(c.Bits))}
		case rawDuration:
			*value = Value{kind: KindDuration, number: math.Float64frombits(c.Bits)}
		case rawShared:
			*value = Value{kind: KindText, text: r.shared[c.Bits]}
		default:
			s := text[:c.Bits]
			text = text[c.Bits:]
			switch c.Kind {
			case rawText:
				*value = Value{kind: KindText, text: s}
			case rawNewShared:
				r.shared = append(r.shared, s)
				*value = Value{kind: KindText, text: s}
			case rawError:
				*value = Value{kind: KindError, text: s}
			case rawISOTime:
				*value = isoTime(s)
			case rawISODuration:
				*value = isoDuration(s)
			default:
				panic(fmt.Sprintf("xlsx: a cell of kind %d", c.Kind))
			}
		}
	}
	return true
}
