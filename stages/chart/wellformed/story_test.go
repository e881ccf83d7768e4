package wellformed

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
	"github.com/tracelake/tracelake/stages/ingest/table"
	"github.com/tracelake/tracelake/stages/ingest/text"
)

// TestStories weaves the traces of testdata. A story's files are trace, and what is wanted under each way to
// weave it: complete (which ignores untraced components), discard, insert, discard-insert. The comment
// may say "buckets" or "groups of four".
func TestStories(t *testing.T) {
	storytest.Play(t, 1, func(t *testing.T, files []txtar.File, want string) string {
		trace := string(files[0].Data)
		records := parse(t, formatOf(t, files[0].Name, trace), trace)
		l := plain(Options{Discard: strings.Contains(want, "discard"), Insert: strings.Contains(want, "insert")})
		if strings.Contains(want, "buckets") {
			l.buckets = 3
		}
		if strings.Contains(want, "groups") {
			l.group, l.messages = 4, 1
		}
		return weave(t, records, l).describe()
	})
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
