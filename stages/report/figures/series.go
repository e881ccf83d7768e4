package figures

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Series is the history of one timing over releases: a dot for every run, a line through the medians, the levels of
// segments, and the change points between them.
type Series struct {
	Title    string    // above the picture
	Quantity string    // what the times are, such as "median of a run"
	Releases []Release // in their order
	Segments []Segment // that do not overlap
	Changes  []Change  // in any order
	Caption  string    // the command that made it
}

// Release is the runs of one release, in the order of the history.
type Release struct {
	Name   string    // below the release
	RunsNs []float64 // what is not finite is not drawn
}

// Segment is a level or a slope that holds from one release to another, both included, as positions in the releases.
type Segment struct {
	From, To     int
	FromNs, ToNs float64 // the heights of its line at both; equal of a level
}

// Change is a change point: At is the position of the first release on the other side, Note what else to say of
// it, such as "+21 %".
type Change struct {
	At   int
	Note string
}

// WriteSVG draws the history. It is an error if there are no releases, or a segment or change is not at one.
func (s Series) WriteSVG(out io.Writer) error {
	if err := s.check(); err != nil {
		return fmt.Errorf("figure %q: %w", s.Title, err)
	}
	return s.layout().writeSVG(out)
}

// check reports segments and changes at releases that do not exist.
func (s *Series) check() error {
	n := len(s.Releases)
	if n == 0 {
		return errors.New("a history without releases")
	}
	for _, g := range s.Segments {
		if g.From < 0 || g.To < g.From || g.To >= n {
			return fmt.Errorf("a segment from release %d to %d of %d", g.From, g.To, n)
		}
	}
	for _, c := range s.Changes {
		if c.At < 0 || c.At >= n {
			return fmt.Errorf("a change at release %d of %d", c.At, n)
		}
	}
	return nil
}

// finite says whether a time can be drawn.
func finite(ns float64) bool { return !math.IsNaN(ns) && !math.IsInf(ns, 0) }

// median is the median of the runs; NaN without any.
func (r *Release) median() float64 {
	runs := slices.DeleteFunc(slices.Clone(r.RunsNs), func(ns float64) bool { return !finite(ns) })
	if len(runs) == 0 {
		return math.NaN()
	}
	slices.Sort(runs)
	low, high := runs[(len(runs)-1)/2], runs[len(runs)/2]
	return low/2 + high/2
}

// span returns the minimum and the maximum time; 0 and 0 where there is none.
func (s *Series) span() (lowNs, highNs float64) {
	var all []float64
	for _, r := range s.Releases {
		all = append(all, r.RunsNs...)
	}
	for _, g := range s.Segments {
		all = append(all, g.FromNs, g.ToNs)
	}
	all = slices.DeleteFunc(all, func(ns float64) bool { return !finite(ns) })
	if len(all) == 0 {
		return 0, 0
	}
	return slices.Min(all), slices.Max(all)
}

// words of a change.
func (s *Series) words(c Change) string {
	text := "first seen in " + s.Releases[c.At].Name
	if c.Note != "" {
		text += ", " + c.Note
	}
	return text
}

// describe is the history in words.
func (s *Series) describe() string {
	text := fmt.Sprintf("History of %s over %d releases from %s to %s.",
		s.Quantity, len(s.Releases), s.Releases[0].Name, s.Releases[len(s.Releases)-1].Name)
	if len(s.Changes) == 0 {
		return text + " No change."
	}
	for _, c := range s.Changes {
		text += " Change " + s.words(c) + "."
	}
	return text
}
