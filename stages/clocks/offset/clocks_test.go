package offset_test

import (
	"math"
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/stages/clocks/offset"
)

// message is something at x of the first clock before something at y of the second, or after it.
type message struct {
	x, y  int64
	forth bool
}

func bounds(origin, other int64, messages []message) offset.Bounds {
	p := offset.NewPair(origin, other)
	for _, m := range messages {
		if m.forth {
			p.Before(m.x, m.y)
		} else {
			p.After(m.x, m.y)
		}
	}
	return p.Bounds()
}

// exchange makes messages between two clocks of which the second shows x + offset + drift x, with latencies from 1 us.
func exchange(random *rand.Rand, n int, offset, drift float64) (messages []message) {
	for range n {
		x := random.Int63n(10e9)
		latency := 1000 + int64(random.ExpFloat64()*100e3)
		m := message{x: x, forth: random.Intn(2) == 0}
		at := func(x int64) int64 { return x + int64(math.Round(offset+drift*float64(x))) }
		if m.forth {
			m.y = at(x + latency)
		} else {
			m.y = at(x - latency)
		}
		messages = append(messages, m)
	}
	return messages
}

// TestTruthIsPossible checks that the true line is within the bounds, and the estimate respects every message.
func TestTruthIsPossible(t *testing.T) {
	random := rand.New(rand.NewSource(6))
	for range 200 {
		offset, drift := random.NormFloat64()*1e9, random.NormFloat64()*1e-4
		messages := exchange(random, 2+random.Intn(20_000), offset, drift)
		b := bounds(0, int64(offset), messages)
		if !b.Possible || drift < b.MinDrift-1e-12 || drift > b.MaxDrift+1e-12 || offset < b.MinOffset-2 || offset > b.MaxOffset+2 {
			t.Fatalf("offset %v and drift %v are out of %+v", offset, drift, b)
		}
		if b.Offset < b.MinOffset || b.Offset > b.MaxOffset || b.Drift < b.MinDrift || b.Drift > b.MaxDrift {
			t.Fatalf("the estimate is out of its bounds: %+v", b)
		}
		for _, m := range messages {
			at := float64(m.x) + b.Offset + b.Drift*float64(m.x)
			if m.forth && at > float64(m.y)+2 || !m.forth && at < float64(m.y)-2 {
				t.Fatalf("%+v breaks %+v: the line is at %v", m, b, at)
			}
		}
	}
}

// corner is a line that two messages touch.
type corner struct{ offset, drift float64 }

// respects reports whether a line respects all messages, to a thousandth of a nanosecond.
func (c corner) respects(messages []message) bool {
	for _, m := range messages {
		late := float64(m.y-m.x) - c.offset - c.drift*float64(m.x)
		if m.forth && late < -1e-3 || !m.forth && late > 1e-3 {
			return false
		}
	}
	return true
}

// TestBoundsAreTight compares with the corners of the set of lines, found by trying all pairs of messages.
func TestBoundsAreTight(t *testing.T) {
	random := rand.New(rand.NewSource(7))
	compared := 0
	for range 2000 {
		var messages []message
		ahead := random.Int63n(1e5) - 5e4
		for range 2 + random.Intn(10) {
			x, forth := random.Int63n(1e6), random.Intn(2) == 0
			y := x + ahead + 500 + random.Int63n(2000)
			if !forth {
				y = x + ahead - random.Int63n(2000)
			}
			messages = append(messages, message{x, y, forth})
		}
		b := bounds(0, 0, messages)
		if !b.Possible || math.IsInf(b.MinDrift, 0) || math.IsInf(b.MaxDrift, 0) {
			continue
		}
		compared++
		leastDrift, mostDrift, least, most := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for i, m := range messages {
			for _, n := range messages[:i] {
				c := corner{drift: float64((n.y-n.x)-(m.y-m.x)) / float64(n.x-m.x)}
				if c.offset = float64(m.y-m.x) - c.drift*float64(m.x); n.x == m.x || !c.respects(messages) {
					continue
				}
				leastDrift, mostDrift = min(leastDrift, c.drift), max(mostDrift, c.drift)
				least, most = min(least, c.offset), max(most, c.offset)
			}
		}
		for _, d := range [][2]float64{{b.MinDrift, leastDrift}, {b.MaxDrift, mostDrift}, {b.MinOffset, least}, {b.MaxOffset, most}} {
			if math.Abs(d[0]-d[1]) > 1e-6*(1+math.Abs(d[1])) {
				t.Fatalf("%+v: %+v, by trying drift %v to %v, offset %v to %v", messages, b, leastDrift, mostDrift, least, most)
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d sets of lines had bounds", compared)
	}
}

// TestContradiction has messages that arrive before they are sent, whatever the clocks.
func TestContradiction(t *testing.T) {
	b := bounds(0, 0, []message{{100, 50, true}, {100, 80, false}, {900, 850, true}, {900, 880, false}})
	if b.Possible || math.Abs(b.Gap+30) > 1e-9 || math.Abs(b.Offset+35) > 1e-9 || math.Abs(b.Drift) > 1e-9 {
		t.Errorf("%+v: the best line is 35 below, and 30 are missing", b)
	}
}

// TestOneWay has messages one way, or none.
func TestOneWay(t *testing.T) {
	forth := bounds(0, 0, []message{{100, 500, true}, {900, 1200, true}})
	if !forth.Possible || forth.Offset != 300 || !math.IsInf(forth.MinOffset, -1) || !math.IsInf(forth.MaxOffset, 1) {
		t.Errorf("forth: %+v", forth)
	}
	back := bounds(0, 0, []message{{100, 500, false}, {900, 1200, false}})
	if !back.Possible || back.Offset != 400 || !math.IsInf(back.MaxDrift, 1) {
		t.Errorf("back: %+v", back)
	}
	if none := bounds(7, 1007, nil); none.Offset != 1000 || !none.Possible {
		t.Errorf("none: %+v", none)
	}
}

// TestSwapAndShift turns the sides and moves the clocks.
func TestSwapAndShift(t *testing.T) {
	random := rand.New(rand.NewSource(8))
	messages := exchange(random, 500, 3000, 0)
	var moved, swapped []message
	for _, m := range messages {
		moved = append(moved, message{m.x + 5e17, m.y - 3e17, m.forth})
		swapped = append(swapped, message{m.y, m.x, !m.forth})
	}
	a, b, c := bounds(0, 3000, messages), bounds(5e17, 3000-3e17, moved), bounds(3000, 0, swapped)
	if math.Abs(b.Offset+8e17-a.Offset) > 200 || math.Abs(a.Drift-b.Drift) > 1e-12 || math.Abs(a.MaxDrift-b.MaxDrift) > 1e-12 {
		t.Errorf("%+v, moved %+v", a, b)
	}
	if c.MinDrift > -a.MaxDrift/(1+a.MaxDrift)+1e-12 || c.MaxDrift < -a.MinDrift/(1+a.MinDrift)-1e-12 {
		t.Errorf("%+v, swapped %+v", a, c)
	}
}

// TestDriftMustBeWorthIt has few messages, from which hardly any drift follows; and many, from which one does.
func TestDriftMustBeWorthIt(t *testing.T) {
	few := bounds(0, 0, []message{{1000, 1500, true}, {11_000, 11_800, true}, {2000, 1800, false}, {13_000, 12_200, false}})
	if few.Drift != 0 || few.Offset != 150 || few.MaxDrift < 0.01 {
		t.Errorf("few: %+v", few)
	}
	many := bounds(0, 0, exchange(rand.New(rand.NewSource(10)), 10_000, 0, 80e-6))
	if math.Abs(many.Drift-80e-6) > 1e-6 {
		t.Errorf("many: %+v", many)
	}
}

func BenchmarkPair(b *testing.B) {
	messages := exchange(rand.New(rand.NewSource(9)), 1<<20, 1e6, 1e-5)
	for b.Loop() {
		bounds(0, 1e6, messages)
	}
	b.ReportMetric(float64(len(messages)*b.N)/b.Elapsed().Seconds(), "messages/s")
}

// TestEqualTimes adds to messages others at the same times that say less. They change nothing.
func TestEqualTimes(t *testing.T) {
	few := []message{{1000, 1500, true}, {11_000, 11_800, true}, {2000, 1800, false}, {13_000, 12_200, false}}
	var all []message
	for _, m := range few {
		slower := m
		if slower.y += 300; !m.forth {
			slower.y = m.y - 300
		}
		all = append(all, slower, m, slower)
	}
	if got, want := bounds(0, 0, all), bounds(0, 0, few); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestUnboundedDrift has messages that allow any drift in one direction, though a drift would widen the gap: none is believed. Of
// messages that allow one line at one instant any drift is possible.
func TestUnboundedDrift(t *testing.T) {
	b := bounds(0, 0, []message{{100, 1100, true}, {200, 1250, true}, {900, 0, false}})
	if b.Drift != 0 || !math.IsInf(b.MaxDrift, 1) || math.Abs(b.MinDrift+2.375) > 1e-9 {
		t.Errorf("%+v: the drift is above -2.375, and 0 is the estimate", b)
	}
	b = bounds(0, 0, []message{{-100, 1100, true}, {-200, 1250, true}, {-900, -1000, false}})
	if b.Drift != 0 || !math.IsInf(b.MinDrift, -1) || !math.IsInf(b.MaxOffset, 1) || math.IsInf(b.MaxDrift, 0) {
		t.Errorf("%+v: the drift is below some, and 0 is the estimate", b)
	}
	if b := bounds(0, 0, []message{{100, 100, true}, {100, 100, false}}); !math.IsInf(b.MinDrift, -1) || !math.IsInf(b.MaxDrift, 1) {
		t.Errorf("%+v: any drift is possible", b)
	}
}

// TestFarFromTheOrigin has messages long after the origin, one way only and both ways: the offset is that at the origin, and a
// drift is worth what it moves between the messages, however far away they are.
func TestFarFromTheOrigin(t *testing.T) {
	if b := bounds(100, 5100, []message{{100, 5500, true}, {900, 6300, true}}); b.Offset != 5400 {
		t.Errorf("forth: %+v, want an offset of 5400", b)
	}
	if b := bounds(100, 5100, []message{{100, 5500, false}, {900, 6300, false}}); b.Offset != 5400 {
		t.Errorf("back: %+v, want an offset of 5400", b)
	}
	const later = 1e11
	many := exchange(rand.New(rand.NewSource(10)), 10_000, 0, 80e-6)
	for i := range many {
		many[i].x, many[i].y = many[i].x+later, many[i].y+later
	}
	if b := bounds(0, 0, many); math.Abs(b.Drift-80e-6) > 1e-6 {
		t.Errorf("the drift is %v, want 80e-6", b.Drift)
	}
}

// TestCounts counts the messages each way.
func TestCounts(t *testing.T) {
	p := offset.NewPair(0, 0)
	p.Before(1, 2)
	p.Before(2, 3)
	p.After(3, 2)
	if p.Forth != 2 || p.Back != 1 {
		t.Errorf("%d forth and %d back, want 2 and 1", p.Forth, p.Back)
	}
}
