package verdict

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/testdata/expect"
)

// A step that is new takes the time that passed before the next one in the baseline: its fragment takes no longer for that.
func TestStepsAreNettedInTheirFragment(t *testing.T) {
	row := func(level, fragment, subject, verdict string, base, cand int64) schema.Change {
		return schema.Change{Level: level, Component: "tool", Fragment: fragment, Subject: subject, Verdict: verdict, CostBaseNs: &base, CostCandNs: &cand, ImpactNs: cand - base}
	}
	wait := row(schema.LevelTransition, "tool.main", "exit init", schema.NotAsked, 0, 500_000)
	wait.ImpactNs = 0 // what it waits for is another fragment's
	r := New(sides(3, 3), []schema.Change{
		row(schema.LevelTransition, "tool.main", "enter init", schema.NotAsked, 2_672_000, 31_000),
		row(schema.LevelTransition, "tool.main", "enter open", schema.Appeared, 0, 2_687_000),
		row(schema.LevelTransition, "tool.main", "enter close", schema.Vanished, 1_000, 0), wait,
		row(schema.LevelFragment, "tool.new", "tool.new", schema.Appeared, 0, 205_000),
	}, nil)
	var got []string
	for _, b := range r.functionalChanges() {
		got = append(got, texttab.Change(b.ns)+" "+b.subject(b.change.Subject))
	}
	expect.Slice(t, got, []string{"+205 us tool.new", "+45.0 us enter open and 1 more step"}, "changes of behaviour")
}
