//go:build amd64 || arm64

package xlsx

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rustgo.dev/go/rt"
)

// open opens a file of testdata.
func open(t testing.TB, name string) *Workbook {
	t.Helper()
	w, err := OpenFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// The crate's own tests expect the same values for these files.
func TestStrings(t *testing.T) {
	letters := [][]string{{"1", "a"}, {"2", "b"}, {"3", "c"}}
	dates := [][]string{{"2021-01-01", "15"}, {"2021-01-02", "16"}, {"255:10:10", "17"}}
	for _, c := range []struct {
		file, sheet string
		want        [][]string
	}{
		{"issues.xlsx", "issue2", letters},
		{"issues.xlsb", "issue2", letters},
		{"issues.xls", "issue2", letters},
		{"issues.ods", "issue2", letters},
		{"issues.ods", "datatypes", [][]string{{"1"}, {"1.5"}, {"ab"}, {"FALSE"}, {"test"}, {"2016-10-20"}}},
		{"issues.ods", "issue5", [][]string{{"0.5"}}},
		{"errors.xlsx", "Feuil1", [][]string{{"#DIV/0!"}, {"#NAME?"}, {"#VALUE!"}, {"#NULL!"}, {"#REF!"}, {"#NUM!"}, {"#N/A"}}},
		{"has_x000D_.xlsx", "Sheet1", [][]string{{"ABC\r\nDEF"}}},
		{"richtext-namespaced.xlsx", "Sheet1", [][]string{{"inline string\nLine 2\nLine 3", "", "", "", "", "", "", "shared string\nLine 2\nLine 3"}}},
		{"rph.xlsx", "Sheet1", [][]string{{"課きく　毛こ"}}},
		{"date.xlsx", "Sheet1", dates},
		{"date.xls", "Sheet1", dates},
		{"date.xlsb", "Sheet1", dates},
		{"date_1904.xlsx", "Sheet1", dates},
		{"date_1904.xls", "Sheet1", dates},
		{"date_1904.xlsb", "Sheet1", dates},
		{"date_iso.xlsx", "Sheet", [][]string{{"2021-01-01"}, {"2021-01-01 10:10:10"}, {"10:10:10"}}},
		{"date.ods", "Sheet1", [][]string{{"2021-01-01", "15"}, {"2021-01-01 10:10:10", "16"}, {"10:10:10", "17"}, {"10:10:10.123", "18"}}},
	} {
		w := open(t, c.file)
		got, err := w.Strings(c.sheet)
		if c.file == "date_iso.xlsx" { // the other rows explain the file
			got = got[:min(3, len(got))]
		}
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
		} else if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s, %s: %q, not %q", c.file, c.sheet, got, c.want)
		}
	}
}

func TestKinds(t *testing.T) {
	want := []Kind{KindNumber, KindNumber, KindText, KindBool, KindText, KindTime}
	for _, file := range []string{"issues.xlsx", "issues.xlsb", "issues.xls", "issues.ods"} {
		var got []Kind
		for row, err := range open(t, file).Rows("datatypes") {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, row.Cells[0].Kind())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", file, got, want)
		}
	}
}

func TestSheets(t *testing.T) {
	for _, c := range []struct {
		file   string
		format Format
		want   []Sheet
	}{
		{"any_sheets.xlsx", XLSX, []Sheet{{"Visible", Visible, Worksheet}, {"Hidden", Hidden, Worksheet}, {"VeryHidden", VeryHidden, Worksheet}, {"Chart", Visible, ChartSheet}}},
		{"any_sheets.xlsb", XLSB, []Sheet{{"Visible", Visible, Worksheet}, {"Hidden", Hidden, Worksheet}, {"VeryHidden", VeryHidden, Worksheet}, {"Chart", Visible, ChartSheet}}},
		{"any_sheets.xls", XLS, []Sheet{{"Visible", Visible, Worksheet}, {"Hidden", Hidden, Worksheet}, {"VeryHidden", VeryHidden, Worksheet}, {"Chart", Visible, ChartSheet}}},
		{"any_sheets.ods", ODS, []Sheet{{"Visible", Visible, Worksheet}, {"Hidden", Hidden, Worksheet}}},
	} {
		w := open(t, c.file)
		got := w.Sheets()
		if c.format == ODS {
			got = got[:min(2, len(got))]
		}
		if !slices.Equal(got, c.want) || w.Format() != c.format {
			t.Errorf("%s: %v of format %v, not %v", c.file, got, w.Format(), c.want)
		}
	}
}

func TestNamesAndFormulas(t *testing.T) {
	for _, c := range []struct {
		file, formula string
		names         []DefinedName
	}{
		{"issues.xlsx", "B1+OneRange", []DefinedName{{"MyBrokenRange", "Sheet1!#REF!"}, {"MyDataTypes", "datatypes!$A$1:$A$6"}, {"OneRange", "Sheet1!$A$1"}}},
		{"issues.xlsb", "B1+OneRange", []DefinedName{{"MyBrokenRange", "Sheet1!#REF!"}, {"MyDataTypes", "datatypes!$A$1:$A$6"}, {"OneRange", "Sheet1!$A$1"}}},
		{"issues.xls", "B1+OneRange", []DefinedName{{"MyBrokenRange", "Sheet1!#REF!"}, {"MyDataTypes", "datatypes!$A$1:$A$6"}, {"OneRange", "Sheet1!$A$1"}}},
		{"issues.ods", "of:=[.B1]+$$OneRange", []DefinedName{{"MyBrokenRange", "of:=[Sheet1.#REF!]"}, {"MyDataTypes", "datatypes.$A$1:datatypes.$A$6"}, {"OneRange", "Sheet1.$A$1"}}},
	} {
		w := open(t, c.file)
		names := slices.Clone(w.DefinedNames())
		slices.SortFunc(names, func(a, b DefinedName) int { return strings.Compare(a.Name, b.Name) })
		if !slices.Equal(names, c.names) {
			t.Errorf("%s: %q, not %q", c.file, names, c.names)
		}
		var formulas []string
		for f, err := range w.Formulas("Sheet1") {
			if err != nil {
				t.Fatal(err)
			}
			formulas = append(formulas, f.Text)
		}
		if !slices.Equal(formulas, []string{c.formula}) {
			t.Errorf("%s: %q, not %q", c.file, formulas, c.formula)
		}
	}
	var shared []Formula
	for f, err := range open(t, "shared_formula_simple.xlsx").Formulas("Sheet1") {
		if err != nil {
			t.Fatal(err)
		}
		shared = append(shared, f)
	}
	if want := []Formula{{1, 2, "A1*2"}, {2, 2, "A2*2"}, {3, 2, "A3*2"}}; len(shared) < 3 || !slices.Equal(shared[:3], want) {
		t.Errorf("%v, not %v", shared, want)
	}
}

func TestMergedRegions(t *testing.T) {
	for _, c := range []struct {
		file, want string
	}{
		{"merged_range.xlsx", "A1:A2 B1:B2 C1:D2 C3:D3"},
		{"merge_cells.xls", "A1:B1 A2:A4 B2:D4"},
	} {
		w := open(t, c.file)
		regions, err := w.MergedRegions(w.SheetNames()[0])
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range regions {
			got = append(got, r.String())
		}
		slices.Sort(got)
		if text := strings.Join(got, " "); !strings.HasPrefix(text, c.want) {
			t.Errorf("%s: %s, not %s", c.file, text, c.want)
		}
	}
	if _, err := open(t, "merged_cells.ods").MergedRegions("Sheet1"); !errors.Is(err, ErrUnsupported) {
		t.Error(err)
	}
}

func TestErrors(t *testing.T) {
	for file, want := range map[string]error{
		"pass_protected.xlsx": ErrPassword,
		"pass_protected.xlsb": ErrPassword,
		"pass_protected.ods":  ErrPassword,
		"README.md":           ErrFormat,
		"missing.xlsx":        fs.ErrNotExist,
	} {
		if w, err := OpenFile(filepath.Join("testdata", file)); !errors.Is(err, want) || w != nil {
			t.Errorf("%s: %v, not %v", file, err, want)
		}
	}
	w := open(t, "any_sheets.xlsx")
	for sheet, want := range map[string]error{"nothing": ErrNoSheet, "Chart": ErrNotCells} {
		rows := 0
		for _, err := range w.Rows(sheet) {
			rows++
			var e *Error
			if !errors.Is(err, want) || !errors.As(err, &e) || e.Sheet != sheet {
				t.Errorf("%s: %v, not %v", sheet, err, want)
			}
		}
		if rows != 1 {
			t.Errorf("%s: %d iterations", sheet, rows)
		}
	}
	if _, err := OpenReaderAt(strings.NewReader("PK"), 3); err == nil || !strings.Contains(err.Error(), "EOF") {
		t.Error(err)
	}
	if _, err := OpenReaderAt(strings.NewReader("PK"), -1); err == nil {
		t.Error("no error for a negative size")
	}
	data, err := os.ReadFile("testdata/issues.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReaderAt(bytes.NewReader(data), int64(len(data))); err != nil {
		t.Error(err)
	}
	if _, err := Open(data[:len(data)/2]); !errors.Is(err, ErrCorrupt) {
		t.Error(err)
	}
}

func TestClose(t *testing.T) {
	w := open(t, "issues.xlsx")
	for range w.Rows("issue2") {
		if err := w.Close(); err == nil {
			t.Error("closed while a loop runs")
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err := w.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if _, err := w.Strings("issue2"); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := w.MergedRegions("issue2"); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if n := len(w.Sheets()); n == 0 {
		t.Error("no sheets after Close")
	}
}

// A call during which another goroutine closes the workbook returns ErrClosed, not ErrCorrupt.
func TestCloseWhileReading(t *testing.T) {
	data, err := os.ReadFile("testdata/date.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	n := 1000
	if testing.Short() {
		n = 10
	}
	for i := range n {
		w, err := Open(data)
		if err != nil {
			t.Fatal(err)
		}
		failed := make(chan error)
		go func() {
			for {
				var err error
				if i%2 == 0 {
					_, err = w.Strings("Sheet1")
				} else {
					_, err = w.MergedRegions("Sheet1")
				}
				if err != nil {
					failed <- err
					return
				}
				runtime.Gosched()
			}
		}()
		for w.Close() != nil {
			runtime.Gosched()
		}
		if err := <-failed; !errors.Is(err, ErrClosed) {
			t.Fatal(err)
		}
	}
	// Close cannot run between the check at the beginning of a call and the call's work: the call holds the lock that Close needs.
	w := open(t, "date.xlsx")
	for range w.Rows("Sheet1") {
		if w.using.TryLock() {
			w.using.Unlock()
			t.Error("a loop does not hold the lock")
		}
	}
	w.using.RLock()
	if err := w.Close(); err != rt.ErrInUse {
		t.Error(err)
	}
	w.using.RUnlock()
	var zero Workbook
	_, err = zero.Strings("Sheet1")
	_, err2 := zero.MergedRegions("Sheet1")
	for _, err := range []error{err, err2, zero.Close()} {
		if !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	}
}

// The name of a sheet need not be UTF-8.
func TestInvalidUTF8(t *testing.T) {
	w := open(t, "issues.xlsx")
	_, err := w.Strings("\xff")
	_, err2 := w.MergedRegions("\xff")
	for _, err := range []error{err, err2} {
		if !errors.Is(err, ErrNoSheet) {
			t.Error(err)
		}
	}
}

// book returns a workbook with the sheet S. The styles of its cells are: 0 for numbers, 1 for times of day, 2 for dates and 3 for durations.
func book(t *testing.T, rows string, date1904 bool) *Workbook {
	t.Helper()
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	const spreadsheet = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	const document = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	const relations = "http://schemas.openxmlformats.org/package/2006/relationships"
	for name, text := range map[string]string{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"_rels/.rels":         `<Relationships xmlns="` + relations + `"><Relationship Id="r1" Type="` + document + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml": `<workbook xmlns="` + spreadsheet + `" xmlns:r="` + document + `"><workbookPr date1904="` + fmt.Sprint(date1904) + `"/>` +
			`<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships xmlns="` + relations + `"><Relationship Id="r1" Type="` + document + `/worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="r2" Type="` + document + `/styles" Target="styles.xml"/></Relationships>`,
		"xl/styles.xml": `<styleSheet xmlns="` + spreadsheet + `"><numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm:ss"/></numFmts>` +
			`<cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="20"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml": `<worksheet xmlns="` + spreadsheet + `"><sheetData>` + rows + `</sheetData></worksheet>`,
	} {
		f, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(text))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := Open(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// A time of day and a duration are the same in both date systems.
func TestDateSystems(t *testing.T) {
	const rows = `<row r="1"><c r="A1" s="1"><v>0.354166666666667</v></c><c r="B1" s="2"><v>10</v></c><c r="C1" s="3"><v>1.5</v></c><c r="D1" s="1"><v>0</v></c></row>`
	for date1904, want := range map[bool][]string{
		false: {"08:30:00", "1900-01-10", "36:00:00", "00:00:00"},
		true:  {"08:30:00", "1904-01-11", "36:00:00", "00:00:00"},
	} {
		w := book(t, rows, date1904)
		got, err := w.Strings("S")
		if err != nil || !reflect.DeepEqual(got, [][]string{want}) {
			t.Errorf("1904 is %v: %q, %v", date1904, got, err)
		}
		for row := range w.Rows("S") {
			if d, ok := row.Cells[0].Duration(); d != 8*time.Hour+30*time.Minute || !ok {
				t.Errorf("1904 is %v: %v, %v", date1904, d, ok)
			}
		}
	}
}

// If a row occurs twice in a file, Strings returns the cells of both occurrences.
func TestRepeatedRows(t *testing.T) {
	w := book(t, `<row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>9</v></c></row><row r="2"><c r="A2"><v>2</v></c></row><row r="1"><c r="B1"><v>3</v></c></row>`, false)
	if got, err := w.Strings("S"); err != nil || !reflect.DeepEqual(got, [][]string{{"1", "3", "9"}, {"2"}}) {
		t.Errorf("%q, %v", got, err)
	}
}

// A small file may have a sheet with many texts.
func TestLargeSheets(t *testing.T) {
	column := func(cells, to int) string {
		var rows strings.Builder
		for i := range cells {
			fmt.Fprintf(&rows, `<row r="%d"><c r="%s"><v>1</v></c></row>`, i+1, CellName(i+1, to))
		}
		return rows.String()
	}
	w := book(t, column(maxStrings/maxColumn+1, maxColumn), false)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rows, err := w.Strings("S")
	var e *Error
	if runtime.ReadMemStats(&after); !errors.Is(err, ErrTooLarge) || !errors.As(err, &e) || e.Sheet != "S" || rows != nil {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 300<<20 {
		t.Errorf("%d bytes are allocated", used)
	}
	n := 0
	for _, err := range w.Rows("S") {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != maxStrings/maxColumn+1 {
		t.Errorf("%d rows", n)
	}
	if testing.Short() {
		return
	}
	if rows, err := book(t, column(maxStrings/maxColumn, maxColumn), false).Strings("S"); err != nil || len(rows) != maxStrings/maxColumn {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	text := strings.Repeat("x", 1<<18)
	var many strings.Builder
	for i := range maxText/len(text) + 1 {
		fmt.Fprintf(&many, `<row r="%d"><c r="A%d" t="inlineStr"><is><t>%s</t></is></c></row>`, i+1, i+1, text)
	}
	if rows, err := book(t, many.String(), false).Strings("S"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// A loop may end early, panic, run within another loop, and at the same time as others.
func TestLoops(t *testing.T) {
	w := open(t, "issues.xlsx")
	want, err := w.Strings("issue2")
	if err != nil {
		t.Fatal(err)
	}
	for row := range w.Rows("issue2") {
		if row.Number != 1 {
			t.Error(row.Number)
		}
		break
	}
	func() {
		defer func() {
			if value := recover(); value != "body" {
				t.Errorf("%v", value)
			}
		}()
		for range w.Rows("issue2") {
			panic("body")
		}
	}()
	done := make(chan bool)
	go func() {
		defer close(done)
		for range w.Rows("issue2") {
			runtime.Goexit()
		}
	}()
	<-done
	for range w.Rows("issue2") {
		if got, err := w.Strings("issue2"); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q, %v", got, err)
		}
	}
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 20 {
				if got, err := w.Strings("issue2"); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%q, %v", got, err)
				}
			}
		}()
	}
	all.Wait()
}

// Earlier versions of the crate panicked for these files, or needed much memory.
func TestDamaged(t *testing.T) {
	for _, file := range []string{"issue_594_dos.ods", "ptgexp-truncated-operand.xls", "issue_666_panic.xlsb"} {
		w, err := OpenFile(filepath.Join("testdata", file))
		if err == nil {
			for _, sheet := range w.SheetNames() {
				_, err = w.Strings(sheet)
				for range w.Formulas(sheet) {
				}
			}
		}
		if err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestTimes(t *testing.T) {
	for _, c := range []struct {
		days float64
		want time.Time
	}{
		{0.25, time.Date(1899, 12, 31, 6, 0, 0, 0, time.UTC)},
		{1, time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)},
		{59, time.Date(1900, 2, 28, 0, 0, 0, 0, time.UTC)},
		{61, time.Date(1900, 3, 1, 0, 0, 0, 0, time.UTC)},
		{45943.541, time.Date(2025, 10, 13, 12, 59, 2, 400e6, time.UTC)},
		{2958465.999, time.Date(9999, 12, 31, 23, 58, 33, 600e6, time.UTC)},
	} {
		got, ok := Value{kind: KindTime, number: c.days}.Time()
		if !ok || !got.Equal(c.want) {
			t.Errorf("%v: %v, not %v", c.days, got, c.want)
		}
		if c.days < 1 {
			continue // in ISO 8601, a time of day has no date
		}
		back := isoTime(c.want.Format("2006-01-02T15:04:05.999"))
		if got, ok := back.Time(); !ok || !got.Equal(c.want) {
			t.Errorf("from ISO 8601: %v, not %v", got, c.want)
		}
	}
	for _, days := range []float64{-1, maxDays, 1e300, math.NaN()} {
		v := Value{kind: KindTime, number: days}
		if got, ok := v.Time(); ok {
			t.Errorf("%v: %v", days, got)
		}
		if got, ok := v.Duration(); ok {
			t.Errorf("%v: %v", days, got)
		}
	}
	if v := isoTime("1850-01-01"); v.Kind() != KindTime {
		t.Error(v.Kind())
	} else if d, ok := v.Duration(); ok {
		t.Error(d)
	}
	// The last number is the largest below the limit of a Duration; rounding to a millisecond would exceed the limit.
	for _, days := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 106752, -106752, 106751.99116730064, math.Nextafter(106751.99116730064, 0)} {
		if got, ok := (Value{kind: KindDuration, number: days}).Duration(); ok {
			t.Errorf("%v: %v", days, got)
		}
	}
	for _, days := range []float64{106751.991167, -106751.991167} {
		if got, ok := (Value{kind: KindDuration, number: days}).Duration(); !ok || math.Abs(got.Hours()/24-days) > 1e-8 {
			t.Errorf("%v: %v", days, got)
		}
	}
	for text, want := range map[string]string{
		"PT26H30M": "26:30:00", "-PT1S": "-0:00:01", "P1DT1H": "25:00:00", "PT0,5S": "0:00:00.5",
		"P": "P", "PT": "PT", "P1M": "P1M", "PT1D": "PT1D", "PT1M1H": "PT1M1H", "1H": "1H", "PT1": "PT1", "PT1H2": "PT1H2",
	} {
		if got := isoDuration(text).String(); got != want {
			t.Errorf("%s: %s, not %s", text, got, want)
		}
	}
}

func TestValues(t *testing.T) {
	number := func(n float64) Value { return Value{kind: KindNumber, number: n} }
	for _, c := range []struct {
		v    Value
		want string
	}{
		{number(0.1), "0.1"}, {number(-3), "-3"}, {number(1e15), "1000000000000000"}, {number(1e22), "1E+22"}, {number(1e-7), "1E-07"},
		{Value{kind: KindBool, number: 1}, "TRUE"}, {Value{}, ""},
	} {
		if got := c.v.String(); got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
	}
	if n, ok := number(7).Int(); n != 7 || !ok {
		t.Error(n, ok)
	}
	for _, n := range []float64{0.5, 1 << 63, -1e300} {
		if got, ok := number(n).Int(); ok {
			t.Errorf("%v is %d", n, got)
		}
	}
	if d, ok := (Value{kind: KindTime, number: 0.5}).Duration(); !ok || d != 12*time.Hour {
		t.Error(d, ok)
	}
	for _, c := range []struct {
		row, column int
		want        string
	}{{1, 1, "A1"}, {3, 26, "Z3"}, {3, 27, "AA3"}, {9, 702, "ZZ9"}, {9, 703, "AAA9"}, {1 << 20, 1 << 14, "XFD1048576"}} {
		if got := CellName(c.row, c.column); got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
	}
}
