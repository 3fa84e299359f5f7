package apis_test

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/apis"
)

func want(t *testing.T, what string, got ...any) {
	t.Helper()
	if shown := strings.TrimSuffix(fmt.Sprintln(got...), "\n"); shown != what {
		t.Errorf("%s, want %s", shown, what)
	}
}

func TestApis(t *testing.T) {
	n, err := apis.Parse("7")
	want(t, "7 <nil>", n, err)
	_, err = apis.Parse("x")
	var failed apis.Error
	want(t, "failed at 1 true", err, errors.As(err, &failed))
	want(t, fmt.Sprint(1, int64(math.MaxInt64)), failed.At, failed.Left)
	want(t, "failed at 2", apis.Check("xy"))
	_, err = apis.ParseBoxed("xyz")
	want(t, "true 3", errors.As(err, &failed), failed.At)

	// A reader keeps the lines that are not asked for.
	reader := bufio.NewReader(strings.NewReader("one\ntwo\n"))
	for _, line := range []string{"one", "two"} {
		got, err := apis.Line(reader)
		want(t, line+"\n <nil>", got, err)
	}

	want(t, "9999 7", time.Unix(apis.Distant(8029)).UTC().Year(), time.Unix(apis.Distant(8029)).Nanosecond())
	seconds, nanos, ok := apis.Before(1)
	want(t, "1969-12-31T23:59:58.5Z true", time.Unix(seconds, nanos).UTC().Format(time.RFC3339Nano), ok)
	want(t, fmt.Sprint(int64(math.MaxInt64)), apis.Longest())
	duration := int64(2 * time.Second)
	want(t, "2 0", apis.Wait(&duration), apis.Wait(nil))
	want(t, "map[a:1 b:2]", maps.Collect(apis.Querify("a=1&b=2&c")))

	table := apis.NewTable("some title")
	want(t, "map[one:1] map[a:first b:second] [x]", maps.Collect(table.Names()), maps.Collect(table.Notes()), table.Seen())
	title, ok := table.Title()
	want(t, "some title true map[some:4 title:5] some title", title, ok, maps.Collect(table.Words()), table.Display())
	letters, err := table.Letters()
	want(t, "10 <nil>", len(letters), err)
	lengths, err := table.Lengths()
	want(t, "[4 5] <nil>", lengths, err)
	text, err := table.WriteTo()
	want(t, "<some title> <nil>", text, err)
	_, err = apis.NewTable("").Letters()
	want(t, "failed at 0", err)

	point := apis.Point{X: 3, Y: 4}
	point.Scale(2)
	want(t, "{6 8} 10 -1", point, apis.Distance(&point), apis.Distance(nil))
	same := apis.Mirror(&point)
	want(t, "false {8 6}", same, point)
	want(t, "{7 5}", point.Sub(apis.Point{X: 1, Y: 1}))
	was := point.Reset()
	want(t, "{8 6} {0 0}", was, point)
	set := apis.NewSet(1)
	want(t, "5 1", set.BitOr(apis.NewSet(4)).Bits(), set.Bits())
	least, err := set.GetLeast()
	want(t, "0 <nil> 64 1 2", least, err, apis.NewSet(0).Least(), apis.Most, apis.WriteMost)
	matrix := apis.NewMatrix(3)
	want(t, "6 9 12", matrix.MulFloat64(2).Cell(), matrix.Mul(matrix).Cell(), matrix.ShlUint32(2).Cell())

	mean, ok := matrix.Mean()
	want(t, "3 true 2 -1", mean, ok, matrix.Share(6), matrix.Rest(6))
	number, err := apis.Eval("-7")
	want(t, "-7 <nil>", number, err)
	want(t, "a &lt;", apis.EscapeInto("<", "a "))
	out, count := apis.Encode([]uint16{0x4142}, []byte("x"))
	want(t, "xAB 2", string(out), count)
	out, length, err := apis.Decode("12", []byte{0})
	want(t, "[0 1 2] 2 <nil>", out, length, err)
	_, _, err = apis.Decode("1x", nil)
	want(t, "failed at 1", err)
	out, err = apis.DecodeZeros("00", nil)
	want(t, "[0 0] <nil>", out, err)
	text, err = apis.Describe(apis.Point{X: 1, Y: 2})
	want(t, "1 2 <nil>", text, err)
	text, err = apis.Formatted(apis.Point{X: 1, Y: 2}, "y")
	want(t, "2 <nil>", text, err)
	text, err = apis.Named(apis.Point{X: 1, Y: 2}, "x")
	want(t, "1 <nil>", text, err)
	if _, err = apis.Formatted(apis.Point{}, "%"); err == nil {
		t.Error("a wrong format gives no error")
	}
	want(t, "4 [2 3]", apis.NameLength("name"), apis.Tail([]byte{1, 2, 3}))

	spot := apis.Spot{East: 2, North: 3}
	spot.Shift(apis.Spot{East: 1, North: 1})
	want(t, "{3 4} 5", spot, spot.Far())
	places := apis.Spots([]float64{1, 5, 3})
	far, ok := apis.Farthest(places)
	want(t, "[{1 1} {5 1} {3 1}] {5 1} true", places, far, ok)
	_, ok = apis.Farthest(nil)
	want(t, "false", ok)
	side := apis.SideLeft
	want(t, "Right [Left Right]", side.Other(), apis.Sides())
	biggest, ok := apis.Largest([]uint32{3, 9, 4})
	want(t, "2 9 true", apis.Different([]string{"a", "b", "a"}), biggest, ok)
}
