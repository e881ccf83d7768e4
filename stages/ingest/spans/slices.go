package spans

import (
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// slicing deals traces out to slices by the start of their roots, so that no request is cut. All traces are gone through once for the starts,
// with their clocks, and then once more for the rows, in the same order; 32 bytes are kept of each.
type slicing struct {
	by     schema.Split
	starts []start          // by trace, in the order of the sorter
	of     []uint32         // by trace: its slice, from 1; nil until all starts are known
	all    []schema.Slice   // in the order of time
	losses []*schema.Ledger // by slice
	met    int              // traces gone through
}

// isRunName matches what may end the name of a run.
var isRunName = regexp.MustCompile(`^[A-Za-z0-9._+-]{1,100}$`)

// sliceName returns the name of the slice of a trace: its id, as its format writes it, where that may end the name of a run.
func (c *Collector) sliceName(id TraceID) string {
	if code, is := c.texts[id]; is && isRunName.MatchString(c.names[code]) {
		return c.names[code]
	}
	return id.String()
}

// String writes a trace id as its format does.
func (id TraceID) String() string {
	if id.High == 0 {
		return fmt.Sprintf("%016x", id.Low)
	}
	return fmt.Sprintf("%016x%016x", id.High, id.Low)
}

// start is that of the root of a trace: the first of its spans without a parent.
type start struct {
	trace TraceID
	ns    int64  // schema.NoValue where no span of the trace has a time
	clock uint32 // of the root
}

// begin is called before a trace is finished: its losses are those of its slice.
func (s *slicing) begin(t *trace) {
	if t.slice = 0; s.of != nil && len(t.arrived) > 0 {
		t.slice = s.of[s.met]
		t.collector.losses = s.losses[t.slice-1]
	}
}

// place takes the start of a trace, and reports whether it goes into a slice already.
func (s *slicing) place(t *trace) bool {
	if len(t.arrived) == 0 {
		return s.of != nil
	}
	if s.met++; s.of != nil {
		return true
	}
	at := start{trace: t.arrived[0].Trace, ns: schema.NoValue}
	if t.roots != noSpan {
		root := &t.spans[t.roots]
		at.ns, at.clock = root.StartNs, root.Clock
	}
	s.starts = append(s.starts, at)
	return false
}

// deal gives every trace its slice, once all starts are known. Those of traces that start together follow from their ids.
func (s *slicing) deal(name func(TraceID) string, correct func(clock uint32, ns int64) int64) {
	order := make([]int, len(s.starts))
	for i := range order {
		order[i] = i
		if at := &s.starts[i]; at.ns != schema.NoValue {
			at.ns = correct(at.clock, at.ns)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.starts[a].ns, s.starts[b].ns) })
	// Traces without a time come first. They have no events, only losses, and go with the first that has.
	timed := 0
	for timed < len(order)-1 && s.starts[order[timed]].ns == schema.NoValue {
		timed++
	}
	s.of = make([]uint32, len(s.starts))
	last := -1
	for rank, i := range order {
		at := s.starts[order[max(rank, timed)]]
		number := rank
		switch {
		case s.by.EveryNs > 0:
			number = int((at.ns - s.starts[order[timed]].ns) / s.by.EveryNs)
		case s.by.Parts > 0:
			number = rank * s.by.Parts / len(order)
		case rank < timed:
			number = timed
		}
		if number != last {
			s.all = append(s.all, schema.Slice{Number: number, FromNs: at.ns, Name: name(at.trace)})
			s.losses = append(s.losses, new(schema.Ledger))
			last = number
		}
		s.all[len(s.all)-1].Requests++
		s.of[i] = uint32(len(s.all))
	}
	width := len(fmt.Sprint(last + 1))
	for i := range s.all {
		of := &s.all[i]
		if of.Of = len(s.all); !s.by.ByTrace {
			of.Name = fmt.Sprintf("%0*d", width, of.Number+1)
		}
	}
}

// Slices implements schema.SplitReader.
func (r *reader) Slices(by schema.Split, each func(of schema.Slice, part schema.Reader, lost *schema.Ledger) error) error {
	r.byTrace = by.ByTrace
	return r.gather(func(c *Collector, rows *extsort.Sorter[row]) error {
		s := &slicing{by: by}
		c.slicing = s
		if err := eachTrace(c, rows); err != nil {
			return err
		}
		corrected := c.solve()
		s.deal(c.sliceName, func(clock uint32, ns int64) int64 {
			if !corrected {
				return ns
			}
			return c.clocks.solution.Correct(clock, ns)
		})
		if err := eachTrace(c, rows); err != nil {
			return err
		}
		if c.tags.Tell(r.reading.Ledger); len(s.losses) > 0 {
			s.losses[0].MergeLosses(r.reading.Ledger.Losses(""))
		}
		r.tags = c.tags
		r.sum(c, 0)
		return r.hand(c, rows, each)
	})
}

// hand hands every slice its rows. The readers of slices ask for rows one after the other, where the sorter gives them out: so the sorter
// runs as a coroutine.
func (r *reader) hand(c *Collector, rows *extsort.Sorter[row], each func(of schema.Slice, part schema.Reader, lost *schema.Ledger) error) error {
	p := &pulled{}
	next, stop := iter.Pull(func(yield func(*row) bool) {
		p.err = rows.Each(func(r *row) error {
			if !yield(r) {
				return errStopped
			}
			return nil
		})
	})
	defer stop()
	p.next = next
	p.advance()
	for i, of := range c.slicing.all {
		part := &slice{reader: r, collector: c, rows: p, number: uint32(i + 1), out: newWriter()}
		if err := each(of, part, c.slicing.losses[i]); err != nil {
			return err
		}
	}
	return p.err
}

// errStopped ends the sorter where nobody asks for more rows.
var errStopped = fmt.Errorf("no more rows are asked for")

// pulled is the rows of all slices, as they are asked for.
type pulled struct {
	next func() (*row, bool)
	row  *row  // the next one; nil behind the last
	err  error // of the sorter
}

// advance goes on to the next row.
func (p *pulled) advance() {
	var more bool
	if p.row, more = p.next(); !more {
		p.row = nil
	}
}

// slice is the Reader of a slice.
type slice struct {
	*reader
	collector *Collector
	rows      *pulled
	number    uint32
	out       *writer
}

// Keys implements schema.Reader.
func (s *slice) Keys() schema.KeyList { return schema.EventKeys(s.out.keys) }

// Clocks implements schema.ClockReader. What is said of clocks is said once, of the whole trace.
func (s *slice) Clocks() (bounds []schema.ClockBound, said []string) { return s.bounds, nil }

// Read implements schema.Reader.
func (s *slice) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	if err := s.out.Begin(emit); err != nil {
		return err
	}
	for s.rows.row != nil && s.rows.row.slice < s.number {
		s.rows.advance() // nobody asked for these
	}
	for s.rows.row != nil && s.rows.row.slice == s.number {
		if err := s.out.pass(s.collector, s.rows.row); err != nil {
			return err
		}
		s.rows.advance()
	}
	if s.rows.err != nil {
		return s.rows.err
	}
	return s.out.End()
}
