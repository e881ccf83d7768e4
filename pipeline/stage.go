package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// Stage is one step of an analysis: it reads tables and writes others. Stages with the same inputs and options must write
// the same bytes, whoever runs their tasks and in which order.
//
// A stage of one run reads and writes tables of that run. A stage over several runs names them in Runs, and writes
// tables of a partition of its own, such as a comparison, or a run that it makes of them. A stage may write no table and only
// give an answer (Task.Answer): it is never up to date, and only its tasks are recorded.
type Stage struct {
	Name    string
	Doc     string // one line
	Version int    // changes when what it writes for the same input does, or what its tasks hand to Finish
	Options any    // plain values only; their JSON is part of the fingerprint, and what tasks read them from

	Reads  []string // tables that must be there
	Uses   []string // tables that it reads where they are there
	Writes []string // in the order in which they are committed
	Runs   []string // the runs whose tables it reads, in the order of its inputs; nil: those of the partition that it writes

	Whole bool // one task for all buckets instead of one for each
	// ByLifeline says that what the stage writes of a lifeline follows from the rows of that lifeline, so that every bucket has
	// a task. Else the buckets over which the lifelines of a component are spread have one together (lake.Manifest.Groups),
	// which writes into the first of them.
	ByLifeline bool
	// Common is a table of components as a whole that all tasks of a group would read, such as automata. Where the components
	// are so varied that this would be more rows than those of lifelines, the group has one task all the same.
	Common string
	// SliceRows makes the tasks slices of the run's time instead of buckets, as many as it takes for each to have so many rows
	// of the first table that is read. Task.Slice says which one a task is.
	SliceRows int64
	// Parts is the number of tasks of a stage that divides its work by its options: into the runs that it reads, or into trials.
	// Task.Slice says which one a task is.
	Parts int
	// Replaces says that the partition has nothing but the tables of the stage once these are committed.
	Replaces bool

	// BytesPerRow is the memory that a task takes for every row of the first table that it reads, or of the table Sized.
	// Streamed says that this is so for a row group at a time only. MostBytes is what a task takes at most, if that is not 0:
	// it goes through more rows in parts.
	BytesPerRow int64
	Sized       string
	Streamed    bool
	MostBytes   int64

	// SharedBytes is the memory that what all tasks share takes (see Shared), for every row of some tables that it is made from.
	SharedBytes map[string]int64

	// Run does one task. Finish, if there is one, is a last task for when all others are done: it reads the tables that
	// these staged, with StagedRows, and writes what needs all of them. A stage ByLifeline has it only where lifelines of a
	// component are spread over buckets.
	Run    func(t *Task) error
	Finish func(t *Task) error
	// Prepare, of a stage ByLifeline, does a first task for every group of buckets, before all others. It reads the tables of the
	// group as if they lay in one bucket, and leaves a table for each bucket, with CreateFor, which their tasks open with
	// Prepared. Its memory is that of a task that streams.
	Prepare func(t *Task) error
}

// reference names a table of a partition.
type reference struct {
	partition lake.Partition
	table     string
}

// references lists the tables that a stage reads for a partition, partition by partition: the order of its fingerprint.
func (s *Stage) references(p lake.Partition) (refs []reference) {
	partitions := []lake.Partition{p}
	if s.Runs != nil {
		partitions = partitions[:0]
		for _, run := range s.Runs {
			partitions = append(partitions, lake.Run(run))
		}
	}
	for _, p := range partitions {
		for _, table := range slices.Concat(s.Reads, s.Uses) {
			refs = append(refs, reference{p, table})
		}
	}
	return refs
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

// ordering is a depth-first walk over the stages against the edges: a stage is put out when all those that write what it
// reads are. A stage that is met again on the way to itself closes a cycle.
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
