package evaluate

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"slices"
	"sync"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// foundTable is what tasks hand to the last one. It is staged and never committed.
const foundTable = "found"

// foundRow is what one task found. Figures may be NaN, so that it is no JSON.
type foundRow struct {
	Gob []byte `parquet:"gob"`
}

// found are the results of the trials of one task, trial by trial where the order of joining them matters.
type found struct {
	AA       results.AA
	Rivals   []results.Rival
	Power    []results.Power
	FDR      []results.FDR
	Outcomes []outcome
	Damage   results.Damage
}

// encode writes what decode reads.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

// decode reads what encode wrote, into a pointer.
func decode(text []byte, into any) error { return gob.NewDecoder(bytes.NewReader(text)).Decode(into) }

// runTrials does the trials of one task.
func runTrials(t *pipeline.Task) error {
	j := &Job{Engine: &pipeline.Engine{Lake: t.Lake(), Jobs: t.Jobs(), Memory: t.Memory}}
	if err := t.Options(&j.Spec); err != nil {
		return err
	}
	number, of := t.Slice()
	what := j.trials()[number]
	b, err := pipeline.Shared(t, func(*pipeline.Task) (*bench, error) { return newBench(), nil })
	if err != nil {
		return err
	}
	name := j.Cells[what.Cell].Name
	c, err := b.take(t.Context(), j, what.Cell)
	if err != nil {
		return fmt.Errorf("cell %s: %w", name, err)
	}
	defer b.put()
	f, err := j.try(t.Context(), c, &what)
	if err != nil {
		return fmt.Errorf("cell %s: %w", name, err)
	}
	text, err := encode(f)
	if err != nil {
		return err
	}
	all := t.InputRows()
	t.Advance(all*int64(number+1)/int64(of) - all*int64(number)/int64(of))
	return pipeline.WriteRows(t, foundTable, []foundRow{{text}})
}

// try does trials of one kind.
func (j *Job) try(ctx context.Context, c *prepared, what *trials) (f found, err error) {
	switch what.Kind {
	case alike:
		splits := scores.Splits(len(c.Runs), what.Runs, j.Splits)
		f.AA, f.Rivals, err = j.repeat(ctx, c, what.Runs, splits[what.From:min(what.From+splitsATask, len(splits))])
	case power:
		for draw := range powerDraws {
			f.Power = append(f.Power, j.powerOf(c.observed, what.Runs, what.Effect, draw)...)
		}
	case discoveries:
		f.FDR = j.fdr(c.observed, what.Runs, mixtures[what.Change])
	case injected:
		f.Damage = c.traces.damage
		f.Outcomes, err = j.injections(ctx, c.traces, c.pool, what.Setting, uint64(what.Seed))
	}
	return f, err
}

// finish joins what all tasks found, in the order of the trials: sums of floats do not depend on who was done first.
func finish(t *pipeline.Task) error {
	var s Spec
	if err := t.Options(&s); err != nil {
		return err
	}
	rows, err := pipeline.StagedRows[foundRow](t, foundTable)
	if err != nil {
		return err
	}
	all := make([]found, len(rows))
	for i := range rows {
		if err := decode(rows[i].Gob, &all[i]); err != nil {
			return err
		}
	}
	text, err := encode(s.join(all))
	t.Answer(text)
	return err
}

// join makes one result of what the tasks found.
func (s *Spec) join(all []found) *results.Result {
	r := new(results.Result)
	tasks := s.trials()
	for i := range tasks {
		f := &all[i]
		switch tasks[i].Kind {
		case alike:
			r.AddAlike(f.AA, f.Rivals)
		case power:
			for _, p := range f.Power {
				r.Power = results.Add(r.Power, p)
			}
		case discoveries:
			for _, one := range f.FDR {
				r.FDR = results.Add(r.FDR, one)
			}
		case injected:
			if r.Damage = f.Damage; tasks[i].Seed > 0 {
				continue // the first seed of a setting stands for all
			}
			var outcomes [][]outcome
			for k := range s.Seeds {
				outcomes = append(outcomes, all[i+k].Outcomes)
			}
			r.Trials = append(r.Trials, trialsOf(tasks[i].Setting, outcomes)...)
		}
	}
	return r
}

// prepared is a cell with its runs paired, and its traces where trials need them.
type prepared struct {
	*observed
	traces *traces
	pool   *faults.Pool
}

// bench holds one cell, for all tasks of the process that try it. Tasks of another cell wait until these are done, so that memory
// holds the traces of one.
type bench struct {
	mu   sync.Mutex
	free *sync.Cond
	cell int // on the bench
	held *prepared
	used int // by how many tasks
}

func newBench() *bench {
	b := new(bench)
	b.free = sync.NewCond(&b.mu)
	return b
}

// take puts a cell on the bench, unless it lies there. The task that took it puts it back.
func (b *bench) take(ctx context.Context, j *Job, cell int) (*prepared, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.used > 0 && b.cell != cell {
		b.free.Wait()
	}
	if b.held == nil || b.cell != cell {
		var err error
		b.held = nil // before the next one is read
		if b.held, err = j.prepare(ctx, j.Cells[cell]); err != nil {
			return nil, err
		}
		b.cell = cell
	}
	b.used++
	return b.held, nil
}

// put says that a task is done with the cell.
func (b *bench) put() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used--; b.used == 0 {
		b.free.Broadcast()
	}
}

// prepare pairs the runs of a cell and reads what its trials need.
func (j *Job) prepare(ctx context.Context, c Cell) (p *prepared, err error) {
	p = new(prepared)
	if p.observed, err = j.observe(ctx, c); err != nil {
		return nil, err
	}
	here := j.Parts.Faults && slices.Contains(c.Runs, j.Trace) // faults go into the cell of the traced run only
	if !j.Parts.AA && !here {
		return p, nil
	}
	if p.traces, err = j.readTraces(ctx, p.observed); err != nil {
		return nil, err
	}
	p.pool = p.traces.pool()
	return p, nil
}
