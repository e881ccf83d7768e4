package history

import (
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// reference says what a subject is of by the names that change when a function moves: subjects of which one vanishes and the other one appears
// are the same one where their references differ by a move alone.
type reference struct {
	level, metric       string
	component, function string // of a step: the function that it enters or leaves
	peer                string // the component at the other end of a message
	fragment            string
	form                string // what the words of the subject say beside these names
}

// referenceOf takes the names out of the words of a subject.
func referenceOf(s *subject) reference {
	r := reference{level: s.level, metric: s.metric, component: s.component, function: s.function, peer: s.peer, fragment: s.fragment}
	switch s.level {
	case schema.LevelTransition:
		r.form, r.function, _ = strings.Cut(s.name, " ")
		for _, way := range []string{" send to ", " receive from "} {
			if function, is := strings.CutSuffix(r.function, way+s.peer); is && s.peer != "" {
				r.function, r.form = function, r.form+way
			}
		}
	case schema.LevelCriticalPath: // a category with a function, or with a message and its ends
		name := s.component
		if s.function != "" {
			name += "." + s.function
		}
		r.form = strings.NewReplacer(" from "+s.peer+" to ", " from to ", " for "+s.peer+": ", " for ").Replace(s.name)
		if at := strings.LastIndex(r.form, name); at >= 0 {
			r.form = r.form[:at] + r.form[at+len(name):]
		}
	}
	return r
}

// move is a function that lies elsewhere, or has another name, from some release on.
type move struct{ from, to functionKey }

// ofComponent returns what a component that the function lay in becomes.
func (m *move) ofComponent(component string) string {
	if component == m.from.component {
		return m.to.component
	}
	return component
}

// ofFunction returns what the function becomes, which a call names at both ends.
func (m *move) ofFunction(function string) string {
	if function == m.from.function {
		return m.to.function
	}
	return function
}

// after lists what may become of a reference by some moves. Each end of a message may have moved, and the function that moved calls others whose
// names stay.
func (r reference) after(moves []move, whole func(fragment string) *subject) []reference {
	all := []reference{r}
	for i := range moves {
		m := &moves[i]
		for _, change := range []func(r *reference){
			func(r *reference) { r.component = m.ofComponent(r.component) },
			func(r *reference) { r.peer = m.ofComponent(r.peer) },
			func(r *reference) { r.function = m.ofFunction(r.function) },
			func(r *reference) {
				f := whole(r.fragment)
				if f != nil && r.fragment == schema.FragmentName(f.component, f.function, schema.Receive, f.peer) {
					r.fragment = schema.FragmentName(f.component, f.function, schema.Receive, m.ofComponent(f.peer))
				}
			},
		} {
			for _, r := range slices.Clone(all) {
				if change(&r); !slices.Contains(all, r) {
					all = append(all, r)
				}
			}
		}
	}
	return all[1:]
}

// joinReferences pairs what vanished with what appeared where both are one by the moves, and returns one point for each pair. What belongs
// to a fragment that is a pair as a whole has no point of its own.
func (l *series) joinReferences(vanished, appeared []*point, moves []move, joined map[*point]bool) (out []point) {
	come := make(map[reference][]*point)
	for _, p := range appeared {
		if r := referenceOf(l.subjectOf(p)); !joined[p] {
			come[r] = append(come[r], p)
		}
	}
	var pairs [][2]*point
	whole := make(map[string]bool) // fragments
	for _, p := range vanished {
		if joined[p] {
			continue
		}
		for _, r := range referenceOf(l.subjectOf(p)).after(moves, l.wholeOf) {
			if list := come[r]; len(list) > 0 {
				pairs, come[r] = append(pairs, [2]*point{p, list[0]}), list[1:]
				joined[p], joined[list[0]] = true, true
				whole[p.row.Fragment] = whole[p.row.Fragment] || isWhole(p)
				break
			}
		}
	}
	for _, pair := range pairs {
		if isWhole(pair[0]) || !whole[pair[0].row.Fragment] {
			out = append(out, l.pairedPoint(pair[0], pair[1]))
		}
	}
	return out
}

// subjectOf is the subject of a point.
func (l *series) subjectOf(p *point) *subject { return &l.subjects[p.row.Series-1] }

// pairedPoint is the point of what has other names from a release on: that of what it is from there on.
func (l *series) pairedPoint(before, after *point) point {
	one := *after
	one.row.Verdict, one.row.BeforeNs = schema.Moved, before.row.BeforeNs
	from, to := before.row.Subject, after.row.Subject
	if from == to { // they are told apart by their components alone, of a message the one that receives
		from, to = from+" to "+before.row.Component, to+" to "+after.row.Component
	}
	one.row.Subject = from + " -> " + to
	one.compareMoved()
	// What takes as long as before says no more than that the function moved, which has a point of its own.
	if one.class = l.rankClass(l.subjectOf(after), &one.row); math.Abs(math.Log(*one.row.Ratio)) <= math.Log1p(l.Verdicts.Limits(one.row.Component).Margin) {
		one.class = classOfMetrics
	}
	return one
}
