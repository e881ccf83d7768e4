package rootcause

import "github.com/tracelake/tracelake/schema"

// Subject is a judged change with the place where it happens.
type Subject struct {
	Change     *schema.Change // Finding is filled in
	Follows    bool           // is filled in: it is no part of its finding, but follows from it
	Awaited    string         // of a transition: whom the component waits for in the time before it, "component.function", or ""
	Function   string         // of a transition: the function that runs in that time
	Initial    bool           // of a fragment: no message starts it
	Base, Cand []Run          // by run, or the mean of the runs alone; none: not known
	Totals     []float64      // of a function: own time in ns per root execution, by run, baseline first; nil: not known
}

// Run is the cost of a subject in one run in ns, and how often it happened, both per root execution.
type Run struct{ CostNs, Count float64 }

// Options bound what matters.
type Options struct {
	FloorNs float64 // the cost per root execution that does not matter
	Margin  float64 // the relative change that does not matter
	Clear   float64 // rate of false discoveries at the top of the findings, see IsClear; 0: that of all

	// Difference compares the totals of the runs of both sides in ns: the mean of the baseline, and the difference of the candidate from it
	// with its interval. nil: as the parts say.
	Difference func(totals []float64) (base, difference, lo, hi float64)
}

// Find names the root causes of the changes among subjects, the greatest sure effect first, and sets Finding of every
// change that is one or follows from one. The order of subjects does not matter. Transitions and fragments that did
// not change are wanted as well: they are the ways by which differences are passed on.
func Find(subjects []Subject, o Options) []schema.Finding {
	f := &finder{}
	f.Options = o
	f.readSubjects(subjects)
	f.places = make(map[place]*cause)
	// (1) Roots: changes that nothing below them can explain, one cause a place.
	f.findRoots()
	f.joinEdges()
	f.findFunctionRoots()
	f.joinSuccessors()
	f.foldWaiting()
	f.joinDivided()
	f.foldCalls()
	// (2) The account: what each cause contributes to each fragment. Every further cause changes it.
	f.attributeCosts()
	f.promoteBehindFunctionalChange()
	f.explainLateness()
	f.attributeCosts()
	f.findDiffuse()
	f.attributeCosts()
	// (3) Costs that only moved, and the findings with all that follows from them.
	f.matchMovedCosts()
	return f.writeFindings()
}

// graph holds who waits for whom: phase 0, which every other phase reads and none changes.
type graph struct {
	Options
	changes     []*costChange
	nodes       map[string]*node  // by fragment
	fragmentsOf map[place][]*node // by component and function, as it is reported, in the order of their names
	components  map[string]bool
	messages    map[route][]*costChange
	steps       map[place][]*costChange // steps of own time: by the function that runs, without fragment and sign
	functions   map[place]*costChange   // functions as a whole, where they were compared: by component and function
	renamed     map[string]place        // functions that moved, by "component.function" in the baseline
	blocking    map[place][]*wait       // by the component that waits and the function that it waits for
}

// registry holds the causes on top of the graph: phase 1 fills it, later phases add to it.
type registry struct {
	graph
	causes []*cause
	places map[place]*cause // the cause that changes at a place join
}

// account holds what each cause contributes to each fragment, on top of both: phase 2.
type account struct {
	registry
	order []*node // callees before their callers, as far as there are no circles
	back  []*node // at which circles close
	sums  sums
}

// finder is one search: the account, and the phases that read it.
type finder struct{ account }

// readSubjects builds the graph. It takes the subjects in an order of their own, so that findings do not depend on the order
// in which they come.
func (gr *graph) readSubjects(subjects []Subject) {
	gr.changes = make([]*costChange, len(subjects))
	for i := range subjects {
		gr.changes[i] = newCostChange(&subjects[i])
	}
	sortChanges(gr.changes)
	gr.nodes, gr.components, gr.messages = make(map[string]*node), make(map[string]bool), make(map[route][]*costChange)
	gr.functions, gr.renamed = make(map[place]*costChange), make(map[string]place)
	gr.blocking, gr.steps = make(map[place][]*wait), make(map[place][]*costChange)
	for _, g := range gr.changes {
		gr.components[g.Change.Component] = true
		if c := g.Change; c.Level == schema.LevelFunction {
			at := place{component: c.Component, function: c.Function}
			gr.functions[at] = g
			for _, name := range c.NamesBefore() {
				gr.renamed[name] = at
			}
		}
	}
	for _, g := range gr.changes {
		g.Change.Finding, g.Follows, g.owner = nil, false, gr.ownerOf(g)
		gr.placeSubject(g)
	}
	gr.connectCallees()
}
