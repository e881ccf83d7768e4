package evaluate

import (
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// traces are the traces of a cell with the steps that its runs have, paired over all runs.
type traces struct {
	Cell
	roots     []float64 // by run: its root executions
	component []string  // by step
	fragment  []string  // by step
	runs      []*trace  // in the order of the cell
	common    []bool    // steps that every run takes, with a time since the event before
	damage    results.Damage
}

// trace is the trace of one run in memory, by event in trace order. Trials share it: they have times of their own, and read the
// rest.
type trace struct {
	timeNs   []int64          // when the event happened
	subject  []uint32         // the step that it takes, or NoCode
	previous []int32          // the event before it in its word, or -1
	start    []int32          // the first event of its word, or -1
	columns  faults.Columns   // from which faults choose their events
	messages []faults.Message // between positions of events
	lifeline []uint32

	chart   *faults.Chart             // the order that moved events keep
	run     *faults.Run               // the events that may get a fault
	events  [][]int32                 // by step, in trace order
	since   [normalisations][][]int64 // by time and step: samples in ns
	summary []verdicts.Run            // by step
}

// The times that methods judge, as positions in trace.since.
const (
	sincePrevious = iota
	sinceStart
	normalisations
)

// eventBytes is what an event takes: its columns, the graph, both times, and the times of a changed copy for every core.
const eventBytes = 400

// readTraces reads the traces of a cell. All of them stay in memory together, since any of them may be drawn for either side.
func (j *Job) readTraces(ctx context.Context, o *observed) (*traces, error) {
	if err := j.fits(o.Cell); err != nil {
		return nil, err
	}
	p, err := j.pair(o.Cell)
	if err != nil {
		return nil, err
	}
	t := &traces{Cell: o.Cell, roots: o.roots, component: p.component, fragment: p.fragment}
	all, err := pipeline.Each(ctx, j.Jobs, len(o.Runs), func(ctx context.Context, i int) (*trace, error) { return j.readTrace(ctx, p, i) })
	if err != nil {
		return nil, err
	}
	t.runs = all
	// Faults are prepared once the steps that all runs have in common are known.
	t.findCommon()
	for i, tr := range t.runs {
		damage, err := tr.prepare(uint64(i), t.common)
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", o.Runs[i], err)
		}
		t.damage.Events += len(tr.timeNs)
		t.damage.Messages, t.damage.Swapped = t.damage.Messages+damage.Messages, t.damage.Swapped+damage.Swapped
	}
	return t, nil
}

// fits returns an error for traces that do not fit into --memory, from their numbers of events, before any is read.
func (j *Job) fits(c Cell) error {
	rows := int64(0)
	for _, run := range c.Runs {
		m, err := j.Lake.Manifest("events", lake.Run(run))
		if err != nil {
			return err
		}
		rows += m.Rows()
	}
	if need := rows * eventBytes; need > j.Memory {
		return fmt.Errorf("its traces have %d events, which take about %d MB in memory: give it more with --memory, or evaluate fewer runs",
			rows, need>>20)
	}
	return nil
}

// findCommon finds the steps of which all runs have a time: a fault in these is the same whichever runs are drawn.
func (t *traces) findCommon() {
	t.common = make([]bool, len(t.component))
	for s := range t.common {
		t.common[s] = !slices.ContainsFunc(t.runs, func(tr *trace) bool { return tr.summary[s].N == 0 })
	}
}

// prepare makes what faults need of a trace. Only events of common steps may get a fault, so the first event of a word gets
// none: it has no time, however that is normalised.
func (tr *trace) prepare(number uint64, common []bool) (faults.Damage, error) {
	tr.columns.Candidate = make([]bool, len(tr.timeNs))
	for e, s := range tr.subject {
		tr.columns.Candidate[e] = s != schema.NoCode && common[s]
	}
	edges, damage, err := faults.Edges(tr.lifeline, tr.timeNs, tr.messages, 1)
	if err != nil {
		return damage, err
	}
	if tr.chart, err = faults.NewChart(tr.timeNs, edges); err != nil {
		return damage, err
	}
	tr.run, err = faults.NewRun(number, tr.columns)
	return damage, err
}

// compared reports by step whether a comparison of these runs has it: a run takes it, and no side lacks its fragment.
func (t *traces) compared(s scores.Split) []bool {
	base, cand := t.fragmentsOf(s.Base), t.fragmentsOf(s.Cand)
	out := make([]bool, len(t.fragment))
	for i, f := range t.fragment {
		taken := slices.ContainsFunc(slices.Concat(s.Base, s.Cand), func(r int) bool { return t.runs[r].summary[i].Count > 0 })
		out[i] = taken && base[f] && cand[f]
	}
	return out
}

// fragmentsOf returns the fragments of which some runs take a step.
func (t *traces) fragmentsOf(runs []int) map[string]bool {
	out := make(map[string]bool)
	for _, r := range runs {
		for i := range t.fragment {
			if t.runs[r].summary[i].Count > 0 {
				out[t.fragment[i]] = true
			}
		}
	}
	return out
}
