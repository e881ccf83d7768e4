package texttab

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// names is a table of a number, a share and a name that has the given length.
func names(length int) *Table {
	t := New("rr")
	t.Row("effect", "share", "where")
	t.Row("+1.63 ms", "99 %", "lib"+strings.Repeat("x", length-6)+"end")
	return t
}

// TestTablesFit writes names of many lengths into 41 columns: no line is longer, both ends of the name stay, and a column is left out only where
// names that are shortened do not help, which the table says.
func TestTablesFit(t *testing.T) {
	for length := 6; length < 90; length++ {
		table := names(length)
		note := table.FitInto(41, 2, "nothing", "share")
		var out strings.Builder
		expect.OK(t, table.Write(&out))
		for line := range strings.Lines(out.String()) {
			expect.Equal(t, Width(strings.TrimRight(line, "\n")) <= 41, true, "length %d: %q", length, line)
		}
		expect.Equal(t, strings.Contains(out.String(), "lib") && strings.Contains(out.String(), "end"), true, "both ends: %s", &out)
		expect.Equal(t, strings.Contains(out.String(), "..."), length > 24, "shortened: %s", &out)
		expect.Equal(t, note, map[bool]string{true: "To fit 41 columns, names are shortened: a wider terminal, a file or --format json has all."}[length > 24], "length %d", length)
	}
	table := names(60)
	expect.Equal(t, table.FitInto(35, 2, "nothing", "share"), "To fit 35 columns, names are shortened, and share is left out: a wider terminal, a file or --format json has all.",
		"a column left out")
	expect.Equal(t, table.Columns(), 2, "columns of what is left")
	table = names(20)
	expect.Equal(t, table.FitInto(31, 2, "effect", "share"), "To fit 31 columns, effect is left out: a wider terminal, a file or --format json has all.", "a short name stays whole")
}

// TestShorten cuts no letter in two, whatever columns it takes.
func TestShorten(t *testing.T) {
	for text, want := range map[string]string{"abcdefghij": "ab...hij", "abcdefgh": "abcdefgh", "é\u0301bcdefghij": "é\u0301b...hij"} {
		got := Shorten(text, 8)
		expect.Equal(t, Width(got) <= 8, true, "%q is too wide", got)
		if Width(text) == len(text) {
			expect.Equal(t, got, want, "%q", text)
		}
	}
	expect.Equal(t, Shorten("日本語日本語", 8), "日...語", "wide letters")
}

// TestWriteWrapped breaks texts of the last column, and leaves out nothing.
func TestWriteWrapped(t *testing.T) {
	table := New("lr")
	table.Row(" ", "+1 ms", "seven functions slower, most of all lib.f")
	table.Row("=", "+1 ms", "all")
	var out strings.Builder
	expect.OK(t, table.WriteWrapped(&out, 36))
	expect.Equal(t, out.String(), "   +1 ms  seven functions slower,\n          most of all lib.f\n=  +1 ms  all\n", "wrapped")
}
