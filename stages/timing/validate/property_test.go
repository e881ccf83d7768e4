package validate_test

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// random makes a well-formed chart of n events or some more. Functions may call themselves where recursive is set, and
// lifelines send each other messages where messages is.
func random(rng *rand.Rand, n int, recursive, messages bool) (c chart) {
	lifelines := []string{"A", "B/1", "B/2"}[:1+rng.Intn(3)]
	open := make([][]string, len(lifelines))
	inFlight, nowNs := []string{}, int64(0)
	for seq := int64(1); ; seq++ {
		on := rng.Intn(len(lifelines))
		if len(c.events) >= n {
			on = slices.IndexFunc(open, func(calls []string) bool { return len(calls) > 0 })
			if on < 0 {
				break
			}
		}
		nowNs += 1 + rng.Int63n(9)
		e := event{seq: seq, timeNs: nowNs, lifeline: lifelines[on]}
		depth := len(open[on])
		if depth > 0 && (len(c.events) >= n || rng.Intn(2) == 0) {
			e.kind, e.function = schema.Exit, open[on][depth-1]
			open[on] = open[on][:depth-1]
		} else {
			e.function = fmt.Sprintf("f%d", depth)
			if recursive {
				e.function = fmt.Sprintf("f%d", rng.Intn(2))
			}
			open[on] = append(open[on], e.function)
		}
		switch roll := rng.Intn(4); {
		case messages && roll == 0:
			e.message = fmt.Sprintf("!m%d", seq)
			inFlight = append(inFlight, e.message[1:])
		case messages && roll == 1 && len(inFlight) > 0:
			e.message, inFlight = "?"+inFlight[0], inFlight[1:]
		}
		c.events = append(c.events, e)
	}
	c.derive()
	return c
}

func TestWellFormedChartsHold(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 500 {
		c := random(rng, 40, true, true)
		if got := render(c.check(1 + rng.Intn(50))); got != "" {
			t.Fatalf("%s\nof %v", got, c)
		}
	}
}

func TestManyFunctions(t *testing.T) {
	var c chart
	for i := range int64(3000) {
		c.events = append(c.events, event{seq: i, timeNs: i, lifeline: "A", function: fmt.Sprint("f", i/2), kind: schema.Kind(i % 2)})
	}
	c.derive()
	expect.Equal(t, render(c.check(1<<20)), "", "violations")
	c.events = slices.DeleteFunc(c.events, func(e event) bool { return e.kind == schema.Exit })
	c.derive()
	if got := c.check(1 << 20); len(got) != 1500 {
		t.Errorf("%d functions did not finish", len(got))
	}
}

// mutations damage a chart in one way. They return false where it does not lend itself to it.
var mutations = map[string]func(rng *rand.Rand, c *chart) bool{
	"time_runs_back":   swapTimes,
	"missing_finish":   func(rng *rand.Rand, c *chart) bool { return remove(rng, c, schema.Exit) },
	"missing_start":    func(rng *rand.Rand, c *chart) bool { return remove(rng, c, schema.Enter) },
	"calls_interleave": interleave,
	"repeated_event":   func(rng *rand.Rand, c *chart) bool { return repeat(rng, c, 0) },
	"two_times":        func(rng *rand.Rand, c *chart) bool { return repeat(rng, c, 1) },
	"bound_not_met":    shrink,
	"negative_bound": func(rng *rand.Rand, c *chart) bool {
		x := &c.constraints[rng.Intn(len(c.constraints))]
		x.slackNs = x.durationNs + 1
		return true
	},
	"gap_in_order": func(rng *rand.Rand, c *chart) bool {
		i := rng.Intn(len(c.constraints))
		on := c.constraints[i].kind == schema.OnLifeline
		c.constraints = slices.Delete(c.constraints, i, i+1)
		return on
	},
	"backward_constraint": func(rng *rand.Rand, c *chart) bool {
		i := rng.Intn(len(c.constraints))
		c.tie(c.at(c.constraints[i].target), c.at(c.constraints[i].target), schema.ByMessage)
		slices.SortStableFunc(c.constraints, func(x, y constraint) int { return cmp.Compare(x.target, y.target) })
		return true
	},
}

// successor is the position of the next event of the lifeline, or -1.
func (c *chart) successor(i int) int {
	for j := i + 1; j < len(c.events); j++ {
		if c.events[j].lifeline == c.events[i].lifeline {
			return j
		}
	}
	return -1
}

func swapTimes(rng *rand.Rand, c *chart) bool {
	i := rng.Intn(len(c.events))
	j := c.successor(i)
	if j < 0 {
		return false
	}
	c.events[i].timeNs, c.events[j].timeNs = c.events[j].timeNs, c.events[i].timeNs
	c.derive()
	return true
}

func remove(rng *rand.Rand, c *chart, kind schema.Kind) bool {
	i := rng.Intn(len(c.events))
	is := c.events[i].kind == kind
	c.events = slices.Delete(c.events, i, i+1)
	c.derive()
	return is
}

// interleave lets the outer of two executions finish first.
func interleave(rng *rand.Rand, c *chart) bool {
	i := rng.Intn(len(c.events))
	j := c.successor(i)
	if j < 0 || c.events[i].kind != schema.Exit || c.events[j].kind != schema.Exit || c.events[i].function == c.events[j].function {
		return false
	}
	c.events[i].function, c.events[j].function = c.events[j].function, c.events[i].function
	return true
}

func repeat(rng *rand.Rand, c *chart, laterNs int64) bool {
	i := rng.Intn(len(c.events))
	e := c.events[i]
	e.timeNs += laterNs
	c.events = slices.Insert(c.events, i+1, e)
	return true
}

// shrink brings an event nearer to the one before it on its lifeline, whose bound stays.
func shrink(rng *rand.Rand, c *chart) bool {
	i := rng.Intn(len(c.events))
	j := c.successor(i)
	if j < 0 || c.events[j].timeNs <= c.events[i].timeNs {
		return false
	}
	c.events[j].timeNs = c.events[i].timeNs + rng.Int63n(c.events[j].timeNs-c.events[i].timeNs)
	c.retime()
	return true
}

// Without messages and recursion each mutation breaks one condition in one way.
func TestMutationsAreNamed(t *testing.T) {
	for name, mutate := range mutations {
		rng := rand.New(rand.NewSource(1))
		for played := 0; played < 100; {
			c := random(rng, 30, false, false)
			if !mutate(rng, &c) {
				continue
			}
			played++
			got := c.check(1 + rng.Intn(40))
			if len(got) != 1 || got[0].Name != name || got[0].Count != 1 {
				t.Fatalf("%s gives\n%s", name, render(got))
			}
		}
	}
}

// Whatever is broken, and how often, the oracle counts the same.
func TestAgainstOracle(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 1000 {
		c := random(rng, 25, rng.Intn(2) == 0, true)
		for _, name := range []string{"missing_finish", "missing_start", "time_runs_back", "calls_interleave", "bound_not_met",
			"repeated_event", "two_times", "negative_bound", "gap_in_order", "backward_constraint"} {
			if d := c.clone(); rng.Intn(4) == 0 && mutations[name](rng, &d) {
				c = d
			}
		}
		got, want := c.check(1+rng.Intn(40)), c.literal()
		for i := range got {
			got[i].FirstNs = nil
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got\n%swant\n%sof %v", render(got), render(want), c)
		}
	}
}
