package criticalpath_test

import (
	"math/rand"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// chart is a whole chart, as the oracles see it.
type chart struct {
	events []int64 // in order
	into   map[int64][]window.Edge
	timeNs map[int64]int64
	parts  []window.Part
}

// components is how many a random chart has; every one has two lifelines. Part 3c is a component that executes, 3c+1 one
// that is idle, 3c+2 one that receives.
const components = 3

// random makes a chart of n events: ties, constraints of no length, several messages into an event, several critical
// constraints, events without any, gaps of sequence numbers, which start below 0.
func random(rng *rand.Rand, n int) *chart {
	c := &chart{into: map[int64][]window.Edge{}, timeNs: map[int64]int64{}}
	for i := range schema.Code(components) {
		lifeline := window.Part{Component: i, Sender: schema.NoCode, Label: schema.NoCode}
		idle, message := lifeline, window.Part{Component: i, Label: schema.NoCode, Message: true}
		idle.Function = schema.NoCode
		c.parts = append(c.parts, lifeline, idle, message)
	}
	last := make(map[int]int64)
	seq, ns, slow, often := -rng.Int63n(200), int64(1000), 1+rng.Int63n(5), 1+rng.Intn(4)
	for range n {
		seq += 1 + rng.Int63n(3)*rng.Int63n(2)*rng.Int63n(40)
		ns += rng.Int63n(slow) * rng.Int63n(3)
		c.events, c.timeNs[seq] = append(c.events, seq), ns
		l := rng.Intn(2 * components)
		if before, known := last[l]; known {
			idle := rng.Intn(2)
			c.edge(rng, before, seq, l/2*3+idle, window.Idle*window.Flags(idle), often)
		}
		last[l] = seq
		var sources []int64
		for range rng.Intn(4) * rng.Intn(2) {
			sources = append(sources, c.events[max(0, len(c.events)-1-rng.Intn(12))])
		}
		slices.Sort(sources)
		for _, source := range slices.Compact(sources) {
			if source < seq {
				c.edge(rng, source, seq, l/2*3+2, window.Message, often)
			}
		}
	}
	return c
}

func (c *chart) edge(rng *rand.Rand, source, target int64, part int, flags window.Flags, often int) {
	if rng.Intn(often) == 0 || rng.Intn(2) == 0 {
		flags |= window.Critical
	}
	c.into[target] = append(c.into[target], window.Edge{
		Source: source, TargetNs: c.timeNs[target], DurationNs: c.timeNs[target] - c.timeNs[source], Part: uint32(part), Flags: flags,
	})
}

// damage lets some constraints lead to themselves, upwards or to events that are not there, last longer or less than the
// time between their events, and others be gone.
func (c *chart) damage(rng *rand.Rand) {
	for _, event := range c.events {
		in := c.into[event]
		for i := range in {
			switch rng.Intn(12) {
			case 0:
				in[i].Source = event + rng.Int63n(9)
			case 1:
				in[i].Source -= rng.Int63n(500)
			case 2:
				in[i].DurationNs += rng.Int63n(19) - 9
			}
		}
		if rng.Intn(12) == 0 {
			c.into[event] = in[:len(in)/2]
		}
	}
}

// windows cuts a chart before the given sequence numbers; the lowest window comes first.
func (c *chart) windows(cuts ...int64) []*window.Window {
	cuts = append(slices.Clone(cuts), c.events[0], c.events[len(c.events)-1]+1)
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var all []*window.Window
	for i := range len(cuts) - 1 {
		w := &window.Window{Lo: cuts[i], Hi: cuts[i+1], First: []uint32{0}}
		for target := w.Lo; target < w.Hi; target++ {
			w.Edges = append(w.Edges, c.into[target]...)
			w.First = append(w.First, uint32(len(w.Edges)))
		}
		all = append(all, w)
	}
	return all
}

// cut makes windows of one way of many: windows of one sequence number, or borders anywhere.
func (c *chart) cut(rng *rand.Rand) []*window.Window {
	lo, hi := c.events[0], c.events[len(c.events)-1]
	var cuts []int64
	if rng.Intn(3) == 0 {
		for seq := lo; seq <= hi; seq++ {
			cuts = append(cuts, seq)
		}
	}
	for range rng.Intn(9) {
		cuts = append(cuts, lo+rng.Int63n(hi-lo+1))
	}
	return c.windows(cuts...)
}

// targets are some to ask for: from the start of the trace, from other events, and from the event itself.
func (c *chart) targets(rng *rand.Rand, n int) (all []criticalpath.Target) {
	for i := range n {
		to := rng.Intn(len(c.events))
		from := c.events[rng.Intn(to+1)]
		t := criticalpath.Target{From: from, FromNs: c.timeNs[from], To: c.events[to], ToNs: c.timeNs[c.events[to]], Group: uint32(i)}
		if rng.Intn(3) == 0 {
			t.From, t.FromNs = criticalpath.Start, schema.NoValue
		}
		all = append(all, t)
	}
	return all
}

// link is a constraint with its target.
type link struct {
	target int64
	edge   window.Edge
}

// critical are the critical constraints into an event.
func (c *chart) critical(event int64) (all []window.Edge) {
	for _, e := range c.into[event] {
		if e.Flags&window.Critical != 0 {
			all = append(all, e)
		}
	}
	return all
}

// paths are all critical constraints on a path towards a target, found by going from each event back over all of
// them, as Algorithm 1 says it does; and whether one leads over From.
func (c *chart) paths(t criticalpath.Target) (found map[link]bool, over bool) {
	found = make(map[link]bool)
	seen := map[int64]bool{}
	var visit func(event int64)
	visit = func(event int64) {
		if seen[event] {
			return
		}
		seen[event] = true
		if event == t.From {
			over = true
			return
		}
		for _, e := range c.critical(event) {
			tie := e.TargetNs == t.FromNs && e.SourceNs() == t.FromNs && e.Source >= t.From
			if t.From != criticalpath.Start && e.TargetNs <= t.FromNs && !tie {
				continue
			}
			found[link{event, e}] = true
			if e.Source >= t.From {
				visit(e.Source)
			}
		}
	}
	visit(t.To)
	return found, over
}

// leads reports whether a critical path leads from an event to another (Definition 5), found forwards.
func (c *chart) leads(from, to int64) bool {
	reached := map[int64]bool{from: true}
	for _, event := range c.events {
		for _, e := range c.critical(event) {
			if reached[e.Source] {
				reached[event] = true
			}
		}
	}
	return reached[to]
}

// walk is the representative path towards a target, the last constraint first: of the critical constraints into an event
// the one whose source is latest, a message rather than a lifeline, the source with the larger number.
func (c *chart) walk(t criticalpath.Target) (path []link) {
	for at := t.To; at != t.From; {
		in := slices.DeleteFunc(c.critical(at), func(e window.Edge) bool {
			return t.From != criticalpath.Start && e.TargetNs <= t.FromNs && (e.DurationNs > 0 || e.Source < t.From)
		})
		if len(in) == 0 {
			return path
		}
		e := slices.MaxFunc(in, func(a, b window.Edge) int {
			for _, order := range [][2]int64{
				{a.SourceNs(), b.SourceNs()}, {int64(a.Flags & window.Message), int64(b.Flags & window.Message)}, {a.Source, b.Source},
			} {
				if order[0] != order[1] {
					return int(order[0] - order[1])
				}
			}
			return 0
		})
		path = append(path, link{at, e})
		if at = e.Source; at < t.From {
			return path
		}
	}
	return path
}

// spent is what every nanosecond of a path is spent on, by the letter: contention for the component that the path enters last
// in time of those for which a message waited then, else what the constraint says.
func (c *chart) spent(t criticalpath.Target, path []link) map[criticalpath.Key]int64 {
	type wait struct {
		busy         schema.Code
		sentNs, ends int64
	}
	var waits []wait
	for _, x := range path {
		w := wait{c.parts[x.edge.Part].Component, -1, x.edge.TargetNs}
		for _, m := range c.into[x.target] {
			if m.Flags&window.Message != 0 && m.SourceNs() < x.edge.SourceNs() {
				w.sentNs = max(w.sentNs, m.SourceNs())
			}
		}
		if x.edge.Flags&window.Idle != 0 && w.sentNs >= 0 {
			waits = append(waits, w)
		}
	}
	sum := make(map[criticalpath.Key]int64)
	for _, x := range path {
		for ns := max(x.edge.SourceNs(), t.FromNs); ns < x.edge.TargetNs; ns++ {
			k := criticalpath.Key{Part: x.edge.Part, Category: schema.Executing, Busy: schema.NoCode}
			if x.edge.Flags&window.Message != 0 {
				k.Category = schema.Communicating
			} else if x.edge.Flags&window.Idle != 0 {
				k.Category = schema.Idling
			}
			if i := slices.IndexFunc(waits, func(w wait) bool { return w.sentNs <= ns && ns < w.ends }); i >= 0 {
				k.Category, k.Busy = schema.Contending, waits[i].busy
			}
			sum[k]++
		}
	}
	return sum
}
