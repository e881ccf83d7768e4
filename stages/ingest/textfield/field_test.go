package textfield

import (
	"math"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

func TestInstants(t *testing.T) {
	for text, ns := range map[string]int64{
		"1970-01-01T00:00Z":                   0,
		"1970-01-01T01:00:01.000000001+01:00": 1e9 + 1,
		"1969-12-31T23:59:59-0030":            1799e9,
		"2000-02-29T12:00:00.1234567899+00":   951825600123456789,
		"1969-12-31T23:59:59.25Z":             -75e7,
		"2023-11-14T22:13:20.5Z":              1700000000500000000,
	} {
		if got := Instant([]byte(text)); got != (Reading{Ns: ns}) || !IsInstant([]byte(text)) {
			t.Errorf("%s: got %+v, want %d", text, got, ns)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		text           string
		whole, pointed int64
		ns             int64
	}{
		{"0", 1, Second, 0}, {"17", 1, Second, 17}, {"17", Second, Second, 17e9}, {"0.5", 1, Second, 5e8},
		{"1.0000000019", 1, Second, 1e9 + 1}, {"007.25", 1, Second, 725e7}, {"1.2345678", 1e3, 1e3, 1234},
		{"1.9", 1, 1, 1}, {"2.5", 1e6, 1e6, 25e5}, {"9223372036.854775807", 1, Second, math.MaxInt64},
		{"9223372036854775807", 1, Second, math.MaxInt64},
	} {
		expect.Equal(t, Number([]byte(c.text), c.whole, c.pointed, ""), Reading{Ns: c.ns}, "%+v", c)
	}
}

// TestTimeFaults has a mark before the character at which the fault is.
func TestTimeFaults(t *testing.T) {
	const what = "what the format says"
	for _, c := range []struct{ text, want string }{
		{"✗", "a time"},
		{"✗-1", "a time"},
		{"1✗x", what},
		{"1.✗", "a digit in the decimals of the time"},
		{"1.5✗x", "a digit in the decimals of the time"},
		{"2023-11-14✗", "a time such as 2023-11-14T22:13:20.5Z"},
		{"2023-11-14✗ 22:13", "a time such as 2023-11-14T22:13:20.5Z"},
		{"2023-11-14T22:13:20✗", "'Z' or an offset such as +01:00"},
		{"2023-11-14T22:13:20.5✗X", "'Z' or an offset such as +01:00"},
		{"2023-11-14T22:13✗+19:00", "'Z' or an offset such as +01:00"},
		{"2023-11-14T22:13:20.✗Z", "a digit in the decimals of the time"},
		{"2023-✗13-14T22:13:20Z", "a month from 01 to 12"},
		{"2023-02-✗29T22:13:20Z", "a day of that month"},
		{"2023-02-28T✗24:13:20Z", "an hour from 00 to 23"},
		{"2023-02-28T22:✗60:20Z", "a minute from 00 to 59"},
		{"2023-02-28T22:13:✗60Z", "a second from 00 to 59"},
	} {
		at := strings.Index(c.text, "✗")
		text := []byte(strings.Replace(c.text, "✗", "", 1))
		read := Number(text, 1, Second, what)
		if IsInstant(text) {
			read = Instant(text)
		}
		expect.Equal(t, read, Reading{At: at, Want: c.want}, "%s", c.text)
	}
}

func TestOverflow(t *testing.T) {
	for _, s := range []string{"9223372036854775808", "9223372036.854775808", "2263-01-01T00:00:00Z", "1600-01-01T00:00Z"} {
		read := Number([]byte(s), 1, Second, "")
		if IsInstant([]byte(s)) {
			read = Instant([]byte(s))
		}
		expect.Equal(t, read, Reading{Overflow: true}, "%s", s)
	}
}

func TestSplitIdentifier(t *testing.T) {
	for _, c := range []struct {
		id, series string
		number     int64
	}{
		{"m13889", "m", 13889}, {"m0", "m", 0}, {"m00", "m0", 0}, {"m007", "m00", 7}, {"7", "", 7}, {"ret", "ret", schema.NoValue},
		{"", "", schema.NoValue}, {"1-2-34", "1-2-", 34}, {"m999999999999999999", "m", 999999999999999999},
		{"m1000000000000000007", "m100000000000000000", 7}, {"9223372036854775807", "9", 223372036854775807},
	} {
		if series, number := SplitIdentifier([]byte(c.id)); string(series) != c.series || number != c.number {
			t.Errorf("%s: got %q, %d", c.id, series, number)
		}
	}
}

func TestCheckName(t *testing.T) {
	const characters = "a name in UTF-8 without control characters"
	for _, c := range []struct{ name, want string }{
		{"Co✗\x7fmp", characters}, {"é✗\xff1", characters}, {"f✗\n", characters},
		{"✗" + strings.Repeat("x", MaxName+1), "a name of at most 4096 bytes"},
	} {
		at, want := CheckName([]byte(strings.Replace(c.name, "✗", "", 1)))
		if at != strings.Index(c.name, "✗") || want != c.want {
			t.Errorf("%.20q: got %d, %q", c.name, at, want)
		}
	}
	for _, name := range []string{"", "é\ufffd", strings.Repeat("x", MaxName)} {
		if at, want := CheckName([]byte(name)); at != 0 || want != "" {
			t.Errorf("%.20q: got %d, %q", name, at, want)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a\"b", `"a\"b"`}, {"12345678", `"12345678"`}, {"123456789", `"12345678"...`}, {"123456é8", `"123456é"...`}, {"1234567é", `"1234567"...`},
	} {
		expect.Equal(t, Quote([]byte(c.text), 8), c.want, "%q", c.text)
	}
}
