package charttest

import "github.com/tracelake/tracelake/schema"

// Row is an event by its names, for tests that make tables of events.
type Row struct {
	TimeNs                        int64
	Component, Lifeline, Function string
	Kind                          schema.Kind
	Direction                     schema.Direction // of its message; what follows counts only with one
	Series, Label                 string
	MessageID                     int64  // schema.NoValue for a message without a number
	Peer                          string // component at the other end; "" where that is untraced
	Synthetic                     bool
}

// Append adds rows to a table, with its own length as their sequence numbers, and returns the table. Names that the
// table does not know are numbered in the order in which the rows have them.
func Append(ev *schema.Events, rows ...Row) *schema.Events {
	names := ev.Names
	for _, r := range rows {
		i := len(ev.Seq)
		schema.Extend(ev, 1)
		ev.Seq[i], ev.TimeNs[i], ev.Kind[i], ev.Synthetic[i] = int64(i), r.TimeNs, r.Kind, r.Synthetic
		ev.Component[i], ev.Lifeline[i] = names.Components.Code(r.Component), names.Lifelines.Code(r.Lifeline)
		ev.Function[i], ev.ExecutionType[i] = names.Functions.Code(r.Function), schema.NoCode
		// Extend leaves what was in the memory before, so an event without a message sets these columns too.
		ev.Direction[i], ev.MessageID[i] = r.Direction, schema.NoValue
		ev.Series[i], ev.Message[i], ev.Peer[i] = schema.NoCode, schema.NoCode, schema.NoCode
		if r.Direction == schema.NoMessage {
			continue
		}
		ev.MessageID[i] = r.MessageID
		if r.Series != "" {
			ev.Series[i] = names.Series.Code(r.Series)
		}
		if r.Label != "" {
			ev.Message[i] = names.Messages.Code(r.Label)
		}
		if r.Peer != "" {
			ev.Peer[i] = names.Components.Code(r.Peer)
		}
	}
	return ev
}
