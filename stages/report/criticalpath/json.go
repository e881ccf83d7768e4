package criticalpath

import (
	"io"
	"iter"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Documents are structs, not maps: their keys keep the order in which a reader expects them, and are documented here. All times
// are in nanoseconds. Lists are never null.

// composedDocument is the JSON of the paths towards many occurrences.
type composedDocument struct {
	Run         string      `json:"run"`                            // name of the run
	To          string      `json:"to"`                             // as it was asked for
	From        string      `json:"from"`                           // as it was asked for; see Report
	Occurrences int         `json:"occurrences"`                    // how many paths are summed up
	SpansNs     quantiles   `json:"spans_ns"`                       // of the occurrences
	Composition []sumObject `json:"composition"`                    // the largest total first
	Early       int64       `json:"received_before_sent,omitempty"` // messages of the run: its clocks are apart, see Report
}

// pathDocument is the JSON of the path towards one event.
type pathDocument struct {
	Run         string             `json:"run"`                            // name of the run
	To          string             `json:"to"`                             // as it was asked for
	From        string             `json:"from"`                           // as it was asked for; see Report
	FromSeq     *int64             `json:"from_seq"`                       // null: as far back as the path leads
	ToSeq       int64              `json:"to_seq"`                         // number of the event that the path leads to
	ToNs        int64              `json:"to_ns"`                          // its time
	SpanNs      int64              `json:"span_ns"`                        // from the first event of the path that belongs to the occurrence to the last one
	ThroughFrom bool               `json:"through_from"`                   // a critical path leads over from_seq
	Composition []sumObject        `json:"composition"`                    // the largest total first
	Path        []stepObject       `json:"path"`                           // the representative one, in time order
	Constraints []constraintObject `json:"constraints"`                    // all critical ones on any path, by target
	Early       int64              `json:"received_before_sent,omitempty"` // messages of the run: its clocks are apart
}

// place says where time is spent. What does not apply is null.
type place struct {
	Category string `json:"category"` // execution, communication, idle time or contention
	part
	Busy *string `json:"busy_component"` // of contention: the component for which a message waited
}

// part says what a step belongs to. What does not apply is null.
type part struct {
	Component string  `json:"component"` // of the step's end
	Function  *string `json:"function"`  // the innermost open execution; null between root executions
	Sender    *string `json:"sender"`    // of a message
	Message   *string `json:"message"`   // the label of a message
}

// newPlace resolves the codes of a key. Its function and sender are those of the part, its busy component that of contention.
func newPlace(names *schema.Names, parts []window.Part, k criticalpath.Key) place {
	return place{schema.CategoryWords[k.Category], newPart(names, parts[k.Part]), nameOrNil(&names.Components, k.Busy)}
}

// newPart resolves the codes of a part.
func newPart(names *schema.Names, p window.Part) part {
	return part{
		Component: names.Components.Name(p.Component), Function: nameOrNil(&names.Functions, p.Function),
		Sender: nameOrNil(&names.Components, p.Sender), Message: nameOrNil(&names.Messages, p.Label),
	}
}

// nameOrNil returns the name of a code; nil, JSON's null, where there is none.
func nameOrNil(d *schema.Dictionary, c schema.Code) *string {
	if c == schema.NoCode {
		return nil
	}
	name := d.Name(c)
	return &name
}

// valueOrNil returns a value; nil where there is none.
func valueOrNil(v int64) *int64 {
	if v == schema.NoValue {
		return nil
	}
	return &v
}

// sumObject is a part of a composition: the time of all steps at one place.
type sumObject struct {
	place
	Occurrences int64 `json:"occurrences"` // whose paths have such steps
	Steps       int64 `json:"steps"`       // of all these paths
	TotalNs     int64 `json:"total_ns"`    // of all steps
	MaxNs       int64 `json:"max_ns"`      // of one occurrence
}

// newSums returns the parts of a composition in the order of the sums.
func newSums(c *findings.Composed, sums []criticalpath.Sum) []sumObject {
	out := make([]sumObject, len(sums))
	for i, s := range sums {
		out[i] = sumObject{newPlace(c.Names, c.Parts, s.Key), s.Occurrences, s.Steps, s.TotalNs, s.MaxNs}
	}
	return out
}

// stepObject is a step of the representative path.
type stepObject struct {
	place
	SourceSeq  int64 `json:"source_seq"`  // the numbers of the events that the step connects
	TargetSeq  int64 `json:"target_seq"`  // number of the event at which it ends
	StartNs    int64 `json:"start_ns"`    // in trace time
	DurationNs int64 `json:"duration_ns"` // what the step adds to the span
}

// newSteps returns the steps of the representative path in time order.
func newSteps(p *findings.Path) []stepObject {
	out := make([]stepObject, len(p.Steps))
	for i, s := range p.Steps {
		out[i] = stepObject{newPlace(p.Names, p.Parts, s.Key), s.Source, s.Target, s.SourceNs, s.TargetNs - s.SourceNs}
	}
	return out
}

// missedDocument is the JSON of the occurrences that missed a deadline.
type missedDocument struct {
	Run         string             `json:"run"`         // name of the run
	To          string             `json:"to"`          // as it was asked for
	From        string             `json:"from"`        // as it was asked for; see Report
	DeadlineNs  int64              `json:"deadline_ns"` // the span that none may exceed
	Occurrences int                `json:"occurrences"` // that were asked for, in time or not
	LeftOut     int                `json:"left_out"`    // instances of the metric without an end
	Reference   int                `json:"reference"`   // occurrences in time, which define usual times; 0: nothing is explained
	Missed      []missedOccurrence `json:"missed"`      // in time order
	Surpluses   []surplusObject    `json:"surpluses"`   // the largest first
}

// missedOccurrence is an occurrence that missed the deadline.
type missedOccurrence struct {
	Occurrence    int64         `json:"occurrence"`      // its number among those of To, from 1
	FromSeq       int64         `json:"from_seq"`        // number of its first event
	ToSeq         int64         `json:"to_seq"`          // number of its last event
	StartNs       int64         `json:"start_ns"`        // in trace time
	SpanNs        int64         `json:"span_ns"`         // how long it took
	Causes        []causeObject `json:"causes"`          // steps that made it late
	SpanWithoutNs int64         `json:"span_without_ns"` // the span if the causes had taken their usual time
	Sufficient    bool          `json:"sufficient"`      // the causes explain it: with SpanWithoutNs it is in time
	MovedAlong    bool          `json:"moved_along"`     // only if work of others that it waited for moves along
	Exhausted     bool          `json:"exhausted"`       // the search for causes was cut short
}

// causeObject is a step that took longer than usual.
type causeObject struct {
	part                       // where the step lies
	Label      deadlines.Label `json:"label"`        // in which way the step was unusual
	SourceSeq  int64           `json:"source_seq"`   // number of the event at which the step begins
	TargetSeq  int64           `json:"target_seq"`   // number of the event at which it ends
	BoundNs    int64           `json:"bound_ns"`     // how long the step took
	UsualNs    int64           `json:"usual_ns"`     // up to which such a step is usual
	SeenInTime bool            `json:"seen_in_time"` // occurrences in time have such steps
	ExcessNs   int64           `json:"excess_ns"`    // beyond the usual time
	GainNs     int64           `json:"gain_ns"`      // how much earlier the end is when this alone is as usual
}

// surplusObject is time at a place that only the critical paths of occurrences beyond the deadline spend.
type surplusObject struct {
	part           // where the time is spent
	Missed   int   `json:"missed"`            // occurrences with more of it than any in time
	ExcessNs int64 `json:"excess_ns"`         // beyond the median of those in time, summed up
	MostNs   int64 `json:"most_ns"`           // the maximum of one occurrence
	MedianNs int64 `json:"in_time_median_ns"` // of occurrences in time
	MaxNs    int64 `json:"in_time_max_ns"`    // of occurrences in time
}

// WriteMissedJSON writes which occurrences missed the deadline, and why, with all causes and surpluses.
func (r *Report) WriteMissedJSON(out io.Writer, v *findings.Verdicts) error {
	d := missedDocument{
		Run: r.Run, To: r.To, From: r.From, DeadlineNs: r.DeadlineNs, Occurrences: len(r.Occurrences),
		LeftOut: r.LeftOut, Reference: v.Reference, Missed: []missedOccurrence{}, Surpluses: []surplusObject{},
	}
	for _, m := range v.Missed {
		causes := []causeObject{} // an empty list, not null, where no step was unusual
		for _, c := range m.Causes {
			causes = append(causes, causeObject{newPart(v.Names, v.Parts[c.Edge.Key]), c.Label, c.Edge.Source, c.Edge.Target,
				c.BoundNs, c.ThresholdNs, c.Known, c.ExcessNs, c.GainNs})
		}
		d.Missed = append(d.Missed, missedOccurrence{m.Number, m.From, m.To, m.FromNs, m.SpanNs(), causes, m.MakespanNs, m.Sufficient, m.Along, m.Exhausted})
	}
	for _, s := range v.Surpluses {
		d.Surpluses = append(d.Surpluses, surplusObject{newPart(v.Names, v.Parts[s.Key]), s.Missed, s.ExcessNs, s.MostNs, s.MedianNs, s.MaxNs})
	}
	return writeJSON(out, d)
}

// constraintObject is a timing constraint between two events.
type constraintObject struct {
	SourceSeq  int64  `json:"source_seq"` // number of the event that is waited for
	TargetSeq  int64  `json:"target_seq"` // number of the event that waits
	Kind       string `json:"kind"`       // on a lifeline, by message or another coupling
	part              // where the target lies
	TargetNs   int64  `json:"target_ns"`   // the time of the target, in trace time
	DurationNs int64  `json:"duration_ns"` // from the source to the target
	Critical   bool   `json:"critical"`    // its bound is met exactly
}

// newConstraints returns constraints in the order of the list, which is that of their targets.
func newConstraints(names *schema.Names, parts []window.Part, list iter.Seq2[int, findings.Constraint]) []constraintObject {
	out := []constraintObject{}
	for _, c := range list {
		out = append(out, constraintObject{c.Source, c.Target, kindText(parts[c.Part]), newPart(names, parts[c.Part]),
			c.TargetNs, c.DurationNs, c.Flags&window.Critical != 0})
	}
	return out
}

// kindText returns the word of the tables for the kind of a constraint.
func kindText(p window.Part) string { return schema.ConstraintKindWords[p.Kind] }
