package flame_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/flame"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// call is an execution of a random lifeline, as the oracle sees it.
type call struct {
	start, finish int64
	parent        int // position, or -1
	sender        int // of a root: the position of who starts it by a message with its start, or -1
	name          string
}

// random makes nested calls of a few lifelines, whose events are numbered in one order.
func random(rng *rand.Rand, events int) (calls []call) {
	stacks := make([][]int, 1+rng.Intn(3))
	for seq := range int64(events) {
		l := rng.Intn(len(stacks))
		if n := len(stacks[l]); n > 0 && rng.Intn(2) == 0 {
			calls[stacks[l][n-1]].finish = seq
			stacks[l] = stacks[l][:n-1]
			continue
		}
		parent := -1
		if n := len(stacks[l]); n > 0 {
			parent = stacks[l][n-1]
		}
		sender := -1
		if parent < 0 && len(calls) > 0 && rng.Intn(2) == 0 {
			sender = rng.Intn(len(calls))
		}
		calls = append(calls, call{start: seq, finish: -1, parent: parent, sender: sender, name: fmt.Sprintf("c%d.f%d", l, rng.Intn(3))})
		stacks[l] = append(stacks[l], len(calls)-1)
	}
	end := int64(events)
	for _, stack := range stacks {
		for _, i := range slices.Backward(stack) {
			calls[i].finish = end
			end++
		}
	}
	return calls
}

// path is the call path of an execution within an occurrence, by definition: callers on the lifeline and by messages, as far as they
// begin in the occurrence.
func path(calls []call, i int, from int64) string {
	if i < 0 || calls[i].start < from {
		return "run"
	}
	below := calls[i].parent
	if below < 0 {
		below = calls[i].sender
	}
	return path(calls, below, from) + ";" + calls[i].name
}

// TestCallPaths spends time at events of random calls on behalf of random occurrences, in windows cut at random, and compares the sums
// by call path with the definition: a step on a lifeline is of the execution that finishes with it, or of the caller of the one that
// begins; a message lies on top of the execution that receives it.
func TestCallPaths(t *testing.T) {
	for seed := range 400 {
		rng := rand.New(rand.NewSource(int64(seed)))
		calls := random(rng, 2+rng.Intn(80))
		bySeq, want, end := map[int64]int{}, map[string]int64{}, int64(0)
		for i, c := range calls {
			bySeq[c.start], bySeq[c.finish] = i, i
			end = max(end, c.finish+1)
		}
		occurrences := []call{calls[rng.Intn(len(calls))], calls[rng.Intn(len(calls))]}
		b := flame.NewBuilder("run")
		for hi := end; hi > 0; {
			lo := max(0, hi-1-rng.Int63n(20))
			for _, c := range calls {
				if c.finish >= lo && c.finish < hi {
					b.Add(row(calls, c), 0)
				}
			}
			for seq := hi - 1; seq >= lo; seq-- {
				for n, o := range occurrences {
					if seq <= o.start || seq > o.finish {
						continue
					}
					i, ns, sender, idle := bySeq[seq], 1+rng.Int63n(9), "", rng.Intn(4) == 0
					c := calls[i]
					where := path(calls, i, o.start)
					if c.start < o.start { // it stands at the bottom
						where = "run;" + c.name
					}
					switch {
					case idle:
						where = "run;[idle]"
					case rng.Intn(3) == 0:
						sender = "peer"
						where += ";[message from peer]"
					case seq == c.start && c.parent < 0:
						where = "run;[unknown]"
					case seq == c.start && calls[c.parent].start < o.start:
						where = "run;" + calls[c.parent].name
					case seq == c.start:
						where = path(calls, c.parent, o.start)
					}
					b.Spend(uint32(n), o.start, o.finish, seq, sender, idle, ns)
					want[where] += ns
				}
			}
			b.Leave(windowOf(calls, lo, hi))
			hi = lo
		}
		b.Finish()
		got, sum := map[string]int64{}, int64(0)
		for _, i := range b.Graph.Sorted() {
			names := []string{}
			for at := i; at > 0; at = b.Graph.Frames[at].Parent {
				names = append(names, b.Graph.Frames[at].Name)
			}
			slices.Reverse(names)
			if ns := b.Graph.Frames[i].Ns; ns > 0 {
				got[strings.Join(append([]string{"run"}, names...), ";")] += ns
				sum += ns
			}
		}
		expect.Equal(t, fmt.Sprint(got), fmt.Sprint(want), "seed %d", seed)
		expect.Equal(t, b.Graph.Totals()[0], sum, "seed %d: the lowest frame has all time", seed)
	}
}

// windowOf has the messages that start root executions of a window.
func windowOf(calls []call, lo, hi int64) *window.Window {
	w := &window.Window{Lo: lo, Hi: hi, First: []uint32{0}}
	for seq := lo; seq < hi; seq++ {
		for _, c := range calls {
			if c.start == seq && c.sender >= 0 {
				w.Edges = append(w.Edges, window.Edge{Source: calls[c.sender].start, Flags: window.Message})
			}
		}
		w.First = append(w.First, uint32(len(w.Edges)))
	}
	return w
}

// row is a call as a row of the table executions.
func row(calls []call, c call) *schema.Executions {
	x := schema.NewExecutions(new(schema.Names))
	schema.Extend(x, 1)
	component, function, _ := strings.Cut(c.name, ".")
	x.Component[0], x.Function[0] = x.Names.Components.Code(component), x.Names.Functions.Code(function)
	x.Execution[0], x.FinishSeq[0], x.Parent[0] = c.start, c.finish, schema.NoValue
	if c.parent >= 0 {
		x.Parent[0] = calls[c.parent].start
	}
	return x
}
