package views

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Groups are the executions of a run in lanes that lifelines do not make: a lane for every function, or for every value of an attribute. In the
// words of Hendriks et al. 2024, section 2.2, a run by lifelines is the resource view of a trace, and one by functions or by an attribute an
// activity view. Executions of a lane that overlap stand below each other.
type Groups struct {
	run   *Run
	lanes []Lane
	rows  [][]grouped // by lane, then by row: what does not overlap, in the order of time
	names *schema.Names
}

// grouped is one execution, on the clock of the trace.
type grouped struct {
	startNs, finishNs, execution int64
	function                     schema.Code
}

const groupedBytes = 32

// mostGrouped is how many executions a run may have for its lanes to be made anew, since all of them are in memory.
const mostGrouped = 2 << 20

// mostRows is how many executions of a lane may stand below each other; what overlaps more shares the last row.
const mostRows = 64

// ByFunction is the name under which runs are grouped by functions.
const ByFunction = "function"

// attributePrefix stands before the name of an attribute by which runs are grouped.
const attributePrefix = "attribute:"

// Grouped returns the executions of the run by "function", or by "attribute:NAME".
func (r *Run) Grouped(by string) (*Groups, error) {
	if r.Executions > mostGrouped {
		return nil, &AskError{fmt.Sprintf("run %s has %d executions; lanes by %s are made of up to %d: cut a window out with ingest, or look at it by lifelines", r.Name, r.Executions, by, mostGrouped)}
	}
	laneOf := func(_ int64, function string) string { return function }
	if by != ByFunction {
		if len(by) <= len(attributePrefix) || by[:len(attributePrefix)] != attributePrefix {
			return nil, &AskError{fmt.Sprintf("lanes by %q: function, or attribute:NAME", by)}
		}
		g, err := r.Attribute(by[len(attributePrefix):])
		if err != nil {
			return nil, err
		}
		laneOf = func(execution int64, _ string) string {
			if at := g.of(execution); at >= 0 {
				return g.values[at]
			}
			return "(none)"
		}
	}
	g, err := Keep(r.cache, r.executions.Fingerprint+"#by "+by, func() (*Groups, int64, error) {
		g, err := r.group(laneOf)
		return g, r.Executions * groupedBytes, err
	})
	if err != nil {
		return nil, err
	}
	return &Groups{r, g.lanes, g.rows, g.names}, nil
}

// group reads all executions and puts them into lanes.
func (r *Run) group(laneOf func(execution int64, function string) string) (*Groups, error) {
	x := schema.NewExecutions(new(schema.Names))
	lanes := make(map[string][]grouped)
	err := r.lake.Scan(r.ctx, r.executions.Files, x, lake.ScanOptions{Columns: []string{"execution", "function", "start_ns", "finish_ns"}}, func() error {
		for i, execution := range x.Execution {
			name := laneOf(execution, x.Names.Functions.Name(x.Function[i]))
			lanes[name] = append(lanes[name], grouped{x.StartNs[i], x.FinishNs[i], execution, x.Function[i]})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	g := &Groups{names: x.Names}
	busy := make(map[string]int64)
	names := make([]string, 0, len(lanes))
	for name, all := range lanes {
		for _, one := range all {
			busy[name] += one.finishNs - one.startNs
		}
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(busy[b], busy[a]), compareValues(a, b)) })
	for _, name := range names {
		all := lanes[name]
		slices.SortFunc(all, func(a, b grouped) int {
			return cmp.Or(cmp.Compare(a.startNs, b.startNs), cmp.Compare(b.finishNs, a.finishNs), cmp.Compare(a.execution, b.execution))
		})
		lane := Lane{Lifeline: name, Executions: int64(len(all)), BusyNs: busy[name], StartNs: all[0].startNs - r.StartNs, trees: span{len(g.rows), len(g.rows)}}
		for _, one := range all {
			lane.FinishNs = max(lane.FinishNs, one.finishNs-r.StartNs)
		}
		g.rows = append(g.rows, stack(all)...)
		lane.trees.hi = len(g.rows)
		lane.Depths = int64(lane.trees.hi - lane.trees.lo)
		g.lanes = append(g.lanes, lane)
	}
	return g, nil
}

// stack puts executions, in the order of their starts, into the first row that is free.
func stack(all []grouped) (rows [][]grouped) {
	for _, one := range all {
		at := slices.IndexFunc(rows, func(row []grouped) bool { return row[len(row)-1].finishNs <= one.startNs })
		if at < 0 && len(rows) < mostRows {
			at, rows = len(rows), append(rows, nil)
		} else if at < 0 {
			at = mostRows - 1
		}
		rows[at] = append(rows[at], one)
	}
	return rows
}

// Lanes lists the lanes, the busiest first.
func (g *Groups) Lanes() []Lane { return g.lanes }

// Window returns what is to be drawn of a window, as Run.Window does.
func (g *Groups) Window(a Ask) (*Boxes, error) {
	if a.Pixels < 1 || a.ToNs < a.FromNs {
		return nil, &AskError{fmt.Sprintf("a window from %d to %d ns of %d pixels shows nothing", a.FromNs, a.ToNs, a.Pixels)}
	}
	out := &Boxes{places: make(map[string]int), codes: make(map[*schema.Names][]int)}
	for _, place := range a.Lanes {
		if place < 0 || place >= len(g.lanes) {
			return nil, &AskError{fmt.Sprintf("run %s has %d lanes: there is no lane %d", g.run.Name, len(g.lanes), place)}
		}
		p := &painter{
			run: g.run, out: out, lane: place, fromNs: a.FromNs + g.run.StartNs, toNs: a.ToNs + g.run.StartNs, pixelNs: max((a.ToNs-a.FromNs)/int64(a.Pixels), 1),
		}
		for depth, row := range g.rows[g.lanes[place].trees.lo:g.lanes[place].trees.hi] {
			if int64(depth) >= a.Depths {
				break
			}
			p.tree, p.sums = &tree{depth: int64(depth), completeNs: -1}, false
			first := 0
			if depth < mostRows-1 { // nothing overlaps, so that finishes are in order, too
				first = sort.Search(len(row), func(i int) bool { return row[i].finishNs >= p.fromNs })
			}
			for ; first < len(row) && row[first].startNs <= p.toNs; first++ {
				one := &row[first]
				p.execution(one.startNs, one.finishNs, one.execution, g.names, one.function)
			}
		}
	}
	return out.fill(), nil
}
