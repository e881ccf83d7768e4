package otf1

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/testdata/charttest"
	reader "github.com/tracelake/tracelake/stages/ingest/otf1"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// event is an event with its names. peer is a component, "" where the other end is untraced.
type event struct {
	ns                            int64
	component, lifeline, function string
	kind                          schema.Kind
	direction                     schema.Direction
	label, series, peer           string
	id                            int64
	synthetic                     bool
}

// add appends events to a table.
func add(ev *schema.Events, events ...event) *schema.Events {
	for _, e := range events {
		charttest.Append(ev, charttest.Row{
			TimeNs: e.ns, Component: e.component, Lifeline: e.lifeline, Function: e.function, Kind: e.kind, Direction: e.direction,
			Series: e.series, Label: e.label, MessageID: e.id, Peer: e.peer, Synthetic: e.synthetic,
		})
	}
	return ev
}

// paired sets the peers of events, as the trace's owner knows them: a send and the next receive of its identifier.
func paired(events []event) []event {
	open := make(map[string]int)
	for i := range events {
		e := &events[i]
		key := fmt.Sprint(e.series, " ", e.id)
		switch e.peer = ""; e.direction {
		case schema.Send:
			open[key] = i
		case schema.Receive:
			if j, ok := open[key]; ok {
				delete(open, key)
				e.peer, events[j].peer = events[j].component, e.component
			}
		}
	}
	return events
}

// memory is files that are made in memory.
type memory map[string]*bytes.Buffer

type memoryFile struct{ *bytes.Buffer }

func (memoryFile) Close() error { return nil }

func (m memory) create(name string) (io.WriteCloser, error) {
	if m[name] != nil {
		return nil, fmt.Errorf("%s is made twice", name)
	}
	m[name] = new(bytes.Buffer)
	return memoryFile{m[name]}, nil
}

func (m memory) fs() fs.FS {
	out := make(fstest.MapFS)
	for name, b := range m {
		out[name] = &fstest.MapFile{Data: b.Bytes()}
	}
	return out
}

func (m memory) String() string {
	var out strings.Builder
	for _, name := range []string{"t.otf", "t.0.def", "t.1.events"} {
		fmt.Fprintf(&out, "-- %s --\n%s", name, m[name])
	}
	return out.String()
}

// written is what chunks of at most so many events become; every chunk has dictionaries of its own, in which each name
// has another code than in the one before.
func written(t testing.TB, events []event, chunk int, change ...func(*Writer)) (memory, Omissions) {
	t.Helper()
	files := make(memory)
	w := NewWriter(files.create, "t")
	for _, f := range change {
		f(w)
	}
	for begin := 0; begin < len(events); begin += chunk {
		ev := schema.NewEvents()
		for i := range begin % 5 {
			name := strings.Repeat("x", i+1)
			for _, d := range []*schema.Dictionary{&ev.Names.Components, &ev.Names.Functions, &ev.Names.Lifelines, &ev.Names.Messages, &ev.Names.Series} {
				d.Code(name)
			}
		}
		expect.OK(t, w.Write(add(ev, events[begin:min(begin+chunk, len(events))]...)))
	}
	expect.OK(t, w.Close())
	return files, w.Omissions()
}

// readBack reads a trace and gives its events peers.
func readBack(t testing.TB, fsys fs.FS, path string) []event {
	t.Helper()
	events, losses := readAll(t, fsys, path)
	if len(losses) > 0 {
		t.Fatalf("losses %+v", losses)
	}
	return events
}

func readAll(t testing.TB, fsys fs.FS, path string) (events []event, losses []schema.Loss) {
	t.Helper()
	got := readertest.Read(reader.Format(), readertest.Reading(fsys, path))
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	for _, e := range got.Events {
		k, m := e.Key, e.Mark
		if m.Coupling != 0 { // a row of a collective operation, which is no message and is not exported
			continue
		}
		events = append(events, event{
			ns: e.Ns, component: k.Component, lifeline: k.Lifeline, function: k.Function, kind: k.Kind,
			direction: m.Direction, label: m.Label, series: m.Series, id: e.ID,
		})
	}
	return paired(events), got.Ledger.Losses("")
}

// renumbered calls every message by the order in which the trace first shows it, so that traces compare whose
// identifiers differ. Ends that are not tied are messages of their own.
func renumbered(events []event) []event {
	out, numbers, next := make([]event, len(events)), make(map[string]int64), int64(0)
	for i, e := range events {
		key := fmt.Sprint(e.series, " ", e.id)
		if e.direction == schema.NoMessage {
			e.id = 0
		} else if n, known := numbers[key]; known && e.direction == schema.Receive && e.peer != "" {
			delete(numbers, key)
			e.id = n
		} else {
			next++
			if e.id = next; e.direction == schema.Send && e.peer != "" {
				numbers[key] = next
			}
		}
		e.series = ""
		out[i] = e
	}
	return out
}

func listing(events []event) string {
	var out strings.Builder
	for _, e := range events {
		fmt.Fprintf(&out, "%+v\n", e)
	}
	return out.String()
}

func firstOther(got, want []event) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("event %d is %+v\nwant %+v", i, got[i], want[i])
		}
	}
	return fmt.Sprintf("%d events, want %d", len(got), len(want))
}
