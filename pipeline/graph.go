package pipeline

import (
	"errors"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// Planned is a stage of a run as the engine plans it: a node of the task graph, whose edges are the tables.
type Planned struct {
	Stage  string        `json:"stage"`  // name of the stage
	Reads  []string      `json:"reads"`  // tables that it needs, in the order of its declaration
	Writes []string      `json:"writes"` // tables that it makes
	Tasks  []PlannedTask `json:"tasks"`  // none where a table that it reads is not there yet
}

// PlannedTask is a task of a stage, with its cost where the tables that the lake has were made by it.
type PlannedTask struct {
	Bucket *int       `json:"bucket,omitempty"` // nil: of all buckets, of a slice of time, or of a part
	First  bool       `json:"first,omitempty"`  // it runs before all others of the stage, for a group of buckets
	Finish bool       `json:"finish,omitempty"` // it runs when all others of the stage are done
	Rows   int64      `json:"rows"`             // of the tables that it reads
	Bytes  int64      `json:"bytes"`            // of their files, of which it may need some columns only
	Memory int64      `json:"memory"`           // bytes, as the engine estimates them
	Cost   *lake.Cost `json:"cost,omitempty"`   // measured when the task last ran; nil where it has not

	ExpectedNs int64 `json:"expected_cpu_ns,omitempty"` // CPU time, by what the stage cost in this or another run; 0: nothing is known
}

// Graph plans all stages for a partition without running any. It reads manifests.
func (e *Engine) Graph(p lake.Partition) ([]Planned, error) {
	graph := make([]Planned, 0, len(e.Stages))
	for i := range e.Stages {
		s := &e.Stages[i]
		node := Planned{Stage: s.Name, Reads: s.Reads, Writes: s.Writes}
		var err error
		if node.Tasks, err = e.plannedTasks(p, s); err == nil {
			err = e.expect(p, s, node.Tasks)
		}
		if err != nil && !errors.As(err, new(missingTable)) {
			return nil, err
		}
		graph = append(graph, node)
	}
	return graph, nil
}

// plannedTasks lists the tasks of a stage whose inputs are there.
func (e *Engine) plannedTasks(p lake.Partition, s *Stage) ([]PlannedTask, error) {
	pl, err := e.newPlan(p, s)
	if err != nil {
		return nil, err
	}
	measured, err := e.Lake.Measured(s.Name, p, pl.fingerprint)
	if err != nil {
		return nil, err
	}
	tasks := make([]PlannedTask, len(pl.tasks))
	for i, bucket := range pl.tasks {
		t := &tasks[i]
		t.First, t.Finish, t.Memory = i < pl.prepares, pl.finishes(i), pl.taskBytes(i, e.Jobs)
		if bucket != lake.NoBucket && !pl.isDivided() {
			t.Bucket = &bucket
		}
		if !t.Finish {
			t.Rows, t.Bytes = pl.reads(i)
		}
		if measured != nil && i < len(measured.Tasks) {
			t.Cost = measured.Tasks[i]
		}
	}
	return tasks, nil
}

// reads adds up the rows that a task reads, and the bytes of their files. A slice of time or a part has its share of both.
func (pl *plan) reads(task int) (rows, bytes int64) {
	for _, m := range pl.inputs {
		if pl.isDivided() {
			all, share := max(m.Rows(), 1), pl.shareOf(m)
			for _, f := range m.Files {
				bytes += f.Bytes * share / all
			}
			rows += share
			continue
		}
		for _, f := range pl.filesOf(m, task) {
			rows, bytes = rows+f.Rows, bytes+f.Bytes
		}
	}
	return rows, bytes
}
