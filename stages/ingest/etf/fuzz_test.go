package etf

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
	"golang.org/x/tools/txtar"
)

// FuzzRead reads any text: no panic, calls of every lifeline that nest, and the same with all memory or with little.
func FuzzRead(f *testing.F) {
	paths := expect.Value(filepath.Glob("testdata/*.txtar"))(f)
	for _, path := range paths {
		data := expect.Value(os.ReadFile(path))(f)
		for _, file := range txtar.Parse(data).Files {
			f.Add(string(file.Data))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		Detect([]byte(text))
		got := listen(t, text, schema.ReadingOptions{Component: "k"}, 1<<20, false)
		if got.err != nil {
			t.Fatal(got.err)
		}
		nests(t, got)
	})
}

// nests fails unless time does not run back and every exit is that of the innermost open call.
func nests(t *testing.T, got *told) {
	t.Helper()
	stacks, last := map[string][]string{}, int64(-1<<63)
	for i, ns := range got.block.TimeNs {
		if ns < last {
			t.Fatal("time runs back", got.lines())
		}
		last = ns
		k := got.reader.Keys().At(got.block.Key[i])
		s, call := stacks[k.Lifeline], k.Component+"\x00"+k.Function
		switch {
		case k.Kind == schema.Message:
			if b := got.reader.Keys().At(got.block.Key[i-1]); ns != got.block.TimeNs[i-1] || b.Lifeline != k.Lifeline || b.Component+"\x00"+b.Function != call {
				t.Fatal("a further message of nothing", got.lines())
			}
		case k.Kind == schema.Regular:
			if len(s) > 0 {
				t.Fatal("an event within a call", got.lines())
			}
		case k.Kind == schema.Enter:
			stacks[k.Lifeline] = append(s, call)
		case len(s) == 0 || s[len(s)-1] != call:
			t.Fatal("not nested", got.lines())
		default:
			stacks[k.Lifeline] = s[:len(s)-1]
		}
	}
	for lifeline, s := range stacks {
		if len(s) > 0 {
			t.Fatal(lifeline, "open", s)
		}
	}
}
