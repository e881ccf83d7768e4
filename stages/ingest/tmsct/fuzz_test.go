package tmsct

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// FuzzParse sees that any text comes to an end with a block that holds together and is no larger than the text.
func FuzzParse(f *testing.F) {
	for _, text := range examples(f) {
		if len(text) < 1500 { // long ones slow the search down
			f.Add(text)
		}
	}
	for _, text := range []string{
		"1 A > f !m(1) ?m {a: [1, [2]]}\n", "host H { executor \"E\" as E {scheduled: true} }\nH.E > f !request r !message-control c(message: r)\n",
		"2021-06-16T14:00:00.1+02:00 'a' > \"f\\u0041\" /* x */ ?m1 // y\n20210616T140000Z ^host < f\n", "+1e-3 A > f\n1e+9 A < f\n\"", "'/*\n\"//\\",
		"lifeline-segment settings { prefix: L }\nA > f !L1(0.5)\nA < f ?L1\nB < f\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b schema.Block
		p := Format().NewParser()
		p.Parse([]byte(text), &b)
		n := len(b.Key)
		if len(b.TimeNs) != n || len(b.Mark) != n || len(b.MessageID) != n || len(b.Line) != n || 2*n > len(text) {
			t.Fatalf("%d bytes: %d keys, %d times, %d marks, %d ids, %d lines", len(text), n, len(b.TimeNs), len(b.Mark), len(b.MessageID), len(b.Line))
		}
		if lines := int64(strings.Count(text, "\n") + 1); b.Lines > lines || b.Lines < lines-1 {
			t.Errorf("%d lines, want %d", b.Lines, lines)
		}
		for i := range b.Key {
			if int(b.Key[i]) >= p.Keys().Len() || int(b.Mark[i]) >= len(p.Marks()) || int64(b.Line[i]) >= b.Lines {
				t.Fatalf("row %d: key %d, mark %d, line %d", i, b.Key[i], b.Mark[i], b.Line[i])
			}
		}
		for _, note := range b.Notes {
			if note.Row < schema.NoRow || int(note.Row) >= n || note.About == schema.AboutMessage && p.Marks()[b.Mark[note.Row]].Direction != schema.Send {
				t.Fatalf("note %+v of %d rows", note, n)
			}
		}
	})
}
