package otf1

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

type event = readertest.Event

// outcome is what a reading of a trace gives.
type outcome struct{ readertest.Result }

// read reads a trace.
func read(fsys fs.FS, path string, change ...func(*schema.Reading)) *outcome {
	reading := readertest.Reading(fsys, path)
	for _, f := range change {
		f(reading)
	}
	return &outcome{*readertest.Read(Format(), reading)}
}

// component chooses what components are.
func component(word string) func(*schema.Reading) {
	return func(r *schema.Reading) { r.Options.Component = word }
}

func strict(r *schema.Reading) { r.Strict = true }

// roles names what processes do in collective operations.
var roles = map[schema.Direction]string{schema.Meets: "meets", schema.Gives: "gives", schema.Takes: "takes", schema.Scans: "scans"}

// row shows an event as a line.
func row(e event) string {
	text := fmt.Sprintf("%d %s [%s] %s %s", e.Ns, e.Key.Lifeline, e.Key.Component, schema.KindWords[e.Key.Kind], e.Key.Function)
	if schema.Couples(e.Mark.Direction) {
		rank, size := schema.SeatOf(e.ID)
		text += fmt.Sprintf(" %s %s, rank %d of %d", roles[e.Mark.Direction], e.Mark.Label, rank, size)
	} else if e.Mark.Direction != schema.NoMessage {
		text += fmt.Sprintf(" %c%s%d (%s)", " !?"[e.Mark.Direction], e.Mark.Series, e.ID, e.Mark.Label)
	}
	return text
}

// String shows everything.
func (o *outcome) String() string {
	var out strings.Builder
	for _, e := range o.Events {
		fmt.Fprintln(&out, row(e))
	}
	for _, l := range o.Ledger.Losses("") {
		fmt.Fprintf(&out, "%s %d, first %s\n", l.Reason, l.Count, l.FirstPosition)
	}
	if o.Err != nil {
		fmt.Fprintf(&out, "error: %v\n", o.Err)
	}
	return out.String()
}

// folder makes a file system of files.
func folder(files map[string]string) fs.FS {
	fsys := make(fstest.MapFS)
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// recording is a folder of the recordings, with its master file.
func recording(t testing.TB, parts ...string) (dir, master string) {
	t.Helper()
	dir = filepath.Join(append([]string{readertest.Recordings(t), "otf1"}, parts...)...)
	found, err := filepath.Glob(filepath.Join(dir, "*.otf"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %d master files, %v", dir, len(found), err)
	}
	return dir, filepath.Base(found[0])
}

// readRecording reads a recording.
func readRecording(t testing.TB, parts []string, change ...func(*schema.Reading)) *outcome {
	t.Helper()
	dir, master := recording(t, parts...)
	out := read(os.DirFS(dir), master, change...)
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	return out
}
