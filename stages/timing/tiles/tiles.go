// Package tiles sums executions up by neighbours, so that a picture of any window of a run costs what it shows: a viewer takes the
// largest tiles that are narrower than a pixel instead of the millions of executions below them.
//
// The executions of a lifeline at a depth, in the order of their finish, are the leaves of a tree in which every node has 16
// children (schema.Tiles). A node has what a box on the screen needs: earliest start, latest finish, sum of durations,
// number, and the longest execution with its function. Executions come in the order of their finish, so that level 1 grows from
// the left, and the levels above are made of it at the end: a run costs one pass and 1/15 of its executions in rows.
//
// The longest executions of every lifeline and depth are kept beside the tree, since a picture of the whole run shows these exactly,
// and would else have to read all executions for them.
package tiles

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Fan is the number of neighbours that a tile sums up.
const Fan = 16

// The longest executions of a lifeline at a depth that level 0 has: at most mostLongest, each of which takes at least one part of
// shareOfTime of the time between the first start and the last finish. A picture of this width can show no more.
const (
	mostLongest = 2048
	shareOfTime = 4096
)

// Builder sums up the executions of a partition, in the order of their finish.
type Builder struct {
	names *schema.Names
	lanes [][]*lane // by code of the lifeline, then by depth
}

// node is a tile that may grow.
type node struct {
	startNs, finishNs, busyNs   int64 // earliest start, latest finish, sum of durations
	executions                  int64 // how many
	longest, longestNs, lastSeq int64
	function                    schema.Code // of the longest
}

// lane is the tree of a lifeline at a depth.
type lane struct {
	component         schema.Code
	levels            [][]node // from level 1 on; the last of a level may be unfinished
	longest           []node   // candidates for level 0, in the order of their finish
	droppedNs         int64    // the longest duration among candidates that were dropped for being too many; -1: none was
	startNs, finishNs int64    // of all executions
}

// NewBuilder returns a builder for executions with these names; tiles share them.
func NewBuilder(names *schema.Names) *Builder { return &Builder{names: names} }

// Add sums up the next executions.
func (b *Builder) Add(x *schema.Executions) {
	for i, line := range x.Lifeline {
		b.lane(line, x.Depth[i], x.Component[i]).add(node{
			startNs: x.StartNs[i], finishNs: x.FinishNs[i], busyNs: x.FinishNs[i] - x.StartNs[i], executions: 1,
			longest: x.Execution[i], longestNs: x.FinishNs[i] - x.StartNs[i], lastSeq: x.FinishSeq[i], function: x.Function[i],
		})
	}
}

// lane finds the tree of a lifeline at a depth, or begins it.
func (b *Builder) lane(line schema.Code, depth int64, component schema.Code) *lane {
	b.lanes = schema.GrowTo(b.lanes, int(line)+1)
	b.lanes[line] = schema.GrowTo(b.lanes[line], int(depth)+1)
	l := b.lanes[line][depth]
	if l == nil {
		l = &lane{component: component, droppedNs: -1}
		b.lanes[line][depth] = l
	}
	return l
}

// add adds an execution to the last tile of level 1, and that to the one above when it is full.
func (l *lane) add(x node) {
	if len(l.levels) == 0 {
		l.levels = append(l.levels, nil)
		l.startNs, l.finishNs = x.startNs, x.finishNs
	}
	l.startNs, l.finishNs = min(l.startNs, x.startNs), max(l.finishNs, x.finishNs)
	l.keepLongest(x)
	tiles := l.levels[0]
	if n := len(tiles); n > 0 && tiles[n-1].executions < Fan {
		tiles[n-1].join(x)
		return
	}
	l.levels[0] = append(tiles, x)
}

// join adds an execution, or a tile of later ones, to a tile.
func (t *node) join(x node) {
	t.startNs, t.finishNs = min(t.startNs, x.startNs), max(t.finishNs, x.finishNs)
	t.busyNs += x.busyNs
	t.executions += x.executions
	t.lastSeq = x.lastSeq
	if x.longestNs > t.longestNs {
		t.longest, t.longestNs, t.function = x.longest, x.longestNs, x.function
	}
}

// keepLongest keeps an execution as a candidate for level 0. What is too short for the time so far is too short for all time.
func (l *lane) keepLongest(x node) {
	if !l.isLong(x) {
		return
	}
	l.longest = append(l.longest, x)
	if len(l.longest) >= 2*mostLongest {
		l.dropShortest()
	}
}

// isLong reports whether an execution takes long enough for level 0.
func (l *lane) isLong(x node) bool {
	return x.longestNs > l.droppedNs && x.longestNs >= (l.finishNs-l.startNs)/shareOfTime
}

// dropShortest drops candidates that are too short or too many. Of several that last as long as the longest one that is dropped, none
// stays, so that level 0 is complete from its shortest execution on.
func (l *lane) dropShortest() {
	l.longest = slices.DeleteFunc(l.longest, func(x node) bool { return !l.isLong(x) })
	if len(l.longest) <= mostLongest {
		return
	}
	durations := make([]int64, len(l.longest))
	for i, x := range l.longest {
		durations[i] = x.longestNs
	}
	slices.SortFunc(durations, func(a, b int64) int { return cmp.Compare(b, a) })
	l.droppedNs = durations[mostLongest]
	l.longest = slices.DeleteFunc(l.longest, func(x node) bool { return !l.isLong(x) })
}

// Tiles returns the tiles, by the name of the lifeline, then depth, level and finish. The builder takes no executions afterwards.
func (b *Builder) Tiles() *schema.Tiles {
	rows := schema.NewTiles(b.names)
	for _, line := range b.names.Lifelines.Sorted() {
		if int(line) >= len(b.lanes) {
			continue
		}
		for depth, l := range b.lanes[line] {
			if l != nil {
				l.appendTo(rows, line, int64(depth))
			}
		}
	}
	return rows
}

// appendTo builds the levels above the first and appends all.
func (l *lane) appendTo(rows *schema.Tiles, line schema.Code, depth int64) {
	l.dropShortest()
	for tiles := l.levels[0]; len(tiles) > Fan; {
		above := make([]node, 0, (len(tiles)+Fan-1)/Fan)
		for i, t := range tiles {
			if i%Fan == 0 {
				above = append(above, t)
			} else {
				above[len(above)-1].join(t)
			}
		}
		l.levels = append(l.levels, above)
		tiles = above
	}
	l.appendLevel(rows, line, depth, 0, l.longest)
	for i, tiles := range l.levels {
		l.appendLevel(rows, line, depth, int64(i+1), tiles)
	}
}

// appendLevel appends the tiles of a level.
func (l *lane) appendLevel(rows *schema.Tiles, line schema.Code, depth, level int64, tiles []node) {
	at := len(rows.Level)
	schema.Extend(rows, len(tiles))
	for i, t := range tiles {
		k := at + i
		rows.Component[k], rows.Lifeline[k], rows.Depth[k], rows.Level[k] = l.component, line, depth, level
		rows.StartNs[k], rows.FinishNs[k], rows.BusyNs[k], rows.Executions[k] = t.startNs, t.finishNs, t.busyNs, t.executions
		rows.Longest[k], rows.LongestNs[k], rows.Function[k], rows.LastSeq[k] = t.longest, t.longestNs, t.function, t.lastSeq
	}
}
