package signals

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/signals"
)

// itemBytes is what an item of a pass takes: itself, and as much to sort by. mostRows is how many rows a pass has about at most, whatever
// the memory is: to read a few row groups again takes less than to have more memory made.
const itemBytes, mostRows = 2 * 24, 1 << 22

// pass reads the items that a table has as its rows, in the order of their beginnings: those that begin in one time after those of another.
// What lies in a row group its footer tells, so that each pass reads the row groups of its time, and as the rows of a bucket are in the order
// of time, but for those that enclose others, few row groups are read twice.
type pass struct {
	table        string
	rows         schema.Columns
	begins, ends string // its columns of times
	columns      []string
	items        func(add func(fromNs, toNs int64)) // visits the items of the row group in hand
}

// passes are the passes over one table.
type passes struct {
	*pass
	ctx   context.Context
	lake  *lake.Lake
	files []lake.File
	until []int64 // where each pass ends
}

// inPasses opens the items of a table of the run.
func (j Job) inPasses(ctx context.Context, p *pass) (opener, error) {
	m, err := j.Lake.Table(p.table, lake.Run(j.Run))
	if err != nil {
		return nil, err
	}
	all := &passes{pass: p, ctx: ctx, lake: j.Lake, files: m.Files}
	rows := int64(mostRows)
	if j.Memory > 0 {
		rows = min(rows, j.Memory/itemBytes)
	}
	if m.Rows() > rows {
		if err := all.plan(rows); err != nil {
			return nil, err
		}
	}
	all.until = append(all.until, math.MaxInt64)
	return func() (signals.Intervals, error) { return (&reading{passes: all, from: math.MinInt64}).next, nil }, nil
}

// plan ends a pass where about so many rows have ended.
func (p *passes) plan(rows int64) error {
	type group struct{ rows, last int64 }
	var groups []group
	o := lake.ScanOptions{Columns: []string{p.ends}, Skip: func(s lake.Stats) bool {
		if _, last, ok := s.Ints(p.ends); ok {
			groups = append(groups, group{s.Rows, last})
		}
		return true
	}}
	if err := p.lake.Scan(p.ctx, p.files, p.rows, o, func() error { return nil }); err != nil {
		return err
	}
	slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(a.last, b.last) })
	sum := int64(0)
	for _, g := range groups {
		if sum += g.rows; sum >= rows {
			p.until, sum = append(p.until, g.last), 0
		}
	}
	return nil
}

// reading reads the items once.
type reading struct {
	*passes
	at         int                // the pass that comes next
	from       int64              // where it begins
	all, spare []signals.Interval // of the pass in hand
	given      int                // of all
}

// next returns the item that begins next.
func (r *reading) next() (signals.Interval, error) {
	for r.given == len(r.all) {
		if r.at == len(r.until) {
			return signals.Interval{}, io.EOF
		}
		if err := r.read(r.until[r.at]); err != nil {
			return signals.Interval{}, err
		}
	}
	r.given++
	return r.all[r.given-1], nil
}

// read reads the items of a pass, which begin before some time, or at the end of time.
func (r *reading) read(until int64) error {
	r.all, r.given = r.all[:0], 0
	o := lake.ScanOptions{Columns: r.columns, Skip: func(s lake.Stats) bool {
		first, last, ok := s.Ints(r.begins)
		return ok && (last < r.from || first >= until && until != math.MaxInt64)
	}}
	add := func(from, to int64) {
		if from >= r.from && (from < until || until == math.MaxInt64) {
			r.all = append(r.all, signals.Interval{FromNs: from, ToNs: to, Value: 1})
		}
	}
	err := r.lake.Scan(r.ctx, r.files, r.rows, o, func() error {
		r.pass.items(add)
		return nil
	})
	r.all, r.spare = signals.SortByBeginning(r.all, r.spare)
	r.at, r.from = r.at+1, until
	return err
}
