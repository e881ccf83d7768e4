package text

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/testdata/charttest"
	reader "github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/testdata/expect"
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
		charttest.Append(ev, charttest.Row{
			TimeNs: r.ns, Component: r.component, Lifeline: r.lifeline, Function: r.function, Kind: r.kind,
			Direction: r.direction, Series: r.series, Label: "label", MessageID: r.id, Synthetic: r.synthetic,
		})
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
		k, m := p.Keys().At(b.Key[i]), p.Marks()[b.Mark[i]]
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
		expect.OK(t, w.Write(add(ev, rows[begin:min(begin+chunk, len(rows))]...)))
	}
	expect.OK(t, w.Close())
	return out.String(), w.Omissions()
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
