package modelsets

import (
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// inferred holds the tables of the automata of a run.
type inferred struct {
	fragments   []schema.Fragment
	states      map[string][]schema.State      // by fragment
	transitions map[string][]schema.Transition // by fragment
}

// readInferred reads the automata of a run into memory: a few rows per state.
// Rows keep their order within a fragment.
func readInferred(l *lake.Lake, run string) (*inferred, error) {
	in := &inferred{states: make(map[string][]schema.State), transitions: make(map[string][]schema.Transition)}
	var err error
	if in.fragments, err = lake.Read[schema.Fragment](l, "fragments", lake.Run(run)); err != nil {
		return nil, err
	}
	states, err := lake.Read[schema.State](l, "states", lake.Run(run))
	if err != nil {
		return nil, err
	}
	// Fragments are many and small: grouping them once costs less than a search for each.
	for _, s := range states {
		in.states[s.Fragment] = append(in.states[s.Fragment], s)
	}
	transitions, err := lake.Read[schema.Transition](l, "transitions", lake.Run(run))
	for _, t := range transitions {
		in.transitions[t.Fragment] = append(in.transitions[t.Fragment], t)
	}
	return in, err
}
