package main

import (
	"slices"

	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// composedJSON is what paths towards many occurrences spend their time on.
type composedJSON struct {
	Run         string    `json:"run"`
	To          string    `json:"to"`
	From        string    `json:"from"`
	Occurrences int       `json:"occurrences"`
	SpansNs     spread    `json:"spans_ns"`
	Composition []sumJSON `json:"composition"`
}

// pathJSON is the path towards one event.
type pathJSON struct {
	Run         string           `json:"run"`
	To          string           `json:"to"`
	From        string           `json:"from"`
	FromSeq     *int64           `json:"from_seq"` // null: as far back as the path leads
	ToSeq       int64            `json:"to_seq"`
	ToNs        int64            `json:"to_ns"`
	SpanNs      int64            `json:"span_ns"`
	ThroughFrom bool             `json:"through_from"` // a critical path leads over from_seq
	Composition []sumJSON        `json:"composition"`
	Path        []stepJSON       `json:"path"`        // the representative one, in time order
	Constraints []constraintJSON `json:"constraints"` // all critical ones on any path, by target
}

func (q *pathQuery) writeJSON(v any) error { return q.app.writeJSON(v) }

// spread is the distribution of spans.
type spread struct {
	Min    int64 `json:"min"`
	Median int64 `json:"median"`
	P95    int64 `json:"p95"`
	Max    int64 `json:"max"`
}

// quantiles are order statistics: the smallest value with so many at or below it.
func quantiles(values []int64) spread {
	if len(values) == 0 {
		return spread{}
	}
	v := slices.Clone(values)
	slices.Sort(v)
	at := func(q float64) int64 { return v[min(int(q*float64(len(v))), len(v)-1)] }
	return spread{v[0], at(0.5), at(0.95), v[len(v)-1]}
}

// place is where time is spent, for machines.
type place struct {
	Category  string  `json:"category"`
	Component string  `json:"component"`
	Function  *string `json:"function"`
	Sender    *string `json:"sender"`
	Message   *string `json:"message"`
	Busy      *string `json:"busy_component"`
}

func placeOf(names *schema.Names, parts []window.Part, k criticalpath.Key) place {
	p := parts[k.Part]
	return place{
		Category: schema.CategoryWords[k.Category], Component: names.Components.Name(p.Component),
		Function: nameOrNull(&names.Functions, p.Function), Sender: nameOrNull(&names.Components, p.Sender),
		Message: nameOrNull(&names.Messages, p.Label), Busy: nameOrNull(&names.Components, k.Busy),
	}
}

func nameOrNull(d *schema.Dictionary, c schema.Code) *string {
	if c == schema.NoCode {
		return nil
	}
	name := d.Name(c)
	return &name
}

func nullable(v int64) *int64 {
	if v == schema.NoValue {
		return nil
	}
	return &v
}

// sumJSON is a part of a composition.
type sumJSON struct {
	place
	Occurrences int64 `json:"occurrences"`
	Steps       int64 `json:"steps"`
	TotalNs     int64 `json:"total_ns"`
	MaxNs       int64 `json:"max_ns"`
}

func composition(c *criticalpaths.Composed, sums []criticalpath.Sum) []sumJSON {
	out := make([]sumJSON, len(sums))
	for i, s := range sums {
		out[i] = sumJSON{placeOf(c.Names, c.Parts, s.Key), s.Occurrences, s.Steps, s.TotalNs, s.MaxNs}
	}
	return out
}

// stepJSON is a step of a path.
type stepJSON struct {
	place
	SourceSeq  int64 `json:"source_seq"`
	TargetSeq  int64 `json:"target_seq"`
	StartNs    int64 `json:"start_ns"`
	DurationNs int64 `json:"duration_ns"`
}

func stepsOf(p *criticalpaths.Path) []stepJSON {
	out := make([]stepJSON, len(p.Steps))
	for i, s := range p.Steps {
		out[i] = stepJSON{placeOf(p.Names, p.Parts, s.Key), s.Source, s.Target, s.SourceNs, s.TargetNs - s.SourceNs}
	}
	return out
}
