package modelsets

import (
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
)

// inferred are the tables of the automata of a run.
type inferred struct {
	fragments   []schema.Fragment
	states      map[string][]schema.State // by fragment
	transitions map[string][]schema.Transition
}

func readInferred(l *lake.Lake, run string) (*inferred, error) {
	in := &inferred{states: make(map[string][]schema.State), transitions: make(map[string][]schema.Transition)}
	var err error
	if in.fragments, err = readRun[schema.Fragment](l, "fragments", run); err != nil {
		return nil, err
	}
	states, err := readRun[schema.State](l, "states", run)
	if err != nil {
		return nil, err
	}
	for _, s := range states {
		in.states[s.Fragment] = append(in.states[s.Fragment], s)
	}
	transitions, err := readRun[schema.Transition](l, "transitions", run)
	for _, t := range transitions {
		in.transitions[t.Fragment] = append(in.transitions[t.Fragment], t)
	}
	return in, err
}

// readRun reads a small table of a run.
func readRun[T any](l *lake.Lake, table, run string) (all []T, err error) {
	m, err := l.Manifest(table, lake.Run(run))
	if err != nil {
		return nil, err
	}
	for _, file := range m.Files {
		rows, err := parquet.ReadRows[T](l.Path(file))
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}
