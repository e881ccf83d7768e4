package main

import (
	"context"
	"fmt"
	"math"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/history"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/figures"
)

// drawHistory draws one subject.
func (a *app) drawHistory(ctx context.Context, j history.Job, f historyFlags, r *historyReport) error {
	k, err := r.one()
	if err != nil {
		return err
	}
	runs, err := history.Costs(ctx, j, k)
	if err != nil {
		return err
	}
	return a.writeOutput(f.out, r.picture(k, runs).WriteSVG)
}

// one is the subject to draw: of the first change point told, or where there is none, the first whose values are.
func (r *historyReport) one() (int64, error) {
	switch {
	case len(r.points) > 0:
		return r.points[0].Series, nil
	case r.flags.subject == "" || len(r.subjects) == 0:
		return 0, console.Usagef("-o: there is no change point to draw; --subject and --component name a subject")
	}
	return r.subjects[0], nil
}

// words name a subject.
func (r *historyReport) words(k int64) string {
	v := &r.values[k][0]
	if v.Fragment == "" {
		return v.Subject + " of " + v.Component
	}
	return inFragment(v.Fragment, v.Subject)
}

// picture is the history of a subject: runs are the costs of the runs of every release.
func (r *historyReport) picture(k int64, runs [][]float64) figures.Series {
	s := figures.Series{
		Title: r.words(k), Quantity: "cost",
		Caption: fmt.Sprintf("analyze history --by %s --subject %q", r.flags.by, r.flags.subject),
	}
	values := r.values[k]
	for i, v := range values {
		s.Releases = append(s.Releases, figures.Release{Name: v.Release, RunsNs: runs[i]})
		if n := len(s.Segments); n > 0 && values[i-1].Segment == v.Segment {
			s.Segments[n-1].To = i
		} else {
			s.Segments = append(s.Segments, figures.Segment{From: i, To: i})
		}
	}
	for i := range s.Segments {
		s.Segments[i].LevelNs = level(values[s.Segments[i].From : s.Segments[i].To+1])
	}
	for i := range r.points {
		if p := (changePoint{&r.points[i]}); p.Series == k {
			s.Changes = append(s.Changes, figures.Change{At: int(p.Position - 1), Note: p.note()})
		}
	}
	return s
}

// level is the geometric mean of the values of a segment, as the scan has it.
func level(values []schema.ReleaseValue) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(float64(v.ValueNs) + history.ResolutionNs)
	}
	return math.Exp(sum/float64(len(values))) - history.ResolutionNs
}

// note is what the picture says of a change point beside its release.
func (p changePoint) note() string {
	text := p.ratio()
	if text == "-" {
		text = p.Verdict
	}
	if !p.Confirmed {
		text += ", unconfirmed"
	}
	return text
}
