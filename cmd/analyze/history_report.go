package main

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/history"
	"github.com/tracelake/tracelake/schema"
)

// historyReport is what is told of a history.
type historyReport struct {
	job      history.Job
	flags    historyFlags
	values   map[int64][]schema.ReleaseValue // by number of the subject, in the order of the releases
	subjects []int64                         // those that --component and --subject leave, in the order of the table
	points   []schema.ChangePoint            // of these
	others   int                             // of these: change points whose size is within the margin, or not known well enough
}

func newHistoryReport(j history.Job, f historyFlags, t *history.Tables) *historyReport {
	r := &historyReport{job: j, flags: f, values: make(map[int64][]schema.ReleaseValue)}
	for i := range t.Values {
		v := &t.Values[i]
		k := v.Series
		if r.values[k] == nil && f.wants(v.Component, v.Fragment, v.Subject, v.Function) {
			r.subjects = append(r.subjects, k)
		}
		r.values[k] = append(r.values[k], *v)
	}
	for i := range t.Points {
		switch p := &t.Points[i]; {
		case !f.wants(p.Component, p.Fragment, p.Subject, p.Function):
		case history.Notable(p.Verdict):
			r.points = append(r.points, *p)
		default:
			r.others++
		}
	}
	return r
}

// wants says whether a subject is asked for.
func (f *historyFlags) wants(component string, names ...string) bool {
	has := func(name string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(f.subject)) }
	return (f.component == "" || f.component == component) && slices.ContainsFunc(names, has)
}

// tabled are the subjects whose values are printed: those of the change points, then those asked for by name. Without either,
// the fragments that cost most in the newest release.
func (r *historyReport) tabled() []int64 {
	var list []int64
	for i := range r.points[:min(len(r.points), r.flags.top)] {
		if k := r.points[i].Series; !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	more := r.subjects
	switch {
	case r.flags.subject != "":
	case len(list) > 0:
		return list
	default:
		more = r.costliest()
	}
	for _, k := range more {
		if len(list) < r.flags.top && !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	return list
}

// costliest are the fragments, those that cost most in the newest release first.
func (r *historyReport) costliest() []int64 {
	last := len(r.job.Releases) - 1
	list := slices.DeleteFunc(slices.Clone(r.subjects), func(k int64) bool { return r.values[k][0].Level != schema.LevelFragment })
	slices.SortStableFunc(list, func(a, b int64) int { return cmp.Compare(r.values[b][last].ValueNs, r.values[a][last].ValueNs) })
	return list
}

// historyForMachines is a history: its change points with all their columns, and the values of the subjects printed.
type historyForMachines struct {
	Comparison   string           `json:"comparison"`
	By           string           `json:"by"`
	Releases     []modelSetRuns   `json:"releases"`
	Subjects     int              `json:"subjects"`
	ChangePoints []map[string]any `json:"change_points"`
	Values       []map[string]any `json:"values"`
}

func (r *historyReport) json(out io.Writer) error {
	h := historyForMachines{Comparison: r.job.ID, By: r.flags.by, Subjects: len(r.subjects)}
	for _, of := range r.job.Releases {
		h.Releases = append(h.Releases, modelSetRuns(of))
	}
	h.ChangePoints = rowsByColumn(r.points[:min(len(r.points), r.flags.top)])
	var values []schema.ReleaseValue
	for _, k := range r.tabled() {
		values = append(values, r.values[k]...)
	}
	h.Values = rowsByColumn(values)
	return json.NewEncoder(out).Encode(h)
}
