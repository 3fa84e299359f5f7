package tests

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"rustgo.dev/packages/xlsx"
)

// TestWorkbooksOfExcelize reads random workbooks that excelize has written, and compares each cell with the value that excelize got.
func TestWorkbooksOfExcelize(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 60 {
		f := excelize.NewFile()
		date, err := f.NewStyle(&excelize.Style{NumFmt: 22})
		if err != nil {
			t.Fatal(err)
		}
		want := make(map[string]string) // by the name of the cell
		formulas := make(map[string]string)
		for range 1 + r.IntN(200) {
			row, column := 1+r.IntN(300), 1+r.IntN(40)
			if r.IntN(20) == 0 {
				row, column = 1+r.IntN(5000), 1+r.IntN(500)
			}
			cell := xlsx.CellName(row, column)
			if _, ok := want[cell]; ok {
				continue // excelize does not always delete a formula when a value is written
			}
			if other, err := excelize.CoordinatesToCellName(column, row); err != nil || other != cell {
				t.Fatalf("%s and %s: %v", cell, other, err)
			}
			var value any
			var text string
			switch r.IntN(6) {
			case 0:
				number := r.NormFloat64() * 1e6
				value, text = number, strconv.FormatFloat(number, 'f', -1, 64)
			case 1:
				number := r.Int64N(1<<53) - 1<<52
				value, text = number, strconv.FormatInt(number, 10)
			case 2:
				text = []string{"a", "<&>\"'", "äöü €", " two  spaces ", "line\nbreak", "课", "=1+1"}[r.IntN(7)]
				value = text
			case 3:
				text = fmt.Sprint("text ", r.IntN(100))
				value = text
			case 4:
				b := r.IntN(2) == 0
				value, text = b, map[bool]string{true: "TRUE", false: "FALSE"}[b]
			case 5:
				at := time.Date(1901+r.IntN(300), time.Month(1+r.IntN(12)), 1+r.IntN(28), r.IntN(24), r.IntN(60), 1+r.IntN(59), 0, time.UTC)
				value, text = at, at.Format(time.DateTime)
			}
			if err := f.SetCellValue("Sheet1", cell, value); err != nil {
				t.Fatal(err)
			}
			style := 0
			if _, ok := value.(time.Time); ok {
				style = date
			}
			if err := f.SetCellStyle("Sheet1", cell, cell, style); err != nil {
				t.Fatal(err)
			}
			want[cell] = text
			if _, ok := value.(float64); ok && r.IntN(2) == 0 {
				formulas[cell] = fmt.Sprintf("SUM(A1:B%d)&\"<x>\"", r.IntN(100))
				if err := f.SetCellFormula("Sheet1", cell, formulas[cell]); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := f.MergeCell("Sheet1", "B2", "D3"); err != nil {
			t.Fatal(err)
		}
		// A merged region has only the value of its first cell.
		for _, cell := range []string{"C2", "D2", "B3", "C3", "D3"} {
			delete(want, cell)
			delete(formulas, cell)
		}
		var file bytes.Buffer
		if err := f.Write(&file); err != nil {
			t.Fatal(err)
		}
		w, err := xlsx.Open(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[string]string)
		for row, err := range w.Rows("Sheet1") {
			if err != nil {
				t.Fatal(err)
			}
			for i, value := range row.Cells {
				if !value.IsEmpty() {
					got[xlsx.CellName(row.Number, i+1)] = value.String()
				}
			}
		}
		for cell, text := range want {
			if got[cell] != text {
				t.Errorf("workbook %d: %s is %q, not %q", n, cell, got[cell], text)
			}
			delete(got, cell)
		}
		for cell, text := range got {
			if text != "" {
				t.Errorf("workbook %d: %s is %q, and was not written", n, cell, text)
			}
		}
		read := make(map[string]string)
		for formula, err := range w.Formulas("Sheet1") {
			if err != nil {
				t.Fatal(err)
			}
			read[xlsx.CellName(formula.Row, formula.Column)] = formula.Text
		}
		if !reflect.DeepEqual(read, formulas) {
			t.Errorf("workbook %d: %q, not %q", n, read, formulas)
		}
		if regions, err := w.MergedRegions("Sheet1"); err != nil || len(regions) != 1 || regions[0].String() != "B2:D3" {
			t.Errorf("%v, %v", regions, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// excelizeDiffers lists the files that excelize reads differently, with the reason.
var excelizeDiffers = map[string]string{
	"date_1904.xlsx":         "excelize's raw number counts from 1904",
	"date_iso.xlsx":          "excelize's raw value is the text of the time",
	"empty_s_attribute.xlsx": "excelize finds no rows",
	"encoded_entities.xlsx":  "a line feed that is the whole text: calamine leaves out white space without xml:space",
}

// TestWorkbooksOfOthers compares the texts of files of other programs with the raw values that excelize reads: all of calamine's test files that both can
// read. Times and durations are compared as numbers.
func TestWorkbooksOfOthers(t *testing.T) {
	files, err := filepath.Glob("../xlsx/testdata/*.xlsx")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	compared := 0
	for _, name := range files {
		if excelizeDiffers[filepath.Base(name)] != "" {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{RawCellValue: true})
		if err != nil {
			continue
		}
		w, err := xlsx.Open(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		defer w.Close()
		if got, want := w.SheetNames(), f.GetSheetList(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
		for _, sheet := range w.Sheets() {
			if sheet.Type != xlsx.Worksheet {
				continue
			}
			rows, err := f.GetRows(sheet.Name)
			if err != nil {
				t.Errorf("%s, %s: %v", name, sheet.Name, err)
				continue
			}
			read := make(map[int]bool)
			for row, err := range w.Rows(sheet.Name) {
				if err != nil {
					t.Fatal(err)
				}
				read[row.Number] = true
				for i, value := range row.Cells {
					var want string
					if row.Number <= len(rows) && i < len(rows[row.Number-1]) {
						want = rows[row.Number-1][i]
					}
					if got := raw(value); !same(got, want) {
						t.Errorf("%s, %s, %s: %q, not %q", name, sheet.Name, xlsx.CellName(row.Number, i+1), got, want)
					}
					compared++
				}
			}
			for i, row := range rows {
				for j, text := range row {
					if text != "" && !read[i+1] {
						t.Errorf("%s, %s: %s is missing", name, sheet.Name, xlsx.CellName(i+1, j+1))
					}
				}
			}
		}
	}
	if compared < 200 {
		t.Errorf("only %d cells", compared)
	}
}

// raw returns the text of a value in the form in which files store it.
func raw(v xlsx.Value) string {
	if b, ok := v.Bool(); ok {
		return map[bool]string{true: "1", false: "0"}[b]
	}
	if n, ok := v.Float(); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return v.String()
}

// same reports whether two texts are equal, or are the same number.
func same(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return a == b || err == nil && err2 == nil && x == y
}
