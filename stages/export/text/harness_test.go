package text

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/tracelake/tracelake/schema"
	reader "github.com/tracelake/tracelake/stages/ingest/text"
)

// row is an event with its names.
type row struct {
	ns                            int64
	component, lifeline, function string
	kind                          schema.Kind
	direction                     schema.Direction
	series                        string
	id                            int64
	synthetic                     bool
}

// add appends rows to events.
func add(ev *schema.Events, rows ...row) *schema.Events {
	for _, r := range rows {
		n := ev.Names
		series, message := schema.NoCode, schema.NoCode
		if r.direction != schema.NoMessage {
			series, message = n.Series.Code(r.series), n.Messages.Code("label")
		}
		ev.Seq = append(ev.Seq, int64(len(ev.Seq)))
		ev.TimeNs = append(ev.TimeNs, r.ns)
		ev.Component = append(ev.Component, n.Components.Code(r.component))
		ev.Lifeline = append(ev.Lifeline, n.Lifelines.Code(r.lifeline))
		ev.Function = append(ev.Function, n.Functions.Code(r.function))
		ev.Kind = append(ev.Kind, r.kind)
		ev.Message = append(ev.Message, message)
		ev.Series = append(ev.Series, series)
		ev.MessageID = append(ev.MessageID, r.id)
		ev.Direction = append(ev.Direction, r.direction)
		ev.Peer = append(ev.Peer, schema.NoCode)
		ev.ExecutionType = append(ev.ExecutionType, schema.NoCode)
		ev.Synthetic = append(ev.Synthetic, r.synthetic)
	}
	return ev
}

// parsed reads a text of the dialect.
func parsed(t testing.TB, text []byte) (rows []row) {
	t.Helper()
	p := reader.Thesis().NewParser()
	var b schema.Block
	p.Parse(text, &b)
	if b.Bad.Count > 0 || b.Overflow.Count > 0 {
		t.Fatalf("%d bad lines, first %v", b.Bad.Count+b.Overflow.Count, b.Bad.First.Error())
	}
	for i := range b.Key {
		k, m := p.Keys()[b.Key[i]], p.Marks()[b.Mark[i]]
		rows = append(rows, row{b.TimeNs[i], k.Component, k.Lifeline, k.Function, k.Kind, m.Direction, m.Series, b.MessageID[i], false})
	}
	return rows
}

// written is what chunks of at most so many rows become; every chunk has dictionaries of its own, in which each
// name has another code than in the one before.
func written(t testing.TB, rows []row, chunk int, change ...func(*Writer)) (string, Omissions) {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out)
	for _, f := range change {
		f(w)
	}
	for begin := 0; begin < len(rows); begin += chunk {
		ev := schema.NewEvents()
		for i := range begin % 7 {
			name := strings.Repeat("x", i+1)
			ev.Names.Components.Code(name)
			ev.Names.Functions.Code(name)
			ev.Names.Series.Code(name)
			ev.Names.Lifelines.Code(name)
		}
		if err := w.Write(add(ev, rows[begin:min(begin+chunk, len(rows))]...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String(), w.Omissions()
}

// load reads a file, compressed or not.
func load(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil && filepath.Ext(path) == ".zst" {
		var r *zstd.Decoder
		if r, err = zstd.NewReader(nil); err == nil {
			defer r.Close()
			data, err = r.DecodeAll(data, nil)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var errFull = errors.New("the disk is full")

// fullDisk takes so many bytes; after a first failure there is room again.
type fullDisk int

func (f *fullDisk) Write(p []byte) (int, error) {
	if *f -= fullDisk(len(p)); *f < 0 {
		*f = 1 << 30
		return 0, errFull
	}
	return len(p), nil
}
