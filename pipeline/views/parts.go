package views

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// forest is the trees of tiles of a bucket.
type forest struct {
	rows  *schema.Tiles
	trees []tree // by the name of the lifeline, then by depth
}

// tree is the tiles of a lifeline at a depth.
type tree struct {
	component, lifeline string
	depth               int64
	levels              []span // rows by level; level 0 has the longest executions
	completeNs          int64  // level 0 has all executions that take so long; -1: it has none
}

// span is the rows from lo to hi-1.
type span struct{ lo, hi int }

// tileBytes is what a row takes: seven columns of eight bytes, and one of codes.
const tileBytes = 60

// forest decodes the tiles of a bucket, or takes them from the cache.
func (r *Run) forest(f lake.File) (*forest, error) {
	return Keep(r.cache, f.Path, func() (*forest, int64, error) {
		names := new(schema.Names)
		t, part := &forest{rows: schema.NewTiles(names)}, schema.NewTiles(names)
		err := r.lake.Scan(r.ctx, []lake.File{f}, part, lake.ScanOptions{}, func() error {
			schema.AppendRows(t.rows, part, 0, schema.Rows(part))
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
		t.plant()
		t.rows.Component, t.rows.Lifeline, t.rows.Depth, t.rows.Level = nil, nil, nil, nil // the trees have them
		return t, f.Rows*tileBytes + nameBytes(names), nil
	})
}

// plant finds the trees and their levels.
func (t *forest) plant() {
	names := t.rows.Names
	line, depth, level := schema.NoCode, int64(-1), int64(-1)
	for i := range t.rows.Level {
		if t.rows.Lifeline[i] != line || t.rows.Depth[i] != depth {
			line, depth, level = t.rows.Lifeline[i], t.rows.Depth[i], -1
			t.trees = append(t.trees, tree{
				component: names.Components.Name(t.rows.Component[i]), lifeline: names.Lifelines.Name(line), depth: depth, completeNs: -1,
			})
		}
		at := &t.trees[len(t.trees)-1]
		for ; level < t.rows.Level[i]; level++ {
			at.levels = append(at.levels, span{i, i})
		}
		at.levels[level].hi = i + 1
		if level == 0 && (at.completeNs < 0 || t.rows.LongestNs[i] < at.completeNs) {
			at.completeNs = t.rows.LongestNs[i]
		}
	}
}

// footer is what a file of executions states about its row groups.
type footer struct {
	groups []bounds
	file   *lake.Footer // kept, as reading it takes as long as decoding half a row group
}

// bounds are the least and greatest values of a row group.
type bounds struct {
	startNs          int64 // least
	finishNs         [2]int64
	finishSeq        [2]int64
	executions, rows int64 // the least number of one; how many
}

// footer reads the bounds of all row groups, or takes them from the cache.
func (r *Run) footer(f lake.File) (*footer, error) {
	return Keep(r.cache, f.Path+"#", func() (*footer, int64, error) {
		in, err := r.lake.Reader(f, schema.NewExecutions(new(schema.Names)), "finish_seq")
		if err != nil {
			return nil, 0, err
		}
		defer in.Close()
		out := new(footer)
		for g := range in.Groups() {
			s := in.Stats(g)
			b := bounds{rows: s.Rows}
			var ok [4]bool
			b.startNs, _, ok[0] = s.Ints("start_ns")
			b.finishNs[0], b.finishNs[1], ok[1] = s.Ints("finish_ns")
			b.finishSeq[0], b.finishSeq[1], ok[2] = s.Ints("finish_seq")
			b.executions, _, ok[3] = s.Ints("execution")
			if slices.Contains(ok[:], false) && s.Rows > 0 {
				return nil, 0, fmt.Errorf("%s: row group %d states no bounds: make the table again with analyze drop and analyze run", r.lake.Path(f), g)
			}
			out.groups = append(out.groups, b)
		}
		out.file = in.Footer()
		return out, int64(len(out.groups))*64 + out.file.Bytes(), nil
	})
}

// leaves are the executions of a row group by lifeline and depth, each in the order of their finish.
type leaves struct {
	names                                   *schema.Names
	places                                  map[string][]span // by lifeline, then by depth
	startNs, finishNs, execution, finishSeq []int64
	function                                []schema.Code
}

// leafBytes is what an execution takes.
const leafBytes = 36

// leafColumns are the columns that boxes are made of.
var leafColumns = []string{"execution", "lifeline", "function", "start_ns", "finish_ns", "depth", "finish_seq"}

// leaves decodes a row group of executions, or takes it from the cache. Of collapsed lanes only the outermost executions are kept, so that the row
// groups of many lanes stay in the cache.
func (r *Run) leaves(f lake.File, group int, depths int64) (*leaves, error) {
	foot, err := r.footer(f)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprint(f.Path, "#", group)
	if depths == 1 {
		key += "#outermost"
	}
	return Keep(r.cache, key, func() (*leaves, int64, error) {
		x := schema.NewExecutions(new(schema.Names))
		in, err := r.lake.ReaderOf(f, foot.file, x, leafColumns...)
		if err != nil {
			return nil, 0, err
		}
		defer in.Close()
		if err := in.Read(group); err != nil {
			return nil, 0, err
		}
		l := groupByPlace(x, depths)
		return l, int64(len(l.execution))*leafBytes + nameBytes(x.Names), nil
	})
}

// groupByPlace brings executions in the order of lifeline, depth and finish: a counting sort. Depths are all, or 1 for the outermost executions.
func groupByPlace(x *schema.Executions, depths int64) *leaves {
	var counts [][]int // by code of the lifeline, then by depth
	n := 0
	for i, line := range x.Lifeline {
		if depths == 1 && x.Depth[i] > 0 {
			continue
		}
		n++
		counts = schema.GrowTo(counts, int(line)+1)
		counts[line] = schema.GrowTo(counts[line], int(x.Depth[i])+1)
		counts[line][x.Depth[i]]++
	}
	l := &leaves{
		names: x.Names, places: make(map[string][]span), function: make([]schema.Code, n),
		startNs: make([]int64, n), finishNs: make([]int64, n), execution: make([]int64, n), finishSeq: make([]int64, n),
	}
	at := 0
	for line, depths := range counts {
		spans := make([]span, len(depths))
		for d, count := range depths {
			spans[d], depths[d] = span{at, at + count}, at
			at += count
		}
		l.places[x.Names.Lifelines.Name(schema.Code(line))] = spans
	}
	for i, line := range x.Lifeline {
		if depths == 1 && x.Depth[i] > 0 {
			continue
		}
		next := &counts[line][x.Depth[i]]
		l.startNs[*next], l.finishNs[*next], l.execution[*next], l.finishSeq[*next] = x.StartNs[i], x.FinishNs[i], x.Execution[i], x.FinishSeq[i]
		l.function[*next] = x.Function[i]
		*next++
	}
	return l
}

// of returns the rows of a lifeline at a depth.
func (l *leaves) of(lifeline string, depth int64) span {
	if spans := l.places[lifeline]; int(depth) < len(spans) {
		return spans[depth]
	}
	return span{}
}

// nameBytes is about what dictionaries take: every name with its header, twice, since it is also the key of a map.
func nameBytes(n *schema.Names) (bytes int64) {
	for _, d := range []*schema.Dictionary{&n.Components, &n.Lifelines, &n.Functions} {
		for _, name := range d.Names() {
			bytes += int64(len(name)) + 64
		}
	}
	return bytes
}
