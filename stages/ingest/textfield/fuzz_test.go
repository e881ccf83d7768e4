package textfield

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tracelake/tracelake/testdata/expect"
)

func FuzzInstant(f *testing.F) {
	for _, s := range []string{
		"2023-11-14T22:13:20.5+01:00", "1969-12-31T23:59Z", "2263-01-01T00:00:00-0130", "2000-02-29T12:00:00.1234567899+00",
		"1677-09-21T00:12:43Z", "2262-04-11T23:47:16.9Z", "2023-02-29T24:60:60-18:59", "2023-11-14T22:13:20.Z", "2023-11-14",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ns, overflow, ok := plainInstant(s)
		same(t, s, Instant([]byte(s)), ns, overflow, ok)
		if ok && !IsInstant([]byte(s)) {
			t.Errorf("%q: taken for no instant", s)
		}
	})
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{
		"0", "0.5", "1.", ".5", "007.25", "1.0000000019", "9223372036854775807", "9223372036854775808", "9223372036.854775807",
		"9223372036.854775808", "12345678901234567890123.1", "-1", "1x", "1.5x", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		unit := int64(1)
		for places := 0; places <= 9; places, unit = places+3, unit*1000 {
			ns, overflow, ok := plainNumber(s, places)
			same(t, s, Number([]byte(s), unit, unit, "a digit"), ns, overflow, ok)
		}
		if !strings.Contains(s, ".") {
			ns, overflow, ok := plainNumber(s, 0)
			same(t, s, Number([]byte(s), 1, Second, "a digit"), ns, overflow, ok)
		}
	})
}

// same compares a reading with that of an oracle.
func same(t *testing.T, s string, got Reading, ns int64, overflow, ok bool) {
	t.Helper()
	switch {
	case !ok:
		if got.Want == "" || got.Overflow || got.At < 0 || got.At > len(s) {
			t.Errorf("%q: got %+v, want a fault", s, got)
		}
	case overflow:
		expect.Equal(t, got, Reading{Overflow: true}, "%q", s)
	case got != (Reading{Ns: ns}):
		t.Errorf("%q: got %+v, want %d", s, got, ns)
	}
}

func FuzzSplitIdentifier(f *testing.F) {
	for _, s := range []string{"m13889", "m0", "m007", "7", "ret", "", "00", "m1000000000000000007", "9223372036854775807", "1-2-34"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, id string) {
		series, number := SplitIdentifier([]byte(id))
		if wantSeries, want := plainSplit(id); string(series) != wantSeries || number != want {
			t.Errorf("%q: got %q, %d, want %q, %d", id, series, number, wantSeries, want)
		}
	})
}

func FuzzName(f *testing.F) {
	for _, s := range []string{"f(int, \"x\")", "é\u00a0", "a\x7f", "\xff", "a\xc3", "\x00", "", strings.Repeat("é", 2049)} {
		f.Add(s, 40)
	}
	f.Fuzz(func(t *testing.T, s string, most int) {
		at, want := CheckName([]byte(s))
		if (want == "") != plainName(s) || at > len(s) || !plainName(s[:at]) {
			t.Errorf("%q: at %d: %q", s, at, want)
		}
		most = max(utf8.UTFMax, min(most, math.MaxInt32))
		shown, cut := strings.CutSuffix(Quote([]byte(s), most), `"...`)
		if cut {
			shown += `"`
		}
		text, err := strconv.Unquote(shown)
		if err != nil || !strings.HasPrefix(s, text) || len(text) > most || cut == (text == s) || utf8.ValidString(s) && !utf8.ValidString(text) {
			t.Errorf("%q, at most %d: %s", s, most, Quote([]byte(s), most))
		}
	})
}
