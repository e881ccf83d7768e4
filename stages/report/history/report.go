// Package history reports in which release of a series a change is first seen. It takes the rows of the tables history and
// change_points and writes them as text for people (text.go), as JSON, or as the picture of one subject (picture.go).
package history

import (
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/jsonrows"
)

// Release is a release with its runs.
type Release struct {
	Name string   `json:"name"` // as the user gave it
	Runs []string `json:"runs"` // names of its runs
}

// Options say what is reported, and how.
type Options struct {
	Comparison string    // the name of the history
	By         string    // the label whose values are the releases
	Releases   []Release // in the order of the history
	Margin     float64   // relative change that does not matter, as a share of one
	Component  string    // only subjects of this component; empty for all
	Subject    string    // only subjects with this text in one of their names, in any case; empty for all
	Top        int       // change points that are printed
}

// Report is a history, reduced to the subjects that the options leave.
type Report struct {
	Options
	values   map[int64][]schema.ReleaseValue // by number of the subjects that are printed or drawn, in the order of the releases
	subjects []int64                         // in the order of the table
	costs    map[int64]int64                 // by number of these subjects that are fragments: ns in the newest release
	points   []schema.ChangePoint            // the changes of these subjects, by rank, but for those that follow from others of them
	follow   map[int64]int                   // by the rank of these, how many follow
	others   int                             // change points of these subjects within the margin or of unknown size
}

// New selects the subjects of a report. Points come by rank. scan hands out all values, by subject and release, each for the call
// only; it is called twice, since only the first time tells which of them are printed, and these alone are kept.
func New(o Options, points []schema.ChangePoint, scan func(each func(v *schema.ReleaseValue)) error) (*Report, error) {
	r := &Report{Options: o, values: make(map[int64][]schema.ReleaseValue), costs: make(map[int64]int64), follow: make(map[int64]int)}
	r.selectPoints(points)
	// 1. The first pass selects by the newest release, which every subject has a row for, and keeps of each its number, and its cost if it is a fragment.
	err := scan(func(v *schema.ReleaseValue) {
		if v.Position != int64(len(o.Releases)) || !o.selects(v.Component, v.Fragment, v.Subject, v.Function) {
			return
		}
		r.subjects = append(r.subjects, v.Series)
		if v.Level == schema.LevelFragment {
			r.costs[v.Series] = v.ValueNs
		}
	})
	if err != nil {
		return nil, err
	}
	// 2. The second pass keeps the values of what is shown, at most Top subjects and the drawn one.
	shown := r.printedSubjects()
	if drawn, found := r.PictureSubject(); found {
		shown = append(shown, drawn)
	}
	return r, scan(func(v *schema.ReleaseValue) {
		if slices.Contains(shown, v.Series) {
			r.values[v.Series] = append(r.values[v.Series], *v)
		}
	})
}

// selectPoints keeps the changes of the subjects of the report, and counts its other change points. What follows from another one that is kept is counted there:
// the first comes before by rank.
func (r *Report) selectPoints(points []schema.ChangePoint) {
	o := &r.Options // the filters of the report
	kept := make(map[int64]bool)
	for i := range points {
		switch p := &points[i]; {
		case !o.selects(p.Component, p.Fragment, p.Subject, p.Function):
		case p.Follows != nil && kept[*p.Follows]:
			r.follow[*p.Follows]++
		case verdicts.IsChange(p.Verdict):
			r.points, kept[p.Rank] = append(r.points, *p), true
		default:
			r.others++
		}
	}
}

// selects reports whether the options leave a subject of a component with some names.
// An empty text is contained in every name, so that it selects all.
func (o *Options) selects(component string, names ...string) bool {
	contains := func(name string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(o.Subject)) }
	return (o.Component == "" || o.Component == component) && slices.ContainsFunc(names, contains)
}

// printedPoints returns the change points that are printed.
func (r *Report) printedPoints() []schema.ChangePoint { return r.points[:min(len(r.points), r.Top)] }

// printedSubjects returns the subjects whose values are printed: those of the change points, then those that were asked for
// by name. Without either, it returns the fragments that cost most in the newest release.
func (r *Report) printedSubjects() []int64 {
	var list []int64
	for _, p := range r.printedPoints() {
		if !slices.Contains(list, p.Series) {
			list = append(list, p.Series)
		}
	}
	more := r.subjects
	switch {
	// By name: the list is filled up with them behind the change points.
	case r.Subject != "":
	case len(list) > 0:
		return list
	default:
		more = r.costliestFragments()
	}
	for _, k := range more {
		if len(list) < r.Top && !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	return list
}

// costliestFragments returns the fragments by their cost in the newest release, the highest first.
func (r *Report) costliestFragments() []int64 {
	list := slices.DeleteFunc(slices.Clone(r.subjects), func(k int64) bool { _, has := r.costs[k]; return !has })
	slices.SortStableFunc(list, func(a, b int64) int { return cmp.Compare(r.costs[b], r.costs[a]) })
	return list
}

// WriteJSON writes the printed change points and the values of the printed subjects, both with all their columns.
func (r *Report) WriteJSON(out io.Writer) error {
	var values []schema.ReleaseValue
	for _, k := range r.printedSubjects() {
		values = append(values, r.values[k]...)
	}
	return json.NewEncoder(out).Encode(struct {
		Comparison   string         `json:"comparison"`    // name of the history
		By           string         `json:"by"`            // the label whose values are releases
		Releases     []Release      `json:"releases"`      // in their order
		Subjects     int            `json:"subjects"`      // how many the options leave, printed or not
		ChangePoints []jsonrows.Row `json:"change_points"` // the printed ones, with the columns of the table change_points
		Values       []jsonrows.Row `json:"values"`        // of the printed subjects, with the columns of the table history
	}{r.Comparison, r.By, r.Releases, len(r.subjects), jsonrows.ByColumn(r.printedPoints()), jsonrows.ByColumn(values)})
}
