//go:build amd64 || arm64

package xlsx

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// The kinds of cells from Rust. The file batch.rs has the same numbers.
const (
	rawNumber uint8 = iota + 1
	rawBool
	rawTime
	rawTime1904
	rawDuration
	rawError
	rawText
	rawNewShared
	rawShared
	rawISOTime
	rawISODuration
)

// A Kind is a kind of values.
type Kind uint8

// The kinds of values.
const (
	KindEmpty Kind = iota
	KindNumber
	KindText
	KindBool
	KindTime     // a date, a time of day, or both
	KindDuration // a number whose format counts hours, minutes or seconds beyond a day
	KindError    // such as #DIV/0!
)

func (k Kind) String() string {
	switch k {
	case KindEmpty:
		return "empty"
	case KindNumber:
		return "number"
	case KindText:
		return "text"
	case KindBool:
		return "bool"
	case KindTime:
		return "time"
	case KindDuration:
		return "duration"
	case KindError:
		return "error"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// A Value is the value of a cell. An empty cell has the zero Value.
type Value struct {
	text   string
	number float64 // for times and durations the number of days, as in the date system that begins in 1900
	kind   Kind
}

// Kind returns the kind of the value.
func (v Value) Kind() Kind { return v.kind }

// IsEmpty reports whether the cell has no value.
func (v Value) IsEmpty() bool { return v.kind == KindEmpty }

// Float returns a number. For a duration it returns the number of days. For a time it returns the days since the beginning of 1900, as spreadsheet
// programs count them.
func (v Value) Float() (n float64, ok bool) {
	switch v.kind {
	case KindNumber, KindTime, KindDuration:
		return v.number, true
	}
	return 0, false
}

// Int returns a number that is an integer and fits in an int64.
func (v Value) Int() (n int64, ok bool) {
	if v.kind != KindNumber || v.number != math.Trunc(v.number) || v.number < -1<<63 || v.number >= 1<<63 {
		return 0, false
	}
	return int64(v.number), true
}

// Bool returns a bool.
func (v Value) Bool() (b, ok bool) { return v.kind == KindBool && v.number != 0, v.kind == KindBool }

// Text returns a text.
func (v Value) Text() (s string, ok bool) {
	if v.kind != KindText {
		return "", false
	}
	return v.text, true
}

// Err returns an error of a formula, such as #DIV/0!.
func (v Value) Err() (s string, ok bool) {
	if v.kind != KindError {
		return "", false
	}
	return v.text, true
}

const (
	// days1904 is the number of days between the first days of the two date systems.
	days1904 = 1462
	// maxDays is the number of the day after the last day, 31 December 9999.
	maxDays = 2958466
	day     = 24 * time.Hour
)

var (
	// The date system that begins in 1900 has a 29 February 1900, which is day 60. Earlier days therefore need an epoch that is one day later.
	epoch      = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	earlyEpoch = time.Date(1899, 12, 31, 0, 0, 0, 0, time.UTC)
)

// from1904 converts a number of days from the date system that begins in 1904 to the system that begins in 1900. A time of day is the same number
// in both systems.
func from1904(days float64) float64 {
	if days >= 1 {
		return days + days1904
	}
	return days
}

// Time returns a time in UTC, rounded to a millisecond. Files have no time zones. A time of day is on 31 December 1899. ok is false for a value
// that is not a time, and for a time outside of the years 1900 to 9999.
func (v Value) Time() (t time.Time, ok bool) {
	if v.kind != KindTime || !(v.number >= 0 && v.number < maxDays) {
		return time.Time{}, false
	}
	whole, part := math.Modf(v.number)
	begin := epoch
	if whole < 60 {
		begin = earlyEpoch
	}
	return begin.AddDate(0, 0, int(whole)).Add(time.Duration(math.Round(part*float64(day/time.Millisecond))) * time.Millisecond), true
}

// Duration returns a duration, rounded to a millisecond. A time of day is the time since midnight. ok is false for other times, and for a number that a
// [time.Duration] cannot have.
func (v Value) Duration() (d time.Duration, ok bool) {
	if v.kind != KindDuration && (v.kind != KindTime || !(v.number >= 0 && v.number < 1)) {
		return 0, false
	}
	milliseconds := math.Round(v.number * float64(day/time.Millisecond))
	if !(math.Abs(milliseconds) <= float64(math.MaxInt64/time.Millisecond)) {
		return 0, false
	}
	return time.Duration(milliseconds) * time.Millisecond, true
}

// String returns the value as a text: 0.1, TRUE, 2026-11-29, 2026-11-29 08:30:00, 08:30:00.5, 26:30:00 for a duration, #DIV/0!, or an empty text. It does
// not follow the number format of the cell.
func (v Value) String() string {
	switch v.kind {
	case KindText, KindError:
		return v.text
	case KindBool:
		if v.number != 0 {
			return "TRUE"
		}
		return "FALSE"
	case KindTime:
		t, ok := v.Time()
		switch {
		case !ok:
			return number(v.number)
		case v.number < 1:
			return t.Format("15:04:05.999")
		case t.Equal(t.Truncate(day)):
			return t.Format(time.DateOnly)
		}
		return t.Format("2006-01-02 15:04:05.999")
	case KindDuration:
		d, ok := v.Duration()
		if !ok {
			return number(v.number)
		}
		sign := ""
		if d < 0 {
			sign, d = "-", -d
		}
		return fmt.Sprintf("%s%d:%s", sign, d/time.Hour, time.UnixMilli((d % time.Hour).Milliseconds()).UTC().Format("04:05.999"))
	case KindNumber:
		return number(v.number)
	}
	return ""
}

// number returns the shortest text with the same value.
func number(n float64) string {
	if a := math.Abs(n); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.FormatFloat(n, 'E', -1, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// isoTime returns the value of s as a time if s is a date, a time of day or both in ISO 8601, and otherwise as a text. Like spreadsheet programs, it
// ignores a time zone.
func isoTime(s string) Value {
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly, time.TimeOnly, "2006-01-02T15:04:05Z07:00"} {
		t, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
		if layout == time.TimeOnly {
			return Value{kind: KindTime, number: float64(t.Sub(t.Truncate(day))) / float64(day)}
		}
		// A Duration holds at most 292 years, so the days and the time of day are computed separately.
		midnight := t.Truncate(day)
		days := float64((midnight.Unix() - epoch.Unix()) / int64(day/time.Second))
		if days <= 60 {
			days-- // before 29 February 1900, which did not exist
		}
		return Value{kind: KindTime, number: days + float64(t.Sub(midnight))/float64(day)}
	}
	return Value{kind: KindText, text: s}
}

// isoDuration returns the value of a duration in ISO 8601, such as P1DT2H3M4.5S. Any other text stays a text. So does a duration with years or
// months, because these have no fixed length.
func isoDuration(s string) Value {
	rest, negative := strings.CutPrefix(s, "-")
	rest, ok := strings.CutPrefix(rest, "P")
	days, units := 0.0, "DHMS"
	if !ok || rest == "" || rest == "T" {
		return Value{kind: KindText, text: s}
	}
	for clock := false; rest != ""; {
		if !clock && rest[0] == 'T' {
			rest, clock = rest[1:], true
			continue
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' && r != ',' })
		if end <= 0 {
			return Value{kind: KindText, text: s}
		}
		n, err := strconv.ParseFloat(strings.Replace(rest[:end], ",", ".", 1), 64)
		at := strings.IndexByte(units, rest[end])
		if err != nil || at < 0 || clock != (rest[end] != 'D') {
			return Value{kind: KindText, text: s}
		}
		days += n / map[byte]float64{'D': 1, 'H': 24, 'M': 24 * 60, 'S': 24 * 60 * 60}[rest[end]]
		units, rest = units[at+1:], rest[end+1:]
	}
	if negative {
		days = -days
	}
	return Value{kind: KindDuration, number: days}
}
