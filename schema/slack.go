package schema

// Slack tells for every event how much later it could occur without moving the end of any chain of constraints
// that it starts, and how early the constraints allow it. Rows are in the order of the trace.
type Slack struct {
	Seq      []int64
	SlackNs  []int64
	UrgentNs []int64 // as soon as possible: the earliest time that the bounds allow
}

// Columns implements the interface of that name.
func (s *Slack) Columns() []Column {
	return []Column{Ints("seq", &s.Seq), Ints("slack_ns", &s.SlackNs), Ints("urgent_ns", &s.UrgentNs)}
}
