package history

import (
	"fmt"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/figures"
)

// PictureSubject returns the number of the subject to draw: that of the first change point or, where there is none, the
// first one that was asked for by name. found is false where the report names no subject.
func (r *Report) PictureSubject() (series int64, found bool) {
	switch {
	// Points are by rank, so the first one is where to look first.
	case len(r.points) > 0:
		return r.points[0].Series, true
	case r.Subject == "" || len(r.subjects) == 0:
		return 0, false
	}
	return r.subjects[0], true
}

// Picture returns the history of a subject as a figure. costsNs are the costs per root execution of the runs of every
// release, which the tables do not keep.
func (r *Report) Picture(series int64, costsNs [][]float64) figures.Series {
	// 1. The runs of each release as points.
	values := r.values[series]
	figure := figures.Series{
		Title: subjectTitle(&values[0]), Quantity: "cost",
		Caption: fmt.Sprintf("analyze history --by %s --subject %q", r.By, r.Subject),
	}
	for i, v := range values {
		figure.Releases = append(figure.Releases, figures.Release{Name: v.Release, RunsNs: costsNs[i]})
	}
	// 2. Where levels begin, by the segments of the table, and the change points with their labels. A trend is a slope of its own: it
	// ends with its last release, where the next level begins.
	slopes := make(map[int]changePoint) // by the position of their first release, from 0
	begins := []int{len(values)}        // of levels and slopes, from 0
	for i := range values {
		if i == 0 || values[i].Segment != values[i-1].Segment {
			begins = append(begins, i)
		}
	}
	for i := range r.points {
		p := changePoint{&r.points[i]}
		if p.Series != series {
			continue
		}
		// Positions of the tables count from 1, those of figures from 0.
		figure.Changes = append(figure.Changes, figures.Change{At: int(p.Position - 1), Note: p.pictureLabel()})
		if p.Kind == schema.KindTrend {
			from := int(p.Position - 1)
			last := slices.IndexFunc(values, func(v schema.ReleaseValue) bool { return v.Release == p.Last })
			slopes[from], begins = p, append(begins, from, last+1)
		}
	}
	// 3. A line for each level, and for each slope one from the cost before it to the cost after.
	slices.Sort(begins)
	begins = slices.Compact(begins)
	for i, from := range begins[:len(begins)-1] {
		level := segmentLevel(values[from:begins[i+1]])
		g := figures.Segment{From: from, To: begins[i+1] - 1, FromNs: level, ToNs: level}
		if p, is := slopes[from]; is {
			g.FromNs, g.ToNs = float64(p.BeforeNs), float64(p.AfterNs)
		}
		figure.Segments = append(figure.Segments, g)
	}
	return figure
}

// subjectTitle names a subject with its fragment, or with its component where it has none.
func subjectTitle(v *schema.ReleaseValue) string {
	if v.Fragment == "" {
		return v.Subject + " of " + v.Component
	}
	return withFragment(v.Fragment, v.Subject)
}

// segmentLevel returns the geometric mean of the values of a segment in nanoseconds, without releases that stand alone: the scan for
// change points works on logarithms of the cost plus the resolution, and the line of the picture is the mean that it compared. Releases
// whose cost is not known have no part in it.
func segmentLevel(values []schema.ReleaseValue) float64 {
	sum, n := 0.0, 0.0 // of logarithms, and how many
	for _, v := range values {
		if !v.Outlier && v.ValueNs != schema.NoValue {
			sum, n = sum+math.Log(float64(v.ValueNs)+verdicts.ResolutionNs), n+1
		}
	}
	// A segment of outliers alone has no level: 0/0 is NaN.
	return math.Exp(sum/n) - verdicts.ResolutionNs
}

// pictureLabel returns the label of a change point in a picture.
func (p changePoint) pictureLabel() string {
	text := p.ratioText()
	// Without a ratio the verdict is all that can be said, as of a subject that appeared.
	if text == "-" {
		text = p.Verdict
	}
	if !p.Confirmed {
		text += ", unconfirmed"
	}
	return text
}
