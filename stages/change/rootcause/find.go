package rootcause

import "github.com/tracelake/tracelake/schema"

// Subject is a judged change with what is known of its place.
type Subject struct {
	Change     *schema.Change // Finding is filled in
	Awaited    string         // of a transition: whom the component waits for in the time before it, "component.function", or ""
	Function   string         // of a transition: the function that runs in that time
	Initial    bool           // of a fragment: no message starts it
	Base, Cand []Run          // by run
}

// Run is what a subject cost in one run, and how often it happened, per root execution.
type Run struct{ CostNs, Count float64 }

// Options are how much matters.
type Options struct {
	FloorNs float64 // the cost per root execution that does not matter
	Margin  float64 // the relative change that does not matter
}

// Find names the root causes of the changes among subjects, the greatest effect first, and sets Finding of every
// change that is one or follows from one. The order of subjects does not matter. Transitions and fragments that did
// not change are wanted as well: they are the ways by which differences are passed on.
func Find(subjects []Subject, o Options) []schema.Finding {
	f := &finder{Options: o}
	f.read(subjects)
	f.roots()
	f.succession()
	f.walk()
	f.reserves()
	f.lateness()
	f.walk()
	f.diffuse()
	f.walk()
	f.moved()
	return f.findings()
}

// finder is one search.
type finder struct {
	Options
	figures    []*figure
	nodes      map[string]*node // by fragment
	order      []*node          // callees before their callers, as far as there are no circles
	components map[string]bool
	back       []*node // at which circles close
	messages   map[route][]*figure
	steps      map[place][]*figure // steps of own time: by the function that runs, without fragment and sign
	causes     []*cause
	blocking   map[place][]*wait // by the component that waits and the function that it waits for
	places     map[place]*cause
	sums       sums
}

// read takes the subjects in an order of their own.
func (f *finder) read(subjects []Subject) {
	f.figures = make([]*figure, len(subjects))
	for i := range subjects {
		f.figures[i] = newFigure(&subjects[i])
	}
	sortFigures(f.figures)
	f.nodes, f.components, f.messages = make(map[string]*node), make(map[string]bool), make(map[route][]*figure)
	f.blocking = make(map[place][]*wait)
	f.steps, f.places = make(map[place][]*figure), make(map[place]*cause)
	for _, g := range f.figures {
		f.components[g.Change.Component] = true
	}
	for _, g := range f.figures {
		g.Change.Finding = nil
		f.place(g)
	}
	f.connect()
}
