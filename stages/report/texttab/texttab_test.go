package texttab

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestTable checks alignment, rows of different lengths, wide letters, and that no line ends in spaces.
func TestTable(t *testing.T) {
	table := New("rl")
	table.Row("n", "name", "note")
	table.Row("1,000", "日本", "wide")
	table.Row("7", "é", "")
	table.Row("end")
	var out strings.Builder
	expect.OK(t, table.Write(&out))
	want := "    n  name  note\n1,000  日本  wide\n    7  é\n  end\n"
	expect.Equal(t, out.String(), want, "table")
}

// TestColumns checks that later rows may be wider or longer than those that the widths were taken from.
func TestColumns(t *testing.T) {
	c := NewColumns([]bool{true})
	c.Fit([]string{"ab", "c"})
	var out strings.Builder
	for _, row := range [][]string{c.Rule(), {"1", "2"}, {"wider", "x", "more"}} {
		expect.OK(t, c.WriteRow(&out, row))
	}
	expect.Equal(t, out.String(), "--  -\n 1  2\nwider  x  more\n", "columns")
}

// TestDropEmptyColumns checks that the header alone keeps no column, and that alignment follows the columns.
func TestDropEmptyColumns(t *testing.T) {
	table := New("lrr")
	table.Row("a", "b", "c")
	table.Row("x", "", "1")
	table.Row("y", "", "10")
	table.DropEmptyColumns()
	var out strings.Builder
	expect.OK(t, table.Write(&out))
	expect.Equal(t, out.String(), "a   c\nx   1\ny  10\n", "table")
}

// TestMarkdown checks the form of a table in Markdown.
func TestMarkdown(t *testing.T) {
	table := New("")
	table.Row("a", "b")
	table.Row("1", "2")
	var out strings.Builder
	expect.OK(t, table.WriteMarkdown(&out))
	expect.Equal(t, out.String(), "| a | b |\n| --- | --- |\n| 1 | 2 |\n", "Markdown")
}

// TestWidth checks letters of several widths.
func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "µs → …": 6, "日本": 4, "한글": 4, "e\u0301": 1, "🙂": 2, "ｶﾅ": 2} {
		expect.Equal(t, Width(text), want, "columns of %q", text)
	}
}

// Lines break at spaces, and never between a number and its unit.
func TestWrap(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"aa bb cc", "aa bb\n cc"},
		{"aaaaaaa b", "aaaaaaa\n b"},
		{"aa 95 % b", "aa\n 95 %\n b"},
		{"a 20 ms, b", "a\n 20 ms,\n b"},
		{"% a", "% a"},
		{"", ""},
	} {
		expect.Equal(t, Wrap(c.text, 6, " "), c.want, "%q", c.text)
	}
}

// TestShort writes three digits.
func TestShort(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0 ns", 7: "7 ns", 999: "999 ns", 1000: "1.00 us", 1004: "1.00 us", 1005: "1.01 us", 12345: "12.3 us",
		999_499: "999 us", 999_500: "1.00 ms", 20_750_000: "20.8 ms", 1e9: "1.00 s", 123_456e9: "123456 s", -1500: "-1.50 us",
		999_500_000: "1.00 s", 1234.4e9: "1234 s", math.MaxInt64: "9223372037 s", math.MinInt64: "-9223372037 s",
	} {
		expect.Equal(t, Duration(ns), want, "%d", ns)
	}
}

// TestExact writes all digits.
func TestExact(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0 s", 1: "1 ns", 999: "999 ns", 1000: "1 us", 1050: "1.05 us", -1500: "-1.5 us", 26_581_047: "26.581047 ms",
		1_000_000_001: "1.000000001 s", 61e9: "61 s", 10_000: "10 us", math.MinInt64: "-9223372036.854775808 s",
	} {
		expect.Equal(t, Exact(ns), want, "%d is written", ns)
	}
}

// TestInWindow checks that the length of a window has four digits at most, and that ends of short windows far from the start of
// the run still differ.
func TestInWindow(t *testing.T) {
	for _, c := range []struct {
		ns, window int64
		want       string
	}{
		{26_581_047, 26_581_047, "26.58 ms"}, {0, 26_581_047, "0 s"}, {100, 100, "100 ns"}, {9_999, 9_999, "9.999 us"},
		{99_999, 99_999, "100 us"}, {1_234_567_890, 1_500, "1.23456789 s"}, {1_234_569_390, 1_500, "1.23456939 s"},
		{1_234_567_890, 1_500_000, "1.234568 s"}, {-26_585_047, 26_581_047, "-26.59 ms"}, {5, 0, "5 ns"},
		{math.MaxInt64, math.MaxInt64, "9223000000 s"}, {math.MinInt64, math.MinInt64, "-9223000000 s"},
	} {
		expect.Equal(t, InWindow(c.ns, c.window), c.want, "%d in a window of %d", c.ns, c.window)
	}
	expect.Equal(t, Flag(15*time.Microsecond)+" "+Flag(90*time.Second), "15us 1m30s", "flags")
}

// TestInterval writes the unit once if it can.
func TestInterval(t *testing.T) {
	for want, ends := range map[string][2]int64{
		"+1.00 to +2.00 ms": {1e6, 2e6}, "-500 us to +2.00 ms": {-500e3, 2e6}, "0 to +5 ns": {0, 5},
	} {
		expect.Equal(t, Interval(ends[0], ends[1]), want, "%v is written", ends)
	}
}

// TestCount checks the thousands of counts.
func TestCount(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -100: "-100", 48700000: "48,700,000"} {
		expect.Equal(t, Count(n), want, "%d is written", n)
	}
}

// TestPlural checks the number that has no s, and others.
func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 runs", 1: "1 run", 2: "2 runs", 1000: "1,000 runs"} {
		expect.Equal(t, Plural(n, "run"), want, "%d is written", n)
	}
}

// TestPercentages checks the three ways to write a share.
func TestPercentages(t *testing.T) {
	for want, got := range map[string]string{
		"<0.1 %": Percent(1, 10_000), "0.0 %": Percent(0, 0), "5.0 %": Percent(1, 20), "50 %": Percent(1, 2),
		"5 %": Share(.05), "0.25 %": Share(.0025), "100 %": Share(1),
		"+5.00 %": Relative(.05), "-50.0 %": Relative(-.5), "+250 %": Relative(2.5), "0.00 %": Relative(0),
	} {
		expect.Equal(t, got, want, "share")
	}
}

// TestBytes checks that sizes read as they are written.
func TestBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		n := r.Int64N(1<<20) << r.IntN(20)
		if got, err := ParseBytes(Bytes(n)); err != nil || got != n {
			t.Fatalf("%d is written %s and read %d, %v", n, Bytes(n), got, err)
		}
	}
}
