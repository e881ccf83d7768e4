package reconciliation

import (
	"cmp"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/timebase"
	"github.com/tracelake/tracelake/testdata/expect"
)

// web makes units whose clocks show t + offset + drift t and messages between pairs of them, at random times with
// latencies from 1 us to a limit of the pair.
func web(r *rand.Rand, offsets []int64, drifts []float64, pairs [][3]int) *Model {
	type moment struct {
		at   int64
		unit int
		id   int64
		d    schema.Direction
	}
	var moments []moment
	for id := range int64(3000) {
		pair := pairs[r.Intn(len(pairs))]
		from, to := pair[0], pair[1]
		if r.Intn(2) == 0 {
			from, to = to, from
		}
		sent := r.Int63n(60e9)
		moments = append(moments, moment{sent, from, id, schema.Send}, moment{sent + 1000 + r.Int63n(int64(pair[2])), to, id, schema.Receive})
	}
	slices.SortFunc(moments, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	units := make([]*Unit, len(offsets))
	for u := range units {
		units[u] = &Unit{Name: string(rune('a' + u)), Series: []string{"m"}}
	}
	for _, m := range moments {
		u := units[m.unit]
		shown := m.at + offsets[m.unit] + int64(math.Floor(drifts[m.unit]*float64(m.at)))
		u.Ends = append(u.Ends, End{ID: m.id, Event: u.Event(int64(len(u.Position)), shown), Direction: m.d})
	}
	model := NewModel(units)
	model.AddMessages(Pair(units).Exchanges)
	return model
}

// TestRelate has four units: b talks to a and c, c to a, slowly, and d to c. Whichever is the reference, bounds are those of the
// fast pairs, also through third units, and times of all units are right to the gap of the bounds on their way.
func TestRelate(t *testing.T) {
	r := rand.New(rand.NewSource(9))
	offsets, drifts := []int64{0, 5e9, 1_700_000_000e9, -77}, []float64{0, 50e-6, -20e-6, 10e-6}
	talks := [][]int{{1, 2}, {0, 2}, {0, 1, 3}, {2}} // to which others each of them has messages
	for reference := range offsets {
		m := web(r, offsets, drifts, [][3]int{{0, 1, 20_000}, {1, 2, 20_000}, {0, 2, 5_000_000}, {2, 3, 30_000}})
		expect.Value(m.Arrange())(t)
		c := m.Relate(reference)
		used := 0
		for _, row := range c.Rows {
			if row.Used {
				used++
				if *row.OffsetMostNs-*row.OffsetLeastNs > 100_000 {
					t.Errorf("reference %d: the bounds are those of the slow pair: %+v", reference, row)
				}
			}
			if !row.Possible || *row.OffsetLeastNs > row.OffsetNs || *row.OffsetMostNs < row.OffsetNs {
				t.Errorf("reference %d: %+v", reference, row)
			}
		}
		if used != 3 || len(c.Rows) != 7-len(talks[reference]) || len(c.Alone) > 0 || c.Own[reference] != -1 {
			t.Errorf("reference %d: %d of %d rows are used; %+v", reference, used, len(c.Rows), c)
		}
		for u, unit := range m.Units {
			for _, e := range []int{0, len(unit.TimeNs) / 2, len(unit.TimeNs) - 1} {
				shown := unit.TimeNs[e]
				truth := float64(shown-offsets[u]) / (1 + drifts[u])
				want := truth + drifts[reference]*truth
				got := float64(c.Curves[u].At(shown) - offsets[reference])
				if math.Abs(got-want) > 10_000 {
					t.Errorf("reference %d: unit %d shows %d: %.0f, not %.0f", reference, u, shown, got, want)
				}
			}
		}
	}
}

// TestRelateApart has two pairs of units that nothing connects: each has the time of one of its units.
func TestRelateApart(t *testing.T) {
	m := web(rand.New(rand.NewSource(10)), []int64{0, 5e9, -3e9, 1e12}, make([]float64, 4), [][3]int{{0, 1, 20_000}, {2, 3, 20_000}})
	c := m.Relate(1)
	if !slices.Equal(c.Alone, []int{2, 3}) || c.Own[1] != -1 || c.Own[2] != -1 || len(c.Curves[1]) > 0 || len(c.Curves[2]) > 0 || len(c.Rows) != 2 {
		t.Errorf("%+v", c)
	}
	for u, want := range map[int]int64{0: 5e9, 3: -1003e9} {
		at := m.Units[u].TimeNs[0]
		if got := c.Curves[u].At(at) - at; got < want-10_000 || got > want+10_000 {
			t.Errorf("unit %d is moved by %d, not %d", u, got, want)
		}
	}
}

// What leads into an instant of no trace is before all events that it leads to; what lies between two such instants orders nothing.
func TestOrdersOverInstantsOfNoTrace(t *testing.T) {
	units := []*Unit{{Name: "x"}, {Name: "y"}}
	x := []int32{units[0].Event(0, 10), units[0].Event(1, 20)}
	y := []int32{units[1].Event(0, 15), units[1].Event(1, 25)}
	m := NewModel(units)
	m.clockCode("c")
	m.Constraints = []Constraint{{Name: "r"}}
	between := m.addBlock(3)
	of := func(unit int, event int32) int32 { return m.First(unit) + event }
	for _, r := range [][2]int32{
		{of(0, x[0]), between}, {of(1, y[0]), between}, {between, of(1, y[1])}, {between, of(0, x[1])}, // all are before all of the other unit
		{of(0, x[0]), between + 2}, {between + 2, between}, {between, between + 1}, {between + 1, of(1, y[0])},
	} {
		m.addRelation(schema.Precedes, Occurrence{Instant: r[0]}, Occurrence{Instant: r[1]})
	}
	o := m.orders()
	var got [][4]int64
	for i := range o.From {
		got = append(got, [4]int64{int64(o.From[i]), o.FromNs[i], int64(o.To[i]), o.ToNs[i]})
	}
	expect.Slice(t, got, [][4]int64{{0, 10, 1, 25}, {1, 15, 0, 20}}, "orders")
}

// A clock that would stand still or run back has no drift; what has no bound has none in the row.
func TestPairRow(t *testing.T) {
	m := NewModel([]*Unit{{Name: "x"}, {Name: "y"}})
	for _, c := range []struct{ drift, ppm float64 }{{-1, 0}, {-3, 0}, {-0.5, -500_000}, {2e-6, 2}} {
		p := timebase.Pair{A: 1, B: 0, OriginA: 7, Shift: 1 << 60}
		p.Bounds.Drift, p.Bounds.Offset, p.Bounds.MinDrift, p.Bounds.MaxDrift = c.drift, 3, math.Inf(-1), 4e-6
		row := m.pairRow(&p)
		expect.Equal(t, row.DriftPpm, c.ppm, "drift %g", c.drift)
		expect.Equal(t, row.OffsetNs, 1<<60+3, "offset")
		expect.Equal(t, row.DriftLeastPpm == nil && row.DriftMostPpm != nil && *row.DriftMostPpm == 4, true, "bounds of the drift")
	}
}
