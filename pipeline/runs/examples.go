package runs

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/services"
	"github.com/tracelake/tracelake/stages/report/verdict"
)

// Examples returns examples of findings, by the numbers of these. Only requests whose traces have an id are examples: runs that were ingested
// without --attributes trace_id give none, and are not read. The requests of a side must fit into memory, in bytes, or it has no examples.
func Examples(ctx context.Context, l *lake.Lake, base, cand []string, findings []schema.Finding, memory int64) (map[int64]verdict.Example, error) {
	examples := make(map[int64]verdict.Example)
	for side, runs := range [][]string{base, cand} {
		var shown []*schema.Finding
		for i := range findings {
			if f := &findings[i]; (f.EffectNs < 0 || f.Verdict == schema.Vanished) == (side == 0) {
				shown = append(shown, f)
			}
		}
		if len(shown) == 0 {
			continue
		}
		if err := addExamples(ctx, l, runs, shown, memory, examples); err != nil {
			return nil, err
		}
	}
	return examples, nil
}

// addExamples adds those of one side.
func addExamples(ctx context.Context, l *lake.Lake, runs []string, findings []*schema.Finding, memory int64, to map[int64]verdict.Example) error {
	ids := make([]map[int64]string, len(runs))
	var known []string // runs with ids
	rows := int64(0)
	for _, run := range runs {
		of, err := TraceIDs(ctx, l, run, nil)
		if err != nil {
			return err
		}
		m, err := l.Manifest("executions", lake.Run(run))
		if err != nil {
			return err
		}
		if len(of) > 0 && m != nil {
			ids[len(known)] = of
			known, rows = append(known, run), rows+m.Rows()
		}
	}
	if len(known) == 0 || rows > memory/requestBytes {
		return nil
	}
	requests, names, err := Requests(ctx, l, WholeRuns(known...), memory)
	if err != nil {
		return err
	}
	identified := requests[:0]
	for _, q := range requests {
		if ids[q.Run][q.Seq] != "" {
			identified = append(identified, q)
		}
	}
	at := make(map[int64]services.Place)
	for _, f := range findings {
		if p, is := placeOf(names, f); is {
			at[f.Finding] = p
		}
	}
	longest := services.Longest(identified, slices.Collect(maps.Values(at)))
	for number, p := range at {
		e := longest[p]
		if e.Request < 0 {
			continue
		}
		q := &identified[e.Request]
		root := &q.Spans[0]
		to[number] = verdict.Example{
			Finding: number, Run: known[q.Run], Trace: ids[q.Run][q.Seq], Ns: e.Ns, TotalNs: q.DurationNs(),
			Root: fmt.Sprintf("%s.%s#%d", names.Components.Name(root.Component), names.Functions.Name(root.Function), q.Root),
		}
	}
	return nil
}

// placeOf returns the place of a finding: an edge by its ends, all else by its function. Not every side has it.
func placeOf(names *schema.Names, f *schema.Finding) (p services.Place, is bool) {
	if f.Caller != "" {
		caller, isCaller := names.Components.Lookup(f.Caller)
		callee, isCallee := names.Components.Lookup(f.Callee)
		return services.EdgeBetween(caller, callee), isCaller && isCallee
	}
	component, isComponent := names.Components.Lookup(f.Component)
	function, isFunction := names.Functions.Lookup(f.Function)
	return services.FunctionAt(component, function), isComponent && isFunction
}
