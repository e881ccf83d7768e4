package history

import "github.com/tracelake/tracelake/schema"

// stepPoints are the points of steps that only one side of a cut has, by where they are and what they do.
type stepPoints struct {
	vanished map[place]map[string][]*point // by the words of the step: those of all fragments
	appeared map[stepKey][]*point
}

// stepKey is a step of a fragment by its words, which several steps may share.
type stepKey struct {
	place
	fragment, words string
}

func newStepPoints(all []point) *stepPoints {
	s := &stepPoints{make(map[place]map[string][]*point), make(map[stepKey][]*point)}
	for i := range all {
		p, row := &all[i], &all[i].row
		at := place{row.Position, row.Confirmed}
		switch {
		case row.Kind != schema.KindStep || row.Level != schema.LevelTransition:
		case row.Verdict == schema.Appeared:
			k := stepKey{at, row.Fragment, row.Subject}
			s.appeared[k] = append(s.appeared[k], p)
		case row.Verdict == schema.Vanished:
			if s.vanished[at] == nil {
				s.vanished[at] = make(map[string][]*point)
			}
			s.vanished[at][row.Subject] = append(s.vanished[at][row.Subject], p)
		}
	}
	return s
}

// pairs lists the steps that vanished in calls of a function, each with the one that appeared in the same fragment in calls of the
// function that is in its place.
func (s *stepPoints) pairs(at place, from, to functionKey) (all [][2]*point) {
	words := wordsOf(to)
	for i, before := range wordsOf(from) {
		for _, p := range s.vanished[at][before] {
			k := stepKey{at, p.row.Fragment, words[i]}
			if list := s.appeared[k]; len(list) > 0 {
				all, s.appeared[k] = append(all, [2]*point{p, list[0]}), list[1:]
			}
		}
	}
	return all
}

// wordsOf are the words of the steps in which another component calls a function and gets its answer.
func wordsOf(f functionKey) [2]string {
	return [2]string{schema.KindWords[0] + " " + f.function + " send to " + f.component, schema.KindWords[1] + " " + f.function + " receive from " + f.component}
}

// movedStep is the point of a step of a caller whose callee moved: that of the step as it is from there on.
func movedStep(before, after *point) point {
	one := *after
	one.row.Verdict, one.row.BeforeNs = schema.Moved, before.row.BeforeNs
	one.row.Subject = before.row.Subject + " -> " + one.row.Subject
	one.compareMoved()
	return one
}
