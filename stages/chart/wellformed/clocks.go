package wellformed

import "github.com/tracelake/tracelake/stages/clocks/alignment"

// relation notes what the messages of a trace say about the clocks of its components.
type relation struct {
	between *alignment.Collector // nil where nobody asks
	domain  func(component string) uint32
	domains []uint32 // by component: its domain + 1
}

// Relate says, before the first event, that the times of messages between components of different domains are wanted: whatever
// its order in the trace, a message is sent before it is received. Domain is asked once for each component.
func (w *Builder) Relate(between *alignment.Collector, domain func(component string) uint32) {
	w.relation = relation{between: between, domain: domain}
}

// relateClocks notes a message.
func (w *Builder) relateClocks(sender uint32, sentNs int64, receiver uint32, receivedNs int64) {
	if from, to := w.domainOf(sender), w.domainOf(receiver); from != to {
		w.relation.between.Before(from, sentNs, to, receivedNs)
	}
}

// domainOf is the domain of a component.
func (w *Builder) domainOf(component uint32) uint32 {
	for len(w.relation.domains) <= int(component) {
		w.relation.domains = append(w.relation.domains, 0)
	}
	d := &w.relation.domains[component]
	if *d == 0 {
		*d = 1 + w.relation.domain(w.codes.names.Components.Name(component))
	}
	return *d - 1
}
