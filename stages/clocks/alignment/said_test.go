package alignment_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/alignment"
	"github.com/tracelake/tracelake/testdata/expect"
)

// calls has requests go from a clock to another and back, every millisecond of the reference from 1 s on, on ways that always take as long.
func calls(into *alignment.Collector, n int, from, to uint32, clocks []clock, there, back int64) {
	for i := range int64(n) {
		t := 1_000_000_000 + i*1_000_000
		into.Before(from, clocks[from].shown(t), to, clocks[to].shown(t+there))
		into.Before(to, clocks[to].shown(t+600_000), from, clocks[from].shown(t+600_000+back))
	}
}

// oneWay has messages of one direction that arrive before they are sent.
func oneWay(into *alignment.Collector, n int, from, to uint32) {
	for i := range int64(n) {
		into.Before(from, epoch+i*1000, to, epoch+i*1000-5000)
	}
}

// TestSentences has the sentences about clocks that are corrected, and about those that are not, word by word.
func TestSentences(t *testing.T) {
	const way = 200_000
	for _, c := range []struct {
		what   string
		clocks []clock
		tell   func(*alignment.Collector, []clock)
		want   []string
	}{
		{"one clock ahead", []clock{{}, {7e6, 0}}, func(c *alignment.Collector, k []clock) { calls(c, 100, 0, 1, k, way, way) },
			[]string{"the clock of host b is 7.00 ms ahead (± 200.00 us): corrected; --clocks keep leaves it"}},
		{"one clock behind, after one call", []clock{{}, {-1e3, 0}}, func(c *alignment.Collector, k []clock) { calls(c, 1, 0, 1, k, 600, 600) },
			[]string{"the clock of host b is 1.00 us behind (± 600 ns): corrected; --clocks keep leaves it"}},
		{"one loses, one gains", []clock{{}, {2e9, -100e-6}, {-4e6, 50e-6}}, func(c *alignment.Collector, k []clock) {
			calls(c, 1000, 0, 1, k, way, way)
			calls(c, 1000, 2, 0, k, way, way)
		}, []string{"the clock of host b is 2.00 s ahead (± 200.14 us) and loses 100.0 ppm, the clock of host c is 3.95 ms behind (± 200.09 us) and gains 50.0 ppm: " +
			"corrected; --clocks keep leaves them"}},
		{"three clocks", []clock{{}, {1e6, 0}, {2e6, 0}, {3e6, 0}}, func(c *alignment.Collector, k []clock) {
			for to := range uint32(3) {
				calls(c, 100, 0, to+1, k, 1000, 1000)
			}
		}, []string{"the clock of host b is 1.00 ms ahead (± 1.00 us), the clock of host c is 2.00 ms ahead (± 1.00 us), the clock of host d is 3.00 ms ahead (± 1.00 us): " +
			"corrected; --clocks keep leaves them"}},
		{"many clocks", []clock{{}, {1e6, 0}, {-9e6, 0}, {3e6, 0}, {4e6, 0}}, func(c *alignment.Collector, k []clock) {
			for to := range uint32(4) {
				calls(c, 100, 0, to+1, k, 1000, 1000)
			}
		}, []string{"4 clocks are up to 9.00 ms apart from that of host a, as that of host c is: corrected; --clocks keep leaves them, and the table clock_bounds has them"}},
		{"one way only", nil, func(c *alignment.Collector, _ []clock) { oneWay(c, 10, 1, 0) },
			[]string{"the clocks of host a and host b are apart, as messages between them arrive before they are sent, but these go one way only: left as they are; " +
				"--clock-offset sets one"}},
		{"set meanwhile", []clock{{}, {}, {0, 0}}, func(c *alignment.Collector, k []clock) {
			calls(c, 10, 0, 1, k, 1000, 1000)
			k[1].aheadNs = 3e6
			calls(c, 10, 0, 1, k, 1000, 1000)
		}, []string{"the messages between host a and host b fit no even clock, as they contradict each other by 3.00 ms: one of the clocks was set meanwhile, " +
			"or runs unevenly; left as they are"}},
		{"a pair one way that others relate", []clock{{}, {7e6, 0}, {-7e6, 0}}, func(c *alignment.Collector, k []clock) {
			calls(c, 100, 0, 1, k, 1000, 1000)
			calls(c, 100, 0, 2, k, 1000, 1000)
			c.Before(1, k[1].shown(1.5e9), 2, k[2].shown(1.501e9))
			oneWay(c, 3, 7, 8)
		}, []string{
			"the clock of host b is 7.00 ms ahead (± 1.00 us), the clock of host c is 7.00 ms behind (± 1.00 us): corrected; --clocks keep leaves them",
			"the clocks of host h and host i are apart, as messages between them arrive before they are sent, but these go one way only: left as they are; --clock-offset sets one",
		}},
	} {
		into := alignment.New()
		into.Start(0)
		c.tell(into, c.clocks)
		expect.Slice(t, into.Solve(false, names).Said, c.want, "%s", c.what)
	}
}

// TestMostMessagesFirst refuses many pairs of clocks. Those with most messages are named, and the others counted.
func TestMostMessagesFirst(t *testing.T) {
	c := alignment.New()
	for i := range uint32(6) {
		n := int(10 + 7*i%4) // 10, 13, 12, 11, 10, 13
		oneWay(c, n, 2*i+i%2, 2*i+1-i%2)
	}
	var got []string
	for _, line := range c.Solve(false, names).Said {
		got = append(got, strings.TrimPrefix(strings.Split(line, " are apart")[0], "the clocks of "))
	}
	expect.Slice(t, got, []string{"host c and host d", "host k and host l", "host e and host f", "3 more pairs of clocks are left as they are"}, "who is named")
}

// TestRows has the rows of clocks whose reference is that where requests begin, whatever its name and number, and whoever of two calls the
// other. Bounds add up on the way to the reference; a pair that agrees adds nothing.
func TestRows(t *testing.T) {
	c, clocks := alignment.New(), []clock{{3e6, 0}, {3e6, 0}, {}, {-5e6, 0}}
	c.Start(0)
	c.Start(2)
	c.Start(2)
	calls(c, 4, 2, 1, clocks, 1000, 3000) // b is ahead of c by 2 ms 999 us to 3 ms 3 us, in the middle 3 ms less 1 us
	calls(c, 3, 3, 2, clocks, 5000, 1000)
	calls(c, 2, 0, 1, clocks, 1000, 1000) // a and b agree
	c.Before(0, epoch+1, 1, epoch+1_000_000)
	row := func(unit string, forth, back, origin, least, most int64) string {
		return fmt.Sprintf("%s of host c: %d forth, %d back, at %d from %d by %d to %d", unit, forth, back, origin-epoch, least, (least+most)/2, most)
	}
	var got []string
	for _, b := range c.Solve(false, names).Bounds {
		expect.Equal(t, schema.ClockBound{Possible: b.Possible, Used: b.Used, DriftPpm: b.DriftPpm}, schema.ClockBound{Possible: true, Used: true}, "%s", b.Unit)
		got = append(got, row(b.Unit, b.Forth, b.Back, b.OriginNs, *b.OffsetLeastNs, *b.OffsetMostNs)+fmt.Sprint(" of ", b.Reference, b.OffsetNs))
	}
	want := []string{
		row("host a", 3, 2, epoch+1_003_000_000, -3_001_000, -2_997_000) + fmt.Sprint(" of ", "host c", -2_999_000),
		row("host b", 4, 4, epoch+1_003_001_000, -3_001_000, -2_997_000) + fmt.Sprint(" of ", "host c", -2_999_000),
		row("host d", 3, 3, epoch+995_000_000, 4_999_000, 5_005_000) + fmt.Sprint(" of ", "host c", 5_002_000),
	}
	expect.Slice(t, got, want, "rows")
}

// TestUnitsApart has messages that contradict each other by a few milliseconds, in a trace that gives milliseconds: one is no
// contradiction of equal clocks, two are none of clocks that are apart, and three fit none.
func TestUnitsApart(t *testing.T) {
	for i, want := range []string{"", "", "the clock of host b is 1.00 ms ahead", "the messages between host a and host b fit no even clock"} {
		for _, nested := range []bool{false, true} {
			c := alignment.New()
			late := int64(i) * 1_000_000
			for k := range int64(20) {
				at := k * 50_000_000
				c.Before(0, at, 1, at)
				if nested {
					c.Nest(1, at+10_000_000+late, 0, at+10_000_000)
				} else {
					c.Before(1, at+10_000_000+late, 0, at+10_000_000)
				}
			}
			want := want
			if nested && i == 3 { // calls that contradict what is sure do not count
				want = ""
			}
			if got := strings.Join(c.Solve(false, names).Said, "\n"); !strings.HasPrefix(got, want) || want == "" && got != "" {
				t.Errorf("%d ms, nested %v: %q, want %q", i, nested, got, want)
			}
		}
	}
}

// TestFewNested has 14 bounds of calls in their callers, which may be in the background, and 16, which hardly all are.
func TestFewNested(t *testing.T) {
	for _, n := range []int64{14, 16} {
		c := alignment.New()
		c.Before(0, 0, 1, 7_000_100)
		for i := range n / 2 {
			c.Nest(0, i*1000, 1, i*1000+7_000_100)
			c.Nest(1, i*1000+7_000_500, 0, i*1000+600)
		}
		if s := c.Solve(false, names); s.Still() != (n < 16) {
			t.Errorf("%d bounds: %q", n, s.Said)
		}
	}
}

// TestUnboundedOffsets has messages that allow any drift above some: nothing bounds the offset, and neither row nor sentence says that it is known.
func TestUnboundedOffsets(t *testing.T) {
	c := alignment.New()
	c.Start(0)
	c.Before(0, 100, 1, 1100)
	c.Before(0, 200, 1, 1250)
	c.Before(1, 2201, 0, 900)
	s := c.Solve(false, names)
	if len(s.Bounds) != 1 || s.Bounds[0].OffsetLeastNs != nil || s.Bounds[0].OffsetMostNs != nil || s.Bounds[0].DriftPpm >= 0 {
		t.Errorf("%+v", s.Bounds)
	}
	expect.Slice(t, s.Said, []string{"the clock of host b is 1.00 us ahead and gains 273387.8 ppm: corrected; --clocks keep leaves it"}, "said")
}

// TestNoLinesForAll has three clocks whose messages allow lines two by two, and not all together: those with the most messages count.
func TestNoLinesForAll(t *testing.T) {
	c, clocks := alignment.New(), []clock{{}, {5e6, 0}, {-5e6, 0}}
	c.Start(0)
	calls(c, 100, 0, 1, clocks, 1000, 1000)
	calls(c, 100, 0, 2, clocks, 1000, 1000)
	for i := range int64(10) {
		at := 1_000_000_000 + i*10_000_000
		c.Before(1, clocks[1].shown(at), 2, clocks[2].shown(at-1_000_000))
	}
	s := c.Solve(false, names)
	for i, k := range clocks {
		if off := s.Correct(uint32(i), k.shown(2e9)) - epoch - 2e9; off != 0 {
			t.Errorf("clock %d is off by %d ns", i, off)
		}
	}
}

// TestClockThatStands has a clock that always shows the same: it cannot be corrected.
func TestClockThatStands(t *testing.T) {
	c := alignment.New()
	for i := range int64(1000) {
		c.Before(0, i*1_000_003, 1, 5_000_000)
		c.Before(1, 5_000_000, 0, i*1_000_003+2)
	}
	if s := c.Solve(false, names); !s.Still() || len(s.Said) != 1 || !strings.Contains(s.Said[0], "fit no even clock") {
		t.Errorf("%q", s.Said)
	}
}

// TestManyPairs relates more pairs of clocks than are kept at hand, among them some whose place there is the same.
func TestManyPairs(t *testing.T) {
	const n = 100
	c, clocks := alignment.New(), make([]clock, n)
	for i := range clocks {
		clocks[i].aheadNs = int64(i) * 1_000_000
	}
	c.Start(0)
	for range 2 { // each is seen again after others had its place
		for i := range uint32(n) {
			for _, k := range []uint32{i + 1, i + 31, i + 62} {
				if k < n {
					calls(c, 1, i, k, clocks, 1000, 1000)
				}
			}
		}
	}
	s := c.Solve(false, func(domain uint32) string { return fmt.Sprintf("%03d", domain) })
	for i, k := range clocks {
		if got := s.Correct(uint32(i), k.shown(2e9)) - epoch; got != 2e9 {
			t.Errorf("clock %d is off by %d ns", i, got-2e9)
		}
	}
}

// TestNothingIsLeft has a clock that agrees with the reference by way of another that does not: it is not moved by what two estimates leave.
func TestNothingIsLeft(t *testing.T) {
	for _, c := range []struct{ leaves, moved int64 }{{2000, 0}, {3980, 0}, {4020, -4020}} {
		into, clocks := alignment.New(), []clock{{}, {1e9, 0}, {}}
		into.Start(0)
		calls(into, 100, 0, 1, clocks, 200_000, 200_000)
		calls(into, 100, 1, 2, clocks, 200_000+c.leaves, 200_000-c.leaves)
		if s := into.Solve(false, names); s.Correct(2, epoch)-epoch != c.moved || len(s.Bounds) != 1 && c.moved == 0 {
			t.Errorf("%d ns are left: moved by %d, want %d; %q", c.leaves, s.Correct(2, epoch)-epoch, c.moved, s.Said)
		}
	}
}

// TestClocksThatGainMuch has clocks that gain and lose a hundredth, in a chain through higher and lower numbers and two by two. Times come out to a microsecond.
func TestClocksThatGainMuch(t *testing.T) {
	clocks := []clock{{5e8, 1e-2}, {}, {-3e8, -1e-2}, {7e8, 2e-2}}
	for _, pairs := range [][][2]uint32{{{1, 0}, {0, 2}, {3, 0}}, {{1, 0}}, {{1, 2}}, {{3, 1}}} {
		c, seen := alignment.New(), make(map[uint32]bool)
		c.Start(1)
		for _, p := range pairs {
			calls(c, 2000, p[0], p[1], clocks, 1000, 1000)
			seen[p[0]], seen[p[1]] = true, true
		}
		s := c.Solve(false, names)
		for i, k := range clocks {
			for _, at := range []int64{0, 1e9, 5e9} {
				if off := s.Correct(uint32(i), k.shown(at)) - epoch - at; seen[uint32(i)] && (off < -1000 || off > 1000) {
					t.Errorf("pairs %v: clock %d is off by %d ns after %d ns", pairs, i, off, at)
				}
			}
		}
	}
}
