package components_test

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestExamplesReplay takes the traces of MIDS through the systems of their models. Nowhere does a component have to take
// a message out of order, nor more than one wait.
func TestExamplesReplay(t *testing.T) {
	for _, name := range folders(t, recorded+"/models") {
		if name == "LICENSE.MIT" {
			continue
		}
		v := example(t, name).replay(t, components.Options{}, components.Buffers{Bound: 1})
		if !v.Accepted {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// twoClients has two clients that send to one server, which takes the second message first.
const twoClients = "1 A > f !m1\n2 A < f\n3 B > f !m2\n4 B < f\n5 S > g ?m2\n6 S < g\n7 S > g ?m1\n8 S < g\n"

// TestRefusals checks the reason why a system does not accept a chart, for each order in which messages may wait.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		about, chart string
		buffers      components.Buffers
		want         components.Verdict
	}{
		{"one buffer", twoClients, components.Buffers{}, components.Verdict{
			Events: 4, Refusal: components.Overtaken, Seq: 4, Component: "S", Buffers: []components.Buffer{{Receiver: "S", Size: 2}},
		}},
		{"a buffer for each client", twoClients, components.Buffers{BySender: true, Bound: 1}, components.Verdict{
			Accepted: true, Events: 8, Seq: schema.NoValue,
			Buffers: []components.Buffer{{Receiver: "S", Sender: "A", Size: 1}, {Receiver: "S", Sender: "B", Size: 1}},
		}},
		{"no room", twoClients, components.Buffers{Bound: 1}, components.Verdict{
			Events: 2, Refusal: components.Full, Seq: 2, Component: "S", Buffers: []components.Buffer{{Receiver: "S", Size: 1}},
		}},
	} {
		got := ingest(t, c.chart).replay(t, components.Options{}, c.buffers)
		expect.Slice(t, got.Buffers, c.want.Buffers, "%s: buffers", c.about)
		got.Buffers, c.want.Buffers = nil, nil
		if got.Refusal != c.want.Refusal || got.Accepted != c.want.Accepted || got.Events != c.want.Events || got.Seq != c.want.Seq || got.Component != c.want.Component {
			t.Errorf("%s: %+v, want %+v", c.about, got, c.want)
		}
	}
}

// TestReceivedBeforeSent refuses a message that the clocks of a trace have arrive too early.
func TestReceivedBeforeSent(t *testing.T) {
	tr := traceOf([]act{{message: 1}, {kind: schema.Exit}, {line: 1, message: 1, sends: true}, {line: 1, kind: schema.Exit}})
	if v := tr.replay(t, components.Options{}, components.Buffers{}); v.Refusal != components.Empty || v.Seq != 0 || v.Component != "line0" {
		t.Errorf("%+v", v)
	}
}

// TestForeignTrace takes a trace through the system of another: it is refused where the models do not have it, and at its
// end where a word or a message is left.
func TestForeignTrace(t *testing.T) {
	tr := ingest(t, "1 A > f !m1\n2 A < f\n3 B > g ?m1\n4 B < g\n5 A > h\n6 A < h\n7 A > f\n8 A < f\n")
	b := tr.builder(t, components.Options{})
	set := expect.Value(b.Set(new(schema.Ledger)))(t)
	for _, c := range []struct {
		rows []int
		want components.Refusal
	}{
		{[]int{0, 1, 2, 3, 4, 5, 6, 7}, ""}, {[]int{4}, components.Unfinished}, {[]int{0, 1}, components.Undelivered},
		{[]int{0, 4}, components.NoTransition}, {[]int{2}, components.Empty},
	} {
		s := b.Compose(set, components.Buffers{})
		for _, row := range c.rows {
			s.Add(rowOf(tr.events, row))
		}
		if v := s.Verdict(); v.Refusal != c.want || v.Accepted != (c.want == "") {
			t.Errorf("%v: %+v, want %q", c.rows, v, c.want)
		}
	}
}

// TestEnvironment leaves the other side of messages out: they come from anywhere.
func TestEnvironment(t *testing.T) {
	v := ingest(t, twoClients).replay(t, components.Options{Include: "S"}, components.Buffers{})
	if !v.Accepted || v.Events != 4 || len(v.Buffers) != 0 {
		t.Errorf("%+v", v)
	}
}

// rowOf is one event of a trace.
func rowOf(ev *schema.Events, row int) *schema.Events {
	out := schema.NewEvents()
	out.Names = ev.Names
	schema.AppendRows(out, ev, row, row+1)
	return out
}
