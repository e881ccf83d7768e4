package deadlines_test

import (
	"math/bits"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/timing/deadlines"
)

// slow is an occurrence scheduled in the words of the definitions, by recursion over all its constraints.
type slow struct {
	*deadlines.Occurrence
	inside, crossing [4]int64
}

// boundNs is what a bound reaches into the occurrence, and the threshold that lowers it.
func (s slow) boundNs(e deadlines.Edge) (bound, limit int64) {
	if e.SourceNs < s.FromNs {
		return max(0, e.SourceNs+e.BoundNs-s.FromNs), max(0, s.crossing[e.Key])
	}
	return e.BoundNs, max(0, s.inside[e.Key])
}

// outliers are the positions of all unusual constraints.
func (s slow) outliers() (found []int) {
	for i, e := range s.Edges {
		if bound, limit := s.boundNs(e); e.BoundNs != none && bound > limit {
			found = append(found, i)
		}
	}
	return found
}

// endNs is when the last event takes place with some constraints lowered, and whether constraints are critical then.
func (s slow) endNs(lowered []int) (int64, map[int]bool) {
	known, critical := map[int64]int64{}, map[int]bool{}
	var timeNs func(event, recorded int64) int64
	timeNs = func(event, recorded int64) int64 {
		if t, ok := known[event]; ok {
			return t
		}
		push, recordedPush := map[int]int64{}, none
		for i, e := range s.Edges {
			if e.Target != event || e.BoundNs == none {
				continue
			}
			bound, limit := s.boundNs(e)
			recordedPush = max(recordedPush, max(e.SourceNs, s.FromNs)+bound)
			if slices.Contains(lowered, i) {
				bound = limit
			}
			push[i] = timeNs(e.Source, max(e.SourceNs, s.FromNs)) + bound
		}
		t := recorded
		if len(push) > 0 {
			t = none
			for _, p := range push {
				t = max(t, p+recorded-recordedPush)
			}
		}
		for i, p := range push {
			critical[i] = p+recorded-recordedPush == t
		}
		known[event] = t
		return t
	}
	end := timeNs(s.To, s.ToNs)
	return end, s.onPath(critical)
}

// onPath are the constraints from which critical ones lead to the last event.
func (s slow) onPath(critical map[int]bool) map[int]bool {
	reached, path := map[int64]bool{s.To: true}, map[int]bool{}
	for i, e := range slices.Backward(s.Edges) {
		if critical[i] && reached[e.Target] {
			reached[e.Source], path[i] = true, true
		}
	}
	return path
}

// smallest tries every set of outliers: the size of the smallest that brings the end as far forward as it has to
// be, or can be, and the earliest end of a set of that size.
func (s slow) smallest(outliers []int, deadlineNs int64) (size int, endNs int64) {
	leastNs, _ := s.endNs(outliers)
	targetNs := max(leastNs, s.FromNs+deadlineNs)
	size = len(outliers) + 1
	for set := range uint(1) << len(outliers) {
		n := bits.OnesCount(set)
		if n > size {
			continue
		}
		var lowered []int
		for i, o := range outliers {
			if set>>i&1 == 1 {
				lowered = append(lowered, o)
			}
		}
		if end, _ := s.endNs(lowered); end <= targetNs && (n < size || end < endNs) {
			size, endNs = n, end
		}
	}
	return size, endNs
}

func TestAgainstAllSubsets(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	sizes, insufficient, hidden := map[int]int{}, 0, 0
	for range 4000 {
		s := slow{random(rng, 6+rng.Int63n(8)), thresholds(rng), thresholds(rng)}
		outliers := s.outliers()
		if len(outliers) > 9 {
			continue
		}
		options := deadlines.Defaults(rng.Int63n(s.ToNs - s.FromNs + 1))
		x := usual(options, s.inside, s.crossing).Explain(s.Occurrence)
		size, endNs := s.smallest(outliers, options.DeadlineNs)
		if len(x.Causes) != size || x.MakespanNs != endNs-s.FromNs || x.Outliers != len(outliers) || x.Exhausted {
			t.Fatalf("%+v\n%+v\nwant %d causes and a makespan of %d", s, x, size, endNs-s.FromNs)
		}
		if x.Sufficient != (x.MakespanNs <= options.DeadlineNs) {
			t.Fatalf("sufficient: %v, with %d of %d ns", x.Sufficient, x.MakespanNs, options.DeadlineNs)
		}
		lowered := s.check(t, x)
		if sizes[size]++; !x.Sufficient {
			insufficient++
			hidden += s.checkPath(t, outliers, lowered)
		}
	}
	t.Logf("causes: %v; not sufficient: %d, where PPS misses causes %d", sizes, insufficient, hidden)
	if sizes[1] < 100 || sizes[2] < 100 || sizes[3] < 20 || insufficient < 100 || hidden < 10 {
		t.Fatal("these charts are too simple to test anything")
	}
}

// check holds the causes to their own numbers and returns their positions.
func (s slow) check(t *testing.T, x deadlines.Explanation) (lowered []int) {
	t.Helper()
	for i, c := range x.Causes {
		at := slices.IndexFunc(s.Edges, func(e deadlines.Edge) bool { return e == c.Edge })
		for slices.Contains(lowered, at) { // one of several equal constraints
			at += 1 + slices.IndexFunc(s.Edges[at+1:], func(e deadlines.Edge) bool { return e == c.Edge })
		}
		lowered = append(lowered, at)
		bound, limit := s.boundNs(c.Edge)
		end, _ := s.endNs([]int{at})
		if c.BoundNs != bound || c.ThresholdNs != limit || c.ExcessNs != bound-limit || c.GainNs != s.ToNs-end {
			t.Fatalf("%+v: want bound %d, threshold %d, gain %d", c, bound, limit, s.ToNs-end)
		}
		if i > 0 && x.Causes[i-1].GainNs < c.GainNs {
			t.Fatalf("causes out of order: %+v", x.Causes)
		}
	}
	if end, _ := s.endNs(lowered); end != s.FromNs+x.MakespanNs {
		t.Fatalf("the causes bring the end to %d, not to %d", end, s.FromNs+x.MakespanNs)
	}
	return lowered
}

// checkPath finds what PPS names if lowering every outlier does not suffice, the outliers that are then on
// the critical path, among the causes; it counts 1 if there are causes that PPS does not name.
func (s slow) checkPath(t *testing.T, outliers, lowered []int) int {
	t.Helper()
	named := 0
	_, path := s.endNs(outliers)
	for _, o := range outliers {
		if !path[o] {
			continue
		}
		if named++; !slices.Contains(lowered, o) {
			t.Fatalf("constraint %d is on the critical path with all outliers lowered, and no cause:\n%+v", o, s)
		}
	}
	return min(1, len(lowered)-named)
}

// With no steps to search in, the answer is a set that suffices all the same; with more, no larger one.
func TestFewSteps(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	exhausted := 0
	for range 300 {
		s := slow{random(rng, 14), thresholds(rng), thresholds(rng)}
		options := deadlines.Defaults(rng.Int63n(s.ToNs - s.FromNs + 1))
		best := usual(options, s.inside, s.crossing).Explain(s.Occurrence)
		size := len(best.Causes)
		for options.MaxSteps = 30; options.MaxSteps >= 0; options.MaxSteps-- {
			x := usual(options, s.inside, s.crossing).Explain(s.Occurrence)
			s.check(t, x)
			if x.Sufficient != best.Sufficient || len(x.Causes) < size || !x.Exhausted && len(x.Causes) != size {
				t.Fatalf("%d steps: %+v\nwithout limit: %+v", options.MaxSteps, x, best)
			}
			if size = len(x.Causes); x.Exhausted {
				exhausted++
			}
		}
	}
	if exhausted < 300 {
		t.Fatalf("only %d searches ran out of steps", exhausted)
	}
}
