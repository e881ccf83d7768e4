package tmsct

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// examples are the texts of other projects that come with this one.
func examples(t testing.TB) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	for _, folder := range []string{"pps", "mids"} {
		paths, err := filepath.Glob(filepath.Join("../../../testdata/traces", folder, "*.tmsct"))
		if err != nil || len(paths) < 6 {
			t.Fatalf("%s: %d examples, %v", folder, len(paths), err)
		}
		for _, path := range paths {
			data := expect.Value(os.ReadFile(path))(t)
			texts[filepath.Join(folder, strings.TrimSuffix(filepath.Base(path), ".tmsct"))] = string(data)
		}
	}
	return texts
}

// good reads a text without faults.
func good(t testing.TB, text string) (*schema.Block, schema.Parser) {
	t.Helper()
	var b schema.Block
	p := Format().NewParser()
	p.Parse([]byte(text), &b)
	if b.Broken != nil || b.Bad.Count+b.Overflow.Count != 0 {
		t.Fatalf("%.60q: broken %v, bad %v, overflow %v", text, b.Broken, b.Bad, b.Overflow)
	}
	return &b, p
}

// listing writes a block, a line for each row, with the notes of the row behind it and those of the trace first:
//
//	seconds lifeline component >|<|= function [(execution type)] [!|?label series number] {about [subject]: name value}
func listing(b *schema.Block, p schema.Parser) string {
	said := make(map[int32][]string)
	for _, n := range b.Notes {
		said[n.Row] = append(said[n.Row], fmt.Sprintf("{%s: %s %s}", strings.TrimSpace(n.About+" "+n.Subject), n.Name, n.Value))
	}
	slices.Sort(said[schema.NoRow])
	var out strings.Builder
	for _, n := range said[schema.NoRow] {
		fmt.Fprintln(&out, n)
	}
	for i := range b.Key {
		k, m := p.Keys().At(b.Key[i]), p.Marks()[b.Mark[i]]
		fmt.Fprintf(&out, "%d.%09d %s | %s %s %s", b.TimeNs[i]/1e9, b.TimeNs[i]%1e9, k.Lifeline, k.Component, [...]string{">", "<", "="}[k.Kind], k.Function)
		if k.ExecutionType != "" {
			fmt.Fprintf(&out, " (%s)", k.ExecutionType)
		}
		if m.Direction != schema.NoMessage {
			fmt.Fprintf(&out, " %s%s %s", [...]string{"", "!", "?"}[m.Direction], m.Label, m.Series)
		}
		if b.MessageID[i] != schema.NoValue {
			fmt.Fprintf(&out, " %d", b.MessageID[i])
		}
		for _, n := range said[int32(i)] {
			out.WriteString(" " + n)
		}
		out.WriteByte('\n')
	}
	return out.String()
}
