package compare

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

// Only a blocking call, which sends and has its reply, is a function in which a component does nothing but wait,
// and only where the component has no function of that name itself.
func TestWaits(t *testing.T) {
	w := newWaiting()
	step := func(component, function string, kind, direction uint8) {
		w.add(callee{component, function}, kind, direction)
	}
	step("a", "f", schema.Enter, schema.NoMessage)
	step("a", "call", schema.Enter, schema.Send)
	step("a", "call", schema.Exit, schema.Receive)
	step("a", "f", schema.Exit, schema.NoMessage)
	step("a", "request", schema.Enter, schema.Send)
	step("a", "request", schema.Exit, schema.NoMessage)
	step("a", "wait", schema.Enter, schema.NoMessage)
	step("a", "wait", schema.Exit, schema.Receive)
	step("a", "both", schema.Enter, schema.Send)
	step("a", "both", schema.Exit, schema.Receive)
	step("a", "both", schema.Enter, schema.Receive) // of another fragment: a runs both itself
	step("a", "both", schema.Exit, schema.Send)
	step("b", "call", schema.Enter, schema.Receive)
	step("b", "call", schema.Exit, schema.Send)
	step("b", "both", schema.Enter, schema.Send)
	step("b", "both", schema.Exit, schema.Receive)
	if got := w.only(); len(got) != 2 || !got[callee{"a", "call"}] || !got[callee{"b", "both"}] {
		t.Errorf("waits: %v", got)
	}
}

// Where different functions run in a step of the two sides, its time is that of the one which spends more in it.
func TestFunctionOfAStep(t *testing.T) {
	of := func(running string) automaton { return automaton{shape: &shape{running: []string{running}}} }
	w := &walk{judge: &judge{comparison: &comparison{Spec: Spec{Base: []string{"a"}, Cand: []string{"b"}}, models: []*model{{}, {}}}}, fragment: "lib.perform"}
	for _, c := range []struct {
		base, cand string
		ns         [2]float64 // what a run of each side spends in the step
		want       string
	}{
		{"expire", "expire", [2]float64{84, 16_000}, "expire"},
		{"expire", "perform", [2]float64{84, 16_000}, "perform"},
		{"expire", "perform", [2]float64{16_000, 84}, "expire"},
		{"expire", "", [2]float64{84, 16_000}, "expire"},
	} {
		w.counted = []automaton{of(c.base), of(c.cand)}
		r := &verdicts.Reduction{TotalBase: c.ns[0], TotalCand: c.ns[1]}
		expect.Equal(t, w.functionIn(matching.Step{Taken: []int64{0, 0}}, r), c.want, "%+v", c)
	}
	w.models[1].moved = map[string]counterpart{"lib.perform": {fragment: "new.perform"}}
	expect.Equal(t, w.functionIn(matching.Step{Taken: []int64{0, 0}}, &verdicts.Reduction{TotalCand: 1}), "expire", "of a fragment that moved")
}
