package criticalpaths

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// Occurrences finds the executions named component.function, numbered from 1 in the order of their starts. Either
// name may have points of its own. A name that fits nothing is ErrNothing.
// All files are read in full: executions are not sorted by name.
func (j *Job) Occurrences(ctx context.Context, name string) ([]findings.Occurrence, error) {
	return j.findExecutions(ctx, func(ex *schema.Executions) func(i int) bool {
		wanted := namesOf(ex.Names, name)
		return func(i int) bool { return wanted[[2]schema.Code{ex.Component[i], ex.Function[i]}] }
	})
}

// At finds the execution that starts or finishes with an event. For an event that does neither, such as a
// further message, From and To are the event itself.
// Sequence numbers are unique, so that one execution at most is found for each end.
func (j *Job) At(ctx context.Context, seq int64) (findings.Occurrence, error) {
	found, err := j.findExecutions(ctx, func(ex *schema.Executions) func(i int) bool {
		return func(i int) bool { return ex.FinishSeq[i] == seq || ex.Execution[i] == seq }
	})
	if err == nil {
		return found[0], nil
	}
	// Any other error is one of reading.
	if !errors.Is(err, ErrNothing) {
		return findings.Occurrence{}, err
	}
	// No execution begins or ends here: the event stands for itself.
	times, err := j.timesOf(ctx, []int64{seq})
	if err != nil {
		return findings.Occurrence{}, err
	}
	return findings.Occurrence{Number: 1, From: seq, To: seq, FromNs: times[0], ToNs: times[0]}, nil
}

// namesOf returns the ways to read a name as a component and a function: either may contain points.
func namesOf(names *schema.Names, name string) map[[2]schema.Code]bool {
	wanted := make(map[[2]schema.Code]bool)
	// Every point is tried as the one between component and function; usually there is one.
	for i := range name {
		if name[i] != '.' {
			continue
		}
		component, has := names.Components.Lookup(name[:i])
		function, knows := names.Functions.Lookup(name[i+1:])
		if has && knows { // in the dictionaries of this row group
			wanted[[2]schema.Code{component, function}] = true
		}
	}
	return wanted
}

// findExecutions returns the executions of a run that match selects; match is called anew for every row
// group.
func (j *Job) findExecutions(ctx context.Context, match func(ex *schema.Executions) func(i int) bool) ([]findings.Occurrence, error) {
	m, err := j.Lake.Table("executions", lake.Run(j.Run))
	if err != nil {
		return nil, err
	}
	// Files are searched several at a time, each in a stream of its own.
	parts, err := pipeline.Each(ctx, j.Jobs, len(m.Files), func(ctx context.Context, i int) ([]findings.Occurrence, error) {
		return findInFile(ctx, j.Lake, m.Files[i], match)
	})
	if err != nil {
		return nil, err
	}
	found := slices.Concat(parts...)
	// Files are by bucket: components interleave in time.
	slices.SortFunc(found, func(a, b findings.Occurrence) int { return cmp.Compare(a.From, b.From) })
	for i := range found {
		found[i].Number = int64(i + 1)
	}
	if len(found) == 0 { // no error of the lake: the name is wrong
		return nil, ErrNothing
	}
	return found, nil
}

// findInFile searches one file.
// Rows are kept only if they match, so that memory follows the answer.
func findInFile(ctx context.Context, l *lake.Lake, f lake.File, match func(ex *schema.Executions) func(i int) bool) (found []findings.Occurrence, err error) {
	ex := schema.NewExecutions(new(schema.Names))
	// Only the columns that are needed are decoded.
	o := lake.ScanOptions{Columns: []string{"component", "function", "execution", "finish_seq", "start_ns", "finish_ns"}}
	err = l.Scan(ctx, []lake.File{f}, ex, o, func() error {
		// Codes hold for one row group, so that names are looked up again for each.
		matches := match(ex)
		for i := range ex.Execution {
			if matches(i) {
				found = append(found, findings.Occurrence{From: ex.Execution[i], To: ex.FinishSeq[i], FromNs: ex.StartNs[i], ToNs: ex.FinishNs[i]})
			}
		}
		return nil
	})
	return found, err
}
