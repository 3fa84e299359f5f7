package promises

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rustgo.dev/go/rt"
	"scratch/rows"
)

// rowsMessage returns the message of f's panic.
func rowsMessage(t *testing.T, f func()) string {
	t.Helper()
	return panicked(t, "a wrong call", f).Message
}

func TestRowsConstants(t *testing.T) {
	const max uint32 = rows.MaxLen
	if max != 5 || rows.Name != "name" || rows.Table != [3]uint16{1, 2, 3} {
		t.Error(max, rows.Name, rows.Table)
	}
}

func TestRowsValues(t *testing.T) {
	p := rows.NewPoint(3, 4)
	if p.Norm() != 5 || p.Kind != rows.ColorGreen || p.UserID != [3]uint8{1, 2, 3} {
		t.Error(p)
	}
	p.Scale(2)
	q := p.Moved(1)
	if p.X != 6 || q.X != 7 || q.Y != 8 {
		t.Error(p, q)
	}
	if p.Kind.String() != "Green" || rows.Color(9).String() != "Color(9)" {
		t.Error(p.Kind.String(), rows.Color(9).String())
	}
	to := p
	if got := rows.SumPoints([]rows.Point{p, q, p}, q, &to); got != 19 || to != q {
		t.Error(got, to)
	}
	p.Kind = 7
	if m := rowsMessage(t, func() { rows.SumPoints([]rows.Point{q, p}, q, &to) }); m != "parameter points holds a number that is no Color" {
		t.Error(m)
	}
	if m := rowsMessage(t, func() { rows.SumPoints(nil, q, nil) }); m != "nil pointer passed for parameter to" {
		t.Error(m)
	}
	if got := rows.Points(3); len(got) != 3 || got[2].X != 2 || got[2].Kind != rows.ColorGreen {
		t.Error(got)
	}
}

func TestRowsNothing(t *testing.T) {
	if _, x := rows.BehindNothing([0]uint8{}, 4); x != 5 {
		t.Error(x)
	}
	if _, s := rows.BesideNothing([0][3]uint64{}, "abc"); s != "0abc" {
		t.Error(s)
	}
	_ = rows.Nothing([0]uint64{})
}

func TestRowsErrors(t *testing.T) {
	if n, err := rows.Parse("12"); n != 12 || err != nil {
		t.Error(n, err)
	}
	_, err := rows.Parse("")
	var pe rows.ParseError
	if !errors.Is(fmt.Errorf("x: %w", err), rows.ParseErrorEmpty) || !errors.As(err, &pe) || pe != rows.ParseErrorEmpty || err.Error() != "nothing to parse" {
		t.Error(err, pe)
	}
	if _, err := rows.Parse("x"); !errors.Is(err, rows.ParseErrorTooLong) {
		t.Error(err)
	}
	if n, err := rows.ParseInt("x"); n != 0 || err == nil || err.Error() != "invalid digit found in string" {
		t.Error(n, err)
	}
	if err := rows.CheckSyntax("abc"); err != nil {
		t.Error(err)
	}
	err = rows.CheckSyntax("ä")
	var se rows.SyntaxError
	if !errors.As(fmt.Errorf("y: %w", err), &se) || se.Line != 1 || se.Column != 2 || se.Near != "ä" || err.Error() != `line 1, column 2: near "ä"` {
		t.Error(err, se)
	}
	if !errors.Is(err, rows.SyntaxError{Line: 1, Column: 2, Near: "ä"}) || errors.Is(err, rows.SyntaxError{Line: 1, Column: 3, Near: "ä"}) {
		t.Error("Is")
	}
	// An error with an empty text is not the same as no error.
	err = rows.KeepSilent(3)
	var silent rows.Silent
	if !errors.As(err, &silent) || silent.At != 3 || err.Error() != "" || (rows.Silent{At: 3}).Error() != "Silent" {
		t.Errorf("%q %q", err, rows.Silent{At: 3})
	}
	if !errors.Is(err, rows.Silent{At: 3}) || !errors.Is(rows.Silent{At: 3}, err) || errors.Is(err, rows.Silent{At: 4}) {
		t.Error("Is of an error without a text")
	}
	if err := rows.KeepQuiet(); err == nil || err.Error() != "" {
		t.Errorf("%q", err)
	}
	// The text of an error may change from call to call.
	for range 4 {
		if text := rows.Waver().Error(); strings.Trim(text, "x") != "" || len(text) != 200 && len(text) != 10 {
			t.Errorf("%q", text)
		}
	}
	if v, ok, err := rows.Load("abc"); v != 3 || !ok || err != nil {
		t.Error(v, ok, err)
	}
	if v, ok, err := rows.Load(""); v != 0 || ok || err != nil {
		t.Error(v, ok, err)
	}
	_, _, err = rows.Load("bad")
	var bad rows.LoadErrorBad
	var le rows.LoadError
	if !errors.As(err, &bad) || bad.At != 7 || bad.What != "x" || !errors.As(err, &le) || err.Error() != `Bad { at: 7, what: "x" }` {
		t.Error(err, bad)
	}
	if _, _, err = rows.Load("missing"); !errors.Is(err, rows.LoadErrorMissing{}) {
		t.Error(err)
	}
	var other rows.LoadErrorOther
	if _, _, err = rows.Load("other"); !errors.As(err, &other) || other.Point.X != 1 {
		t.Error(err)
	}
	live := rt.HeapLive()
	_, err = rows.Open(5, "x")
	var open rows.OpenErrorBad
	if !errors.As(err, &open) || open.Line != 5 || err.Error() != "line 5" || errors.Unwrap(err).Error() != "invalid digit found in string" {
		t.Error(err, open)
	}
	if !errors.Is(err, rows.OpenErrorBad{Line: 5}) || errors.Is(err, rows.OpenErrorBad{Line: 6}) || errors.Unwrap(rows.OpenErrorBad{}) != nil {
		t.Error("Is of an error with a source")
	}
	_, err = rows.Open(1, "x")
	if errors.Unwrap(err).Error() != "line 2" || errors.Unwrap(errors.Unwrap(err)).Error() != "invalid digit found in string" {
		t.Error(err)
	}
	if _, err := rows.Open(0, ""); errors.Unwrap(err) != nil || !errors.Is(err, rows.OpenErrorDenied{}) {
		t.Error(err)
	}
	if n, err := rows.Open(3, "7"); n != 7 || err != nil {
		t.Error(n, err)
	}
	if got := rt.HeapLive(); got != live {
		t.Errorf("%d bytes more than before errors with sources", got-live)
	}
	if s, err := rows.Boxed("7"); s != "<7>" || err != nil {
		t.Error(s, err)
	}
	if s, err := rows.Boxed("x"); s != "" || err == nil {
		t.Error(s, err)
	}
}

func TestRowsOwned(t *testing.T) {
	// The first panic of a thread makes thread-local variables, which stay.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	rowsMessage(t, func() { rows.Join([]string{"\xff"}, nil, "", "", nil) })
	live := rt.HeapLive()
	if rows.Upper("äbc") != "ÄBC" || rows.Upper("") != "" {
		t.Error(rows.Upper("äbc"))
	}
	if got := rows.Squares(5); !slices.Equal(got, []uint64{0, 1, 4, 9, 16}) {
		t.Error(got)
	}
	if rows.Squares(0) != nil {
		t.Error("not nil")
	}
	if got := rows.Words("a bc d"); !slices.Equal(got, []string{"a", "bc", "d"}) {
		t.Error(got)
	}
	s := strings.Repeat(" ", 3) + "x y" + strings.Repeat(" ", 3)
	if rows.Trim(s) != "x y" || rows.Trim("  ") != "" {
		t.Error(rows.Trim(s))
	}
	if w, ok := rows.FirstWord("ab cd", ""); w != "ab" || !ok {
		t.Error(w, ok)
	}
	if got := rows.Join([]string{"a", "b"}, [][]uint32{{1}, nil, {2, 3}}, "\xff", "own", []uint16{9}); got != `["a", "b"] [[1], [], [2, 3]] [255] own [9]` {
		t.Error(got)
	}
	if m := rowsMessage(t, func() { rows.Join([]string{"a", "b\xff"}, nil, "", "", nil) }); m != "element 1 of parameter parts is not valid UTF-8 (byte 1)" {
		t.Error(m)
	}
	if rt.HeapLive() > live {
		t.Error("leaked", rt.HeapLive()-live)
	}
}

func TestRowsAppend(t *testing.T) {
	buf := make([]byte, 0, 64)
	got := rows.AppendHex(append(buf, "x="...), 0xabc)
	if string(got) != "x=abc" || &got[0] != &buf[:1][0] {
		t.Errorf("%q", got)
	}
	live := rt.HeapLive()
	for n := range 20 {
		got := rows.AppendHex(make([]byte, n, n+3), math.MaxUint64)
		if string(got[n:]) != "ffffffffffffffff" {
			t.Errorf("%q", got)
		}
	}
	if got := rows.AppendHex(nil, 1); string(got) != "1" {
		t.Errorf("%q", got)
	}
	if rt.HeapLive() > live {
		t.Error("leaked", rt.HeapLive()-live)
	}
}

func TestRowsInt(t *testing.T) {
	if rows.Index(1, []byte("abc")) != 2 {
		t.Error("index")
	}
	if m := rowsMessage(t, func() { rows.Index(-1, nil) }); m != "parameter n is negative (-1)" {
		t.Error(m)
	}
	if got := rows.Hash(&[4]byte{1, 2, 3, 4}, [2]uint16{5, 6}); got != [4]byte{4, 2, 3, 4} {
		t.Error(got)
	}
}

func TestRowsIterators(t *testing.T) {
	live := rt.HeapLive()
	if got := slices.Collect(rows.SplitWords("a bc d")); !slices.Equal(got, []string{"a", "bc", "d"}) {
		t.Error(got)
	}
	for _, n := range []uint64{0, 1, 3, 4, 5, 63, 64, 65, 1000} {
		var sum, count uint64
		for x := range rows.CountUp(n) {
			if x != count {
				t.Fatal(x, count)
			}
			sum += x
			count++
		}
		if count != n {
			t.Error(n, count)
		}
	}
	for x := range rows.CountUp(1 << 60) {
		if x == 100 {
			break
		}
	}
	func() {
		defer func() { recover() }()
		for range rows.CountUp(10) {
			panic("body")
		}
	}()
	n := 0
	for i, c := range rows.Pairs("aäb") {
		for range rows.SplitWords("x y") {
			n += int(i) + int(c)*0
		}
	}
	_ = n
	if rt.HeapLive() > live {
		t.Error("leaked", rt.HeapLive()-live)
	}
}

func TestRowsQueue(t *testing.T) {
	q := rows.NewQueue()
	q.Push(1)
	q.Push(2)
	if q.Len() != 2 || q.Name() != "name" || !slices.Equal(q.All(), []uint64{1, 2}) || q.String() != "[1, 2]" {
		t.Error(q.Len(), q.Name(), q.All(), q)
	}
	c := q.Clone()
	c.Push(3)
	if q.Len() != 2 || c.Len() != 3 {
		t.Error(q, c)
	}
	if x, ok := c.Pop(); x != 3 || !ok {
		t.Error(x, ok)
	}
	if m := rowsMessage(t, func() { c.Append(c) }); m != "Queue.Append: the Queue is in use by another call" {
		t.Error(m)
	}
	c.Append(q)
	if got := slices.Collect(c.Values()); !slices.Equal(got, []uint64{1, 2, 1, 2}) {
		t.Error(got)
	}
	sum := 0
	for single := range c.Singles() {
		single.Push(1)
		sum += int(single.Len())
	}
	if sum != 8 {
		t.Error(sum)
	}
	var bytes interface {
		io.ByteReader
		io.ByteWriter
	} = c
	if err := bytes.WriteByte(7); err != nil {
		t.Error(err)
	}
	if x, err := bytes.ReadByte(); x != 7 || err != nil {
		t.Error(x, err)
	}
	if got := c.IntoVec(); !slices.Equal(got, []uint64{1, 2, 1, 2}) {
		t.Error(got)
	}
	if m := rowsMessage(t, func() { c.Len() }); m != "Queue.Len: the Queue is closed" {
		t.Error(m)
	}
	if m := rowsMessage(t, func() { q.Fail() }); m != "failed with 2" {
		t.Error(m)
	}
	if m := rowsMessage(t, func() { q.Len() }); m != "Queue.Len: the Queue cannot be used any more: a call of Queue.Fail panicked" {
		t.Error(m)
	}
	var zero rows.Queue
	if m := rowsMessage(t, func() { zero.Len() }); m != "Queue.Len: the Queue was not made by a constructor" {
		t.Error(m)
	}
	var none *rows.Queue
	if m := rowsMessage(t, func() { none.Len() }); m != "Queue.Len: nil *Queue" {
		t.Error(m)
	}
	p, err := rows.ParseQueue("1,2,x")
	if p != nil || err == nil {
		t.Error(p, err)
	}
	p, err = rows.ParseQueue("1,2")
	if err != nil || p.Len() != 2 {
		t.Error(p, err)
	}
	if p.Close() != nil || !errors.Is(p.Close(), fs.ErrClosed) {
		t.Error("Close")
	}
}

func TestRowsRegex(t *testing.T) {
	re := rows.NewRegex("b")
	hay := strconv.Itoa(12) + "abc"
	if !re.IsMatch(hay) || re.IsMatch("x") {
		t.Error("IsMatch")
	}
	if s, ok := re.Find(hay); s != "b" || !ok {
		t.Error(s, ok)
	}
	if !rows.Both(re, nil, "b") || rows.Both(re, rows.NewRegex("x"), "b") {
		t.Error("Both")
	}
	var none *rows.Regex
	if m := rowsMessage(t, func() { none.IsMatch("") }); m == "" {
		t.Error(m)
	}
	if m := rowsMessage(t, func() { new(rows.Regex).IsMatch("") }); m == "" {
		t.Error(m)
	}
	live := rt.HeapLive()
	for range 1000 {
		rows.NewRegex("some pattern")
	}
	for range 100 {
		runtime.GC()
		if rt.HeapLive() <= live {
			break
		}
	}
	if rt.HeapLive() > live {
		t.Error("not collected", rt.HeapLive()-live)
	}
}

func TestRowsHasher(t *testing.T) {
	h := rows.NewHasher(7)
	h.Write([]byte("hello"))
	want := h.Sum()
	// A hasher may be copied to any place in memory.
	for range 8 {
		pad := make([]rows.Hasher, 3)
		for i := range pad {
			pad[i] = *h
			if pad[i].Sum() != want {
				t.Fatal("copy")
			}
			pad[i].Write([]byte("x"))
		}
		if pad[0].Sum() != pad[1].Sum() {
			t.Fatal("copy")
		}
	}
	var zero rows.Hasher
	zero.Write([]byte("a"))
	if zero.Sum() == 0 {
		t.Error("zero")
	}
	b := []byte("abc")
	if rt.RaceEnabled {
		return // the race detector allocates
	}
	if n := testing.AllocsPerRun(100, func() { h := rows.NewHasher(1); h.Write(b); _ = h.Sum() }); n != 0 {
		t.Error("allocs", n)
	}
}

func TestRowsAllocs(t *testing.T) {
	if rt.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	re, q, h := rows.NewRegex("b"), rows.NewQueue(), rows.NewHasher(1)
	buf := make([]byte, 0, 64)
	b := []byte("abc")
	p := rows.NewPoint(1, 2)
	points := []rows.Point{p}
	to := p
	for name, c := range map[string]struct {
		allocs float64
		f      func()
	}{
		"Parse":     {0, func() { rows.Parse("12") }},
		"ParseErr":  {0, func() { rows.Parse("") }},
		"Load":      {0, func() { rows.Load("abc") }},
		"Check":     {0, func() { rows.CheckSyntax("abc") }},
		"Upper":     {1, func() { rows.Upper("abcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdef") }},
		"Squares":   {1, func() { rows.Squares(10) }},
		"Words":     {4, func() { rows.Words("abcdef bcdefgh cdefghi") }},
		"Trim":      {0, func() { rows.Trim(" x ") }},
		"Norm":      {0, func() { p.Norm() }},
		"Scale":     {0, func() { p.Scale(1) }},
		"SumPoints": {0, func() { rows.SumPoints(points, p, &to) }},
		"AppendHex": {0, func() { rows.AppendHex(buf, 5) }},
		"Index":     {0, func() { rows.Index(1, b) }},
		"Hash":      {0, func() { rows.Hash(&[4]byte{}, [2]uint16{}) }},
		"Find":      {0, func() { re.Find("abc") }},
		"IsMatch":   {0, func() { re.IsMatch("abc") }},
		"Len":       {0, func() { q.Len() }},
		"Push":      {0, func() { q.Push(1); q.Pop() }},
		"Write":     {0, func() { h.Write(b) }},
	} {
		if n := testing.AllocsPerRun(100, c.f); n != c.allocs {
			t.Errorf("%s: %v allocations, not %v", name, n, c.allocs)
		}
	}
}

func TestRowsOptionalObjects(t *testing.T) {
	a, b := rows.NewQueue(), rows.QueueFromSlice([]uint64{1, 2})
	if rows.JoinQueues(nil, nil) != 0 || rows.JoinQueues(a, nil) != 0 || rows.JoinQueues(nil, b) != 2 || rows.JoinQueues(a, b) != 2 || a.Len() != 2 {
		t.Error(a, b)
	}
	if m := rowsMessage(t, func() { rows.JoinQueues(a, a) }); m != "JoinQueues: the Queue is in use by another call" {
		t.Error(m)
	}
	if a.Len() != 2 {
		t.Error("broken")
	}
}

func TestRowsLabels(t *testing.T) {
	label := rows.NewLabel(7)
	if label.String() != "label 7" || label.Clone().String() != "label 7" {
		t.Error(label, label.Clone())
	}
	next := label.Next(3)
	if len(next) != 3 || next[0].String() != "label 8" || next[2].String() != "label 10" || label.Next(0) != nil {
		t.Error(next)
	}
}
