package serve

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/jsonrows"
)

// history returns the tables of a history: the values of all series by release, and where their levels change.
func (s *site) history(r *http.Request) (any, error) {
	name := r.PathValue("name")
	v, err := s.partition("comparison", name)
	if err != nil {
		return nil, err
	}
	if v.Table("history") == nil || v.Table("change_points") == nil {
		return nil, notFound(fmt.Sprintf("%s has no history: make one with analyze history", name))
	}
	values, err := lake.Read[schema.ReleaseValue](s.lake, "history", lake.Comparison(name))
	points, fault := lake.Read[schema.ChangePoint](s.lake, "change_points", lake.Comparison(name))
	return struct {
		History string         `json:"history"`
		Values  jsonrows.Table `json:"values"`
		Points  jsonrows.Table `json:"points"`
	}{name, jsonrows.Columns(values), jsonrows.Columns(points)}, errors.Join(err, fault)
}

// mostRelations is how many relations between clocks a page is told of.
const mostRelations = 2000

// relation is how two occurrences of clocks stand to each other. Times count from the run's first event.
type relation struct {
	Constraint string `json:"constraint"`
	Relation   string `json:"relation"`
	Left       string `json:"left"`
	LeftIndex  int64  `json:"left_index"`
	LeftNs     *int64 `json:"left_ns"` // null where it is no event of a trace
	Right      string `json:"right"`
	RightIndex int64  `json:"right_index"`
	RightNs    *int64 `json:"right_ns"`

	leftSeq, rightSeq int64
}

// clocks returns how the clocks of the units of a reconciled run relate, and the first relations between their occurrences.
func (s *site) clocks(r *http.Request) (any, error) {
	name := r.PathValue("name")
	v, err := s.partition("run", name)
	if err != nil {
		return nil, err
	}
	if v.Table("clock_bounds") == nil {
		return nil, notFound(fmt.Sprintf("run %s has one clock only: analyze reconcile makes one run of the traces of several units", name))
	}
	bounds, err := lake.Read[schema.ClockBound](s.lake, "clock_bounds", lake.Run(name))
	if err != nil {
		return nil, err
	}
	described, err := lake.Read[schema.Run](s.lake, "runs", lake.Run(name))
	if err != nil {
		return nil, err
	}
	relations, total, err := s.relations(r, v, described[0].StartNs)
	return struct {
		Run        string         `json:"run"`
		StartNs    string         `json:"start_ns"` // as text: a number of JavaScript is not exact there
		DurationNs int64          `json:"duration_ns"`
		Bounds     []jsonrows.Row `json:"bounds"`
		Relations  []relation     `json:"relations"` // the first ones
		Total      int64          `json:"total"`     // relations, told or not
	}{name, strconv.FormatInt(described[0].StartNs, 10), described[0].DurationNs, jsonrows.ByColumn(bounds), relations, total}, err
}

// relations reads the first relations of a run, with the times of their events.
func (s *site) relations(r *http.Request, v *lake.Inventory, originNs int64) (all []relation, total int64, err error) {
	all = []relation{}
	m := v.Table("occurrences")
	if m == nil {
		return all, 0, nil
	}
	total = m.Rows()
	o := schema.NewOccurrences()
	err = s.lake.Scan(r.Context(), m.Files, o, lake.ScanOptions{}, func() error {
		for i := 0; i < len(o.Constraint) && len(all) < mostRelations; i++ {
			all = append(all, relation{
				Constraint: o.Constraints.Name(o.Constraint[i]), Relation: schema.RelationWords[o.Relation[i]], Left: o.Clocks.Name(o.LeftClock[i]), LeftIndex: o.LeftIndex[i],
				Right: o.Clocks.Name(o.RightClock[i]), RightIndex: o.RightIndex[i], leftSeq: o.LeftSeq[i], rightSeq: o.RightSeq[i],
			})
		}
		return nil
	})
	if err != nil || v.Table("events") == nil {
		return all, total, err
	}
	times := make(map[int64]int64)
	for _, one := range all {
		times[one.leftSeq], times[one.rightSeq] = schema.NoValue, schema.NoValue
	}
	e := schema.NewEvents()
	err = s.lake.Scan(r.Context(), v.Table("events").Files, e, lake.ScanOptions{Columns: []string{"seq", "time_ns"}}, func() error {
		for i, seq := range e.Seq {
			if _, wanted := times[seq]; wanted {
				times[seq] = e.TimeNs[i] - originNs
			}
		}
		return nil
	})
	for i := range all {
		all[i].LeftNs, all[i].RightNs = known(times, all[i].leftSeq), known(times, all[i].rightSeq)
	}
	return all, total, err
}

// known returns the time of an event; nil where there is none.
func known(times map[int64]int64, seq int64) *int64 {
	if ns, has := times[seq]; has && ns != schema.NoValue {
		return &ns
	}
	return nil
}
