package methods_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"example.com/methods"
)

func want(t *testing.T, what string, got ...any) {
	t.Helper()
	if shown := fmt.Sprint(got...); shown != what {
		t.Errorf("%s, want %s", shown, what)
	}
}

func TestMethods(t *testing.T) {
	// fmt shows the name of a constant, although the type has another text too.
	day := methods.DayTuesday
	want(t, "Tuesday tuesday", day, " ", day.Text())

	var days []methods.Day
	for day := range day.Cycle() {
		if days = append(days, day); len(days) == 3 {
			break
		}
	}
	want(t, "[Tuesday Monday Tuesday]", days)

	// The error has its source.
	for _, check := range []func(string) (int, error){methods.Check, methods.CheckSend} {
		n, err := check("abc")
		want(t, "3 <nil>", n, err)
		_, err = check("")
		want(t, "outer: the cause", err, ": ", errors.Unwrap(err))
	}

	number, ok, err := methods.Leading("12 days")
	want(t, "12 true <nil>", number, " ", ok, " ", err)
	_, ok, err = methods.Leading("days")
	want(t, "false <nil>", ok, " ", err)
	_, ok, err = methods.Leading("1234 days")
	want(t, "false number too large to fit in target type", ok, " ", err)

	// These methods of the crate have the names of methods of std's traits.
	span := methods.NewSpan(5, 7)
	want(t, "8", span.Max(methods.NewSpan(1, 3)).Max(methods.NewSpan(8, 9)).Size())
	span.Into(100)
	span.Grow(3)
	want(t, "5", span.Size())

	buffered := methods.NewBuffered()
	var _ io.Writer = buffered
	n, err := io.WriteString(buffered, "text")
	want(t, `4 <nil> ""`, n, " ", err, " ", fmt.Sprintf("%q", buffered.Written()))
	want(t, `<nil> "text"`, buffered.Flush(), " ", fmt.Sprintf("%q", buffered.Written()))

	wheel := methods.WheelRight()
	other, ok := wheel.Other()
	want(t, "Right right 1 Left true", wheel.Side(), " ", wheel.Name(), " ", wheel.Hidden(), " ", other, " ", ok)

	want(t, "text", methods.LabelFromString("text").Text())
	start := uint64(7)
	for number := range methods.CountFrom(&start) {
		want(t, "7", number)
		break
	}
	tuesday := methods.DayTuesday
	want(t, "[1 2]", tuesday.Numbers())
	line, ok, err := methods.Line("good\nbad", 0)
	want(t, "good true <nil>", line, " ", ok, " ", err)
	_, ok, err = methods.Line("good\nbad", 1)
	want(t, "false a bad line", ok, " ", err)

	// The crate's functions of these names do not hide the conversions.
	place := methods.PlaceFrom("abc")
	want(t, "{5} {2} {4}", methods.PlaceFromInt32(5), " ", methods.SpotFrom("ab"), " ", methods.Twice(methods.SpotFrom("ab")))
	moved := place.Into(4)
	place.Advance(1)
	want(t, "{4} {7} {13}", place, " ", moved, " ", methods.Sum(place, moved, []methods.Place{{At: 2}}))
	methods.Reset(&place)
	want(t, "{0}", place)
	_, err = methods.Zero(-1)
	want(t, "true too low", errors.Is(err, methods.FaultLow), " ", err)

	var excess methods.Excess
	_, err = methods.Limited(11)
	want(t, "true 10 too large", errors.As(err, &excess), " ", excess.Max, " ", err)
}
