package constraints

import (
	"fmt"
)

// Bounds names a heuristic for time bounds.
type Bounds string

// The heuristics. Auto is declared for a trace that declares bounds, pps for one that asks for that analysis, and
// paper for all others.
const (
	Auto     Bounds = ""
	Paper    Bounds = "paper"
	PPS      Bounds = "pps"
	Declared Bounds = "declared"
)

// DefaultBoundNs is the default bound of PPS: how long a lifeline may be idle before a root execution, or a late
// message may have taken, and still count as critical.
const DefaultBoundNs = 15_000

// Options choose a heuristic. They are plain values: part of a fingerprint.
type Options struct {
	Bounds    Bounds  // heuristic
	EpsilonNs int64   // paper: the longest time, in ns, that setting up an execution and communicating take
	Epsilons  []Label // paper: the same for messages of some labels
	DefaultNs int64   // pps: default bound, ns
	Callbacks bool    // callbacks that were inferred hold back what they start, as messages that were seen do
}

// Label is the epsilon of the messages with a label.
type Label struct {
	Message   string // name of the label
	EpsilonNs int64  // the least time from send to receipt
}

// Defaults are the options of a run unless the user chooses others; epsilon is 0 as in section V of the
// paper.
func Defaults() Options { return Options{DefaultNs: DefaultBoundNs} }

// ParseBounds returns the heuristic of a name.
func ParseBounds(name string) (Bounds, error) {
	switch b := Bounds(name); b {
	case Auto, Paper, PPS, Declared:
		return b, nil
	}
	return Auto, fmt.Errorf("%q is none of %s, %s and %s", name, Paper, PPS, Declared)
}
