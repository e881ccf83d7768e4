// Package findings has the results of questions about the critical paths of a run, in the words in which reports take them:
// which occurrences of an execution there are, the critical path towards one of them, what the paths towards many consist
// of, why occurrences missed a deadline, and how one event depends on another. Packages criticalpath, deadlines and slack
// compute them; a driver fills them in.
package findings

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Occurrence is an execution, or another span between two events.
type Occurrence struct {
	Number       int64 // from 1, in the order of the starts, or as the trace numbers it
	From, To     int64 // sequence numbers of its first and last event; From may be criticalpath.Start
	FromNs, ToNs int64 // the times of these events, in trace time
}

// SpanNs returns how long the occurrence took.
func (o *Occurrence) SpanNs() int64 { return o.ToNs - o.FromNs }

// Composed is what the representative critical paths of some occurrences spend their time on.
type Composed struct {
	Names *schema.Names            // of the codes in Parts
	Parts []window.Part            // what the codes in Sums stand for
	Sums  criticalpath.Composition // one group
	// Starts are the times at which the paths start, by occurrence: later than the occurrence where no constraint
	// holds its first event back.
	Starts []int64
}

// Constraint is a timing constraint with the event that it leads to.
type Constraint struct {
	Target int64 // sequence number
	window.Edge
}

// Path is what is known of the critical paths towards one event.
type Path struct {
	Composed
	Count       int64               // critical constraints on any path
	Constraints []Constraint        // these, if asked for, the last target first
	Steps       []criticalpath.Step // of the representative path, in time order
	ThroughFrom bool                // a critical path leads over the first event
	FromNs      int64               // where the representative path starts, in trace time
}

// Missed is an occurrence that missed its deadline, and why.
type Missed struct {
	Occurrence
	deadlines.Explanation
	Along bool // it is explained by what it caused itself; work of others that it waited for moves along with it
}

// Verdicts are the occurrences that missed a deadline.
type Verdicts struct {
	Names     *schema.Names // of the codes in Parts
	Parts     []window.Part // by Cause.Edge.Key and Surplus.Key
	Missed    []Missed      // in the order of the occurrences
	Reference int           // occurrences in time, which define what is usual; without any, nothing is explained
	Surpluses []Surplus     // the largest first
}

// Surplus is time that the critical paths of occurrences that missed the deadline spend on a kind of step, beyond any path
// of an occurrence in time.
type Surplus struct {
	Key      uint32 // of the kind of step: a position in Verdicts.Parts
	Missed   int    // occurrences with more of it than any in time
	ExcessNs int64  // their time beyond the median of those in time, summed up
	MostNs   int64  // the maximum of one of them
	MedianNs int64  // of occurrences in time; a path without the step counts as 0
	MaxNs    int64  // of occurrences in time, likewise
}

// Dependencies are how one event depends on another.
type Dependencies struct {
	Names       *schema.Names // of the codes in Parts
	Parts       []window.Part // what the keys of Constraints stand for
	Linked      bool          // a path of constraints leads from the first event to the second
	Count       int64         // constraints on such paths
	Constraints []Constraint  // the first of them, by target
	Involved    []Involved    // the component with the most events first
}

// Involved is what lies on paths of one component.
type Involved struct {
	Component string // its name
	Events    int64  // events that constraints lead to, and the first event of all
	Messages  int64  // messages received
}
