package reconciliation

import "github.com/tracelake/tracelake/schema"

// link leads from an instant to one that is after it or with it: by a relation, forward or backward, or along a trace.
type link struct {
	from, to int32
	by       int32 // relation, or along
}

const along int32 = -1

// mostStarts and mostLinks bound how many cycles are compared to find a short one, and how many links are followed.
const mostStarts, mostLinks = 64, 1 << 23

// explain finds a cycle with few relations among the instants of a group that holds a strict relation.
func (a *Arrangement) explain(group int32) error {
	m := a.model
	links := make(map[int32][]link)
	var strict []link
	for i := range m.Relations {
		r := &m.Relations[i]
		from, to := r.Left.Instant, r.Right.Instant
		if a.group[from] != group || a.group[to] != group {
			continue
		}
		links[from] = append(links[from], link{from, to, int32(i)})
		if r.Kind == schema.Coincides {
			links[to] = append(links[to], link{to, from, int32(i)})
		}
		if r.Kind == schema.Precedes {
			strict = append(strict, link{from, to, int32(i)})
		}
	}
	for block := 1; block < len(m.first); block++ {
		for i := m.first[block-1]; i+1 < m.first[block]; i++ {
			if a.group[i] == group && a.group[i+1] == group {
				links[i] = append(links[i], link{i, i + 1, along})
				strict = append(strict, link{i, i + 1, along})
			}
		}
	}
	var best []link
	starts := min(mostStarts, 1+mostLinks/len(links))
	for i := 0; i < len(strict); i += 1 + len(strict)/starts {
		if cycle := around(strict[i], links); best == nil || relations(cycle) < relations(best) {
			best = cycle
		}
	}
	return &Contradiction{m.tell(best)}
}

func relations(cycle []link) (n int) {
	for _, l := range cycle {
		if l.by != along {
			n++
		}
	}
	return n
}

// around is the cycle of the fewest relations that begins with a link: a breadth-first search whose levels are numbers of
// relations, since steps along a trace are free.
func around(start link, links map[int32][]link) []link {
	came := make(map[int32]link)
	for level := []link{start}; len(level) > 0; {
		var later []link
		for _, l := range level {
			later = flood(l, links, came, later)
		}
		level = later
		if _, found := came[start.from]; found {
			break
		}
	}
	if start.from == start.to {
		return []link{start}
	}
	var back []link
	for at := start.from; ; at = came[at].from {
		back = append(back, came[at])
		if came[at] == start {
			break
		}
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}

// flood enters an instant by a link, unless it was entered before, and all that steps along a trace lead to from there. It
// appends the relations that lead on.
func flood(l link, links map[int32][]link, came map[int32]link, later []link) []link {
	for {
		if _, seen := came[l.to]; seen {
			return later
		}
		came[l.to] = l
		var step *link
		for i := range links[l.to] {
			if next := &links[l.to][i]; next.by == along {
				step = next
			} else {
				later = append(later, *next)
			}
		}
		if step == nil {
			return later
		}
		l = *step
	}
}
