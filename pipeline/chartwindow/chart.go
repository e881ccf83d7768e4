// Package chartwindow reads the timing constraints of a run window by window, so that analyses walk over a TMSC that need
// not fit into memory.
//
// The constraints lie in one file a bucket, each in the order of its targets. A window takes from every file the
// row groups that reach into it and puts the constraints together by target; those of one target are of one file.
package chartwindow

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Want selects the columns that a walk needs beyond targets, sources and times. A column that nobody wants is neither
// read nor decoded.
type Want struct {
	Bounds bool // Edge.BoundNs
	Flags  bool // Edge.Flags, but for Idle
	Parts  bool // Edge.Part, and all flags
}

// Edges is the number of constraints of a window unless a caller chooses another one. A window takes about 3 MB, twice that
// while the next one is read, and a row group of every bucket, two of those where one ends in it.
const Edges = 1 << 16

// Chart is the constraints of a run, opened for reading.
type Chart struct {
	// The dictionaries of the chart grow as windows are read.
	Names *schema.Names // of the parts; not to be read while Up or Down bring windows

	lake  *lake.Lake
	want  Want
	jobs  int     // goroutines that read and place
	files []*file // one for each bucket
	lo    int64   // the first source
	hi    int64   // one behind the last target
	rows  int64   // constraints in all files

	mu    sync.Mutex
	parts schema.Numbering[window.Part] // shared by all cores, under mu
	spare []schema.Constraints          // memory of row groups that no window needs any more, under mu
}

// Open opens the constraints of a run, whose files m lists. It reads only their footers. At most jobs goroutines read and
// place constraints at a time.
// The caller closes the chart. It may be read by one goroutine at a time.
func Open(l *lake.Lake, m *lake.Manifest, want Want, jobs int) (c *Chart, err error) {
	c = &Chart{Names: new(schema.Names), lake: l, want: want, jobs: jobs, lo: math.MaxInt64, hi: math.MinInt64}
	for _, f := range m.Files {
		one, err := c.openFile(f)
		if err != nil {
			c.Close()
			return nil, err
		}
		c.files = append(c.files, one)
		c.rows += f.Rows
		// The bounds of the run follow from those of the row groups. A source may lie before every target.
		for _, g := range one.groups {
			c.lo, c.hi = min(c.lo, g.lo, g.source), max(c.hi, g.hi)
		}
	}
	if c.lo > c.hi { // no constraints
		c.lo, c.hi = 0, 0
	}
	return c, nil
}

// Close closes the files.
// Windows that were handed out stay valid.
func (c *Chart) Close() {
	for _, f := range c.files {
		f.close()
	}
}

// Span is where events with constraints are: from the first source to behind the last target.
func (c *Chart) Span() Range { return Range{c.lo, c.hi} }

// Parts are the functions and messages that time is attributed to, by Edge.Part, as far as windows were read.
// The numbers of parts depend on the order in which windows are read; their meaning does not. The list is the chart's own:
// it only ever grows, so what was handed out stays as it is.
func (c *Chart) Parts() []window.Part {
	c.mu.Lock()
	defer c.mu.Unlock()
	parts := c.parts.List
	return parts[:len(parts):len(parts)]
}

// Range is an interval of sequence numbers: from Lo to Hi-1.
type Range struct{ Lo, Hi int64 }

// Windows cuts a range into windows of about edges constraints each, in ascending order. It assumes that constraints are
// spread evenly over the run: where they are denser, a window is larger, and only its memory suffers.
// A range outside of the run gives no windows. The last window may be shorter.
func (c *Chart) Windows(r Range, edges int64) []Range {
	r.Lo, r.Hi = max(r.Lo, c.lo), min(r.Hi, c.hi)
	if r.Lo >= r.Hi {
		return nil
	}
	// The part of the run that the range covers decides how many windows there are.
	share := float64(r.Hi-r.Lo) / float64(c.hi-c.lo)
	n := max(int64(math.Ceil(float64(c.rows)*share/float64(edges))), 1)
	step := max((r.Hi-r.Lo+n-1)/n, 1)
	var out []Range
	for lo := r.Lo; lo < r.Hi; lo += step {
		out = append(out, Range{lo, min(lo+step, r.Hi)})
	}
	return out
}

// Down brings the windows in descending order, Up in ascending order. The window lasts until f returns; the next
// one is read meanwhile.
func (c *Chart) Down(ctx context.Context, windows []Range, f func(w *window.Window) error) error {
	windows = slices.Clone(windows)
	slices.Reverse(windows)
	return c.Up(ctx, windows, f)
}

// Up brings windows in the order given.
// One goroutine reads ahead while another one works, with two windows in turn: reading and walking overlap, and
// memory is two windows.
func (c *Chart) Up(ctx context.Context, windows []Range, f func(w *window.Window) error) error {
	group, inner := workers.WithContext(ctx)
	ready, free := make(chan *window.Window), make(chan *window.Window, 2)
	free <- new(window.Window)
	free <- new(window.Window)
	group.Go(func() error {
		defer close(ready)
		for _, r := range windows {
			select {
			// A window that is free is filled; when f is slow, the reader waits here.
			case w := <-free:
				if err := c.Load(inner, r, w); err != nil {
					return err
				}
				select {
				case ready <- w:
				case <-inner.Done():
					return inner.Err()
				}
			case <-inner.Done():
				return inner.Err()
			}
		}
		return nil
	})
	group.Go(func() error {
		for w := range ready {
			// An error of f cancels the reader by the context of the group.
			if err := f(w); err != nil {
				return err
			}
			free <- w
		}
		return nil
	})
	return group.Wait()
}

// Load reads a window in two passes over the pieces of all files, as a counting sort does: the first counts the constraints of
// every target, the second puts each where the sum of the counts before its target says.
// A window costs O(targets + constraints); nothing is sorted, since the constraints of a target lie together in
// one file.
func (c *Chart) Load(ctx context.Context, r Range, w *window.Window) error {
	w.Lo, w.Hi = r.Lo, r.Hi
	// One entry more than First has: while constraints are placed, entry i+1 is the place of the next one of target Lo+i. When
	// all are placed that is where those of the next target begin, so that no counter need be set back.
	n := int(r.Hi - r.Lo)
	next := slices.Grow(w.First[:0], n+2)[:n+2]
	clear(next)
	// (1) Read the row groups that reach into the window, one file on each core.
	bounds := c.divide(r)
	for _, f := range c.files {
		f.keep(c, w)
	}
	if err := c.each(ctx, func(f *file) error { return f.gather(c, w, bounds) }); err != nil {
		return err
	}
	// From here on cores share the work by target, not by file: constraints of all files lie side by side, and cores
	// that fill the same lines of the cache wait for each other.
	// (2) Count the constraints of every target, for the entry behind its own.
	share(len(bounds)-1, func(worker int) {
		for _, f := range c.files {
			f.count(next[2:], w.Lo, worker)
		}
	})
	// (3) Sum the counts: entry i+1 becomes the position of the first constraint of target Lo+i.
	total := uint32(0)
	for i := range next {
		total += next[i]
		next[i] = total
	}
	// (4) Put every constraint into its place.
	w.First = next[:n+1]
	w.Edges = slices.Grow(w.Edges[:0], int(total))[:total]
	share(len(bounds)-1, func(worker int) {
		for _, f := range c.files {
			f.place(c, w, worker)
		}
	})
	return nil
}

// giveColumns takes the memory of a row group back, whose table is without any then.
func (c *Chart) giveColumns(rows *schema.Constraints) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.spare = append(c.spare, *rows)
	*rows = schema.Constraints{Names: rows.Names}
}

// takeColumns gives an empty table memory that another row group had, of whichever file, if there is any.
func (c *Chart) takeColumns(rows *schema.Constraints) {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := len(c.spare) - 1
	if last < 0 || rows.Target != nil {
		return
	}
	names := rows.Names
	*rows = c.spare[last]
	rows.Names = names
	c.spare = c.spare[:last]
	schema.Reset(rows)
}

// divide cuts a window into a range of targets for each core: range i begins at bound i. The ranges are disjoint, so no core
// writes what another one writes. A small window is not worth the start of goroutines.
func (c *Chart) divide(r Range) (bounds []int64) {
	n := int64(max(c.jobs, 1))
	if r.Hi-r.Lo < 1<<12 {
		n = 1
	}
	for i := range n + 1 {
		bounds = append(bounds, r.Lo+(r.Hi-r.Lo)*i/n)
	}
	return bounds
}

// share does something by n workers at the same time.
func share(n int, do func(worker int)) {
	if n == 1 {
		do(0)
		return
	}
	var fillers workers.Group
	for i := range n {
		fillers.Go(func() error {
			do(i)
			return nil
		})
	}
	if err := fillers.Wait(); err != nil { // do returns none: it is a panic, which goes on here
		panic(err)
	}
}

// each does something with all files, several at a time.
func (c *Chart) each(ctx context.Context, do func(f *file) error) error {
	readers, inner := workers.WithContext(ctx)
	readers.SetLimit(max(c.jobs, 1))
	for _, f := range c.files {
		readers.Go(func() error {
			if err := inner.Err(); err != nil {
				return err
			}
			return do(f)
		})
	}
	return readers.Wait()
}

// part returns the number of a part, a new one for a part that was not seen before. Codes are those of the file's names; the
// chart has dictionaries of its own, because every file has others.
// It is called once for every part of a file and core, not for every constraint: see partTable.
func (c *Chart) part(names *schema.Names, p window.Part) uint32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	own := window.Part{
		Component: recode(&c.Names.Components, &names.Components, p.Component),
		Function:  recode(&c.Names.Functions, &names.Functions, p.Function),
		Sender:    recode(&c.Names.Components, &names.Components, p.Sender),
		Label:     recode(&c.Names.Messages, &names.Messages, p.Label),
		Message:   p.Message,
		Kind:      p.Kind,
	}
	return c.parts.Number(own)
}

// recode returns the code that a name of one dictionary has in another one, to which a new name is added.
func recode(to, from *schema.Dictionary, code schema.Code) schema.Code {
	if code == schema.NoCode {
		return code
	}
	return to.Code(from.Name(code))
}

// Of opens the constraints of a run of a lake.
func Of(l *lake.Lake, run string, want Want, jobs int) (*Chart, error) {
	m, err := l.Table("constraints", lake.Run(run))
	if err != nil {
		return nil, err
	}
	return Open(l, m, want, jobs)
}

// columnsOf are the columns that a walk reads.
func columnsOf(want Want) []string {
	names := []string{"target_seq", "source_seq", "target_ns", "duration_ns"}
	if want.Bounds {
		names = append(names, "slack_ns")
	}
	if want.Flags || want.Parts {
		names = append(names, "kind", "critical")
	}
	if want.Parts {
		names = append(names, "component", "function", "sender", "message")
	}
	return names
}

// Cover cuts the union of some ranges into windows of about edges constraints each, in ascending order.
func (c *Chart) Cover(ranges []Range, edges int64) (windows []Range) {
	ranges = slices.Clone(ranges)
	slices.SortFunc(ranges, func(a, b Range) int { return cmp.Or(cmp.Compare(a.Lo, b.Lo), cmp.Compare(a.Hi, b.Hi)) })
	for i := 0; i < len(ranges); {
		whole := ranges[i]
		for i++; i < len(ranges) && ranges[i].Lo <= whole.Hi; i++ {
			whole.Hi = max(whole.Hi, ranges[i].Hi)
		}
		windows = append(windows, c.Windows(whole, edges)...)
	}
	return windows
}

// Rows is the number of constraints.
func (c *Chart) Rows() int64 { return c.rows }
