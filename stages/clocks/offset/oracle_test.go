package offset_test

import (
	"math"
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/stages/clocks/offset"
)

// system is messages of two clocks of which the second shows about other when the first shows origin.
type system struct {
	origin, other int64
	messages      []message
}

// anySystem plants an offset and a drift in few messages, whose latencies are from 1 ns, far from the origin of the first clock.
func anySystem(random *rand.Rand) system {
	s := system{random.Int63n(2e6) - 1e6, random.Int63n(2e6) - 1e6, nil}
	start, drift := random.Int63n(1e7), random.Float64()-0.5
	for i := range 2 + random.Intn(300) {
		m := message{x: s.origin + start + random.Int63n(1e6), forth: random.Intn(2) == 0}
		if i < 2 {
			m.forth = i == 0 // one each way
		}
		late := 1 + random.Int63n(1e5)
		if !m.forth {
			late = -late
		}
		m.y = s.other + (m.x - s.origin) + int64(drift*float64(m.x-s.origin)) + late
		s.messages = append(s.messages, m)
	}
	return s
}

// pair gives messages to a pair; those behind the first n by way of another.
func (s system) pair(n int) *offset.Pair {
	p, q := offset.NewPair(s.origin, s.other), offset.NewPair(s.origin, s.other)
	for i, m := range s.messages {
		to := p
		if i >= n {
			to = q
		}
		if m.forth {
			to.Before(m.x, m.y)
		} else {
			to.After(m.x, m.y)
		}
	}
	p.Add(q)
	return p
}

// boundsAt tries every message: the greatest lower and the least upper bound of the offset at a drift, and by how much the mean bound of each
// direction is beyond them, as a share of a grain.
func (s system) boundsAt(drift float64) (least, most, backLate, forthLate float64) {
	least, most = math.Inf(-1), math.Inf(1)
	var sum [2]float64
	var n [2]float64
	for _, m := range s.messages {
		at := float64(m.y-m.x) - drift*float64(m.x-s.origin)
		if m.forth {
			most, sum[1], n[1] = min(most, at), sum[1]+at, n[1]+1
		} else {
			least, sum[0], n[0] = max(least, at), sum[0]+at, n[0]+1
		}
	}
	return least, most, (least - sum[0]/n[0]) / n[0], (sum[1]/n[1] - most) / n[1]
}

// near reports whether two times in ns, or drifts times the time covered, are the same but for rounding.
func near(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-3 }

// TestLikeEveryMessage compares what a pair says with what all of its messages say, one by one, at any drift. It does not matter which of
// them came by way of another pair.
func TestLikeEveryMessage(t *testing.T) {
	random := rand.New(rand.NewSource(13))
	for range 400 {
		s := anySystem(random)
		p := s.pair(random.Intn(len(s.messages) + 1))
		drift := random.Float64() - 0.5
		least, most, backLate, forthLate := s.boundsAt(drift)
		if l, gap := p.LineAt(drift); !near(gap, most-least) || !near(l.Offset, (least+most)/2) || l.Drift != drift {
			t.Fatalf("%+v and a gap of %v, want from %v to %v", l, gap, least, most)
		}
		// Times are added up in whole us, which cut up to drift us off the mean of each direction.
		cut := 2000 * math.Abs(drift) * (1/float64(p.Forth) + 1/float64(p.Back))
		if got, want := p.Grain(drift), 2*(backLate+forthLate); math.Abs(got-want) > cut+1e-3 {
			t.Fatalf("a grain is %v, want %v", got, want)
		}
		l := offset.Line{Offset: least + (most-least)*random.Float64()*2, Drift: drift}
		from, to := math.Inf(1), math.Inf(-1)
		for _, m := range s.messages {
			from, to = min(from, float64(m.x)), max(to, float64(m.x))
		}
		if got := p.Covered(); got != to-from {
			t.Fatalf("messages cover %v ns, want %v", got, to-from)
		}
		if got, want := p.Margin(l), min(most-l.Offset, l.Offset-least); !near(got, want) {
			t.Fatalf("the margin is %v, want %v", got, want)
		}
	}
}

// TestCornersAreMessages sees that corners are messages of their direction, and bound all lines as all messages do.
func TestCornersAreMessages(t *testing.T) {
	random := rand.New(rand.NewSource(14))
	for range 200 {
		s := anySystem(random)
		p := s.pair(random.Intn(len(s.messages) + 1))
		all, corners := make(map[message]bool), system{origin: s.origin}
		for _, m := range s.messages {
			all[m] = true
		}
		for _, back := range []bool{false, true} {
			p.Corners(back, func(x, y int64) { corners.messages = append(corners.messages, message{x, y, !back}) })
		}
		for _, m := range corners.messages {
			if !all[m] {
				t.Fatalf("there is no message %v", m)
			}
		}
		drift := random.Float64() - 0.5
		least, most, _, _ := corners.boundsAt(drift)
		if l, m, _, _ := s.boundsAt(drift); l != least || m != most {
			t.Fatalf("corners bound the offset by %v and %v, messages by %v and %v", least, most, l, m)
		}
	}
}

// TestEstimateIsWidest tries all drifts between two messages one way: no other is worth more than that of the estimate.
func TestEstimateIsWidest(t *testing.T) {
	random := rand.New(rand.NewSource(15))
	possible, contradicted := 0, 0
	for range 300 {
		s := anySystem(random)
		s.messages = s.messages[:min(len(s.messages), 30)]
		if random.Intn(3) == 0 { // one that contradicts the others
			s.messages[0].y -= 1e6
		}
		p := s.pair(len(s.messages))
		b := p.Bounds()
		if math.IsInf(b.MaxDrift-b.MinDrift, 1) {
			continue
		}
		width := func(d float64) float64 {
			least, most, _, _ := s.boundsAt(d)
			return most - least
		}
		worth := func(d float64) float64 { return width(d) - 0.1*p.Covered()*math.Abs(d) }
		best, widest := worth(0), width(0)
		for i, m := range s.messages {
			for _, n := range s.messages[:i] {
				if m.forth == n.forth && m.x != n.x {
					d := float64((m.y-m.x)-(n.y-n.x)) / float64(m.x-n.x)
					best, widest = max(best, worth(d)), max(widest, width(d))
				}
			}
		}
		if near(worth(b.Drift), best) && b.Possible {
			possible++
		} else if near(width(b.Drift), widest) {
			contradicted++
		} else {
			t.Fatalf("%+v is worth %v, another drift %v; its gap is %v, another %v", b, worth(b.Drift), best, b.Gap, widest)
		}
		if !near(b.Gap, width(b.Drift)) || b.Possible != (widest >= 0) {
			t.Fatalf("%+v: the gap is %v, the widest %v", b, width(b.Drift), widest)
		}
	}
	if possible < 100 || contradicted < 50 {
		t.Errorf("only %d systems with a line and %d without", possible, contradicted)
	}
}

// TestAnyDriftWithinTies has messages that leave the gap the same at many drifts: the estimate is in the middle, or 0 if that is one of them.
func TestAnyDriftWithinTies(t *testing.T) {
	for _, c := range []struct {
		from, to float64 // drifts of the same gap
		want     float64
	}{{-0.25, 0.25, 0}, {0.75, 1.25, 1}, {0.5, 1.25, 0.875}, {-1.5, -0.5, -1}, {0, 0.5, 0}, {-0.5, 0, 0}, {0.5, 0.5, 0.5}} {
		// The message back is 30 ns after the one forth at the same time, whatever the drift. Those forth before and after it, 400 ns away,
		// are as bad at the ends.
		b := bounds(0, 0, []message{
			{500, 450, true}, {500, 480, false}, {100, 100 - 50 + int64(-400*c.from), true}, {900, 900 - 50 + int64(400*c.to), true},
		})
		if b.Possible || b.Drift != c.want || b.Gap != -30 {
			t.Errorf("drifts from %v to %v: %+v, want a drift of %v", c.from, c.to, b, c.want)
		}
	}
}

// TestSteeperThanMessagesSuggest has a message back that only a drift above that of any two messages forth respects: no line is possible.
func TestSteeperThanMessagesSuggest(t *testing.T) {
	b := bounds(0, 0, []message{{100, 1100, true}, {200, 1250, true}, {900, 2401, false}})
	if b.Possible || b.Drift != 0.5 || b.Gap != -101 {
		t.Errorf("%+v, want a gap of -101 at 0.5", b)
	}
}

// TestBoundsOfNothing has pairs without messages one way: nothing is contradicted there, and no grain can be told.
func TestBoundsOfNothing(t *testing.T) {
	p := offset.NewPair(0, 0)
	if !math.IsInf(p.Margin(offset.Line{}), 1) || !math.IsInf(p.Grain(0), 1) {
		t.Errorf("without messages the margin is %v and a grain %v", p.Margin(offset.Line{}), p.Grain(0))
	}
	p.Before(100, 150)
	if got := p.Margin(offset.Line{Offset: 20}); got != 30 || !math.IsInf(p.Grain(0), 1) {
		t.Errorf("forth: the margin is %v, want 30, and a grain %v", got, p.Grain(0))
	}
	p.After(300, 310)
	if b := p.Bounds(); b.Gap != 40 || b.Offset != 30 || p.Covered() != 200 {
		t.Errorf("one each way: %+v, want 30 in a gap of 40", b)
	}
	p = offset.NewPair(0, 0)
	p.After(100, 150)
	if got := p.Margin(offset.Line{Offset: 20}); got != -30 || !math.IsInf(p.Grain(0), 1) {
		t.Errorf("back: the margin is %v, want -30, and a grain %v", got, p.Grain(0))
	}
}
