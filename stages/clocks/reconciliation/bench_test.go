package reconciliation

import (
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// chatter makes two units that send each other messages with random latencies, the clock of the second 1 s ahead
// and 50 ppm too fast.
func chatter(messages int) []*Unit {
	r := rand.New(rand.NewSource(7))
	a, b := &Unit{Name: "a", Series: []string{"m"}}, &Unit{Name: "b", Series: []string{"m"}}
	units := []*Unit{a, b}
	shown := func(u int, t int64) int64 {
		if u == 1 {
			return t + 1e9 + t/20000
		}
		return t
	}
	now := int64(0)
	end := func(u int, direction schema.Direction, id int64) {
		unit := units[u]
		unit.Ends = append(unit.Ends, End{
			ID: id, Nth: id, Event: unit.Event(int64(len(unit.Position)), shown(u, now)), Direction: direction,
		})
	}
	for id := range int64(messages) {
		from := r.Intn(2)
		now += 1 + r.Int63n(500)
		end(from, schema.Send, id)
		now += 1000 + r.Int63n(5000)
		end(1-from, schema.Receive, id)
	}
	return units
}

// BenchmarkMessages orders two units by a million messages between them: pairs, order, clocks and times.
func BenchmarkMessages(b *testing.B) {
	const messages = 1_000_000
	for b.Loop() {
		b.StopTimer()
		units := chatter(messages)
		b.StartTimer()
		paired := Pair(units)
		Keep(units, paired.Exchanges)
		m := NewModel(units)
		m.AddMessages(paired.Exchanges)
		a := expect.Value(m.Arrange())(b)
		times := a.Correct(m.Relate(0).Curves)
		if !times.Holds(&m.Relations[messages/2]) {
			b.Fatal("the order is wrong")
		}
	}
	b.ReportMetric(float64(messages)*float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}
