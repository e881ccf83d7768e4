package rootcause

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// operation is a cause that takes other times, of which critical paths have some; negative: not known.
func operation(base, cand, criticalBase, criticalCand int64) *cause {
	c := &schema.Change{Level: schema.LevelTransition, Verdict: schema.Regressed}
	if cand < base {
		c.Verdict = schema.Improved
	}
	if criticalBase >= 0 {
		c.CriticalBaseNs = &criticalBase
	}
	if criticalCand >= 0 {
		c.CriticalCandNs = &criticalCand
	}
	g := newCostChange(&Subject{Change: c, Base: []Run{{float64(base), 1}}, Cand: []Run{{float64(cand), 1}}})
	out := &cause{head: g, parts: []*costChange{g}}
	g.cause = out
	return out
}

// TestIsBeside takes an operation from 10 to 20 us. If it were on critical paths, they would have half of their time more; a quarter of
// that is an eighth.
func TestIsBeside(t *testing.T) {
	for _, c := range []struct {
		criticalBase, criticalCand int64
		want                       bool
	}{
		{8000, 8000, true}, {7000, 8000, true}, {6999, 8000, false}, {8000, 7000, true}, {8000, 6999, false}, {0, 0, true},
		{-1, 8000, false}, {8000, -1, false}, {-1, -1, false},
	} {
		expect.Equal(t, operation(10_000, 20_000, c.criticalBase, c.criticalCand).isBeside(), c.want, "%d -> %d on critical paths", c.criticalBase, c.criticalCand)
		expect.Equal(t, operation(20_000, 10_000, c.criticalBase, c.criticalCand).isBeside(), c.want, "a fall, %d -> %d on critical paths", c.criticalBase, c.criticalCand)
	}
	messages, oneSided := operation(10_000, 20_000, 8000, 8000), operation(10_000, 20_000, 8000, 8000)
	messages.kind, oneSided.head.Change.Verdict = schema.Transit, schema.Appeared
	expect.Equal(t, messages.isBeside(), false, "messages")
	expect.Equal(t, oneSided.isBeside(), false, "what one side has")
	expect.Equal(t, operation(0, 0, 0, 0).isBeside(), false, "what takes no time")
	both := operation(5000, 10_000, 7000, 8000)
	both.parts = append(both.parts, operation(5000, 10_000, 0, 0).head)
	expect.Equal(t, both.isBeside(), true, "two steps of 5 us that take 10")
	both.parts = append(both.parts, operation(100_000, 100_000, 0, 0).head)
	expect.Equal(t, both.isBeside(), false, "and one that did not change")
}

// TestIsBesideByPlainTimes has a function whose typical run takes 14 us longer, and whose plain sums, which critical paths have as well, 2 us: it is on them as before.
func TestIsBesideByPlainTimes(t *testing.T) {
	c := operation(22_600, 36_600, 22_600, 24_700)
	expect.Equal(t, c.isBeside(), true, "of single steps")
	c.head.plainNs = 2100
	expect.Equal(t, c.isBeside(), false, "of a function by its plain sums")
	c.head.plainNs = 14_000
	expect.Equal(t, c.isBeside(), true, "where these took longer beside the paths")
}

// TestCriticalChange says what is known of critical paths.
func TestCriticalChange(t *testing.T) {
	most, change, known := operation(1, 2, 3000, 5000).criticalChange()
	expect.Equal(t, most == 5000 && change == 2000 && known, true, "3 us -> 5 us")
	most, change, known = operation(1, 2, 5000, 3000).criticalChange()
	expect.Equal(t, most == 5000 && change == -2000 && known, true, "5 us -> 3 us")
	for _, c := range []*cause{operation(1, 2, -1, 5000), operation(1, 2, 5000, -1)} {
		most, change, known = c.criticalChange()
		expect.Equal(t, most == 0 && change == 0 && !known, true, "one side is not known")
	}
}

// TestWaitsFor takes what runs beside critical paths, 10 us longer, and what may be awaited.
func TestWaitsFor(t *testing.T) {
	c := operation(10_000, 20_000, 0, 0)
	message := operation(10_000, 20_000, -1, -1)
	message.kind, message.edge = schema.Transit, edge{"a", "b"}
	nobody := operation(10_000, 20_000, 0, 10_000)
	nobody.kind = schema.Transit
	for _, o := range []struct {
		name  string
		other *cause
		want  bool
	}{
		{"as much on critical paths", operation(10_000, 20_000, 10_000, 20_000), true},
		{"three quarters", operation(10_000, 17_500, 10_000, 17_500), true},
		{"less than three quarters", operation(10_000, 17_499, 10_000, 17_499), false},
		{"the other way", operation(20_000, 10_000, 20_000, 10_000), false},
		{"not known", operation(10_000, 20_000, -1, -1), false},
		{"less on critical paths", operation(10_000, 20_000, 20_000, 10_000), false},
		{"beside them as well", operation(10_000, 20_000, 7000, 8000), false},
		{"never on them", operation(10_000, 20_000, 0, 0), false},
		{"messages of an edge", message, true},
		{"messages that nobody waits for", nobody, false},
		{"itself", c, false},
	} {
		expect.Equal(t, c.waitsFor(o.other), o.want, "%s", o.name)
	}
	fall := operation(20_000, 10_000, 0, 0)
	expect.Equal(t, fall.waitsFor(operation(20_000, 10_000, 20_000, 10_000)), true, "a fall")
	expect.Equal(t, fall.waitsFor(operation(20_000, 10_000, 10_000, 20_000)), false, "a fall of what is more on critical paths")
}

// TestFoldWaiting folds what runs beside under the greatest of what it may wait for, of equals the first, and nothing else.
func TestFoldWaiting(t *testing.T) {
	c, less := operation(10_000, 20_000, 0, 0), operation(10_000, 19_000, 10_000, 19_000)
	first, second := operation(10_000, 21_000, 10_000, 21_000), operation(10_000, 21_000, 10_000, 21_000)
	taken := operation(10_000, 40_000, 10_000, 40_000)
	taken.into = first
	reg := &registry{causes: []*cause{c, less, taken, first, second}, places: map[place]*cause{{function: "f"}: c}}
	reg.foldWaiting()
	expect.Equal(t, c.into == first, true, "the greatest")
	expect.Equal(t, c.head.cause == first && reg.places[place{function: "f"}] == first, true, "its place and its changes")
	expect.Equal(t, c.head.Follows && !less.head.Follows, true, "what follows")
	expect.Equal(t, len(reg.causes), 3, "causes")
	expect.Equal(t, less.into == nil && second.into == nil, true, "others stay")
}
