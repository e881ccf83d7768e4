package constraints

import "github.com/tracelake/tracelake/schema"

// writer fills rows of constraints in place. It makes room for as many as there can be, and gives back the rest.
type writer struct {
	out *schema.Constraints
	n   int // rows so far
}

func (w *writer) open(most int) {
	w.n = len(w.out.Target)
	schema.Extend(w.out, most)
}

func (w *writer) close() { schema.Truncate(w.out, w.n) }

// write adds the constraints into an event of a component and a function.
func (w *writer) write(x *into, component, function schema.Code) {
	out := w.out
	if x.segment {
		i := w.row(x, component, x.durationNs, x.boundNs)
		out.Source[i], out.Kind[i], out.Function[i] = x.sourceSeq, schema.OnLifeline, x.function
		out.Sender[i], out.Label[i] = schema.NoCode, schema.NoCode
	}
	for k := range x.messages {
		m := &x.messages[k]
		i := w.row(x, component, x.timeNs-m.sendNs, x.bounds[k])
		out.Source[i], out.Kind[i], out.Function[i] = m.sendSeq, schema.ByMessage, function
		out.Sender[i], out.Label[i] = m.sender, m.label
	}
}

// row begins a row with what its target, duration and bound say.
func (w *writer) row(x *into, component schema.Code, durationNs, boundNs int64) int {
	out, i := w.out, w.n
	w.n++
	slack := schema.NoValue
	if boundNs != schema.NoValue {
		slack = durationNs - boundNs
	}
	out.Target[i], out.TargetNs[i], out.Component[i] = x.seq, x.timeNs, component
	out.DurationNs[i], out.SlackNs[i], out.Critical[i] = durationNs, slack, slack == 0
	return i
}
