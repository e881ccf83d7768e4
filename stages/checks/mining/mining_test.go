package mining

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// random are events of functions of two components that start and end at random, several at one time now and then.
func random(rng *rand.Rand, n int) *schema.Events {
	ev := schema.NewEvents()
	var now int64 = 100
	for i := range n {
		now += rng.Int64N(4)
		ev.Seq, ev.TimeNs = append(ev.Seq, int64(i)), append(ev.TimeNs, now)
		component := fmt.Sprint("c", rng.IntN(2))
		ev.Component = append(ev.Component, ev.Names.Components.Code(component))
		ev.Lifeline = append(ev.Lifeline, ev.Names.Lifelines.Code(component))
		ev.Function = append(ev.Function, ev.Names.Functions.Code(fmt.Sprint("f", rng.IntN(4))))
		ev.Kind = append(ev.Kind, []schema.Kind{schema.Enter, schema.Exit, schema.Regular, schema.Message}[min(rng.IntN(8)/2, rng.IntN(4))])
		ev.Series, ev.MessageID = append(ev.Series, schema.NoCode), append(ev.MessageID, schema.NoValue)
		ev.Direction = append(ev.Direction, schema.NoMessage)
	}
	return ev
}

// of names the function of a row.
func of(ev *schema.Events, i int) Subject {
	return Subject{ev.Names.Components.Name(ev.Component[i]), ev.Names.Functions.Name(ev.Function[i])}
}

// TestSeen compares what a run shows of its functions with the definitions as loops.
func TestSeen(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 1))
	for range 200 {
		ev := random(rng, 1+rng.IntN(40))
		var m Miner
		o := m.Observe(ev.Names)
		o.Add(ev)
		o.Close()
		for s, subject := range m.subjects {
			var longest, starts int64
			closest, open := schema.NoValue, false
			for i := range ev.Seq {
				if of(ev, i) != subject || ev.Kind[i] != schema.Enter {
					continue
				}
				starts++
				answered := false
				for j := i + 1; j < len(ev.Seq); j++ {
					if of(ev, j) != subject {
						continue
					}
					d := ev.TimeNs[j] - ev.TimeNs[i]
					if ev.Kind[j] == schema.Exit && !answered {
						longest, answered = max(longest, d), true
					}
					if ev.Kind[j] == schema.Enter && d > 0 && (closest == schema.NoValue || d < closest) {
						closest = d
					}
				}
				open = open || !answered
			}
			if starts == 0 {
				continue
			}
			got := m.runs[0].of[s]
			expect.Slice(t, []int64{got.starts, got.longestNs, got.closestNs}, []int64{starts, longest, closest}, "%v", subject)
			expect.Equal(t, m.open(s), open, "%v waits at the end", subject)
		}
	}
}

// TestPairs compares what was together and around with the definitions as loops: a function is open from a start to the first end.
func TestPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 2))
	for range 200 {
		ev := random(rng, 1+rng.IntN(40))
		var m Miner
		o := m.Observe(ev.Names)
		o.Add(ev)
		o.Close()
		m.Pairs()
		p := m.ObservePairs(ev.Names)
		p.Add(ev)
		spans := make(map[Subject][][2]int) // positions of start and end
		for _, s := range m.subjects {
			from := -1
			for i := range ev.Seq {
				if of(ev, i) == s && ev.Kind[i] == schema.Enter && from < 0 {
					from = i
				} else if of(ev, i) == s && ev.Kind[i] == schema.Exit && from >= 0 {
					spans[s], from = append(spans[s], [2]int{from, i}), -1
				}
			}
			if from >= 0 {
				spans[s] = append(spans[s], [2]int{from, len(ev.Seq)})
			}
		}
		for a, s := range m.pairs.subjects {
			for b, u := range m.pairs.subjects {
				if a == b {
					continue
				}
				together, around := false, true
				for _, x := range spans[m.subjects[s]] {
					within := false
					for _, y := range spans[m.subjects[u]] {
						together = together || x[0] < y[1] && y[0] < x[1]
						within = within || y[0] < x[0] && x[1] <= y[1]
					}
					around = around && within
				}
				expect.Equal(t, m.pairs.exclusive(a, b), !together, "%v and %v exclude each other", m.subjects[s], m.subjects[u])
				expect.Equal(t, m.pairs.around[a].has(b), around, "%v is around %v", m.subjects[u], m.subjects[s])
			}
		}
	}
}

// TestMargin learns from what is known: of 1,000 subjects in five runs ten exceed the other runs by 50 and all others by 1.
func TestMargin(t *testing.T) {
	var values [][]float64
	for i := range 1000 {
		v := []float64{10, 9, 10, 8, 11}
		if i < 10 {
			v[3] = 60
		}
		values = append(values, v)
	}
	expect.Equal(t, learn(values).absolute, 1.0, "one in 500 pairs is ten of 1,000 subjects in five runs")
	values[10][0] = 61
	expect.Equal(t, learn(values).absolute, 49.0, "an eleventh one counts")
	expect.Equal(t, learn([][]float64{{3}}), margin{relative: 1}, "one run")
}

// TestRounded writes times with two digits, to the side that is asked for.
func TestRounded(t *testing.T) {
	for ns, want := range map[float64][2]string{
		0: {"0 ns", "0 ns"}, 7: {"7 ns", "7 ns"}, 123: {"130 ns", "120 ns"}, 290: {"290 ns", "290 ns"}, 1001: {"1.1 us", "1 us"},
		999_999: {"1 ms", "990 us"}, 29e6: {"29 ms", "29 ms"}, 12.34e9: {"13 s", "12 s"}, 3601e9: {"3700 s", "3600 s"},
	} {
		expect.Equal(t, [2]string{upwards(ns).String(), downwards(ns).String()}, want, "%g", ns)
	}
}

// TestNames makes names of checks unique, and writes texts with quotes.
func TestNames(t *testing.T) {
	var m Miner
	ev := schema.NewEvents()
	for i, f := range []string{"a.b", "a b", "it's", `both ' and "`} {
		for k, kind := range []schema.Kind{schema.Enter, schema.Exit} {
			ev.Seq, ev.TimeNs = append(ev.Seq, int64(2*i+k)), append(ev.TimeNs, int64(2*i+k))
			ev.Component, ev.Lifeline = append(ev.Component, ev.Names.Components.Code("c")), append(ev.Lifeline, ev.Names.Lifelines.Code("c"))
			ev.Function, ev.Kind = append(ev.Function, ev.Names.Functions.Code(f)), append(ev.Kind, kind)
			ev.Series, ev.MessageID, ev.Direction = append(ev.Series, schema.NoCode), append(ev.MessageID, schema.NoValue), append(ev.Direction, schema.NoMessage)
		}
	}
	o := m.Observe(ev.Names)
	o.Add(ev)
	o.Close()
	m.Pairs()
	m.ObservePairs(ev.Names).Add(ev)
	all := m.Proposals(func(Subject) bool { return true })
	var names []string
	for _, p := range all {
		if p.Kind == Response {
			names = append(names, p.Name)
		}
		if strings.Contains(p.Formula, "both") {
			t.Errorf("a name that cannot be written: %s", p.Formula)
		}
		if strings.Contains(p.Formula, "it's") && !strings.Contains(p.Formula, `"it's"`) {
			t.Errorf("a quote in quotes: %s", p.Formula)
		}
	}
	slices.Sort(names)
	expect.Slice(t, names, []string{"response_c_a_b", "response_c_a_b__2", "response_c_it_s"}, "names")
}
