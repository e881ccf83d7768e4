package views

import (
	"cmp"
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Run is a run whose windows are looked at, as it is at one instant: its files are those of one inventory. It is good for one
// request, whose context it has.
type Run struct {
	schema.Run
	Name string // as the lake has it

	ctx                        context.Context
	lake                       *lake.Lake
	cache                      *Cache
	executions, tiles, message *lake.Manifest
	constraints, slack         *lake.Manifest // nil where the run has none
	attributes                 *lake.Manifest // likewise
}

// Open finds a run. It is a lake.UnknownRunError where the lake has none of this name, and a *lake.NotAnalyzedError where it has no
// executions or no tiles.
func Open(ctx context.Context, l *lake.Lake, cache *Cache, name string) (*Run, error) {
	v, err := l.Inventory(lake.Run(name))
	if err != nil {
		return nil, err
	}
	r := &Run{Name: name, ctx: ctx, lake: l, cache: cache, constraints: v.Table("constraints"), slack: v.Table("slack"), attributes: v.Table("attributes")}
	described := v.Table("runs")
	if described == nil {
		return nil, lake.UnknownRunError(name)
	}
	for _, t := range []struct {
		name string
		into **lake.Manifest
	}{{"executions", &r.executions}, {"tiles", &r.tiles}, {"messages", &r.message}} {
		if *t.into = v.Table(t.name); *t.into == nil {
			return nil, &lake.NotAnalyzedError{Run: name, Table: t.name}
		}
	}
	rows, err := lake.ReadFile[schema.Run](ctx, l, described.Files[0])
	if err == nil {
		r.Run = rows[0]
	}
	return r, err
}

// Version changes whenever the lanes of the run do.
func (r *Run) Version() string { return r.tiles.Fingerprint[:16] }

// Inputs changes whenever the executions of the run or what the trace says of them do.
func (r *Run) Inputs() string {
	if r.attributes == nil {
		return r.executions.Fingerprint
	}
	return r.executions.Fingerprint + r.attributes.Fingerprint
}

// Lane is a lifeline of a run.
type Lane struct {
	Lifeline   string `json:"lifeline"`   // its name
	Component  string `json:"component"`  // whose it is
	Depths     int64  `json:"depths"`     // how deep its calls nest: 1 where none does
	Executions int64  `json:"executions"` // at all depths
	BusyNs     int64  `json:"busy_ns"`    // in root executions
	StartNs    int64  `json:"start_ns"`   // of the first execution, since the run's first event
	FinishNs   int64  `json:"finish_ns"`  // of the last

	bucket int // position among the files of tiles
	trees  span
}

// Lanes lists the lifelines that have executions, the busiest first. Their places in the list are what Ask names them by.
func (r *Run) Lanes() ([]Lane, error) {
	var lanes []Lane
	for bucket, f := range r.tiles.Files {
		t, err := r.forest(f)
		if err != nil {
			return nil, err
		}
		for i := range t.trees {
			at := &t.trees[i]
			if n := len(lanes); n == 0 || lanes[n-1].bucket != bucket || lanes[n-1].Lifeline != at.lifeline {
				lanes = append(lanes, Lane{Lifeline: at.lifeline, Component: at.component, StartNs: 1<<63 - 1, FinishNs: -1 << 63, bucket: bucket, trees: span{i, i}})
			}
			lane := &lanes[len(lanes)-1]
			lane.trees.hi, lane.Depths = i+1, at.depth+1
			top := at.levels[len(at.levels)-1]
			for row := top.lo; row < top.hi; row++ {
				lane.Executions += t.rows.Executions[row]
				lane.StartNs, lane.FinishNs = min(lane.StartNs, t.rows.StartNs[row]-r.StartNs), max(lane.FinishNs, t.rows.FinishNs[row]-r.StartNs)
				if at.depth == 0 {
					lane.BusyNs += t.rows.BusyNs[row]
				}
			}
		}
	}
	slices.SortStableFunc(lanes, func(a, b Lane) int {
		return cmp.Or(cmp.Compare(b.BusyNs, a.BusyNs), cmp.Compare(a.Lifeline, b.Lifeline))
	})
	return lanes, nil
}

// fileOf returns the file of executions of the bucket of a file of tiles.
func (r *Run) fileOf(tiles lake.File) (lake.File, bool) {
	i := slices.IndexFunc(r.executions.Files, func(f lake.File) bool { return f.Bucket == tiles.Bucket })
	if i < 0 {
		return lake.File{}, false
	}
	return r.executions.Files[i], true
}
