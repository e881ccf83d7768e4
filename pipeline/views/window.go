package views

import (
	"fmt"
	"sort"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Ask is a window of a run.
type Ask struct {
	FromNs, ToNs int64 // since the run's first event, both included
	Pixels       int   // how wide the picture is
	Lanes        []int // places in the list of lanes
	Depths       int64 // how many depths of every lane; 1 for root executions alone
}

// Boxes are what is to be drawn: executions that are a pixel wide or wider, each by itself, and sums of narrower ones that lie in
// a pixel. A sum may be wider than a pixel where the executions are so far apart, and so many row groups would have to be read to
// part them, that it is a tile of 16 neighbours; none of these is as wide as a pixel then. Every execution that overlaps the window is in
// exactly one box. Times count from the run's first event.
type Boxes struct {
	Lane      []int   // place in the list of lanes
	Depth     []int64 //
	StartNs   []int64 // of an execution; of a sum, the earliest start
	FinishNs  []int64 // of an execution; of a sum, the latest finish
	Count     []int64 // executions
	BusyNs    []int64 // sum of their durations
	Function  []int   // of the longest, as a place in Functions; -1 where it is not known, as the longest has a box of its own
	Longest   []int64 // the longest execution, as in the table executions; schema.NoValue where it is not known
	Functions []string

	pieces [][]box                 // while they are painted; the columns are made of them at the end
	places map[string]int          // of functions
	codes  map[*schema.Names][]int // by code of a function: its place, and 1
}

// box is a box as a row of Boxes.
type box struct {
	lane, function                                   int
	depth, startNs, finishNs, count, busyNs, longest int64
	longestNs                                        int64 // duration of the longest; -1 where it is not known
}

// pieceBoxes is how many boxes a piece has. Columns that grew box by box would be copied four times over.
const pieceBoxes = 1024

// add appends a box. It may be changed until the next one is added.
func (b *Boxes) add(x box) *box {
	last := len(b.pieces) - 1
	if last < 0 || len(b.pieces[last]) == pieceBoxes {
		b.pieces = append(b.pieces, make([]box, 0, pieceBoxes))
		last++
	}
	b.pieces[last] = append(b.pieces[last], x)
	return &b.pieces[last][len(b.pieces[last])-1]
}

// fill makes the columns, and gives up the pieces.
func (b *Boxes) fill() *Boxes {
	n := 0
	for _, piece := range b.pieces {
		n += len(piece)
	}
	b.Lane, b.Function = make([]int, n), make([]int, n)
	for _, column := range []*[]int64{&b.Depth, &b.StartNs, &b.FinishNs, &b.Count, &b.BusyNs, &b.Longest} {
		*column = make([]int64, n)
	}
	i := 0
	for _, piece := range b.pieces {
		for j := range piece {
			x := &piece[j]
			b.Lane[i], b.Function[i], b.Depth[i], b.Longest[i] = x.lane, x.function, x.depth, x.longest
			b.StartNs[i], b.FinishNs[i], b.Count[i], b.BusyNs[i] = x.startNs, x.finishNs, x.count, x.busyNs
			i++
		}
	}
	b.pieces = nil
	return b
}

// AskError is a window that cannot be drawn.
type AskError struct{ Why string }

// Error implements error.
func (e *AskError) Error() string { return e.Why }

// Total is how many executions the boxes stand for.
func (b *Boxes) Total() (n int64) {
	for _, count := range b.Count {
		n += count
	}
	return n
}

// fewGroups is how many row groups of a bucket a window overlaps at most for its narrow executions to be read themselves.
const fewGroups = 2

// Window returns what is to be drawn of a window. Memory beside the cache is what is drawn.
func (r *Run) Window(a Ask) (*Boxes, error) {
	if a.Pixels < 1 || a.ToNs < a.FromNs {
		return nil, &AskError{fmt.Sprintf("a window from %d to %d ns of %d pixels shows nothing", a.FromNs, a.ToNs, a.Pixels)}
	}
	lanes, err := r.Lanes()
	if err != nil {
		return nil, err
	}
	out := &Boxes{places: make(map[string]int), codes: make(map[*schema.Names][]int)}
	for _, place := range a.Lanes {
		if place < 0 || place >= len(lanes) {
			return nil, &AskError{fmt.Sprintf("run %s has %d lanes: there is no lane %d", r.Name, len(lanes), place)}
		}
		lane := &lanes[place]
		p := &painter{
			run: r, out: out, lane: place, fromNs: a.FromNs + r.StartNs, toNs: a.ToNs + r.StartNs,
			pixelNs: max((a.ToNs-a.FromNs)/int64(a.Pixels), 1), tiles: r.tiles.Files[lane.bucket],
		}
		if err := p.paint(lane.trees, a.Depths); err != nil {
			return nil, err
		}
	}
	return out.fill(), nil
}

// painter makes the boxes of a lane.
type painter struct {
	run                   *Run
	out                   *Boxes
	lane                  int
	fromNs, toNs, pixelNs int64 // on the clock of the trace
	tiles                 lake.File
	forest                *forest
	tree                  *tree

	file   lake.File // of the executions
	footer *footer   // of that file
	depths int64     // how many depths are asked for
	few    bool      // whether the window overlaps few row groups
	pixel  int64     // of the last sum
	last   *box      // the last box
	sums   bool      // whether it is a sum that may grow

	names *schema.Names // whose function was placed last
	codes []int         // of these
}

// paint makes the boxes of some trees, as deep as asked for.
func (p *painter) paint(trees span, depths int64) (err error) {
	if p.forest, err = p.run.forest(p.tiles); err != nil {
		return err
	}
	if err := p.openExecutions(); err != nil {
		return err
	}
	p.depths = depths
	for i := trees.lo; i < trees.hi; i++ {
		if p.tree = &p.forest.trees[i]; p.tree.depth >= depths {
			break
		}
		p.sums = false
		top := len(p.tree.levels) - 1
		for row := p.tree.levels[top].lo; row < p.tree.levels[top].hi; row++ {
			if err := p.descend(top, row); err != nil {
				return err
			}
		}
		p.paintLongest()
	}
	return nil
}

// openExecutions finds the executions of the bucket, and how many of their row groups lie in the window.
func (p *painter) openExecutions() (err error) {
	file, has := p.run.fileOf(p.tiles)
	if !has {
		return fmt.Errorf("run %s has tiles and no executions of bucket %d: make them again with analyze drop and analyze run", p.run.Name, p.tiles.Bucket)
	}
	p.file = file
	if p.footer, err = p.run.footer(file); err != nil {
		return err
	}
	overlap := 0
	for _, g := range p.footer.groups {
		if g.finishNs[1] >= p.fromNs && g.finishNs[0] <= p.toNs {
			overlap++
		}
	}
	p.few = overlap <= fewGroups
	return nil
}

// known reports whether level 0 has all executions that are as wide as a pixel.
func (p *painter) known() bool { return p.tree.completeNs >= 0 && p.pixelNs >= p.tree.completeNs }

// wide reports whether a duration is a pixel or more. What takes no time is never wide.
func (p *painter) wide(ns int64) bool { return ns >= p.pixelNs }

// descend goes down from a tile to what is narrower than a pixel, or to executions.
func (p *painter) descend(level, row int) error {
	t := p.forest.rows
	startNs, finishNs := t.StartNs[row], t.FinishNs[row]
	if startNs > p.toNs || finishNs < p.fromNs {
		return nil
	}
	inside := startNs >= p.fromNs && finishNs <= p.toNs
	switch {
	case inside && !p.wide(finishNs-startNs) && !p.wide(t.LongestNs[row]):
		p.sum(startNs, finishNs, t.Executions[row], t.BusyNs[row], t.LongestNs[row], t.Longest[row], p.place(t.Names, t.Function[row]))
		return nil
	case level > 1:
		below := p.tree.levels[level-1]
		first := below.lo + (row-p.tree.levels[level].lo)*16
		for child := first; child < min(first+16, below.hi); child++ {
			if err := p.descend(level-1, child); err != nil {
				return err
			}
		}
		return nil
	}
	return p.lowest(row, inside)
}

// lowest paints the executions of a tile of level 1, from level 0 where that has all that matter, else from the executions.
func (p *painter) lowest(row int, inside bool) error {
	t := p.forest.rows
	after := int64(-1 << 63) // the seq of the exit before the tile's first one
	if row > p.tree.levels[1].lo {
		after = t.LastSeq[row-1]
	}
	copies := p.copies(after, t.LastSeq[row])
	all := int64(copies.hi-copies.lo) == t.Executions[row]
	if all {
		for i := copies.lo; i < copies.hi; i++ {
			p.execution(t.StartNs[i], t.FinishNs[i], t.Longest[i], t.Names, t.Function[i])
		}
		return nil
	}
	if !inside || p.few || p.wide(t.LongestNs[row]) && !p.known() {
		return p.read(after, t.LastSeq[row])
	}
	count, busyNs, wide := t.Executions[row], t.BusyNs[row], false
	for i := copies.lo; i < copies.hi; i++ {
		if p.wide(t.LongestNs[i]) {
			count, busyNs, wide = count-1, busyNs-t.LongestNs[i], true
		}
	}
	longest, function, longestNs := t.Longest[row], p.place(t.Names, t.Function[row]), t.LongestNs[row]
	if wide {
		longest, function, longestNs = schema.NoValue, -1, -1
	}
	if count > 0 {
		p.sums = false // it is wider than a pixel
		p.sum(t.StartNs[row], t.FinishNs[row], count, busyNs, longestNs, longest, function)
		p.sums = false
	}
	return nil
}

// copies are the rows of level 0 behind an exit, up to another one.
func (p *painter) copies(after, last int64) span {
	at, seq := p.tree.levels[0], p.forest.rows.LastSeq
	find := func(beyond int64) int {
		return at.lo + sort.Search(at.hi-at.lo, func(i int) bool { return seq[at.lo+i] > beyond })
	}
	return span{find(after), find(last)}
}

// paintLongest paints what level 0 has of the window where it has all that is wide. The others left these out.
func (p *painter) paintLongest() {
	if !p.known() {
		return
	}
	t, at := p.forest.rows, p.tree.levels[0]
	for i := at.lo; i < at.hi; i++ {
		if p.wide(t.LongestNs[i]) && t.StartNs[i] <= p.toNs && t.FinishNs[i] >= p.fromNs {
			p.box(t.StartNs[i], t.FinishNs[i], 1, t.LongestNs[i], t.Longest[i], p.place(t.Names, t.Function[i]))
		}
	}
}

// read paints the executions behind an exit, up to another one, from the row groups that may have some in the window.
func (p *painter) read(after, last int64) error {
	for i, g := range p.footer.groups {
		if g.finishSeq[1] <= after || g.finishSeq[0] > last || g.finishNs[1] < p.fromNs || g.startNs > p.toNs {
			continue
		}
		l, err := p.run.leaves(p.file, i, p.depths)
		if err != nil {
			return err
		}
		at := l.of(p.tree.lifeline, p.tree.depth)
		row := at.lo + sort.Search(at.hi-at.lo, func(i int) bool { return l.finishSeq[at.lo+i] > after })
		for ; row < at.hi && l.finishSeq[row] <= last; row++ {
			p.execution(l.startNs[row], l.finishNs[row], l.execution[row], l.names, l.function[row])
		}
	}
	return nil
}

// execution paints an execution, unless it lies outside of the window or is painted from level 0.
func (p *painter) execution(startNs, finishNs, execution int64, names *schema.Names, function schema.Code) {
	if startNs > p.toNs || finishNs < p.fromNs {
		return
	}
	ns := finishNs - startNs
	switch {
	case !p.wide(ns):
		p.sum(startNs, finishNs, 1, ns, ns, execution, p.place(names, function))
	case !p.known():
		p.box(startNs, finishNs, 1, ns, execution, p.place(names, function))
		p.sums = false
	}
}

// box appends a box.
func (p *painter) box(startNs, finishNs, count, busyNs, longest int64, function int) {
	origin := p.run.StartNs
	p.last = p.out.add(box{
		lane: p.lane, depth: p.tree.depth, startNs: startNs - origin, finishNs: finishNs - origin,
		count: count, busyNs: busyNs, longest: longest, longestNs: busyNs, function: function,
	})
}

// sum adds what is narrower than a pixel to the box of its pixel, or begins one.
func (p *painter) sum(startNs, finishNs, count, busyNs, longestNs, longest int64, function int) {
	origin := p.run.StartNs
	pixel := (max(startNs, p.fromNs) - p.fromNs) / p.pixelNs
	if !p.sums || pixel != p.pixel {
		p.box(startNs, finishNs, count, busyNs, longest, function)
		p.last.longestNs = longestNs
		p.sums, p.pixel = true, pixel
		return
	}
	b := p.last
	b.startNs, b.finishNs = min(b.startNs, startNs-origin), max(b.finishNs, finishNs-origin)
	b.count, b.busyNs = b.count+count, b.busyNs+busyNs
	if longestNs > b.longestNs {
		b.longestNs, b.longest, b.function = longestNs, longest, function
	}
}

// place is the place of a function among those of the boxes.
func (p *painter) place(names *schema.Names, function schema.Code) int {
	if names != p.names {
		if p.out.codes[names] == nil {
			p.out.codes[names] = make([]int, names.Functions.Len())
		}
		p.names, p.codes = names, p.out.codes[names]
	}
	codes := p.codes
	if codes[function] == 0 {
		name := names.Functions.Name(function)
		at, has := p.out.places[name]
		if !has {
			at = len(p.out.Functions)
			p.out.places[name] = at
			p.out.Functions = append(p.out.Functions, name)
		}
		codes[function] = at + 1
	}
	return codes[function] - 1
}
