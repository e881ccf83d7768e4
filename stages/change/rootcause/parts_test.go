package rootcause

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// step is a change with an effect and an interval of 10 ns around it, of a step of a fragment.
func step(fragment, subject, verdict string, effect float64) *costChange {
	c := &schema.Change{Level: schema.LevelTransition, Fragment: fragment, Subject: subject, Verdict: verdict}
	return &costChange{Subject: &Subject{Change: c, Function: subject}, effect: effect, diffNs: effect, lo: effect - 10, hi: effect + 10,
		base: Run{CostNs: 1000, Count: 1}, cand: Run{CostNs: 1000 + effect, Count: 1}}
}

// partsOf makes causes of one step each of these contributions in the fragment "here".
func partsOf(ns ...float64) (parts []part, causes []*cause) {
	var reg registry
	for i, x := range ns {
		parts = append(parts, part{reg.newCause(step("here", fmt.Sprint("s", i), schema.Regressed, x), ""), x})
	}
	return parts, reg.causes
}

// TestPairsOfMovedCosts moves several costs at once: equal ones are pairs, and what is left is one place against several, within the margin and a
// quarter of the greater side.
func TestPairsOfMovedCosts(t *testing.T) {
	for _, c := range []struct {
		name   string
		ns     []float64 // rises and falls
		margin float64
		want   string // who is whose other end, by place
	}{
		{"one pair", []float64{400, -400}, 100, "0-1 1-0"},
		{"two pairs, by size", []float64{400, -900, 900, -400}, 10, "0-3 1-2 2-1 3-0"},
		{"three pairs, one after the other", []float64{100, 200, 300, -310, -205, -102}, 10, "0-5 1-4 2-3 3-2 4-1 5-0"},
		{"a rise without a fall among pairs", []float64{900, 500, 100, -100, -500}, 10, "1-4 2-3 3-2 4-1"},
		{"a fall without a rise among pairs", []float64{500, 100, -100, -500, -900}, 10, "0-3 1-2 2-1 3-0"},
		{"just within the margin", []float64{400, -500}, 100, "0-1 1-0"},
		{"just out of the margin", []float64{400, -501}, 100, ""},
		{"just within a quarter", []float64{300, -400}, 1000, "0-1 1-0"},
		{"just out of a quarter", []float64{299, -400}, 1000, ""},
		{"from one to two", []float64{-500, 300, 200}, 10, "0-1 1-0 2-0"},
		{"from two to one", []float64{500, -300, -200}, 10, "0-1 1-0 2-0"},
		{"two against two that are no pairs", []float64{600, 300, -500, -400}, 50, ""},
		{"a pair, and one for two of the rest", []float64{900, 500, -900, -300, -200}, 10, "0-2 1-3 2-0 3-1 4-1"},
		{"only rises", []float64{300, 300}, 1000, ""},
		{"not in sum", []float64{500, -300, -350}, 100, ""},
	} {
		n := &node{name: "here"}
		var all []*cause
		n.parts, all = partsOf(c.ns...)
		up, down := n.movableParts(1, c.margin), n.movableParts(-1, c.margin)
		n.pairEqual(up, down, c.margin)
		n.pairRest(withoutMoved(up), withoutMoved(down), c.margin)
		var got []string
		for _, one := range all {
			if one.moved != nil {
				got = append(got, fmt.Sprint(one.index, "-", one.moved.index))
			}
		}
		expect.Equal(t, strings.Join(got, " "), c.want, "%s", c.name)
	}
}

// TestMovableParts says which parts of a fragment may be an end of a cost that moved: all of a cause that takes another time, right below.
func TestMovableParts(t *testing.T) {
	for _, c := range []struct {
		name  string
		alter func(n *node, p *part)
		want  bool
	}{
		{"its own step", func(*node, *part) {}, true},
		{"moved already", func(_ *node, p *part) { p.cause.moved = p.cause }, false},
		{"of another sign", func(_ *node, p *part) { p.ns = -p.ns }, false},
		{"nothing", func(_ *node, p *part) { p.ns = 0 }, false},
		{"another shape", func(_ *node, p *part) { p.cause.head.Change.Verdict = schema.ShapeChanged }, false},
		{"an interval with zero in it", func(_ *node, p *part) { p.cause.head.lo = -1 }, false},
		{"an interval that begins at zero", func(_ *node, p *part) { p.cause.head.lo = 0 }, false},
		{"no time of steps", func(_ *node, p *part) { p.cause.kind = schema.Transit }, false},
		{"all but the margin of it", func(_ *node, p *part) { p.ns -= 50 }, true},
		{"less than that of it", func(_ *node, p *part) { p.ns -= 51 }, false},
		{"in a callee", func(n *node, p *part) {
			p.cause.head.Change.Fragment = "there"
			n.waits = []*wait{{}, {callee: &node{name: "there"}}}
		}, true},
		{"elsewhere", func(n *node, p *part) {
			p.cause.head.Change.Fragment = "far"
			n.waits = []*wait{{}, {callee: &node{name: "there"}}}
		}, false},
	} {
		parts, _ := partsOf(400)
		n := &node{name: "here"}
		c.alter(n, &parts[0])
		n.parts = parts
		expect.Equal(t, len(n.movableParts(1, 50)) == 1, c.want, "%s", c.name)
	}
}

// Where all of a pair lies below one callee the pair belongs there.
func TestMeetBelow(t *testing.T) {
	parts, _ := partsOf(400, -400, 7)
	below := func(of ...part) *node { return &node{waits: []*wait{{}, {callee: &node{parts: of}}}} }
	expect.Equal(t, below(parts...).meetBelow(parts[:2]), true, "both below the callee")
	expect.Equal(t, below(parts[0], parts[2]).meetBelow(parts[:2]), false, "one below the callee")
	expect.Equal(t, new(node).meetBelow(parts), false, "no callee")
}

// A receiver that was busy is explained by what contributes most in the direction asked for.
func TestGreatestPart(t *testing.T) {
	parts, _ := partsOf(3, -5, 9, -2, 9)
	expect.Equal(t, greatestPart(parts, 1).cause.index, 2, "the greatest rise, the first of equals")
	expect.Equal(t, greatestPart(parts, -1).cause.index, 1, "the greatest fall")
	expect.Equal(t, greatestPart(parts[:1], -1), part{}, "no fall")
}

// What arrives of a callee's difference is its share in the difference, or in the time where the difference is next to nothing.
func TestArrivingShare(t *testing.T) {
	for _, c := range []struct {
		name                    string
		base, cand, diff, moved float64 // of the callee
		waitDiff, time, want    float64
	}{
		{"half of the difference", 1000, 3000, 2000, 2000, 1000, 400, .5},
		{"more than all of it", 1000, 3000, 2000, 2000, 9000, 400, 1},
		{"the other way", 1000, 3000, 2000, 2000, -9000, 400, 0},
		{"on the floor: by the time", 1000, 2000, 100, 100, 50, 300, .1},
		{"beyond the floor", 1000, 2000, 101, 101, 50.5, 300, .5},
		{"a quarter of what adds up to it: by the time", 1000, 2000, 200, 800, 100, 300, .1},
		{"more than a quarter", 1000, 2000, 200, 799, 100, 300, .5},
		{"no time at all", 0, 0, 0, 0, 7, 300, 1},
	} {
		acc := &account{registry: registry{graph: graph{Options: Options{FloorNs: 100}}}}
		parts, _ := partsOf(c.moved/2, -c.moved/2)
		w := &wait{callee: &node{base: c.base, cand: c.cand, diffNs: c.diff, parts: parts}}
		expect.Equal(t, acc.arrivingShare(w, c.waitDiff, c.time), c.want, "%s", c.name)
	}
}

// Messages of one callee are divided among those who wait for it: by their differences, or their times where nothing differs.
func TestDivideMessages(t *testing.T) {
	for _, c := range []struct {
		name  string
		waits []*wait
		want  []float64
	}{
		{"by differences of any sign", []*wait{{diffNs: 30, base: 900}, {diffNs: -10, cand: 5}}, []float64{.75, .25}},
		{"by times", []*wait{{base: 40, cand: 20}, {base: 15, cand: 5}}, []float64{.75, .25}},
		{"nothing", []*wait{{}, {}}, []float64{0, 0}},
	} {
		divideMessages(c.waits)
		for i, w := range c.waits {
			expect.Equal(t, w.messageShare, c.want[i], "%s: share of %d", c.name, i)
		}
	}
}

// A fragment without a row of its own costs what its steps and waits cost.
func TestSumCosts(t *testing.T) {
	n := &node{own: []*costChange{step("f", "a", schema.Regressed, 100), step("f", "b", schema.Improved, -30)}, waits: []*wait{{base: 7, cand: 9}, {base: 1, cand: 4}}}
	n.sumCosts()
	expect.Slice(t, []float64{n.base, n.cand, n.diffNs}, []float64{2008, 2083, 75}, "base, candidate and difference by steps")
	n.row = step("f", "f", schema.Regressed, 60)
	n.sumCosts()
	expect.Slice(t, []float64{n.base, n.cand, n.diffNs}, []float64{1000, 1060, 60}, "base, candidate and difference of the whole")
}

// Names of components and functions may both have points: the longest component that is known counts.
func TestSplitAwaited(t *testing.T) {
	gr := &graph{components: map[string]bool{"a": true, "a.b": true, "a.b.c.d": true}}
	for awaited, want := range map[string]string{"a.b.c": "a.b c", "a.f": "a f", "a.b.c.d.e.f": "a.b.c.d e.f", "x.y.z": "x y.z", "plain": "plain ", "a.b.": "a.b "} {
		component, function := gr.splitAwaited(awaited)
		expect.Equal(t, component+" "+function, want, "%q", awaited)
	}
}

// TestSortChanges sorts changes that differ in one thing each: every column decides where those before it are equal, and in any order of the input.
func TestSortChanges(t *testing.T) {
	number := func(n int64) *int64 { return &n }
	var all []*costChange
	for _, alter := range []func(c *costChange){
		func(*costChange) {},
		func(c *costChange) { c.Change.Rank = 7 },
		func(c *costChange) { c.Change.CandTransition, c.Change.Rank = number(0), 1 },
		func(c *costChange) { c.Change.Transition, c.Change.Rank = number(0), 1 },
		func(c *costChange) { c.Change.Transition, c.Change.CandTransition = number(0), number(0) },
		func(c *costChange) { c.Awaited = "b" },
		func(c *costChange) { c.Function = "b" },
		func(c *costChange) { c.Change.Peer = "b" },
		func(c *costChange) { c.Change.Function = "b" },
		func(c *costChange) { c.Change.Metric = "b" },
		func(c *costChange) { c.Change.Subject = "b" },
		func(c *costChange) { c.Change.Fragment = "b" },
		func(c *costChange) { c.Change.Component = "b" },
		func(c *costChange) { c.Change.Level = "b" },
	} {
		c := &costChange{Subject: &Subject{Change: &schema.Change{Level: "a", Component: "a", Fragment: "a", Subject: "a", Metric: "a", Function: "a", Peer: "a", Rank: 5}, Function: "a", Awaited: "a"}}
		alter(c)
		all = append(all, c)
	}
	want := slices.Clone(all)
	for i := range all { // all rotations, and back to front
		for range 2 {
			got := slices.Concat(all[i:], all[:i])
			sortChanges(got)
			expect.Equal(t, slices.Equal(got, want), true, "from %d on", i)
			slices.Reverse(all)
		}
	}
}

// A cause of both sides is no step that one side has alone, and what is shown lies beyond the floor by all of its interval.
func TestWholeAndShown(t *testing.T) {
	var reg registry
	c := reg.newCause(step("f", "a", schema.Appeared, 500), "")
	expect.Equal(t, c.isWhole(), true, "one step that appeared")
	expect.Equal(t, c.isShown(489), true, "the interval is above the floor")
	expect.Equal(t, c.isShown(490), false, "the interval begins on the floor")
	c.addPart(step("f", "b", schema.Vanished, -1000))
	expect.Equal(t, c.isWhole(), false, "one that vanished, too")
	expect.Equal(t, c.isShown(479), true, "the interval of the net is below the floor: -500 by 20")
	expect.Equal(t, c.isShown(480), false, "the interval of the net ends on the floor")
	whole := reg.newCause(step("f", "f", schema.Appeared, 500), "")
	whole.head.Change.Level = schema.LevelFragment
	expect.Equal(t, whole.isWhole(), false, "a fragment")
	both := reg.newCause(step("f", "f", schema.Regressed, 500), "")
	expect.Equal(t, both.isWhole(), false, "a step of both sides")
}

// The head of a successor is its greatest step that is there now, though the greatest of all is gone.
func TestHeadOfASuccessor(t *testing.T) {
	var reg registry
	began, ended := reg.newCause(step("f", "new", schema.Appeared, 300), ""), reg.newCause(step("f", "old", schema.Vanished, -900), "")
	began.head.base, ended.head.cand = Run{}, Run{}
	reg.makeSuccessor(began, ended)
	expect.Equal(t, began.head.Change.Subject, "new", "the head")
	expect.Equal(t, began.from.Change.Subject, "old", "what it was")
	slower, called := began.splitDifference()
	expect.Slice(t, []float64{slower, called}, []float64{300, 0}, "as if both were one step: 1,000 and 1,300 ns of a call")
}

// What findings below explain is taken from the parts of a difference evenly.
func TestSplitLessWhatIsBelow(t *testing.T) {
	var reg registry
	g := step("f", "f", schema.Regressed, 1000)
	g.cand = Run{CostNs: 2000, Count: 1.5}
	c := reg.newCause(g, schema.KindDiffuse)
	slower, called := c.splitDifference()
	if math.Abs(slower+called-1000) > 1e-9 || slower <= 0 || called <= 0 {
		t.Fatalf("%g and %g of 1000", slower, called)
	}
	c.below = 400
	s, n := c.splitDifference()
	if math.Abs(s-.6*slower) > 1e-9 || math.Abs(n-.6*called) > 1e-9 {
		t.Errorf("%g and %g, want 0.6 of %g and %g", s, n, slower, called)
	}
	ns, lo, hi := c.sumEffects()
	expect.Slice(t, []float64{ns, lo, hi}, []float64{600, 590, 610}, "effect and interval")
	even := reg.newCause(step("f", "g", schema.Regressed, 0), schema.KindDiffuse)
	even.below = 5
	s, n = even.splitDifference()
	expect.Slice(t, []float64{s, n}, []float64{0, 0}, "nothing is divided")
}

// TestUnexplained says when a fragment changed as a whole: more than half of its difference, in its direction, is not explained.
func TestUnexplained(t *testing.T) {
	for _, c := range []struct {
		name        string
		verdict     string
		diff, parts float64
		want        bool
	}{
		{"more than half", schema.Regressed, 1000, 499, true},
		{"just half", schema.Regressed, 1000, 500, false},
		{"more than half less", schema.Improved, -1000, -499, true},
		{"just half less", schema.Improved, -1000, -500, false},
		{"explained the other way", schema.Regressed, 1000, -1000, true},
		{"more than explained", schema.Regressed, 1000, 2600, false},
		{"a candidate", schema.Candidate, 1000, 100, true},
		{"unchanged", schema.Unchanged, 1000, 100, false},
		{"another shape", schema.ShapeChanged, 1000, 100, false},
		{"new", schema.Appeared, 1000, 100, true},
		{"new, and explained", schema.Appeared, 1000, 500, false},
		{"gone", schema.Vanished, -1000, -100, true},
		{"new, and below the floor", schema.Appeared, 15, 0, false},
	} {
		f := new(finder)
		f.Options = Options{FloorNs: 10}
		n := &node{name: "f", row: step("f", "f", c.verdict, c.diff), diffNs: c.diff}
		if c.parts != 0 {
			n.parts, _ = partsOf(c.parts)
		}
		expect.Equal(t, f.isUnexplained(n), c.want, "%s", c.name)
		f.functions = map[place]*costChange{{}: nil}
		expect.Equal(t, f.isUnexplained(n), c.want && !n.row.isOneSided(), "%s, where functions were compared", c.name)
		n.row.cause = new(cause)
		expect.Equal(t, f.isUnexplained(n), false, "%s, a root", c.name)
	}
	carried := func(diff float64, least, most float64) bool { return isCarriedAbove(&node{diffNs: diff}, least, most) }
	expect.Equal(t, carried(1000, 499, 9999), true, "a fragment above has less than half of the rest")
	expect.Equal(t, carried(1000, 500, 9999), false, "those above have half of the rest")
	expect.Equal(t, carried(-1000, -9999, -499), true, "a fragment above has less than half of the rest that fell")
	expect.Equal(t, carried(-1000, -9999, -500), false, "those above have half of the rest that fell")
}

// A difference is explained where findings add up to it within its interval or its margin, and one of them goes its way.
func TestExplained(t *testing.T) {
	for _, c := range []struct {
		name   string
		effect float64
		parts  []float64
		want   bool
	}{
		{"at the lower end", 1000, []float64{990}, true}, {"at the upper end", 1000, []float64{1010}, true},
		{"within the margin", 1000, []float64{900}, true}, {"out of the margin", 1000, []float64{899}, false},
		{"by two of both signs", 1000, []float64{1500, -500}, true}, {"by one of the other sign", 1000, []float64{-1000}, false},
		{"nothing, with a margin", 1000, nil, false}, {"a fall", -1000, []float64{-1000}, true},
	} {
		acc := new(account)
		acc.Options = Options{FloorNs: 10, Margin: .05} // of 2,000: 100
		parts, _ := partsOf(c.parts...)
		g := step("f", "f", schema.Regressed, c.effect)
		g.base.CostNs, g.cand.CostNs = 1000, 2000
		expect.Equal(t, acc.isExplained(g, parts), c.want, "%s", c.name)
	}
}

// Shapes and numbers follow from what contributes most in any direction, if that matters; times from what explains them, or half of them.
func TestExplainingCause(t *testing.T) {
	for _, c := range []struct {
		name, verdict string
		effect        float64
		parts         []float64
		want          int // the place of the cause; -1: none
	}{
		{"shape, by a rise", schema.ShapeChanged, 100, []float64{20, -15}, 0}, {"shape, by a fall", schema.ShapeChanged, 100, []float64{20, -25}, 1},
		{"shape, on the floor", schema.ShapeChanged, 100, []float64{10}, 0}, {"shape, below it", schema.CountChanged, 100, []float64{9, -9}, -1},
		{"time, by just half", schema.Regressed, 1000, []float64{500, -30}, 0}, {"time, by less", schema.Regressed, 1000, []float64{499, -30}, -1},
		{"time, by several", schema.Regressed, 1000, []float64{340, 350, 310}, 1},
	} {
		f := new(finder)
		f.Options = Options{FloorNs: 10}
		parts, _ := partsOf(c.parts...)
		got := -1
		if found := f.explainingCause(step("f", "f", c.verdict, c.effect), parts); found != nil {
			got = found.index
		}
		expect.Equal(t, got, c.want, "%s", c.name)
	}
}

// At a place the finding of the same direction counts, or else that of the other one.
func TestCauseAt(t *testing.T) {
	up, down := new(cause), &cause{index: 1}
	reg := &registry{places: map[place]*cause{{component: "a", sign: 1}: up, {component: "a", sign: -1}: down, {component: "b", sign: -1}: down}}
	for _, c := range []struct {
		at   place
		want *cause
	}{{place{component: "a", sign: 1}, up}, {place{component: "a", sign: -1}, down}, {place{component: "b", sign: 1}, down}, {place{component: "c", sign: 1}, nil}} {
		expect.Equal(t, reg.causeAt(c.at), c.want, "at %+v", c.at)
	}
}

// A cause that is dropped leaves its place, and its changes go to the one that it was folded into, however often.
func TestDroppedPlaces(t *testing.T) {
	var reg registry
	g, h := step("f", "a", schema.Regressed, 1), step("f", "b", schema.Regressed, 1)
	first, second, last, lone := reg.newCause(g, ""), reg.newCause(step("f", "c", schema.Regressed, 1), ""), reg.newCause(step("f", "d", schema.Regressed, 1), ""), reg.newCause(h, "")
	first.into, second.into = second, last
	reg.changes = []*costChange{g, h}
	reg.places = map[place]*cause{{component: "first"}: first, {component: "last"}: last}
	reg.dropCauses(func(c *cause) bool { return c != last })
	expect.Deep(t, reg.places, map[place]*cause{{component: "last"}: last}, "places")
	expect.Equal(t, last.index, 0, "the new number")
	expect.Equal(t, g.cause, last, "the cause of what was folded twice")
	expect.Equal(t, h.cause, nil, "the cause of what is gone: %p", lone)
}

// A message and its reply that changed in opposite directions cancel each other where their sum is within the floor on one side of its
// interval; what goes one way, is one part or is no edge does not.
func TestCancels(t *testing.T) {
	for _, c := range []struct {
		name   string
		edge   edge
		ns     []float64 // of the parts, each with an interval of 10 around it
		floor  float64
		cancel bool
	}{
		{"a clock that moved", edge{"a", "b"}, []float64{1000, -990}, 20, true},
		{"the other way round", edge{"a", "b"}, []float64{990, -1000}, 20, true},
		{"a rest beyond the floor", edge{"a", "b"}, []float64{1000, -950}, 20, false},
		{"a rest below the floor", edge{"a", "b"}, []float64{950, -1000}, 20, false},
		{"just within", edge{"a", "b"}, []float64{1000, -961}, 20, true},
		{"just out", edge{"a", "b"}, []float64{1000, -960}, 20, false},
		{"just within, below", edge{"a", "b"}, []float64{961, -1000}, 20, true},
		{"just out, below", edge{"a", "b"}, []float64{960, -1000}, 20, false},
		{"no edge", edge{}, []float64{1000, -990}, 20, false},
		{"both the same way", edge{"a", "b"}, []float64{8, 7}, 20, false},
		{"one part", edge{"a", "b"}, []float64{8}, 20, false},
	} {
		var reg registry
		one := reg.newCause(step("here", "s0", schema.Regressed, c.ns[0]), schema.Transit)
		for _, x := range c.ns[1:] {
			one.addPart(step("here", "s1", schema.Regressed, x))
		}
		one.edge = c.edge
		expect.Equal(t, one.cancels(c.floor), c.cancel, "%s cancels", c.name)
	}
}

// A side takes the step of a fragment as often as the one that it takes most often, and fragments add up.
func TestCountSides(t *testing.T) {
	c := new(cause)
	for _, p := range []struct {
		fragment   string
		base, cand float64
	}{{"x", 3, 1}, {"x", 2, 7}, {"y", 10, 20}, {"z", 1000, 2000}} {
		g := step(p.fragment, "s", schema.Regressed, 1)
		g.base.Count, g.cand.Count = p.base, p.cand
		c.addPart(g)
	}
	base, cand := c.countSides([]string{"x", "y"})
	expect.Equal(t, [2]float64{base, cand}, [2]float64{13, 27}, "counts of x and y")
}

// Findings explain a difference from one bound of its interval to the other where that shows a sign, and else within the margin.
func TestIsExplained(t *testing.T) {
	for _, c := range []struct {
		name     string
		lo, hi   float64 // around a difference of 1000
		sum      float64
		explains bool
	}{
		{"the lower bound", 400, 2000, 400, true},
		{"below it", 400, 2000, 399, false},
		{"the upper bound", 400, 2000, 2000, true},
		{"above it", 400, 2000, 2001, false},
		{"within an interval with zero in it", -400, 2000, 400, false},
		{"within one that begins at zero", 0, 2000, 400, false},
		{"on the margin, beyond the interval", 990, 1010, 900, true},
		{"out of the margin", 990, 1010, 899, false},
	} {
		parts, _ := partsOf(c.sum)
		g := step("here", "f", schema.Regressed, 1000)
		g.lo, g.hi = c.lo, c.hi
		acc := &account{registry: registry{graph: graph{Options: Options{FloorNs: 100}}}}
		expect.Equal(t, acc.isExplained(g, parts), c.explains, "%s", c.name)
	}
	acc := &account{registry: registry{graph: graph{Options: Options{FloorNs: 100}}}}
	other, _ := partsOf(-50)
	g := step("here", "f", schema.Regressed, 40)
	expect.Equal(t, acc.isExplained(g, other), false, "what goes the other way")
}

// A step that waits has its part of what the messages take, by its time beside that of all steps that wait for the same.
func TestPartsOfWait(t *testing.T) {
	var reg registry
	late := &costChange{diffNs: 800}
	late.cause = reg.newCause(step("there", "m", schema.Regressed, 800), schema.Transit)
	covered := &costChange{diffNs: -200}
	covered.covered = reg.newCause(step("there", "n", schema.Improved, -200), schema.Transit)
	g := step("here", "f", schema.Regressed, 400) // 1000 -> 1400
	n := &node{name: "here", waits: []*wait{{awaited: "io.poll", messages: []*costChange{late, covered, {diffNs: 7}}, messageShare: .5, base: 4000, cand: 5600}}}
	g.Awaited, g.Change.Fragment = "io.poll", "here"
	acc := &account{registry: registry{graph: graph{nodes: map[string]*node{"here": n}}, causes: reg.causes}}
	parts := acc.partsOfWait(g)
	expect.Equal(expect.Must(t), len(parts), 2, "parts")
	// A quarter of 9600 is the step's, of half of what the messages make.
	expect.Equal(t, parts[0], part{late.cause, 100}, "of a message that is a cause")
	expect.Equal(t, parts[1], part{covered.covered, -25}, "of one that follows from another")
}
