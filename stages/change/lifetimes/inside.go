package lifetimes

import "github.com/tracelake/tracelake/schema"

// Part is what happens inside lifetimes: a function works, or messages wait for it.
type Part struct {
	Component, Function string
	IsQueue             bool // from sending messages to the function that receives them
}

// Inside sums up what happens inside the lifetimes of one name of a run, by part in ns. Parts are those of the component of the lifetimes: of a
// trace of threads, the process that has both.
type Inside struct {
	*Cover
	Component string
	Ns        map[Part]int64

	nested map[int64]int64 // by execution that has not come yet: of what it called
}

// NewInside returns sums for lifetimes of a component.
func NewInside(component string) *Inside {
	return &Inside{Cover: new(Cover), Component: component, Ns: make(map[Part]int64), nested: make(map[int64]int64)}
}

// AddExecutions takes the next executions of the run, in the order of their finish on a lifeline: execution, component, function, start_ns,
// finish_ns, parent, role and execution_type are read. An execution that calls others works when none of them is under way, and one that waits for
// another component does not work.
func (s *Inside) AddExecutions(x *schema.Executions) {
	lifetimes := x.Names.LifetimesIn(x.Type)
	component, known := x.Names.Components.Lookup(s.Component)
	for i, execution := range x.Execution {
		if !known || x.Component[i] != component || lifetimes.Has(i) {
			continue
		}
		ns := s.Within(x.StartNs[i], x.FinishNs[i])
		if x.Parent[i] != schema.NoValue && ns > 0 {
			s.nested[x.Parent[i]] += ns
		}
		own := ns - s.nested[execution]
		delete(s.nested, execution)
		if own > 0 && x.Role[i] != schema.BlockingCall && x.Role[i] != schema.Wait {
			s.Ns[Part{Component: s.Component, Function: x.Names.Functions.Name(x.Function[i])}] += own
		}
	}
}

// AddMessages takes the next messages of the run: receiver, receiver_function, send_ns and receive_ns are read.
func (s *Inside) AddMessages(m *schema.Messages) {
	component, known := m.Names.Components.Lookup(s.Component)
	for i, ns := range m.SendNs {
		if !known || m.Receiver[i] != component {
			continue
		}
		if ns = s.Within(ns, m.ReceiveNs[i]); ns > 0 {
			s.Ns[Part{s.Component, m.Names.Functions.Name(m.ReceiverFunction[i]), true}] += ns
		}
	}
}
