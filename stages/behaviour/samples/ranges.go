package samples

import "github.com/tracelake/tracelake/schema"

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

// toColumns turns the rows of the range into a table.
func (r *Replayer) toColumns() *schema.Samples {
	out := schema.NewSamples(r.names)
	schema.Extend(out, len(r.grid))
	for i := range r.grid {
		row := &r.grid[i]
		out.Occurrence[i] = row.occurrence
		out.TimeNs[i] = row.time
		out.SincePreviousNs[i] = row.previous
		out.SinceCallNs[i] = row.called
		out.SinceStartNs[i] = row.start
	}
	for t := r.rg.From; t < r.rg.To; t++ {
		from, to := r.net.offset[t]-r.base, r.net.offset[t+1]-r.base
		fillWith(out.Fragment[from:to], r.net.fragments[r.net.transitions[t].group])
		fillWith(out.Transition[from:to], r.net.number[t])
	}
	return out
}

// fillWith sets all elements to one value.
func fillWith[T any](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}

// resizeGrid returns n rows, in the old memory if that suffices.
func resizeGrid(grid []gridRow, n int64) []gridRow {
	if n <= int64(cap(grid)) {
		return grid[:n]
	}
	return make([]gridRow, n)
}
