package alignment_test

import (
	"cmp"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/alignment"
	"github.com/tracelake/tracelake/testdata/expect"
)

// clock shows t + aheadNs + drift t when the reference shows t since the epoch of all.
type clock struct {
	aheadNs int64
	drift   float64
}

const epoch = 1_700_000_000_000_000_000

func (c clock) shown(t int64) int64 {
	return epoch + t + c.aheadNs + int64(math.Round(c.drift*float64(t)))
}

// exchange has calls go from a domain to another, from 1 to 3 s of the reference, with latencies of 200 to 220 us both
// ways, of traces that start at the front.
func exchange(rng *rand.Rand, into *alignment.Collector, calls int, front, from, to uint32, clocks []clock) {
	way := func() int64 { return 200_000 + rng.Int63n(20_000) }
	for range calls {
		t := 1_000_000_000 + rng.Int63n(2_000_000_000)
		into.Start(front)
		into.Before(from, clocks[from].shown(t), to, clocks[to].shown(t+way()))
		t += 5_000_000
		into.Before(to, clocks[to].shown(t), from, clocks[from].shown(t+way()))
	}
}

var names = func(domain uint32) string { return "host " + string(rune('a'+domain)) }

// TestPlantedClocks plants offsets, drifts and epochs, in a chain and in a star. Every clock is brought to within a microsecond
// of the reference, as far as its latencies are the same both ways.
func TestPlantedClocks(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 100 {
		clocks := make([]clock, 6)
		for i := range clocks[1:] {
			clocks[i+1] = clock{rng.Int63n(2e9) - 1e9, rng.NormFloat64() * 1e-4}
		}
		if rng.Intn(3) == 0 {
			clocks[3].aheadNs -= epoch // it counts from the start of its machine
		}
		c := alignment.New()
		for i := range uint32(5) {
			from := i
			if rng.Intn(2) == 0 {
				from = uint32(rng.Intn(int(i + 1)))
			}
			exchange(rng, c, 1000, 0, from, i+1, clocks)
		}
		s := c.Solve(false, names)
		for domain, k := range clocks {
			for _, at := range []int64{1e9, 2e9, 3e9} {
				if got := s.Correct(uint32(domain), k.shown(at)) - epoch - at; got < -3000 || got > 3000 {
					t.Fatalf("clock %d of %v shows %d and is off by %d ns", domain, clocks, at, got)
				}
			}
		}
		if len(s.Said) != 1 || len(s.Bounds) != 5 {
			t.Fatalf("said %q, %d bounds", s.Said, len(s.Bounds))
		}
		for _, b := range s.Bounds {
			k := clocks[b.Unit[5]-'a']
			back := b.OriginNs + b.OffsetNs
			truth := int64(math.Round(float64(b.OriginNs-epoch-k.aheadNs) / (1 + k.drift)))
			if off := back - epoch - truth; off < -3000 || off > 3000 || *b.OffsetLeastNs > b.OffsetNs || *b.OffsetMostNs < b.OffsetNs {
				t.Fatalf("%+v is off by %d ns", b, off)
			}
		}
	}
}

// TestLeftAsTheyAre has clocks that may agree, though ways differ; messages one way only; and a clock that is set meanwhile.
func TestLeftAsTheyAre(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	near := alignment.New()
	exchange(rng, near, 1000, 0, 0, 1, []clock{{}, {aheadNs: 150_000}})
	if s := near.Solve(false, names); !s.Still() || len(s.Said) > 0 {
		t.Errorf("clocks that may agree are moved: %q", s.Said)
	}
	if s := near.Solve(true, names); s.Still() || s.Correct(1, epoch) > epoch-149_000 || s.Correct(1, epoch) < epoch-151_000 {
		t.Errorf("asked for, clocks that may agree are to be moved to the middle: %q", s.Said)
	}
	one := alignment.New()
	for i := range int64(1000) {
		one.Before(0, i*1000, 1, i*1000-5000)
	}
	if s := one.Solve(false, names); !s.Still() || len(s.Said) != 1 || !strings.Contains(s.Said[0], "one way only") {
		t.Errorf("one way: %q", s.Said)
	}
	step := alignment.New()
	exchange(rng, step, 500, 0, 0, 1, []clock{{}, {}})
	exchange(rng, step, 500, 0, 0, 1, []clock{{}, {aheadNs: 3_000_000}})
	if s := step.Solve(false, names); !s.Still() || len(s.Said) != 1 || !strings.Contains(s.Said[0], "no even clock") {
		t.Errorf("a step: %q", s.Said)
	}
}

// TestUnit has replies that are received before they are sent, by a microsecond: that is nothing where times are cut to microseconds.
func TestUnit(t *testing.T) {
	for _, cut := range []bool{true, false} {
		c, fine := alignment.New(), int64(0)
		if !cut {
			fine = 1
		}
		for i := range int64(100) {
			c.Before(0, 10_000*i, 1, 10_000*i+fine)
			c.Before(1, 10_000*i+5000+fine, 0, 10_000*i+4000)
		}
		if s := c.Solve(false, names); !s.Still() || len(s.Said) > 0 == cut {
			t.Errorf("times cut to microseconds: %v; said %q", cut, s.Said)
		}
	}
}

// TestNested has calls of which nothing says that their callers wait. They count while all of them lie in their callers by one
// even clock, and not where some run in the background.
func TestNested(t *testing.T) {
	for _, background := range []bool{false, true} {
		rng := rand.New(rand.NewSource(3))
		c, clocks := alignment.New(), []clock{{}, {aheadNs: 7_000_000}}
		if background {
			clocks[1].aheadNs = 0
		}
		for i := range int64(100) {
			start, late := i*20_000_000, int64(0)
			if background {
				late = rng.Int63n(8_000_000)
			}
			c.Before(0, clocks[0].shown(start), 1, clocks[1].shown(start+200_000+late))
			c.Nest(1, clocks[1].shown(start+3_000_000+late), 0, clocks[0].shown(start+3_200_000))
		}
		s := c.Solve(false, names)
		if s.Still() != background || len(s.Said) > 0 == background {
			t.Errorf("calls in the background: %v; said %q", background, s.Said)
		}
	}
}

// TestNumbersOfDomains relates the same clocks with the numbers that domains have in another order of the trace. They stand in a ring, one pair of which
// is not needed: names choose it.
func TestNumbersOfDomains(t *testing.T) {
	var want *alignment.Solution
	for _, number := range [][]uint32{{0, 1, 2, 3}, {3, 1, 0, 2}, {2, 3, 1, 0}} {
		rng := rand.New(rand.NewSource(3))
		clocks, named := make([]clock, 4), make([]string, 4)
		for i, aheadNs := range []int64{0, 7e6, -4e6, 2e9} {
			clocks[number[i]], named[number[i]] = clock{aheadNs: aheadNs}, names(uint32(i))
		}
		c := alignment.New()
		for _, pair := range [][2]uint32{{0, 1}, {1, 2}, {3, 0}, {2, 3}} {
			exchange(rng, c, 200, number[0], number[pair[0]], number[pair[1]], clocks)
		}
		s := c.Solve(false, func(domain uint32) string { return named[domain] })
		if want == nil {
			want = s
		}
		if !slices.IsSortedFunc(s.Bounds, func(a, b schema.ClockBound) int { return cmp.Compare(a.Unit, b.Unit) }) {
			t.Errorf("rows are not in the order of names: %+v", s.Bounds)
		}
		expect.Equal(t, strings.Join(s.Said, "\n"), strings.Join(want.Said, "\n"), "said with the numbers %v", number)
		expect.Deep(t, s.Bounds, want.Bounds, "bounds with the numbers %v", number)
	}
}

// TestNoDriftByChance has clocks without a drift and few messages in a short time, of which some line with a drift would suit the
// fastest better: of 200 pairs none gains or loses anything. A drift that moves more than chance is found, to what chance leaves.
func TestNoDriftByChance(t *testing.T) {
	for seed := range int64(200) {
		for _, drift := range []float64{0, 200e-6} {
			rng := rand.New(rand.NewSource(seed))
			c, k := alignment.New(), clock{7_000_000, drift}
			for i := range int64(100) {
				at := i*1_500_000 + rng.Int63n(50_000)
				c.Start(0)
				c.Before(0, epoch+at, 1, k.shown(at+200_000+rng.Int63n(20_000)))
				at += 5_000_000
				c.Before(1, k.shown(at), 0, epoch+at+200_000+rng.Int63n(20_000))
			}
			b := c.Solve(false, names).Bounds
			if len(b) != 1 || math.Abs(b[0].DriftPpm+drift*1e6) > drift*1e6/10 {
				t.Fatalf("seed %d, a drift of %g: %+v", seed, drift, b)
			}
		}
	}
}
