package deadlines_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/timing/deadlines"
	"github.com/tracelake/tracelake/testdata/expect"
)

// metrics names the example of the Platform Performance Suite for metrics (metrics.tmsct), with the times of its events
// worked out by hand: a line is a time in seconds, a lifeline, and a function that is entered (>) or left (<). A time is
// the latest of: the event before on the lifeline and the bound of the part between, 0.5 unless the event says otherwise
// (+2, +6); the sender of a message (!) that the event receives (?) and 1.
// Its four instances are the executions of A, and its budget is 8:
//
//	1 takes 5.5   A B C wait for nobody, D waits for the reply of Y: 2.5 + 1, + 0.5, + 1, and 0.5 to the end
//	2 takes 7     D is called 1.5 later (+2), which is when Y is done with E
//	3 takes 8.5   Y is busy with F until 19.5, though D is called at 16
//	4 takes 8     Y does E first, and in it G; that is no more than the budget
const metrics = "testdata/metrics.txt"

const second = int64(1e9)

type metricEvent struct {
	ns, bound       int64
	lifeline, name  string
	sends, receives string
	depth           int // calls that are open after it
}

// metricEvents are the events in the order of time.
func metricEvents(t *testing.T) (events []metricEvent) {
	depth := map[string]int{}
	text := expect.Value(os.ReadFile(metrics))(t)
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		seconds := expect.Value(strconv.ParseFloat(f[0], 64))(t)
		e := metricEvent{ns: int64(seconds * 1e9), bound: second / 2, lifeline: f[1], name: f[2]}
		for _, more := range f[3:] {
			switch more[0] {
			case '!':
				e.sends = more[1:]
			case '?':
				e.receives = more[1:]
			case '+':
				e.bound = int64(more[1]-'0') * second
			}
		}
		depth[e.lifeline] += map[byte]int{'>': 1, '<': -1}[e.name[0]]
		e.depth = depth[e.lifeline]
		events = append(events, e)
	}
	slices.SortStableFunc(events, func(a, b metricEvent) int { return cmp.Compare(a.ns, b.ns) })
	return events
}

// metricEdges are all constraints; the key of each stands for a place in names.
func metricEdges(events []metricEvent) (edges []deadlines.Edge, names []string) {
	last, sent := map[string]int{}, map[string]int{}
	link := func(from, to int, name string, bound int64, message bool) {
		key := slices.Index(names, name)
		if key < 0 {
			key, names = len(names), append(names, name)
		}
		edges = append(edges, deadlines.Edge{
			Source: int64(from), Target: int64(to), SourceNs: events[from].ns, TargetNs: events[to].ns, BoundNs: bound,
			Key: uint32(key), Message: message, Idle: !message && events[from].depth == 0,
		})
	}
	for i, e := range events {
		if before, ok := last[e.lifeline]; ok {
			link(before, i, e.lifeline+" "+events[before].name+" "+e.name, e.bound, false)
		}
		if e.receives != "" {
			link(sent[e.receives], i, e.receives[:3], second, true)
		}
		last[e.lifeline], sent[e.sends] = i, i
	}
	return edges, names
}

// metricInstances are the executions of A.
func metricInstances(t *testing.T) (found []*deadlines.Occurrence, names []string) {
	events := metricEvents(t)
	edges, names := metricEdges(events)
	for _, e := range edges { // the times worked out by hand are those of the bounds
		latest := e.SourceNs + e.BoundNs
		for _, other := range edges {
			if other.Target == e.Target {
				latest = max(latest, other.SourceNs+other.BoundNs)
			}
		}
		if latest != e.TargetNs && e.TargetNs > 0 {
			t.Fatalf("%s at %d, its bounds say %d", names[e.Key], e.TargetNs, latest)
		}
	}
	from := 0
	for i, e := range events {
		switch e.name {
		case ">A":
			from = i
		case "<A":
			o := &deadlines.Occurrence{From: int64(from), To: int64(i), FromNs: events[from].ns, ToNs: e.ns}
			o.Edges = reaching(o, edges)
			found = append(found, o)
		}
	}
	return found, names
}

// explained is an explanation in words.
func explained(x deadlines.Explanation, names []string) string {
	s := fmt.Sprintf("%v %.1f", x.Sufficient, float64(x.MakespanNs)/1e9)
	for _, c := range x.Causes {
		s += fmt.Sprintf("; %s %s: %.1f over %.1f, gain %.1f", c.Label, names[c.Edge.Key],
			float64(c.ExcessNs)/1e9, float64(c.ThresholdNs)/1e9, float64(c.GainNs)/1e9)
	}
	return s
}

// TestMetricsOfPPS explains instance 3, and with smaller budgets instance 4.
//
// Budget 8: only 3 misses. Of its critical path >F <F >D <D (on Y), reply, <D <A (on X), no instance in time has >F <F
// (6) and <F >D (0.5). Either alone would do: without the first, Y is free at 14 and the call of 16 decides: >D at 17,
// <A at 19, which is 3 earlier; without the second, <A comes 0.5 earlier. The first wins, with 5.5. F began before
// X called Y, so it is contention for the service.
//
// Budget 7.5: now 4 misses too, by 0.5. 1 and 2 lack what Y does in E: >E >G, >G <G, <G <E, 0.5 each. Any one of them
// is enough; the first in the trace is named. E is what X asked for, so it is execution.
//
// Budget 7: two of the three are needed. The third would gain nothing: then >D waits for its call, 26.5 + 1.
//
// Budget 6: only 1 is in time, which did not depend on E at all: there D was done before it. 4 has to end 2 earlier, so
// >D (on Y) at 26.5. Two things keep it: E, with unknown steps of 1 (both calls) and 0.5 (all others), so two of
// them at least; and the call, which with 2 after <C instead of 0.5 comes at 26.5 + 1. So no fewer than three.
func TestMetricsOfPPS(t *testing.T) {
	instances, names := metricInstances(t)
	for i, want := range []float64{5.5, 7, 8.5, 8} {
		if o := instances[i]; float64(o.ToNs-o.FromNs)/1e9 != want {
			t.Fatalf("instance %d takes %d ns, not %.1f s", i+1, o.ToNs-o.FromNs, want)
		}
	}
	const inE = "; execution Y >E >G: 0.5 over 0.0, gain 0.5"
	const inG = "; execution Y >G <G: 0.5 over 0.0, gain 0.5"
	const f = "; service contention Y >F <F: 6.0 over 0.0, gain 3.0"
	for _, c := range []struct {
		budget   float64
		instance int
		want     string
	}{
		{8, 3, "true 5.5" + f},
		{7.5, 3, "true 5.5" + f},
		{7.5, 4, "true 7.5" + inE},
		{7, 4, "true 7.0" + inE + inG},
		{6, 4, "true 6.0; communication delay RQC: 1.0 over 0.0, gain 1.0; communication delay RQE: 1.0 over 0.0, gain 1.0; " +
			"execution X <C >D: 1.5 over 0.5, gain 0.0"},
	} {
		options := deadlines.Defaults(int64(c.budget * 1e9))
		r := deadlines.NewReference(options)
		for _, o := range instances {
			if o.ToNs-o.FromNs <= options.DeadlineNs {
				r.Add(o)
			}
		}
		x := r.Explain(instances[c.instance-1])
		if got := explained(x, names); got != c.want || x.UnexplainedNs != 0 || x.Exhausted {
			t.Errorf("budget %.1f, instance %d:\n got %s\nwant %s\n%+v", c.budget, c.instance, got, c.want, x)
		}
	}
}

// TestMetricsCompared: the critical path of 3 is 6 for >F <F, 0.5 for <F >D, and what the three in time have as well:
// the reply (1), Y >D <D, X <D <A (0.5 each). The call of C and that of E (1 each) are on the paths of 2 and 4.
func TestMetricsCompared(t *testing.T) {
	instances, names := metricInstances(t)
	r := deadlines.NewReference(deadlines.Defaults(8 * second))
	for _, i := range []int{0, 1, 3} {
		r.Add(instances[i])
	}
	sum, got := int64(0), map[string]string{}
	table := r.Compare(instances[2])
	for _, c := range table {
		sum += c.Ns
		got[names[c.Key]] = fmt.Sprint(c.Ns*10/second, c.MedianNs*10/second, c.MaxNs*10/second, c.ExcessNs*10/second)
	}
	if sum != 8*second+second/2 || names[table[0].Key] != "Y >F <F" || names[table[1].Key] != "Y <F >D" {
		t.Errorf("sum %d, %+v", sum, table)
	}
	for name, want := range map[string]string{
		"Y >F <F": "60 0 0 60", "Y <F >D": "5 0 0 5", "RPD": "10 10 10 0", "X <C >D": "0 0 5 0", "RQD": "0 0 10 0",
		"RQE": "0 10 10 -10", "RQC": "0 10 10 -10", "Y >G <G": "0 0 5 0", "X >A >B": "0 5 5 -5", "Z >E <E": "",
	} {
		expect.Equal(t, got[name], want, "%s", name)
	}
}
