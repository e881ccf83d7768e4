package chartwindow

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// file is the constraints of one bucket. It keeps the row groups of the window that was read last, since the next window
// mostly begins in the row group in which the last one ended.
type file struct {
	stored  lake.File
	readers []*slot // one or two in the usual case
	groups  []group // bounds of the row groups, from the footer
	// Each core has its own table, so that looking up takes no lock.
	parts  []partTable // one for each core
	pieces []piece     // of the window being read
}

// slot is a place for one row group: a reader with columns of its own. Their memory is that of the chart, and goes back to it when no
// window needs the row group any more.
type slot struct {
	reader *lake.Reader
	rows   *schema.Constraints
	loaded int  // number of the row group, or none
	used   bool // the window that is being read needs it
}

const none = -1

// group is the targets of a row group, from lo to hi-1, and its lowest source.
type group struct{ lo, hi, source int64 }

// piece is the rows of a row group whose targets are in a window.
type piece struct {
	rows *schema.Constraints
	cuts []int // those of worker i are from cuts[i] to cuts[i+1]-1
}

// openFile opens the file of a bucket and reads its footer. A file without bounds was not written by this program,
// and windows of it could not be found without reading all of it.
func (c *Chart) openFile(stored lake.File) (*file, error) {
	f := &file{stored: stored, parts: make([]partTable, max(c.jobs, 1))}
	s := &slot{rows: schema.NewConstraints(new(schema.Names)), loaded: none}
	var err error
	if s.reader, err = c.lake.Reader(f.stored, s.rows, columnsOf(c.want)...); err != nil {
		return nil, err
	}
	f.readers = append(f.readers, s)
	for i := range s.reader.Groups() {
		stats := s.reader.Stats(i)
		lo, hi, ok := stats.Ints("target_seq")
		source, _, has := stats.Ints("source_seq")
		if !ok || !has {
			f.close()
			return nil, fmt.Errorf("%s: row group %d does not state the bounds of target_seq and source_seq", stored.Path, i)
		}
		f.groups = append(f.groups, group{lo, hi + 1, source})
	}
	return f, nil
}

// addSlot makes room for a row group that must be in memory together with others. Slots of one file share their names, so
// codes mean the same in all of them.
func (f *file) addSlot(c *Chart) (*slot, error) {
	s := &slot{rows: schema.NewConstraints(f.readers[0].rows.Names), loaded: none}
	var err error
	if s.reader, err = f.readers[0].reader.Beside(s.rows, columnsOf(c.want)...); err != nil {
		return nil, err
	}
	f.readers = append(f.readers, s)
	return s, nil
}

// close closes the file, which all readers share.
func (f *file) close() { f.readers[0].reader.Close() }

// keep marks the slots whose row group a window needs again, so that they are not filled with another one. The memory of the
// others goes back to the chart: most windows need one row group of a file, and few need two.
func (f *file) keep(c *Chart, w *window.Window) {
	f.pieces = f.pieces[:0]
	for _, s := range f.readers {
		if s.used = s.loaded != none && f.groups[s.loaded].within(w); !s.used && s.rows.Target != nil {
			c.giveColumns(s.rows)
			s.loaded = none
		}
	}
}

// gather reads the row groups that reach into a window, and finds the rows of each worker, whose targets begin at bounds.
func (f *file) gather(c *Chart, w *window.Window, bounds []int64) error {
	for i := range f.groups {
		if !f.groups[i].within(w) {
			continue
		}
		rows, err := f.group(c, i)
		if err != nil {
			return err
		}
		f.addPiece(rows, bounds)
	}
	return nil
}

// addPiece adds the rows of a row group whose targets are in a window, cut at the bounds between workers. It uses the memory of
// the pieces of earlier windows.
func (f *file) addPiece(rows *schema.Constraints, bounds []int64) {
	n := len(f.pieces)
	f.pieces = slices.Grow(f.pieces, 1)[:n+1]
	p := &f.pieces[n]
	p.rows, p.cuts = rows, p.cuts[:0]
	from := 0
	for _, bound := range bounds {
		more, _ := slices.BinarySearch(rows.Target[from:], bound)
		from += more
		p.cuts = append(p.cuts, from)
	}
}

// count counts the constraints of a worker: those of target lo+i in counts[i].
// Different workers count for different targets.
func (f *file) count(counts []uint32, lo int64, worker int) {
	for i := range f.pieces {
		p := &f.pieces[i]
		for _, target := range p.rows.Target[p.cuts[worker]:p.cuts[worker+1]] {
			counts[target-lo]++
		}
	}
}

// within reports whether a row group has targets in a window, by its bounds.
func (g *group) within(w *window.Window) bool { return g.hi > w.Lo && g.lo < w.Hi }

// group reads a row group, unless it is in memory, into a slot that the window does not use yet. There are as many slots as
// the largest window so far needed.
func (f *file) group(c *Chart, i int) (*schema.Constraints, error) {
	var free *slot
	for _, s := range f.readers {
		if s.loaded == i {
			return s.rows, nil
		}
		if !s.used {
			free = s
		}
	}
	if free == nil {
		s, err := f.addSlot(c)
		if err != nil {
			return nil, err
		}
		free = s
	}
	free.loaded = none
	c.takeColumns(free.rows)
	// While it is read, the slot holds nothing, so that an error leaves no half-read row group behind.
	if err := free.reader.Read(i); err != nil {
		return nil, err
	}
	// Binary search and placing rely on the order. A file of another program may lack it.
	if !slices.IsSorted(free.rows.Target) {
		return nil, fmt.Errorf("%s: row group %d is not in the order of target_seq", f.stored.Path, i)
	}
	free.loaded, free.used = i, true
	return free.rows, nil
}

// place puts the constraints of a worker into the window where w.First says that the next one of their target goes: see
// Chart.Load. Those of one target may lie in two row groups.
//
// This loop is most of what a walk costs. It reads the columns in order and writes constraints all over the window, so it has
// no branch on the data: processors cannot foretell which constraint is a message or critical, nor which is the first of its
// target.
func (f *file) place(c *Chart, w *window.Window, worker int) {
	next, edges, lo, want := w.First[1:], w.Edges, w.Lo, c.want // in registers: edges are written in between
	for i := range f.pieces {
		p := &f.pieces[i]
		from, to := p.cuts[worker], p.cuts[worker+1]
		rows, n := p.rows, to-from
		target, source := rows.Target[from:to], rows.Source[from:][:n]
		targetNs, durationNs := rows.TargetNs[from:][:n], rows.DurationNs[from:][:n]
		for i, seq := range target {
			at := next[seq-lo]
			next[seq-lo] = at + 1
			e := &edges[at]
			e.Source, e.TargetNs, e.DurationNs, e.Flags = source[i], targetNs[i], durationNs[i], 0
			if want.Bounds {
				e.BoundNs = boundOf(durationNs[i], rows.SlackNs[from+i])
			}
			if want.Flags {
				e.Flags = flagsOf(rows.Kind[from+i], rows.Critical[from+i])
			}
			if want.Parts {
				e.Part, e.Flags = f.partOf(c, rows, from+i, worker)
			}
		}
	}
}

// boundOf returns the bound of a constraint, in ns. The slack of a constraint is its duration without its bound, so the bound
// is the difference of both.
func boundOf(durationNs, slackNs int64) int64 {
	if slackNs == schema.NoValue {
		return schema.NoValue
	}
	return durationNs - slackNs
}

// flagsOf returns the flags of a constraint, but for window.Idle.
// All kinds but that of a lifeline, which is 0, are as messages, and neither this nor a truth value takes a branch.
func flagsOf(kind schema.ConstraintKind, critical bool) window.Flags {
	var one window.Flags
	if critical {
		one = window.Critical
	}
	return window.Flags(min(kind, schema.ByMessage))*window.Message | one
}

// partKinds are the kinds of parts by those of their constraints: what two functions tell each other under one label is one part, be
// it a reply or not, since sums know no more than that it is a message.
var partKinds = func() (kinds [256]schema.ConstraintKind) {
	for k := range kinds {
		kinds[k] = schema.ConstraintKind(k)
	}
	kinds[schema.ByReply], kinds[schema.ByCallback] = schema.ByMessage, schema.ByMessage
	return kinds
}()

// partOf returns the number of the part of a row, and all flags of its constraint.
func (f *file) partOf(c *Chart, r *schema.Constraints, i, worker int) (uint32, window.Flags) {
	kind, function := r.Kind[i], r.Function[i]
	flags := flagsOf(kind, r.Critical[i])
	var idle window.Flags
	if function == schema.NoCode {
		idle = window.Idle
	}
	if flags&window.Message != 0 {
		idle = 0
	}
	key := partKey{pair(r.Component[i], function), pair(r.Sender[i], r.Label[i]), partKinds[kind]}
	return f.parts[worker].number(c, r.Names, key), flags | idle
}
