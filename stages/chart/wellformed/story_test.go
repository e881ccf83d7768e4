package wellformed

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/table"
	"github.com/tracelake/tracelake/stages/ingest/text"
)

var update = flag.Bool("update", false, "rewrite the wanted results of the stories")

// TestStories weaves the traces of testdata. A story's files are trace, and what is wanted under each way to
// weave it: complete (which ignores untraced components), discard, insert, discard-insert. The comment
// may say "buckets" or "groups of four".
func TestStories(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { tell(t, name) })
	}
}

func tell(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	trace := string(a.Files[0].Data)
	records := parse(t, formatOf(t, a.Files[0].Name, trace), trace)
	for i := range a.Files[1:] {
		f := &a.Files[i+1]
		l := plain(Options{Discard: strings.Contains(f.Name, "discard"), Insert: strings.Contains(f.Name, "insert")})
		if strings.Contains(f.Name, "buckets") {
			l.buckets = 3
		}
		if strings.Contains(f.Name, "groups") {
			l.group, l.messages = 4, 1
		}
		got := weave(t, records, l).describe()
		if *update {
			f.Data = []byte(got)
		}
		if want := string(f.Data); got != want {
			t.Errorf("%s: got\n%swant\n%s", f.Name, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// formatOf is the format of a trace by the name of its file in the story.
func formatOf(t *testing.T, name, trace string) schema.Format {
	switch name {
	case "trace":
		return text.Thesis()
	case "tmsctrace":
		return text.Tmsctrace()
	case "table":
		f, ok, err := table.Detect([]byte(trace), table.Options{})
		if !ok || err != nil {
			t.Fatalf("not a table: %v", err)
		}
		return f
	}
	t.Fatalf("a story begins with %q", name)
	return schema.Format{}
}
