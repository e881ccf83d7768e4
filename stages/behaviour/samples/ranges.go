package samples

import (
	"sync"

	"github.com/tracelake/tracelake/schema"
)

// Range is a run of transitions in the order of the rows: those at the positions From to To-1.
type Range struct {
	From, To int   // positions of the first transition, and after the last
	Rows     int64 // samples of these transitions
}

// contains reports whether a transition is in the range.
func (rg Range) contains(t uint32) bool { return int(t) >= rg.From && int(t) < rg.To }

// Ranges divides the transitions into ranges of at most maxRows samples, or of one transition if that
// alone has more. A number that is not positive means one range of any size. The samples of all ranges,
// one after the other, are the same whatever the ranges are, so a caller can bound memory by replaying
// once per range.
func (r *Replayer) Ranges(maxRows int64) []Range {
	var out []Range
	rg := Range{}
	for t := range r.net.transitions {
		rows := r.net.countOf(uint32(t))
		if maxRows > 0 && rg.To > rg.From && rg.Rows+rows > maxRows {
			out = append(out, rg)
			rg = Range{From: t, To: t}
		}
		rg.To++
		rg.Rows += rows
	}
	if rg.To > rg.From {
		out = append(out, rg)
	}
	return out
}

// batchRows is how many rows are handed on at a time at most, twice that where the caller leaves some over: a row group of the
// lake.
const batchRows = 1 << 16

// appendRows appends the rows of the range to a table, and calls flush whenever it has enough for a batch. So the columns of a
// range are never in memory beside its rows.
func (r *Replayer) appendRows(out *schema.Samples, flush func() error) error {
	for t := r.rg.From; t < r.rg.To; t++ {
		rows := r.grid[r.net.offset[t]-r.base : r.net.offset[t+1]-r.base]
		for len(rows) > 0 {
			n := min(len(rows), batchRows)
			r.appendTransition(out, t, rows[:n])
			rows = rows[n:]
			if len(out.TimeNs) < batchRows {
				continue
			}
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// appendTransition appends rows of one transition to a table.
func (r *Replayer) appendTransition(out *schema.Samples, t int, rows []gridRow) {
	from := len(out.TimeNs)
	schema.Extend(out, len(rows))
	occurrence, timeNs, previousNs := out.Occurrence[from:], out.TimeNs[from:], out.SincePreviousNs[from:]
	calledNs, startNs := out.SinceCallNs[from:], out.SinceStartNs[from:]
	for i := range rows {
		row := &rows[i]
		occurrence[i], timeNs[i], previousNs[i], calledNs[i], startNs[i] = row.occurrence, row.time, row.previous, row.called, row.start
	}
	fillWith(out.Fragment[from:], r.net.fragments[r.net.transitions[t].group])
	fillWith(out.Transition[from:], r.net.number[t])
}

// fillWith sets all elements to one value.
func fillWith[T any](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}

// grids keeps the memory of ranges that are done for those of other partitions. A grid is most of what a replay takes, and
// memory that is new from the operating system costs more than filling it. What it holds does not matter: Finish refuses a
// range in which a row was not written.
var grids sync.Pool

// takeGrid returns n rows, in the old memory if that suffices.
func takeGrid(grid []gridRow, n int64) []gridRow {
	if n <= int64(cap(grid)) {
		return grid[:n]
	}
	if kept, ok := grids.Get().(*[]gridRow); ok && n <= int64(cap(*kept)) {
		return (*kept)[:n]
	}
	return make([]gridRow, n)
}

// Close gives the memory of the replayer to others. It is not used any more then.
func (r *Replayer) Close() {
	if grid := r.grid; grid != nil {
		grids.Put(&grid)
		r.grid = nil
	}
}
