package reconcile

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// writeTables writes the relations and the bounds of the clocks, once all events have their sequence
// numbers.
func (f *fusion) writeTables(t *pipeline.Task) error {
	// The corrections are counted while the events are merged, so that they are complete only now.
	f.addBounds()
	if err := f.writeOccurrences(t); err != nil {
		return err
	}
	return pipeline.WriteRows(t, "clock_bounds", f.outcome.Bounds)
}

// addBounds adds the corrections of every unit to the first of the rows that set its times. A unit whose
// times no other one sets, such as the reference, gets a row with itself for its corrections.
func (f *fusion) addBounds() {
	f.outcome.Bounds = f.related.Rows
	for u, row := range f.related.Own {
		// Its times are its own: the pair of the unit with itself is possible and used.
		if row < 0 {
			row = len(f.outcome.Bounds)
			f.outcome.Bounds = append(f.outcome.Bounds, schema.ClockBound{Unit: f.streams[u].name, Reference: f.streams[u].name, Possible: true, Used: true})
		}
		// Each unit has its own row, so that nothing is counted twice.
		b := &f.outcome.Bounds[row]
		b.Moved, b.FarthestNs = f.changed[u].moved, f.changed[u].farthest
	}
}

// writeOccurrences writes the relations between occurrences.
func (f *fusion) writeOccurrences(t *pipeline.Task) error {
	o := schema.NewOccurrences()
	out, err := t.Create("occurrences", o)
	if err != nil {
		return err
	}
	// All names get their codes first: a row then costs no lookup.
	constraints, clocks := codesOf(o.Constraints, len(f.model.Constraints), func(i int) string { return f.model.Constraints[i].Name }),
		codesOf(o.Clocks, len(f.model.Clocks), func(i int) string { return f.model.Clocks[i] })
	// In the order of the constraints, which the table promises.
	for i := range f.model.Relations {
		r := &f.model.Relations[i]
		o.Constraint, o.Relation = append(o.Constraint, constraints[r.Constraint]), append(o.Relation, r.Kind)
		o.LeftClock, o.LeftIndex = append(o.LeftClock, clocks[r.Left.Clock]), append(o.LeftIndex, r.Left.Index)
		o.RightClock, o.RightIndex = append(o.RightClock, clocks[r.Right.Clock]), append(o.RightIndex, r.Right.Index)
		o.LeftSeq, o.RightSeq = append(o.LeftSeq, f.seqOf(r.Left.Instant)), append(o.RightSeq, f.seqOf(r.Right.Instant))
		// A full row group is written and its memory used again.
		if len(o.Relation) == lake.RowGroupRows {
			if err := out.WriteFull(o); err != nil {
				return err
			}
		}
	}
	return out.Close(o)
}

// codesOf returns the codes of n names.
func codesOf(d *schema.Dictionary, n int, name func(int) string) []schema.Code {
	list := make([]schema.Code, n)
	for i := range list {
		list[i] = d.Code(name(i))
	}
	return list
}

// seqOf returns the sequence number of an instant, or schema.NoValue if it is no event.
func (f *fusion) seqOf(instant int32) int64 {
	if int(instant) >= len(f.seq) {
		return schema.NoValue
	}
	return f.seq[instant]
}
