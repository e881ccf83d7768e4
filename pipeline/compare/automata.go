package compare

import (
	"cmp"
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
)

// shape is an automaton without the counts of its transitions. Runs of one program mostly have equal ones, which they share:
// then a further run takes 8 bytes a transition and not some 150.
type shape struct {
	transitions      []schema.Transition // by number; Count is not set
	awaited, running []string            // by position in transitions
}

// automaton is the automaton of a fragment in one run. The zero value is that of a run without the fragment.
type automaton struct {
	shape  *shape
	counts []int64 // by position in shape.transitions
}

// transitions are those of the automaton, without their counts.
func (a automaton) transitions() []schema.Transition {
	if a.shape == nil {
		return nil
	}
	return a.shape.transitions
}

// shapes are the different automata by fragment.
type shapes map[string][]*shape

// of returns the shape with these transitions. Calls that their callees have under another name are among the receivers.
func (s shapes) of(fragment string, transitions []schema.Transition, receivers samplechanges.Receivers) *shape {
	for _, known := range s[fragment] {
		if slices.Equal(known.transitions, transitions) {
			return known
		}
	}
	added := &shape{
		transitions: slices.Clone(transitions), awaited: samplechanges.Awaited(transitions, receivers), running: samplechanges.Running(transitions),
	}
	s[fragment] = append(s[fragment], added)
	return added
}

// readAutomata reads the automata of some fragments of a run, given by their names in the run, from files of the table transitions.
// Fragments that moved get the names of the baseline.
func (j *comparison) readAutomata(
	ctx context.Context, m *model, files []lake.File, rows *transitionColumns, wanted func(fragment string) bool, known shapes,
) (map[string]automaton, error) {
	// Rows of a fragment stand together, unless others wrote the table.
	type part struct {
		transitions []schema.Transition
		counts      []int64
	}
	parts := make(map[string]*part)
	err := j.Lake.Scan(ctx, files, rows, lake.ScanOptions{}, func() error {
		last, into := schema.NoCode, (*part)(nil)
		for i, f := range rows.fragment {
			if f != last {
				last, into = f, nil
				if name := rows.names.Name(f); wanted(name) {
					if into = parts[name]; into == nil {
						into = new(part)
						parts[name] = into
					}
				}
			}
			if into != nil {
				into.transitions, into.counts = append(into.transitions, rows.row(i)), append(into.counts, rows.count[i])
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	automata := make(map[string]automaton, len(parts))
	for own, p := range parts {
		p.transitions, p.counts = byNumber(p.transitions, p.counts)
		name := m.known(own)
		if h, moved := m.moved[name]; moved && h.fragment == own {
			p.transitions = h.renaming.Apply(p.transitions)
		}
		automata[name] = automaton{known.of(name, p.transitions, j.receivers), p.counts}
	}
	return automata, nil
}

// byNumber sorts transitions by their numbers, with their counts, unless they are sorted.
func byNumber(transitions []schema.Transition, counts []int64) ([]schema.Transition, []int64) {
	ascending := func(a, b schema.Transition) int { return cmp.Compare(a.Transition, b.Transition) }
	if slices.IsSortedFunc(transitions, ascending) {
		return transitions, counts
	}
	for i := range transitions {
		transitions[i].Count = counts[i]
	}
	slices.SortFunc(transitions, ascending)
	for i := range transitions {
		counts[i], transitions[i].Count = transitions[i].Count, 0
	}
	return transitions, counts
}
