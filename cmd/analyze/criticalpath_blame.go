package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
)

// blame is a cause summed over the occurrences that it made late.
type blame struct {
	what        string
	label       deadlines.Label
	occurrences int
	excessNs    int64
	mostNs      int64
	usualNs     int64
	known       bool
}

// blames sums up the causes, the most frequent first.
func blames(v *criticalpaths.Verdicts) (list []*blame) {
	byWhat := make(map[string]*blame)
	for _, m := range v.Missed {
		seen := make(map[*blame]bool)
		for _, c := range m.Causes {
			what := causeWords(v, c)
			key := what + "\x00" + string(c.Label)
			b := byWhat[key]
			if b == nil {
				b = &blame{what: what, label: c.Label}
				byWhat[key] = b
				list = append(list, b)
			}
			if !seen[b] {
				b.occurrences++
				seen[b] = true
			}
			b.excessNs += c.ExcessNs
			b.mostNs = max(b.mostNs, c.BoundNs)
			b.usualNs, b.known = max(b.usualNs, c.ThresholdNs), b.known || c.Known
		}
	}
	slices.SortStableFunc(list, func(a, b *blame) int {
		return cmp.Or(b.occurrences-a.occurrences, cmp.Compare(b.excessNs, a.excessNs), strings.Compare(a.what, b.what))
	})
	return list
}

// verdictsJSON is which occurrences missed a deadline, and why.
type verdictsJSON struct {
	Run         string        `json:"run"`
	To          string        `json:"to"`
	From        string        `json:"from"`
	DeadlineNs  int64         `json:"deadline_ns"`
	Occurrences int           `json:"occurrences"`
	Open        int           `json:"left_out"`  // instances of the metric without an end
	Reference   int           `json:"reference"` // occurrences in time that say what is usual; 0: nothing is explained
	Missed      []missedJSON  `json:"missed"`
	Surpluses   []surplusJSON `json:"surpluses"` // the largest first
}

// missedJSON is one that did.
type missedJSON struct {
	Occurrence    int64       `json:"occurrence"`
	FromSeq       int64       `json:"from_seq"`
	ToSeq         int64       `json:"to_seq"`
	StartNs       int64       `json:"start_ns"`
	SpanNs        int64       `json:"span_ns"`
	Causes        []causeJSON `json:"causes"`
	SpanWithoutNs int64       `json:"span_without_ns"` // had the causes been as usual
	Sufficient    bool        `json:"sufficient"`      // then it is in time
	MovedAlong    bool        `json:"moved_along"`     // it is, if what others did and it waited for comes as much earlier
	Exhausted     bool        `json:"exhausted"`       // the search was cut short
}

// causeJSON is a step that took longer than usual.
type causeJSON struct {
	Component  string          `json:"component"`
	Function   *string         `json:"function"`
	Sender     *string         `json:"sender"`
	Message    *string         `json:"message"`
	Label      deadlines.Label `json:"label"`
	SourceSeq  int64           `json:"source_seq"`
	TargetSeq  int64           `json:"target_seq"`
	BoundNs    int64           `json:"bound_ns"`
	UsualNs    int64           `json:"usual_ns"`
	SeenInTime bool            `json:"seen_in_time"` // occurrences in time have such steps
	ExcessNs   int64           `json:"excess_ns"`
	GainNs     int64           `json:"gain_ns"` // how much earlier the end is when this alone is as usual
}

// surplusJSON is time on critical paths that those in time do not spend.
type surplusJSON struct {
	Component string  `json:"component"`
	Function  *string `json:"function"`
	Sender    *string `json:"sender"`
	Message   *string `json:"message"`
	Missed    int     `json:"missed"`
	ExcessNs  int64   `json:"excess_ns"`
	MostNs    int64   `json:"most_ns"`
	MedianNs  int64   `json:"in_time_median_ns"`
	MaxNs     int64   `json:"in_time_max_ns"`
}

func (q *pathQuery) missedJSON(v *criticalpaths.Verdicts) verdictsJSON {
	out := verdictsJSON{
		Run: q.job.Run, To: q.flags.to, From: q.flags.from, DeadlineNs: q.flags.deadline.Nanoseconds(), Occurrences: len(q.occurrences),
		Open: q.open, Reference: v.Reference, Missed: []missedJSON{}, Surpluses: []surplusJSON{},
	}
	place := func(part uint32) place {
		return placeOf(v.Names, v.Parts, criticalpath.Key{Part: part, Busy: schema.NoCode})
	}
	for _, m := range v.Missed {
		causes := []causeJSON{}
		for _, c := range m.Causes {
			p := place(c.Edge.Key)
			causes = append(causes, causeJSON{p.Component, p.Function, p.Sender, p.Message, c.Label, c.Edge.Source, c.Edge.Target,
				c.BoundNs, c.ThresholdNs, c.Known, c.ExcessNs, c.GainNs})
		}
		out.Missed = append(out.Missed, missedJSON{m.Number, m.From, m.To, m.FromNs, m.SpanNs(), causes, m.MakespanNs, m.Sufficient, m.Along, m.Exhausted})
	}
	for _, s := range v.Surpluses {
		p := place(s.Key)
		out.Surpluses = append(out.Surpluses, surplusJSON{p.Component, p.Function, p.Sender, p.Message, s.Missed, s.ExcessNs, s.MostNs, s.MedianNs, s.MaxNs})
	}
	return out
}
