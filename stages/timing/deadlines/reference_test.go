package deadlines_test

import (
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
)

// of is a reference with one kind of constraint that has these bounds.
func of(o deadlines.Options, bounds ...int64) *deadlines.Reference {
	r := deadlines.NewReference(o)
	for _, ns := range bounds {
		r.Add(&deadlines.Occurrence{To: 1, ToNs: 1000, Edges: []deadlines.Edge{{Target: 1, TargetNs: 1000, BoundNs: ns}}})
	}
	return r
}

// The values are the first n of 1 4 9 16 25 36 49 64 81 100 121 144, shuffled. Quartiles are the medians of the lower and
// of the upper half, the one in the middle left out: of 7, 1 4 9 and 25 36 49, so 4 and 36; of 8, 1 4 9 16 and 25 36 49 64,
// so 6.5 and 42.5, and the threshold is ceil(42.5 + 3 * 36) = 151. A whisker of 0 shows the third quartile, one of -1 the first,
// both rounded up.
func TestQuartiles(t *testing.T) {
	for _, c := range []struct{ n, first, third, threshold int64 }{
		{1, 1, 1, 1},      // 1
		{2, 1, 4, 13},     // 1 | 4: 4 + 3*3
		{3, 1, 9, 33},     // 1 | 9: 9 + 3*8
		{4, 3, 13, 43},    // 2.5, 12.5: 12.5 + 3*10
		{5, 3, 21, 75},    // 2.5, 20.5: 20.5 + 3*18
		{6, 4, 25, 88},    // 4, 25: 25 + 3*21
		{7, 4, 36, 132},   // 4, 36: 36 + 3*32
		{8, 7, 43, 151},   // 6.5, 42.5: 42.5 + 3*36
		{9, 7, 57, 207},   // 6.5 and 49 64 of 36 49 64 81 after 25: 56.5 + 3*50 = 206.5
		{10, 9, 64, 229},  // 9, 64: 64 + 3*55
		{11, 9, 81, 297},  // 9, 81: 81 + 3*72
		{12, 13, 91, 325}, // 12.5, 90.5: 90.5 + 3*78 = 324.5
	} {
		var values []int64
		for i := range c.n {
			values = append(values, (i+1)*(i+1))
		}
		rand.New(rand.NewSource(c.n)).Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		for whisker, want := range map[float64]int64{-1: c.first, 0: c.third, 3: c.threshold} {
			got, known := of(deadlines.Options{Whisker: whisker}, values...).Threshold(0, false)
			if got != want || !known {
				t.Errorf("%d values, whisker %.0f: %d, want %d", c.n, whisker, got, want)
			}
		}
	}
}

func TestSmallSamples(t *testing.T) {
	options := deadlines.Defaults(1)
	if got, known := of(options, 30, 50, 40).Threshold(0, false); got != 50 || !known {
		t.Errorf("of three values: %d, want the greatest", got)
	}
	for _, ask := range []struct {
		key     uint32
		crosses bool
	}{{0, true}, {1, false}, {1, true}, {1 << 30, false}} {
		if got, known := of(options, 30).Threshold(ask.key, ask.crosses); got != 0 || known {
			t.Errorf("%+v, which no occurrence has: %d, %v", ask, got, known)
		}
	}
	if got, known := of(options, schema.NoValue).Threshold(0, false); got != 0 || known {
		t.Errorf("without a bound: %d, %v", got, known)
	}
}

// A threshold asked for is that of all occurrences so far.
func TestThresholdGrows(t *testing.T) {
	r := deadlines.NewReference(deadlines.Defaults(1))
	for i, want := range []int64{10, 20, 30, 95} { // of four: 15 and 35, 35 + 3*20
		o := &deadlines.Occurrence{To: 1, ToNs: 100}
		o.Edges = []deadlines.Edge{{Target: 1, TargetNs: 100, BoundNs: int64(i+1) * 10}}
		r.Add(o)
		if got, _ := r.Threshold(0, false); got != want {
			t.Errorf("after %d: %d, want %d", i+1, got, want)
		}
	}
}

// Of a constraint from before the start only what reaches beyond it counts, and apart from others of the kind.
func TestConstraintsFromBefore(t *testing.T) {
	r := deadlines.NewReference(deadlines.Defaults(1))
	r.Add(&deadlines.Occurrence{From: 1, To: 3, FromNs: 100, ToNs: 150, Edges: []deadlines.Edge{
		{Source: -1, Target: 0, SourceNs: 50, TargetNs: 100, BoundNs: 50, Key: 3}, // not after the start: does not count
		{Source: 0, Target: 2, SourceNs: 60, TargetNs: 140, BoundNs: 70, Key: 0},  // to 130: 30
		{Source: 0, Target: 3, SourceNs: 60, TargetNs: 150, BoundNs: 20, Key: 1},  // to 80: nothing
		{Source: 0, Target: 3, SourceNs: 60, TargetNs: 150, BoundNs: 90, Key: 2},  // to 150: 50
	}})
	if _, known := r.Threshold(3, true); known {
		t.Error("a constraint into an event at the start counts")
	}
	for key, want := range []int64{30, 0, 50} {
		if got, known := r.Threshold(uint32(key), true); got != want || !known {
			t.Errorf("key %d: %d, %v, want %d", key, got, known, want)
		}
		if got, known := r.Threshold(uint32(key), false); got != 0 || known {
			t.Errorf("key %d, within: %d, %v", key, got, known)
		}
	}
}
