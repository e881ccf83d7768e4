package pipeline

import (
	"fmt"
	"slices"
	"strings"
)

// Stage is one step of an analysis. Stages with the same inputs and options must write the same bytes.
type Stage struct {
	Name    string
	Doc     string // one line
	Version int    // changes when what it writes for the same input does
	Options any    // plain values only; they are part of the fingerprint
	Reads   []string
	Writes  []string
	Whole   bool // one task for the whole partition instead of one for every bucket
	Group   int  // how many buckets a task has, if more than one: it goes through them with EachBucket

	// BytesPerRow is what a task holds in memory for every row of the first table that it reads.
	// Streamed says that this is so for a row group at a time only.
	BytesPerRow int64
	Streamed    bool

	Run func(t *Task) error
}

// Order brings stages into an order in which every table is written before it is read. The tables given
// are there already.
func Order(stages []Stage, given ...string) ([]Stage, error) {
	writer := make(map[string]int)
	for i, s := range stages {
		for _, table := range s.Writes {
			if other, taken := writer[table]; taken {
				return nil, fmt.Errorf("stage %s: table %s has another writer, %s", s.Name, table, stages[other].Name)
			}
			if slices.Contains(given, table) {
				return nil, fmt.Errorf("stage %s: table %s has another writer", s.Name, table)
			}
			writer[table] = i
		}
	}
	for _, s := range stages {
		if len(s.Reads) == 0 {
			return nil, fmt.Errorf("stage %s reads no table", s.Name)
		}
		for _, table := range s.Reads {
			if _, written := writer[table]; !written && !slices.Contains(given, table) {
				return nil, fmt.Errorf("stage %s: nobody writes table %s", s.Name, table)
			}
		}
	}
	o := ordering{stages: stages, writer: writer, state: make([]int, len(stages))}
	for i := range stages {
		if err := o.visit(i, nil); err != nil {
			return nil, err
		}
	}
	return o.out, nil
}

// ordering is a depth-first walk over the stages against the edges.
type ordering struct {
	stages []Stage
	writer map[string]int
	state  []int // 0 not seen, 1 on the way, 2 done
	out    []Stage
}

func (o *ordering) visit(i int, path []string) error {
	s := o.stages[i]
	path = append(path, s.Name)
	switch o.state[i] {
	case 1:
		return fmt.Errorf("cycle: %s", strings.Join(path[slices.Index(path, s.Name):], " -> "))
	case 2:
		return nil
	}
	o.state[i] = 1
	for _, table := range s.Reads {
		if w, written := o.writer[table]; written {
			if err := o.visit(w, path); err != nil {
				return err
			}
		}
	}
	o.state[i] = 2
	o.out = append(o.out, s)
	return nil
}
