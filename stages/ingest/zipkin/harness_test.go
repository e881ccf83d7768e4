package zipkin

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
)

// recordings is the environment variable that names the folder of recordings, beside which lie those of others.
const recordings = "TRACELAKE_RECORDINGS"

// samples is the folder of traces of a format that others have recorded.
func samples(t testing.TB, format string) string {
	t.Helper()
	root := os.Getenv(recordings)
	if root == "" {
		t.Skipf("traces recorded by others are not read, since %s does not name a folder of recordings", recordings)
	}
	return filepath.Join(root, "..", "third-party", format)
}

// outcome is what a reader gave out.
type outcome struct {
	events          []string
	enters, exits   int
	sends, receives int
	unmatched       int // receives before or without their sends
	negative        int // of those the ones that were sent at a later time
	losses          map[string]int64
}

// read reads files as one run.
func read(t testing.TB, files map[string]string, reading schema.Reading) (outcome, error) {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		reading.Traces = append(reading.Traces, schema.Trace{FS: fsys, Path: name})
	}
	reading.Ledger = new(schema.Ledger)
	if reading.Memory == 0 {
		reading.Memory = 64 << 20
	}
	reading.Scratch = func() (schema.Scratch, error) { return nil, errors.New("no scratch file is needed for so little") }
	r := Format().NewReader(&reading)
	out := outcome{losses: map[string]int64{}}
	block, open := new(schema.Block), map[int64]int64{}
	err := r.Read(func(full *schema.Block) (*schema.Block, error) {
		if full != nil {
			out.take(full, r, open)
		}
		block.Reset()
		return block, nil
	})
	for _, l := range reading.Ledger.Losses("") {
		out.losses[l.Reason] = l.Count
	}
	return out, err
}

func (o *outcome) take(b *schema.Block, r schema.Reader, open map[int64]int64) {
	keys, marks := r.Keys(), r.Marks()
	for i := range b.Key {
		k, m := keys[b.Key[i]], marks[b.Mark[i]]
		s := fmt.Sprintf("%d %s %s %s", b.TimeNs[i], k.Lifeline, []string{">", "<", "="}[k.Kind], k.Function)
		switch k.Kind {
		case schema.Enter:
			o.enters++
		case schema.Exit:
			o.exits++
		}
		switch m.Direction {
		case schema.Send:
			o.sends++
			open[b.MessageID[i]] = b.TimeNs[i]
		case schema.Receive:
			o.receives++
			sent, under := open[b.MessageID[i]]
			if !under {
				o.unmatched++
			} else if b.TimeNs[i] < sent {
				o.negative++
			}
			delete(open, b.MessageID[i])
		}
		if m.Direction != schema.NoMessage {
			s += fmt.Sprintf(" %s%s%d %s", []string{"", "!", "?"}[m.Direction], m.Series, b.MessageID[i], m.Label)
		}
		o.events = append(o.events, s)
	}
}
