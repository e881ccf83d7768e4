package summaries

import (
	"cmp"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/numbering"
)

// Messages summarises what the messages take that the components of a partition receive. It reads that from the
// timing constraints, where a message and the lifeline of its receiver meet.
type Messages struct {
	names    *schema.Names
	estimate *stats.Estimator
	ends     numbering.Numbers // of receivers and senders
	numbers  numbering.Numbers // of the pairs, by number of the ends and function
	keys     []pair
	pairs    []latency // by number of the pair

	target     int64 // the event that the last constraint is into
	lifelineNs int64 // since the event before it on its lifeline; NoValue: there is none
}

// pair is a receiver, a sender, and the function in which the one has the messages of the other.
type pair struct{ receiver, sender, function schema.Code }

// latency is what the messages of a pair take, in two parts.
type latency struct {
	count             int64
	lateness, transit []int64
}

// add takes a message by the time since its send, and since its receiver was ready or NoValue.
func (l *latency) add(messageNs, lifelineNs int64) {
	l.count++
	if messageNs == schema.NoValue {
		return
	}
	late := int64(0)
	if lifelineNs != schema.NoValue {
		late = max(0, messageNs-lifelineNs)
	}
	l.lateness, l.transit = append(l.lateness, late), append(l.transit, messageNs-late)
}

// NewMessages returns a builder for constraints with these names.
func NewMessages(names *schema.Names, estimate *stats.Estimator) *Messages {
	return &Messages{names: names, estimate: estimate, target: schema.NoValue, lifelineNs: schema.NoValue}
}

// Add takes the next constraints: target_seq, kind, component, function, sender and duration_ns are read. Those into
// one event come together, that of its lifeline first, which may be in rows added before.
func (m *Messages) Add(c *schema.Constraints) {
	for i, target := range c.Target {
		if target != m.target {
			m.target, m.lifelineNs = target, schema.NoValue
		}
		if c.Kind[i] == schema.OnLifeline {
			m.lifelineNs = c.DurationNs[i]
			continue
		}
		ends, _ := m.ends.Of(numbering.Pack(c.Component[i], c.Sender[i]))
		n, isNew := m.numbers.Of(numbering.Pack(ends, c.Function[i]))
		if isNew {
			m.keys, m.pairs = append(m.keys, pair{c.Component[i], c.Sender[i], c.Function[i]}), append(m.pairs, latency{})
		}
		m.pairs[n].add(c.DurationNs[i], m.lifelineNs)
	}
}

// Rows ends the constraints and returns two rows for every pair, lateness and transit, by receiver, sender and
// function. The values are gone then.
func (m *Messages) Rows() (rows []schema.Summary) {
	for _, n := range m.inOrder() {
		key, l := m.keys[n], &m.pairs[n]
		of := subject{
			Level: schema.LevelMessage, Component: m.names.Components.Name(key.receiver),
			Peer: m.names.Components.Name(key.sender), Function: m.names.Functions.Name(key.function),
		}
		of.Metric = schema.Lateness
		rows = append(rows, summarise(of, l.count, l.lateness, m.estimate))
		of.Metric = schema.Transit
		rows = append(rows, summarise(of, l.count, l.transit, m.estimate))
		*l = latency{}
	}
	return rows
}

// inOrder lists the numbers of the pairs by their names.
func (m *Messages) inOrder() []int {
	components, functions := &m.names.Components, &m.names.Functions
	return sortedNumbers(m.keys, func(a, b pair) int {
		return cmp.Or(
			cmp.Compare(components.Name(a.receiver), components.Name(b.receiver)),
			cmp.Compare(components.Name(a.sender), components.Name(b.sender)),
			cmp.Compare(functions.Name(a.function), functions.Name(b.function)),
		)
	})
}
