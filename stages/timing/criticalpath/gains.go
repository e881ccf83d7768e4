package criticalpath

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/numbering"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Percents are by how much functions are taken to be faster.
var Percents = [3]int64{10, 50, 100}

// Gain is what targets of a group gain when a function executes faster on their critical paths.
type Gain struct {
	Part        uint32
	Occurrences int64    // paths on which the function executes
	TotalNs     int64    // that it executes on them: what they would gain at most
	Ns          [3]int64 // what they would gain, by Percents
}

// Gains sums up gains by the group of the targets and by part.
type Gains struct {
	groups []gainTable

	// Of the route at hand.
	first []int32 // by part: its first step in the route, plus 1; 0: none
	next  []int32 // by step: the next one of the same part, plus 1
	parts []uint32
	marks []mark
	spare []int32 // detours, that with the least spare time first
	left  []int64 // by mark of a detour: the gain where it leaves the path
}

// gainTable finds the gains of a group by their parts.
type gainTable struct {
	targets int64             // all that were added
	numbers numbering.Numbers // of the gains, by part
	gains   []Gain
}

// mark is something that happens to the gain of a function along a path: a step of it, or an end of a detour.
type mark struct {
	at   int // number of steps behind it
	what uint8
	ns   int64 // of a step; spare time of a detour
	of   int32 // detour: its number among those at hand
}

// What happens at the same event happens in this order.
const (
	stepEnds uint8 = iota
	detourEnds
	detourLeaves
)

// Add takes the route towards a target of a group.
func (g *Gains) Add(group uint32, r *Route) {
	g.groups = schema.GrowTo(g.groups, int(group)+1)
	g.index(r)
	table := &g.groups[group]
	table.targets++
	at := 0 // paths of a group mostly lead over the same parts in the same order: the gain behind the last one is tried first
	for _, part := range g.parts {
		gain := Gain{Part: part, Occurrences: 1}
		for i := g.first[part]; i > 0; i = g.next[i-1] {
			gain.TotalNs += r.Steps[i-1].Ns
		}
		for k, percent := range Percents {
			gain.Ns[k] = gain.TotalNs * percent / 100
		}
		if len(g.spare) > 0 && r.Detours[g.spare[0]].SpareNs < gain.TotalNs {
			g.limit(r, &gain)
		}
		at = table.add(&gain, at)
		g.first[part] = 0
	}
}

// index finds the steps of every part of a route, and sorts its detours.
func (g *Gains) index(r *Route) {
	g.parts = g.parts[:0]
	g.next = slices.Grow(g.next[:0], len(r.Steps))[:len(r.Steps)]
	for i := range r.Steps {
		s := &r.Steps[i]
		if s.Ns <= 0 {
			continue
		}
		g.first = schema.GrowTo(g.first, int(s.Part)+1)
		if g.first[s.Part] == 0 {
			g.parts = append(g.parts, s.Part)
		}
		g.next[i] = g.first[s.Part]
		g.first[s.Part] = int32(i + 1)
	}
	g.spare = g.spare[:0]
	for i := range r.Detours {
		g.spare = append(g.spare, int32(i))
	}
	slices.SortFunc(g.spare, func(a, b int32) int {
		return cmp.Or(cmp.Compare(r.Detours[a].SpareNs, r.Detours[b].SpareNs), cmp.Compare(a, b))
	})
}

// limit limits a gain to what detours leave of it. Going along the path in the order of time, the gain grows with every step of the
// function; where a detour ends, it is at most what it was where the detour left the path, and the detour's spare time.
func (g *Gains) limit(r *Route, gain *Gain) {
	g.marks = g.marks[:0]
	for i := g.first[gain.Part]; i > 0; i = g.next[i-1] {
		g.marks = append(g.marks, mark{at: int(i - 1), what: stepEnds, ns: r.Steps[i-1].Ns})
	}
	steps := g.marks // the first step of the path comes first
	detours := int32(0)
	for _, i := range g.spare {
		d := &r.Detours[i]
		if d.SpareNs >= gain.TotalNs {
			break
		}
		if inside(steps, d) <= d.SpareNs {
			continue
		}
		g.marks = append(g.marks, mark{at: d.To, what: detourEnds, ns: d.SpareNs, of: detours}, mark{at: d.From, what: detourLeaves, of: detours})
		detours++
	}
	if detours == 0 {
		return
	}
	slices.SortFunc(g.marks, func(a, b mark) int {
		return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(a.what, b.what), cmp.Compare(a.of, b.of))
	})
	g.left = slices.Grow(g.left[:0], int(detours))[:detours]
	for k, percent := range Percents {
		hundredths := int64(0) // of a nanosecond
		for i := range g.marks {
			switch m := &g.marks[i]; m.what {
			case stepEnds:
				hundredths += m.ns * percent
			case detourEnds:
				hundredths = min(hundredths, g.left[m.of]+m.ns*100)
			case detourLeaves:
				g.left[m.of] = hundredths
			}
		}
		gain.Ns[k] = hundredths / 100
	}
}

// inside sums up the steps, the first of the path first, that lie between the ends of a detour. O(log steps + steps between them).
func inside(steps []mark, d *Detour) (ns int64) {
	from, to := 0, len(steps)
	for from < to { // the first step behind the event at which the detour leaves
		if half := int(uint(from+to) >> 1); steps[half].at >= d.From {
			from = half + 1
		} else {
			to = half
		}
	}
	for ; from < len(steps) && steps[from].at >= d.To; from++ {
		ns += steps[from].ns
	}
	return ns
}

// add adds the gain of one target to that of its part, which is probably the next one, and returns the one behind it.
func (t *gainTable) add(one *Gain, next int) int {
	if next >= len(t.gains) || t.gains[next].Part != one.Part {
		n, isNew := t.numbers.Of(uint64(one.Part))
		if next = int(n); isNew {
			t.gains = append(t.gains, Gain{Part: one.Part})
		}
	}
	sum := &t.gains[next]
	sum.Occurrences += one.Occurrences
	sum.TotalNs += one.TotalNs
	for k, ns := range one.Ns {
		sum.Ns[k] += ns
	}
	return next + 1
}

// Of returns the gains of a group by component and function.
func (g *Gains) Of(group uint32, names *schema.Names, parts []window.Part) []Gain {
	if int(group) >= len(g.groups) {
		return nil
	}
	gains := slices.Clone(g.groups[group].gains)
	slices.SortFunc(gains, func(a, b Gain) int {
		p, q := parts[a.Part], parts[b.Part]
		return cmp.Or(
			cmp.Compare(names.Components.Name(p.Component), names.Components.Name(q.Component)),
			cmp.Compare(names.Functions.Name(p.Function), names.Functions.Name(q.Function)),
		)
	})
	return gains
}
