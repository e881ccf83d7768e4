package definitions

import (
	"fmt"
	"strings"
	"time"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Set is all that a file defines. It is plain values, whose JSON stands in manifests.
type Set struct {
	Metrics        []Metric        `json:",omitempty"` // in the order of the file
	Normalisations []Normalisation `json:",omitempty"`
	Detectors      []Detector      `json:",omitempty"`
	Thresholds     []Thresholds    `json:",omitempty"` // later ones win
}

// Event is a kind of event.
type Event struct {
	Kind      schema.Kind      // schema.Enter or schema.Exit
	Name      string           // pattern of COMPONENT.FUNCTION
	Direction schema.Direction `json:",omitempty"` // of the message that it must have; NoMessage: it may have any or none
	Peer      string           `json:",omitempty"` // pattern of the component at the other end of the message
}

// Metric is the time between two events.
type Metric struct {
	Name        string
	From, To    Event
	WithinNs    int64 `json:",omitempty"` // longer times are no samples; 0: any are
	PerLifeline bool  `json:",omitempty"` // both events are on the same lifeline
	InOrder     bool  `json:",omitempty"` // the first event that waits is ended first; otherwise only the latest one waits
}

// Normalisation is a reference for the times of steps.
type Normalisation struct {
	Name  string
	Since Event // the time of a step is that since the latest of these events
}

// Detector decides from samples whether a subject changed.
type Detector struct {
	Name       string
	Expression *sampletests.Expression
}

// Thresholds are what matters in some components. What is nil is left as it is.
type Thresholds struct {
	Components string   // a pattern
	Margin     *float64 `json:",omitempty"` // relative change that does not matter
	FloorNs    *float64 `json:",omitempty"` // change per root execution that does not matter
	AbsNs      *int64   `json:",omitempty"` // of sampletests.Options, as what follows
	GuardNs    *int64   `json:",omitempty"`
	Rel        *float64 `json:",omitempty"`
	P          *float64 `json:",omitempty"`
}

// Detector returns the detector of a name, or nil.
func (s *Set) Detector(name string) *Detector {
	for i := range s.Detectors {
		if s.Detectors[i].Name == name {
			return &s.Detectors[i]
		}
	}
	return nil
}

// Normalisation returns the normalisation of a name, or nil.
func (s *Set) Normalisation(name string) *Normalisation {
	if s == nil {
		return nil
	}
	for i := range s.Normalisations {
		if s.Normalisations[i].Name == name {
			return &s.Normalisations[i]
		}
	}
	return nil
}

// Of returns the thresholds of a component: what all lines whose pattern matches say together.
func (s *Set) Of(component string) (of Thresholds) {
	for i := range s.Thresholds {
		t := &s.Thresholds[i]
		if !Matches(t.Components, component) {
			continue
		}
		take(&of.Margin, t.Margin)
		take(&of.FloorNs, t.FloorNs)
		take(&of.AbsNs, t.AbsNs)
		take(&of.GuardNs, t.GuardNs)
		take(&of.Rel, t.Rel)
		take(&of.P, t.P)
	}
	return of
}

// ThresholdTexts writes the thresholds of components, a line each, as the file has them: "lens_*: margin 10%, floor 50us".
func (s *Set) ThresholdTexts() (lines []string) {
	if s == nil {
		return nil
	}
	for _, t := range s.Thresholds {
		var parts []string
		add := func(known bool, format string, value any) {
			if known {
				parts = append(parts, fmt.Sprintf(format, value))
			}
		}
		add(t.Margin != nil, "margin %.4g%%", 100*valueOf(t.Margin))
		add(t.FloorNs != nil, "floor %s", texttab.Flag(time.Duration(valueOf(t.FloorNs))))
		add(t.AbsNs != nil, "abs %s", texttab.Flag(time.Duration(valueOf(t.AbsNs))))
		add(t.GuardNs != nil, "guard %s", texttab.Flag(time.Duration(valueOf(t.GuardNs))))
		add(t.Rel != nil, "rel %g", valueOf(t.Rel))
		add(t.P != nil, "p %g", valueOf(t.P))
		lines = append(lines, t.Components+": "+strings.Join(parts, ", "))
	}
	return lines
}

// valueOf returns what a pointer points to, 0 for none.
func valueOf[T any](at *T) (value T) {
	replace(&value, at)
	return value
}

// take replaces a value by another one that is there.
func take[T any](to **T, value *T) {
	if value != nil {
		*to = value
	}
}

// Samples returns the options of tests on samples with these thresholds.
func (t *Thresholds) Samples(o sampletests.Options) sampletests.Options {
	replace(&o.AbsNs, t.AbsNs)
	replace(&o.GuardNs, t.GuardNs)
	replace(&o.Rel, t.Rel)
	replace(&o.P, t.P)
	return o
}

// replace sets a value where another one is there.
func replace[T any](to *T, value *T) {
	if value != nil {
		*to = *value
	}
}

// Matches reports whether a name matches a pattern, in which * stands for any characters. It takes time linear in the name for each
// star.
func Matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	first, last := parts[0], parts[len(parts)-1]
	if len(parts) == 1 {
		return pattern == name
	}
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	// What lies between the stars is found leftmost: that leaves most to what follows.
	name = name[len(first) : len(name)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(name, part)
		if at < 0 {
			return false
		}
		name = name[at+len(part):]
	}
	return true
}
