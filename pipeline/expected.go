package pipeline

import (
	"errors"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// pace is what a row costs in the tasks of a stage: in those that run first, in the others, and in those that finish, by the rows of all others.
type pace struct {
	ns, rows [3]int64
}

// kindOf is the place of a task in a pace.
func kindOf(t *PlannedTask) int {
	switch {
	case t.First:
		return 0
	case t.Finish:
		return 2
	}
	return 1
}

// expected returns what a task is taken to cost in CPU nanoseconds, where all tasks that read rows read so many; 0: nothing is known.
func (p *pace) expected(t *PlannedTask, all int64) int64 {
	kind, rows := kindOf(t), t.Rows
	if t.Finish {
		rows = all
	}
	if p == nil || p.rows[kind] == 0 {
		return 0
	}
	return int64(float64(p.ns[kind]) / float64(p.rows[kind]) * float64(rows))
}

// add counts the costs of a stage that was run.
func (p *pace) add(tasks []PlannedTask) {
	all := readByAll(tasks)
	for i := range tasks {
		t := &tasks[i]
		if t.Cost == nil {
			continue
		}
		kind := kindOf(t)
		p.ns[kind] += t.Cost.CPUNs
		if p.rows[kind] += t.Rows; t.Finish {
			p.rows[kind] += all
		}
	}
}

// readByAll adds up the rows that the tasks of a stage read.
func readByAll(tasks []PlannedTask) (rows int64) {
	for i := range tasks {
		rows += tasks[i].Rows
	}
	return rows
}

// mostAsked bounds in how many runs the costs of a stage are looked for.
const mostAsked = 8

// expect says of the tasks of a stage what they are taken to cost: what they cost the last time, or as many CPU nanoseconds a row as the tasks of
// the run that comes next by its name, as the costs of a stage are nearly proportional to what it reads. Nothing is said where the lake has no costs.
func (e *Engine) expect(p lake.Partition, s *Stage, tasks []PlannedTask) error {
	own := new(pace)
	if own.add(tasks); own.rows[1] == 0 {
		var err error
		if own, err = e.paceOfOthers(p, s); err != nil {
			return err
		}
	}
	all := readByAll(tasks)
	for i := range tasks {
		t := &tasks[i]
		if t.ExpectedNs = own.expected(t, all); t.Cost != nil {
			t.ExpectedNs = t.Cost.CPUNs
		}
	}
	return nil
}

// paceOfOthers looks for the costs of a stage in the runs around a partition by its name, those before it first, which are older.
func (e *Engine) paceOfOthers(p lake.Partition, s *Stage) (*pace, error) {
	others, err := e.Lake.Partitions(p.Key)
	if err != nil {
		return nil, err
	}
	at := slices.Index(others, p)
	before, after := slices.Clone(others[:max(at, 0)]), others[at+1:]
	slices.Reverse(before)
	near := slices.Concat(before, after)
	for _, other := range near[:min(len(near), mostAsked)] {
		tasks, err := e.plannedTasks(other, s)
		if errors.As(err, new(missingTable)) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found := new(pace)
		if found.add(tasks); found.rows[1] > 0 {
			return found, nil
		}
	}
	return nil, nil
}
