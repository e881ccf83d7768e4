package history

import (
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/relocations"
)

// placeOf takes the names that change when a function moves out of the words of a subject: subjects of which one vanishes and the other one appears
// are the same one where these differ by moves alone.
func (l *series) placeOf(s *subject) relocations.Place {
	p := relocations.Place{Level: s.level, Metric: s.metric, Fragment: s.fragment, Function: relocations.Function{Component: s.component, Name: s.function}, Peer: s.peer}
	switch s.level {
	case schema.LevelFragment: // whose name is made of the other names
		p.Fragment = ""
	case schema.LevelTransition:
		p.Form, p.Name, _ = strings.Cut(s.name, " ")
		for _, way := range []string{" send to ", " receive from "} {
			if function, is := strings.CutSuffix(p.Name, way+s.peer); is && s.peer != "" {
				p.Name, p.Form = function, p.Form+way
			}
		}
	case schema.LevelCriticalPath: // a category with a function, or with a message and its ends
		name := s.component
		if s.function != "" {
			name += "." + s.function
		}
		p.Form = strings.NewReplacer(" from "+s.peer+" to ", " from to ", " for "+s.peer+": ", " for ").Replace(s.name)
		if at := strings.LastIndex(p.Form, name); at >= 0 {
			p.Form = p.Form[:at] + p.Form[at+len(name):]
		}
	}
	if f := l.wholeOf(p.Fragment); f != nil && p.Fragment == schema.FragmentName(f.component, f.function, schema.Receive, f.peer) {
		p.Fragment, p.Within = "", relocations.Call{Function: relocations.Function{Component: f.component, Name: f.function}, Caller: f.peer}
	}
	return p
}

// joinPlaces pairs what vanished with what appeared where both are one by the moves, and returns one point for each pair. What belongs
// to a fragment that is a pair as a whole has no point of its own.
func (l *series) joinPlaces(vanished, appeared []*point, moves *relocations.Moves, joined map[*point]bool) (out []point) {
	isJoined := func(p *point) bool { return joined[p] }
	vanished, appeared = slices.DeleteFunc(slices.Clone(vanished), isJoined), slices.DeleteFunc(slices.Clone(appeared), isJoined)
	pairs := moves.Pairs(l.placesOf(vanished), l.placesOf(appeared))
	whole := make(map[string]bool) // fragments
	for _, pair := range pairs {
		before := vanished[pair.Base]
		joined[before], joined[appeared[pair.Cand]] = true, true
		whole[before.row.Fragment] = whole[before.row.Fragment] || isWhole(before)
	}
	for _, pair := range pairs {
		if before := vanished[pair.Base]; isWhole(before) || !whole[before.row.Fragment] {
			out = append(out, l.pairedPoint(before, appeared[pair.Cand]))
		}
	}
	return out
}

// placesOf lists where the subjects of points lie.
func (l *series) placesOf(points []*point) []relocations.Place {
	places := make([]relocations.Place, len(points))
	for i, p := range points {
		places[i] = l.placeOf(l.subjectOf(p))
	}
	return places
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
