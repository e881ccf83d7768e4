package chart

import (
	"slices"
	"sort"

	"github.com/tracelake/tracelake/pipeline/lake/columns"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/graph"
)

// file is the constraints of one bucket. It keeps the row groups of the window that was read last.
type file struct {
	readers []*slot
	groups  []group
	parts   partTable
	pieces  []piece // of the window being read
}

// slot is a place for one row group: a reader with columns of its own.
type slot struct {
	reader *columns.Reader
	rows   *schema.Constraints
	loaded int // number of the row group, or none
	used   bool
}

const none = -1

// group is the targets of a row group, from lo to hi-1, and its lowest source.
type group struct{ lo, hi, source int64 }

// piece is the rows of a row group whose targets are in a window.
type piece struct {
	rows     *schema.Constraints
	from, to int
	first    uint32 // position of its first constraint in the window
}

func openFile(path string, want Want) (*file, error) {
	f := &file{}
	s, err := openSlot(path, new(schema.Names), want)
	if err != nil {
		return nil, err
	}
	f.readers = append(f.readers, s)
	for i := range s.reader.Groups() {
		stats := s.reader.Stats(i)
		lo, hi, ok := stats.Ints("target_seq")
		source, _, has := stats.Ints("source_seq")
		if !ok || !has {
			f.close()
			return nil, boundless(path, i)
		}
		f.groups = append(f.groups, group{lo, hi + 1, source})
	}
	return f, nil
}

func openSlot(path string, names *schema.Names, want Want) (*slot, error) {
	s := &slot{rows: schema.NewConstraints(names), loaded: none}
	var err error
	s.reader, err = columns.Open(path, s.rows, columnsOf(want)...)
	return s, err
}

func (f *file) close() {
	for _, s := range f.readers {
		s.reader.Close()
	}
}

// gather reads the constraints into a window.
func (f *file) gather(c *Chart, path string, w *graph.Window) error {
	f.pieces = f.pieces[:0]
	for _, s := range f.readers {
		s.used = s.loaded != none && f.groups[s.loaded].within(w)
	}
	for i := range f.groups {
		if !f.groups[i].within(w) {
			continue
		}
		rows, err := f.group(c, path, i)
		if err != nil {
			return err
		}
		from := sort.Search(len(rows.Target), func(i int) bool { return rows.Target[i] >= w.Lo })
		to := from + sort.Search(len(rows.Target)-from, func(i int) bool { return rows.Target[from+i] >= w.Hi })
		f.pieces = append(f.pieces, piece{rows: rows, from: from, to: to})
	}
	return nil
}

// add counts them by target.
func (f *file) add(w *graph.Window) {
	for _, p := range f.pieces {
		for _, target := range p.rows.Target[p.from:p.to] {
			w.First[target-w.Lo]++
		}
	}
}

func (g *group) within(w *graph.Window) bool { return g.hi > w.Lo && g.lo < w.Hi }

// group reads a row group, unless it is there, into a place that the window does not use yet.
func (f *file) group(c *Chart, path string, i int) (*schema.Constraints, error) {
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
		s, err := openSlot(path, f.readers[0].rows.Names, c.want)
		if err != nil {
			return nil, err
		}
		f.readers = append(f.readers, s)
		free = s
	}
	free.loaded = none
	if err := free.reader.Read(i); err != nil {
		return nil, err
	}
	if !slices.IsSorted(free.rows.Target) {
		return nil, disorder(path, i)
	}
	free.loaded, free.used = i, true
	return free.rows, nil
}

// place puts the constraints where the counts say that those of their targets are. Those of one target may lie in
// two row groups.
func (f *file) place(c *Chart, w *graph.Window) {
	at, before := uint32(0), w.Lo-1
	for i := range f.pieces {
		p := &f.pieces[i]
		p.first = at
		if p.from < p.to && p.rows.Target[p.from] != before {
			p.first = w.First[p.rows.Target[p.from]-w.Lo]
		}
		at, before = p.place(w, before)
		if c.want.Bounds {
			p.bounds(w)
		}
		if c.want.Parts {
			f.count(c, p, w)
		}
	}
}

// place places the rows of a piece. It returns the position behind the last one, and its target, or the target before.
func (p *piece) place(w *graph.Window, before int64) (at uint32, last int64) {
	r := p.rows
	at, last = p.first, before
	for i := p.from; i < p.to; i++ {
		if target := r.Target[i]; target != last {
			at, last = w.First[target-w.Lo], target
		}
		e := &w.Edges[at]
		at++
		e.Source, e.TargetNs, e.DurationNs, e.Flags = r.Source[i], r.TargetNs[i], r.DurationNs[i], 0
		if r.Kind[i] == schema.ByMessage {
			e.Flags = graph.Message
		}
		if r.Critical[i] {
			e.Flags |= graph.Critical
		}
	}
	return at, last
}

// each calls do for every row of a piece with its constraint in the window.
func (p *piece) each(w *graph.Window, do func(i int, e *graph.Edge)) {
	at := p.first
	for i := p.from; i < p.to; i++ {
		if target := p.rows.Target[i]; i > p.from && target != p.rows.Target[i-1] {
			at = w.First[target-w.Lo]
		}
		do(i, &w.Edges[at])
		at++
	}
}

func (p *piece) bounds(w *graph.Window) {
	slack := p.rows.SlackNs
	p.each(w, func(i int, e *graph.Edge) {
		e.BoundNs = schema.NoValue
		if slack[i] != schema.NoValue {
			e.BoundNs = e.DurationNs - slack[i]
		}
	})
}

// count says what the time of a piece's constraints counts for.
func (f *file) count(c *Chart, p *piece, w *graph.Window) {
	r := p.rows
	p.each(w, func(i int, e *graph.Edge) {
		part := graph.Part{Component: r.Component[i], Function: r.Function[i], Sender: r.Sender[i], Label: r.Label[i], Message: e.Flags&graph.Message != 0}
		e.Part = f.parts.number(c, r.Names, part)
		if !part.Message && part.Function == schema.NoCode {
			e.Flags |= graph.Idle
		}
	})
}
