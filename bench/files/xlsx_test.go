// Package files compares the packages for workbooks, pictures and tokens with the best packages in Go.
package files

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	tealeg "github.com/tealeg/xlsx/v3"
	"github.com/xuri/excelize/v2"

	"rustgo.dev/bench/internal/processor"
	"rustgo.dev/packages/xlsx"
)

// columns is the number of columns of the workbooks.
const columns = 10

// workbook returns a file with this number of rows: numbers, dates, texts that occur once and texts that occur often. The cells contain their texts.
func workbook(b testing.TB, rows int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	f := excelize.NewFile()
	defer f.Close() // removes its temporary files
	date, err := f.NewStyle(&excelize.Style{NumFmt: 22})
	if err != nil {
		b.Fatal(err)
	}
	w, err := f.NewStreamWriter("Sheet1")
	if err != nil {
		b.Fatal(err)
	}
	for i := range rows {
		row := []any{
			i, r.Float64() * 1000, fmt.Sprintf("order %08d", i), []string{"open", "paid", "sent", "returned"}[r.IntN(4)],
			excelize.Cell{StyleID: date, Value: time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC)}, r.IntN(100), "some text that is a little longer than the others",
			r.Float64(), i%2 == 0, "EUR",
		}
		if err := w.SetRow(fmt.Sprint("A", i+1), row); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	var file bytes.Buffer
	if err := f.Write(&file); err != nil {
		b.Fatal(err)
	}
	return file.Bytes()
}

// shared returns the same workbook with all texts in the table of shared texts, as other programs write them.
func shared(b testing.TB, file []byte) []byte {
	f, err := excelize.OpenReader(bytes.NewReader(file), excelize.Options{RawCellValue: true})
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	rows, err := f.GetRows("Sheet1")
	if err != nil {
		b.Fatal(err)
	}
	for i, row := range rows {
		for _, column := range []int{2, 3, 6, 9} {
			cell, err := excelize.CoordinatesToCellName(column+1, i+1)
			if err != nil {
				b.Fatal(err)
			}
			if err := f.SetCellStr("Sheet1", cell, row[column]); err != nil {
				b.Fatal(err)
			}
		}
	}
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

// BenchmarkXLSX reads and counts all cells of a workbook in memory: by packages/xlsx as typed values and as texts; by excelize as texts, with and
// without the number formats; by tealeg/xlsx.
func BenchmarkXLSX(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"1k-rows", 1000}, {"100k-rows", 100_000}} {
		if testing.Short() && size.rows > 1000 {
			continue
		}
		inline := workbook(b, size.rows)
		for _, kind := range []struct {
			name string
			file []byte
		}{{"inline", inline}, {"shared", shared(b, inline)}} {
			for _, way := range ways {
				b.Run(size.name+"/"+kind.name+"/"+way.name, func(b *testing.B) {
					b.SetBytes(int64(len(kind.file)))
					b.ReportAllocs()
					b.ResetTimer()
					worked := processor.Time()
					for range b.N {
						n, err := way.read(kind.file)
						if err != nil {
							b.Fatal(err)
						}
						if n != size.rows*columns {
							b.Fatalf("%d cells", n)
						}
					}
					processor.Report(b, processor.Time()-worked, b.N)
				})
			}
		}
	}
}

// ways lists functions that read all cells of the first sheet of a workbook, and return the number of cells.
var ways = []struct {
	name string
	read func(file []byte) (int, error)
}{
	{"rustgo-values", rustgoValues}, {"rustgo-texts", rustgoTexts}, {"excelize-rows-raw", excelizeRows(true)}, {"excelize-rows", excelizeRows(false)},
	{"tealeg", tealegRows},
}

// TestXLSXMemory logs the peak memory of a process that reads a workbook of a million cells in each way: go test -v -run XLSXMemory .
func TestXLSXMemory(t *testing.T) {
	if way := os.Getenv("BENCH_XLSX_WAY"); way != "" {
		file, err := os.ReadFile(os.Getenv("BENCH_XLSX_FILE"))
		if err != nil {
			t.Fatal(err)
		}
		if i := slices.Index(names(), way); i >= 0 {
			if n, err := ways[i].read(file); err != nil || n != 100_000*columns {
				t.Fatal(n, err)
			}
		}
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(status)) {
			if peak, ok := strings.CutPrefix(line, "VmHWM:"); ok {
				fmt.Println("peak:", strings.TrimSpace(peak))
			}
		}
		return
	}
	if !testing.Verbose() || runtime.GOOS != "linux" {
		t.Skip("only for its log, on Linux")
	}
	path := filepath.Join(t.TempDir(), "workbook.xlsx")
	if err := os.WriteFile(path, shared(t, workbook(t, 100_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, way := range append(names(), "only the file") {
		command := exec.Command(os.Args[0], "-test.run=^TestXLSXMemory$")
		command.Env = append(os.Environ(), "BENCH_XLSX_WAY="+way, "BENCH_XLSX_FILE="+path)
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		line, _, _ := strings.Cut(string(out), "\n")
		t.Logf("%s: %s", way, line)
	}
}

func names() []string {
	var names []string
	for _, way := range ways {
		names = append(names, way.name)
	}
	return names
}

func rustgoValues(file []byte) (int, error) {
	w, err := xlsx.Open(file)
	if err != nil {
		return 0, err
	}
	defer w.Close()
	n := 0
	for row, err := range w.Rows("Sheet1") {
		if err != nil {
			return 0, err
		}
		n += len(row.Cells)
	}
	return n, nil
}

func rustgoTexts(file []byte) (int, error) {
	w, err := xlsx.Open(file)
	if err != nil {
		return 0, err
	}
	defer w.Close()
	rows, err := w.Strings("Sheet1")
	n := 0
	for _, row := range rows {
		n += len(row)
	}
	return n, err
}

func excelizeRows(raw bool) func([]byte) (int, error) {
	return func(file []byte) (int, error) {
		f, err := excelize.OpenReader(bytes.NewReader(file), excelize.Options{RawCellValue: raw})
		if err != nil {
			return 0, err
		}
		defer f.Close()
		rows, err := f.Rows("Sheet1")
		if err != nil {
			return 0, err
		}
		n := 0
		for rows.Next() {
			row, err := rows.Columns()
			if err != nil {
				return 0, err
			}
			n += len(row)
		}
		return n, rows.Close()
	}
}

func tealegRows(file []byte) (int, error) {
	f, err := tealeg.OpenBinary(file)
	if err != nil {
		return 0, err
	}
	n := 0
	sheet := f.Sheets[0]
	defer sheet.Close()
	err = sheet.ForEachRow(func(row *tealeg.Row) error {
		return row.ForEachCell(func(cell *tealeg.Cell) error {
			_ = cell.String()
			n++
			return nil
		})
	})
	return n, err
}
