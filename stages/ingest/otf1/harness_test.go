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
)

// event is a row with its key and mark looked up.
type event struct {
	ns   int64
	key  schema.EventKey
	mark schema.MessageMark
	id   int64
}

// outcome is what a reading of a trace gives.
type outcome struct {
	events []event
	losses schema.Ledger
	err    error
	blocks int
}

// read reads a trace.
func read(fsys fs.FS, path string, change ...func(*schema.Reading)) *outcome {
	out := new(outcome)
	reading := &schema.Reading{Traces: []schema.Trace{{FS: fsys, Path: path}}, Ledger: &out.losses}
	for _, f := range change {
		f(reading)
	}
	r := Format().NewReader(reading)
	var b schema.Block
	out.err = r.Read(func(full *schema.Block) (*schema.Block, error) {
		if full == nil {
			return &b, nil
		}
		out.blocks++
		keys, marks := r.Keys(), r.Marks()
		for i := range full.Key {
			out.events = append(out.events, event{full.TimeNs[i], keys[full.Key[i]], marks[full.Mark[i]], full.MessageID[i]})
		}
		full.Reset()
		return full, nil
	})
	return out
}

// component chooses what components are.
func component(word string) func(*schema.Reading) {
	return func(r *schema.Reading) { r.Options.Component = word }
}

func strict(r *schema.Reading) { r.Strict = true }

// String shows a row as a line.
func (e event) String() string {
	text := fmt.Sprintf("%d %s [%s] %s %s", e.ns, e.key.Lifeline, e.key.Component, schema.KindWords[e.key.Kind], e.key.Function)
	if e.mark.Direction != schema.NoMessage {
		text += fmt.Sprintf(" %c%s%d (%s)", " !?"[e.mark.Direction], e.mark.Series, e.id, e.mark.Label)
	}
	return text
}

// String shows everything.
func (o *outcome) String() string {
	var out strings.Builder
	for _, e := range o.events {
		fmt.Fprintln(&out, e)
	}
	for _, l := range o.losses.Losses("") {
		fmt.Fprintf(&out, "%s %d, first %s\n", l.Reason, l.Count, l.FirstPosition)
	}
	if o.err != nil {
		fmt.Fprintf(&out, "error: %v\n", o.err)
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
	root := os.Getenv("TRACELAKE_RECORDINGS")
	if root == "" {
		t.Skip("set TRACELAKE_RECORDINGS to the folder of recordings to compare the events of real OTF traces; none was read")
	}
	dir = filepath.Join(append([]string{root, "otf1"}, parts...)...)
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
	if out.err != nil {
		t.Fatal(out.err)
	}
	return out
}

func load(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
