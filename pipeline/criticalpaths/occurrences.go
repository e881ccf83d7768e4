package criticalpaths

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// Occurrences finds the executions named component.function, numbered from 1 in the order of their starts. Either
// name may have points of its own. A name that fits nothing is ErrNothing.
// It reads the bucket of the component, whose size does not follow that of the trace.
func (j *Job) Occurrences(ctx context.Context, name string) ([]findings.Occurrence, error) {
	files, err := j.filesOf(name)
	if err != nil {
		return nil, err
	}
	return j.findExecutions(ctx, files, nil, func(ex *schema.Executions) func(i int) bool {
		wanted := namesOf(ex.Names, name)
		return func(i int) bool { return wanted[[2]schema.Code{ex.Component[i], ex.Function[i]}] }
	})
}

// Longest finds the execution of a function, named component.function, that took longest, the first of several. A name that fits nothing is
// ErrNothing. It keeps one execution in memory, however many there are.
func (j *Job) Longest(ctx context.Context, name string) (longest findings.Occurrence, err error) {
	files, err := j.filesOf(name)
	if err != nil {
		return longest, err
	}
	ex := schema.NewExecutions(new(schema.Names))
	o := lake.ScanOptions{Columns: []string{"component", "function", "execution", "number", "finish_seq", "start_ns", "finish_ns"}}
	err = j.Lake.Scan(ctx, files, ex, o, func() error {
		wanted := namesOf(ex.Names, name)
		for i := range ex.Execution {
			x := findings.Occurrence{Number: ex.Number[i], From: ex.Execution[i], To: ex.FinishSeq[i], FromNs: ex.StartNs[i], ToNs: ex.FinishNs[i]}
			if !wanted[[2]schema.Code{ex.Component[i], ex.Function[i]}] {
				continue
			}
			if longest.Number == 0 || x.SpanNs() > longest.SpanNs() || x.SpanNs() == longest.SpanNs() && x.From < longest.From {
				longest = x
			}
		}
		return nil
	})
	if err == nil && longest.Number == 0 {
		err = ErrNothing
	}
	return longest, err
}

// errSeen ends a search that needs no more than one row.
var errSeen = errors.New("seen")

// Runs reports whether a function, named component.function, runs at all. It reads the row groups of its bucket up to the first in which it does.
func (j *Job) Runs(ctx context.Context, name string) (bool, error) {
	files, err := j.filesOf(name)
	if err != nil {
		return false, err
	}
	ex := schema.NewExecutions(new(schema.Names))
	err = j.Lake.Scan(ctx, files, ex, lake.ScanOptions{Columns: []string{"component", "function"}}, func() error {
		wanted := namesOf(ex.Names, name)
		for i := range ex.Component {
			if len(wanted) > 0 && wanted[[2]schema.Code{ex.Component[i], ex.Function[i]}] {
				return errSeen
			}
		}
		return nil
	})
	if errors.Is(err, errSeen) {
		return true, nil
	}
	return false, err
}

// At finds the execution that starts or finishes with an event. For an event that does neither, such as a
// further message, From and To are the event itself.
// Sequence numbers are unique, so that one execution at most is found for each end. Row groups that begin or end with none
// are not read: rows stand in the order of their finish, and few executions start long before that.
func (j *Job) At(ctx context.Context, seq int64) (findings.Occurrence, error) {
	m, err := j.Lake.Table("executions", lake.Run(j.Run))
	if err != nil {
		return findings.Occurrence{}, err
	}
	elsewhere := func(s lake.Stats) bool { return !mayHave(s, "finish_seq", seq) && !mayHave(s, "execution", seq) }
	found, err := j.findExecutions(ctx, m.Files, elsewhere, func(ex *schema.Executions) func(i int) bool {
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

// mayHave reports whether a column of a row group may have a value, by the bounds in the footer.
func mayHave(s lake.Stats, column string, value int64) bool {
	lo, hi, known := s.Ints(column)
	return !known || lo <= value && value <= hi
}

// filesOf returns the files of executions that may have some of a name: those of the buckets in which its component lies.
// The fragments say in which buckets components lie. A component that completes no word has no fragment; where a run has
// such components, all files are returned.
func (j *Job) filesOf(name string) ([]lake.File, error) {
	m, err := j.Lake.Table("executions", lake.Run(j.Run))
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool)
	var buckets []int
	err = lake.ReadBuckets(j.Lake, "fragments", lake.Run(j.Run), func(bucket int, rows []schema.Fragment) {
		for i := range rows {
			component := rows[i].Component
			known[component] = true
			if strings.HasPrefix(name, component) && strings.HasPrefix(name[len(component):], ".") {
				buckets = append(buckets, bucket)
			}
		}
	})
	if missing := (*lake.NotAnalyzedError)(nil); errors.As(err, &missing) {
		return m.Files, nil
	}
	if err != nil {
		return nil, err
	}
	described, err := lake.Read[schema.Run](j.Lake, "runs", lake.Run(j.Run))
	if err != nil || int64(len(known)) < described[0].Components {
		return m.Files, err
	}
	return m.InBuckets(buckets...), nil
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

// findExecutions returns the executions in some files that match selects; match is called anew for every row group, of which
// those that skip names are passed over.
func (j *Job) findExecutions(ctx context.Context, files []lake.File, skip func(lake.Stats) bool, match func(ex *schema.Executions) func(i int) bool) ([]findings.Occurrence, error) {
	// Files are searched several at a time, each in a stream of its own.
	parts, err := pipeline.Each(ctx, j.Jobs, len(files), func(ctx context.Context, i int) ([]findings.Occurrence, error) {
		return findInFile(ctx, j.Lake, files[i], skip, match)
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
func findInFile(ctx context.Context, l *lake.Lake, f lake.File, skip func(lake.Stats) bool, match func(ex *schema.Executions) func(i int) bool) (found []findings.Occurrence, err error) {
	ex := schema.NewExecutions(new(schema.Names))
	// Only the columns that are needed are decoded.
	o := lake.ScanOptions{Columns: []string{"component", "function", "execution", "finish_seq", "start_ns", "finish_ns"}, Skip: skip}
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
