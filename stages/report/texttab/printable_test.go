package texttab

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestPrintable checks what becomes letters: C0, C1, separators, turns of the direction of writing, and bytes that are no UTF-8.
// Letters of any script, joiners and emoji stay.
func TestPrintable(t *testing.T) {
	for name, want := range map[string]string{
		"":                  "",
		"operator<<":        "operator<<",
		"größe 日本 🙂 \u200d": "größe 日本 🙂 \u200d",
		"\x1b[31mred":       `\u001b[31mred`,
		"a\nb\r\tc\a":       `a\nb\r\tc\u0007`,
		"\u009b2J\x7f":      `\u009b2J\u007f`,
		"a\u2028b\u202ec":   `a\u2028b\u202ec`,
		"\u2066x\u200f":     `\u2066x\u200f`,
		"\xff\xc3(":         `\xff\xc3(`,
		"\uFFFD":            "\uFFFD",
	} {
		expect.Equal(t, Printable(name), want, "%q", name)
		expect.Equal(t, Printable(want), want, "%q twice", name)
	}
}

// TestCellIsOneLine checks that a name cannot add a row to a table.
func TestCellIsOneLine(t *testing.T) {
	table := New("")
	table.Row("where", "verdict")
	table.Row("f\ng  unchanged", "regressed")
	var out strings.Builder
	expect.OK(t, table.Write(&out))
	expect.Equal(t, strings.Count(out.String(), "\n"), 2, "lines of %q", out.String())
}
