//go:build amd64 || arm64

package xlsx_test

import (
	"errors"
	"fmt"

	"rustgo.dev/packages/xlsx"
)

func Example() {
	w, err := xlsx.OpenFile("testdata/date.xlsx")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	for row, err := range w.Rows("Sheet1") {
		if err != nil {
			fmt.Println(err)
			return
		}
		for i, value := range row.Cells {
			fmt.Printf("%s: %v %v\n", xlsx.CellName(row.Number, i+1), value.Kind(), value)
		}
	}
	_, err = w.Strings("Sheet9")
	fmt.Println(errors.Is(err, xlsx.ErrNoSheet), err)
	// Output:
	// A1: time 2021-01-01
	// B1: number 15
	// A2: time 2021-01-02
	// B2: number 16
	// A3: duration 255:10:10
	// B3: number 17
	// true xlsx: sheet "Sheet9": no such sheet: Worksheet 'Sheet9' not found
}
