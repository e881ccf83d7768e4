// Package nightly writes what became of a night of traces: which were ingested, which could not be read, which came late, and what comparisons,
// checks and histories say. A Night is kept as JSON beside the pages, so that the next morning knows what this one did.
package nightly

import (
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Night is one night with what was made of it.
type Night struct {
	Name       string  `json:"night"`
	Expected   int     `json:"expected"`   // traces; 0: any number
	Summarised bool    `json:"summarised"` // its page was written once: traces that come now are late
	Complete   bool    `json:"complete"`   // all steps were done for all of its traces
	Reduced    bool    `json:"reduced"`    // only the summaries of its runs are left
	Traces     []Trace `json:"traces"`     // by their paths
	Steps      []Step  `json:"steps"`      // in the order of the configuration
}

// State is what became of a trace.
type State string

// The states of traces.
const (
	Ingested State = "ingested"
	Torn     State = "torn"    // could not be read; it is tried again
	Taken    State = "taken"   // another trace has the name of its run; it is tried again
	Writing  State = "writing" // changed a moment ago; it is tried again
	Broken   State = "broken"  // ingested, but an analysis of it failed; it is tried again
	TooLate  State = "too late"
)

// Trace is a trace of a night. Bytes and Modified tell whether it has changed since.
type Trace struct {
	Path     string `json:"path"`
	Run      string `json:"run"` // its name in the lake
	State    State  `json:"state"`
	Says     string `json:"says,omitempty"`    // why it is not ingested
	LateIn   string `json:"late_in,omitempty"` // the newest night when it came, after the summary of its own
	Bytes    int64  `json:"bytes"`
	Modified int64  `json:"modified_ns"` // Unix time
}

// Verdict is what came of a step, or of a whole night.
type Verdict string

// The verdicts of steps and nights.
const (
	Passed  Verdict = "passed"
	Stopped Verdict = "stopped" // a gate was stopped
	Failed  Verdict = "failed"  // something could not be done
	Waits   Verdict = "waits"   // for a further night
)

// Step is a comparison, check or history of a night.
type Step struct {
	Kind    string   `json:"kind"` // compare, check or history
	Name    string   `json:"name"`
	Verdict Verdict  `json:"verdict"`
	Says    string   `json:"says"`              // the answer in a sentence or a few lines
	Against string   `json:"against,omitempty"` // the night that it was compared with
	Command []string `json:"command,omitempty"` // by which it can be repeated
	Files   []string `json:"files,omitempty"`   // reports beside the page
	First   Verdict  `json:"first,omitempty"`   // what it was when the night was summarised first
}

// Trace returns the trace with a path, or nil.
func (n *Night) Trace(path string) *Trace {
	for i := range n.Traces {
		if n.Traces[i].Path == path {
			return &n.Traces[i]
		}
	}
	return nil
}

// Step returns the step of a kind with a name, or nil.
func (n *Night) Step(kind, name string) *Step {
	for i := range n.Steps {
		if n.Steps[i].Kind == kind && n.Steps[i].Name == name {
			return &n.Steps[i]
		}
	}
	return nil
}

// Changed reports whether a step has another verdict than when the night was summarised first.
func (s *Step) Changed() bool { return s.First != "" && s.First != s.Verdict }

// In counts the traces in a state.
func (n *Night) In(state State) (count int) {
	for i := range n.Traces {
		if n.Traces[i].State == state {
			count++
		}
	}
	return count
}

// Verdict is that of the whole night: stopped where a gate was stopped, even where something else failed, since a regression must not
// hide behind a torn trace.
func (n *Night) Verdict() Verdict {
	verdict := Passed
	if n.In(Ingested) < max(n.Expected, len(n.Traces)-n.In(TooLate)) {
		verdict = Failed
	}
	for i := range n.Steps {
		switch n.Steps[i].Verdict {
		case Stopped:
			return Stopped
		case Failed:
			verdict = Failed
		}
	}
	return verdict
}

// Headline is the night in a sentence.
func (n *Night) Headline() string {
	parts := []string{texttab.Plural(int64(n.In(Ingested)), "trace") + " ingested"}
	if missing := n.Expected - len(n.Traces); missing > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d expected missing", missing, n.Expected))
	}
	for _, state := range []State{Torn, Taken, Writing, Broken, TooLate} {
		if count := n.In(state); count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count, words[state]))
		}
	}
	if late := n.late(); late > 0 {
		parts = append(parts, fmt.Sprintf("%d of them late", late))
	}
	for _, verdict := range []Verdict{Stopped, Failed, Passed, Waits} {
		var names []string
		for i := range n.Steps {
			if n.Steps[i].Verdict == verdict {
				names = append(names, n.Steps[i].Name)
			}
		}
		if len(names) > 0 {
			parts = append(parts, string(verdict)+": "+strings.Join(names, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// late counts the ingested traces that came after the first summary of the night.
func (n *Night) late() (count int) {
	for i := range n.Traces {
		if n.Traces[i].LateIn != "" && n.Traces[i].State == Ingested {
			count++
		}
	}
	return count
}

// words describe traces that are not in the lake, or not wholly.
var words = map[State]string{Torn: "torn", Taken: "named as another trace", Writing: "still being written", Broken: "not analyzed", TooLate: "too late"}

// Earlier is what a morning has to say of other nights than the newest, a sentence each: traces that joined them, and traces of them
// that are still not to be read.
func Earlier(nights []*Night, newest string) (sentences []string) {
	for _, n := range nights {
		for i := range n.Traces {
			t := &n.Traces[i]
			switch {
			case n.Name == newest:
			case t.State == Ingested && t.LateIn == newest:
				sentences = append(sentences, fmt.Sprintf("%s joined night %s late as run %s; the night is %s now", t.Path, n.Name, t.Run, n.verdictNow()))
			case t.State == TooLate && t.LateIn == newest:
				sentences = append(sentences, fmt.Sprintf("%s came too late for night %s: %s", t.Path, n.Name, t.Says))
			case t.State != Ingested && t.State != TooLate:
				sentences = append(sentences, fmt.Sprintf("%s of night %s is still %s: %s", t.Path, n.Name, words[t.State], t.Says))
			}
		}
	}
	return sentences
}

// verdictNow is the verdict with the one of before, where some step had another one.
func (n *Night) verdictNow() string {
	text := string(n.Verdict())
	for i := range n.Steps {
		if s := &n.Steps[i]; s.Changed() {
			text += fmt.Sprintf(" (%s was %s and is %s)", s.Name, s.First, s.Verdict)
		}
	}
	return text
}
