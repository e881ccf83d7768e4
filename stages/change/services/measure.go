package services

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/numbering"
)

// Kind is what is measured of a request.
type Kind uint8

// What is measured. Times are in ns.
const (
	Own    Kind = iota // time of an operation by itself
	Edge               // time of a call from one service to another, less the time of the callee
	Calls              // number of executions that one of an operation calls
	Errors             // share of the executions of an operation that failed by themselves
	kinds
)

// KindWords are the names of what is measured.
var KindWords = []string{"own", "edge", "calls", "errors"}

// sample is what a request shows of a subject.
type sample struct {
	value   float64 // mean over the executions of the request
	request int32   // its position among the requests of the side
	stratum int32   // number of its kind of requests
}

// side is what the requests of one side show.
type side struct {
	requests []Request
	samples  [kinds][][]sample // by the number of the operation or edge
	last     []int             // executions by the numbers of their operation and of the service that they called last
	totalNs  float64           // of all requests
}

// measurer measures the requests of both sides, so that numbers mean the same on both.
type measurer struct {
	operations keys // of a component and a function
	edges      keys // of the components of the caller and the callee
	lasts      keys // of the number of an operation and the component that was called last
	strata     keys // of the numbers of two operations: the root, and the first one called elsewhere

	// Of the request in hand:
	calls   [][]int32       // by span: the spans that it calls, in the order of their starts
	reaches []bool          // by span: it calls another service, or calls something that does
	waits   [][]interval    // by span: when what it calls is in other services
	cover   []interval      // what a span covers of others
	sums    [kinds][]sum    // by number
	touched [kinds][]uint32 // numbers with a sum
}

// keys numbers pairs of codes and knows the pair of a number.
type keys struct {
	numbers numbering.Numbers
	pairs   [][2]uint32
}

// of returns the number of a pair.
func (k *keys) of(a, b uint32) uint32 {
	number, isNew := k.numbers.Of(numbering.Pack(a, b))
	if isNew {
		k.pairs = append(k.pairs, [2]uint32{a, b})
	}
	return number
}

// sum adds up the executions of a request.
type sum struct {
	total float64
	count float64
}

// side measures the requests of a side.
func (m *measurer) side(requests []Request) *side {
	s := &side{requests: requests}
	for i := range requests {
		m.measure(s, int32(i))
	}
	return s
}

// measure adds what a request shows.
func (m *measurer) measure(s *side, request int32) {
	r := &s.requests[request]
	m.relate(r.Spans)
	for i := range r.Spans {
		x, called := &r.Spans[i], m.calls[i]
		operation := m.operation(x)
		if callee := remote(r.Spans, x, called); callee != schema.NoCode {
			m.add(Edge, m.edges.of(x.Component, callee), float64(m.ownNs(r.Spans, i)))
		} else {
			m.add(Own, operation, float64(m.ownNs(r.Spans, i)))
		}
		m.add(Calls, operation, float64(len(called)))
		m.add(Errors, operation, m.failedItself(r.Spans, i))
		last := m.lasts.of(operation, m.lastService(r.Spans, i))
		s.last = schema.GrowTo(s.last, int(last)+1)
		s.last[last]++
	}
	s.totalNs += float64(r.DurationNs())
	m.flush(s, request, int32(m.stratum(r.Spans)))
}

// operation numbers the operation of a span.
func (m *measurer) operation(x *Span) uint32 {
	return m.operations.of(x.Component, x.Function)
}

// remote returns the service that a span does nothing but call, or NoCode.
func remote(spans []Span, x *Span, called []int32) schema.Code {
	if len(called) != 1 || spans[called[0]].Component == x.Component {
		return schema.NoCode
	}
	return spans[called[0]].Component
}

// stratum numbers the kind of a request: its root, and the first operation of another service that is called.
func (m *measurer) stratum(spans []Span) uint32 {
	first, found := 0, false
	for i := range spans {
		x := &spans[i]
		elsewhere := x.Parent >= 0 && spans[x.Parent].Component != x.Component
		if elsewhere && (!found || x.StartNs < spans[first].StartNs) {
			first, found = i, true
		}
	}
	return m.strata.of(m.operation(&spans[0]), m.operation(&spans[first]))
}

// add adds an execution of the request in hand to the sum of a subject.
func (m *measurer) add(k Kind, number uint32, value float64) {
	m.sums[k] = schema.GrowTo(m.sums[k], int(number)+1)
	at := &m.sums[k][number]
	if at.count == 0 {
		m.touched[k] = append(m.touched[k], number)
	}
	at.total += value
	at.count++
}

// flush makes samples of the sums of a request.
func (m *measurer) flush(s *side, request, stratum int32) {
	for k := range m.touched {
		for _, number := range m.touched[k] {
			at := &m.sums[k][number]
			s.samples[k] = schema.GrowTo(s.samples[k], int(number)+1)
			s.samples[k][number] = append(s.samples[k][number], sample{at.total / at.count, request, stratum})
			*at = sum{}
		}
		m.touched[k] = m.touched[k][:0]
	}
}

// failedItself is 1 for an execution that failed although nothing that it called did, else 0.
func (m *measurer) failedItself(spans []Span, i int) float64 {
	if !spans[i].Failed {
		return 0
	}
	for _, c := range m.calls[i] {
		if spans[c].Failed {
			return 0
		}
	}
	return 1
}

// lastService returns the service that a span called last: directly, or by an execution of its own that does. It is the
// span's own where the last thing that it calls stays there, and NoCode where it calls nothing.
func (m *measurer) lastService(spans []Span, i int) schema.Code {
	if len(m.calls[i]) == 0 {
		return schema.NoCode
	}
	last := m.calls[i][len(m.calls[i])-1]
	for _, c := range m.calls[last] {
		if spans[c].Component != spans[last].Component {
			return spans[c].Component
		}
	}
	return spans[last].Component
}
