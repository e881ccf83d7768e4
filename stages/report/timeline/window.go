package timeline

import "github.com/tracelake/tracelake/schema"

// Window is a part of a run. Executions and Messages share their Names.
type Window struct {
	Run          string // name of the run
	OriginNs     int64  // the run's first event, from which the picture counts time
	FromNs, ToNs int64  // the window, in trace time
	Components   int64  // of the whole run; 0 where not known

	Executions *schema.Executions // those that overlap the window, in any order
	Messages   *schema.Messages   // those that lie in the window at least in part, in any order; other couplings are messages that no function receives
	Path       []Step             // the critical path, in any order; may reach beyond the window

	Moments  []bool     // by row of the executions: it is a regular event, of no length; nil: none is
	Colours  *Partition // what the colours of boxes say; nil: the function
	Grouped  string     // what GroupBy made lanes of; "": lanes are lifelines
	Filtered string     // what was selected, in words; "": all
	Curves   []Curve    // signals, from top to bottom
	Held     []Held     // checks and definitions, from top to bottom
}

// Step is a timing constraint of a critical path (Jonk et al. 2019, Definition 5). The codes are those of the window.
type Step struct {
	Source, Target     int64       // sequence numbers
	SourceNs, TargetNs int64       // on the clock of the trace
	Component          schema.Code // of the target
	Function           schema.Code // on a lifeline: the innermost open execution, NoCode where it is idle; by message: that of the target
	Sender             schema.Code // by message: the component of the source; else NoCode
	Message            bool        // the target waits for a message, and not for its lifeline
	Critical           bool        // the bound is met exactly; other steps are dashed
}

// Options say how large a picture may become. Zero stands for the default.
type Options struct {
	Width int // in pixels; 1600
	Lanes int // at most; 40
	Boxes int // at most, about, and as many arrows; 10,000

	Names Length // width of the column of names at least, so that several pictures have one scale

	Order []string // components whose lanes stand above the others, from top to bottom

	Chosen []Chosen // functions that have strong colours of their own, MostChosen at most; the first that has a function holds
}

// Chosen are functions with a colour of their own.
type Chosen struct {
	Name string                                // in the legend
	Has  func(component, function string) bool // says which functions they are
}

func (o Options) filled() Options {
	fill := func(n *int, with int) {
		if *n <= 0 {
			*n = with
		}
	}
	fill(&o.Width, 1600)
	fill(&o.Lanes, 40)
	fill(&o.Boxes, 10_000)
	o.Width = max(o.Width, leastWidth)
	return o
}

// leastWidth leaves room for names beside the axis.
const leastWidth = 480

func (w *Window) names() *schema.Names { return w.Executions.Names }

// inside says whether a time lies in the window.
func (w *Window) inside(ns int64) bool { return ns >= w.FromNs && ns <= w.ToNs }
