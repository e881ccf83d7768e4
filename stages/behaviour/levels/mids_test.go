package levels_test

import (
	"os"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/automata"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/stages/chart/testdata/charttest"
	"github.com/tracelake/tracelake/stages/ingest/tmsct"
	"github.com/tracelake/tracelake/testdata/expect"
)

// example learns the service fragments of a trace of MIDS.
func example(t *testing.T, name string, alphabet *schema.Dictionary) levels.ModelSet {
	t.Helper()
	text := expect.Value(os.ReadFile("../../../testdata/traces/mids/" + name + ".tmsct"))(t)
	chart := charttest.Read(t, tmsct.Format(), string(text))
	led, events := chart.Ledger, chart.Events
	b := automata.NewBuilder(events.Names)
	b.Add(events, led)
	if l := led.Losses(""); len(l) > 0 {
		t.Fatalf("the trace has losses: %+v", l)
	}
	return modelSet(name, b.Model(led), alphabet)
}

// modelSet makes a model set of the service fragments of a run. Labels do not name the component.
func modelSet(name string, m *automata.Model, alphabet *schema.Dictionary) levels.ModelSet {
	set, builders := levels.ModelSet{Name: name}, map[string]*language.Builder{}
	for _, s := range m.States {
		if builders[s.Fragment] == nil {
			builders[s.Fragment] = new(language.Builder)
		}
		if n := builders[s.Fragment].State(s.Accepting); s.Initial {
			builders[s.Fragment].Initial(n)
		}
	}
	for _, x := range m.Transitions {
		label := x.Kind + " " + x.Function + " " + x.Direction + " " + x.Peer
		builders[x.Fragment].Transition(int32(x.Source), alphabet.Code(label), int32(x.Target))
	}
	for _, f := range m.Fragments {
		set.Entities = append(set.Entities, levels.Entity{Component: f.Component, Name: f.Fragment, Automaton: builders[f.Fragment].Automaton()})
	}
	return set
}

// TestWalkThrough compares the before and after of MIDS's walk-through (docs/example.md of TNO/MIDS at 9ae50b1). It says
// that the two sets have different behaviours (level 1), that the service fragment of start has the same behaviour in both,
// that of some_operation another one, and that one fragment is only in the first and one only in the second (level 4), and
// that the two variants of some_operation are to be compared (level 6).
func TestWalkThrough(t *testing.T) {
	alphabet := new(schema.Dictionary)
	c := compare(t, []levels.ModelSet{example(t, "input1", alphabet), example(t, "input2", alphabet)}, levels.None)
	want := expect.Value(os.ReadFile("testdata/walkthrough.txt"))(t)
	expect.Equal(t, render(c), string(want), "walkthrough")
}
