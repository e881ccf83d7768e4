package deadlines

// Label says in a word why a constraint may take long, after PPS. That has no execution: it calls this resource
// contention too, because a trace does not tell work from waiting for a processor.
type Label string

const (
	// Execution is a part of a call that the occurrence made: what it did took longer.
	Execution Label = "execution"
	// CommunicationDelay is a message.
	CommunicationDelay Label = "communication delay"
	// ServiceContention is on a lifeline before it turns to the occurrence: it was busy for others.
	ServiceContention Label = "service contention"
	// ResourceContention is between two calls on a lifeline, after one that the occurrence made: it was kept from going on.
	ResourceContention Label = "resource contention"
)

// label is that of a constraint, whose source the first event of the occurrence leads to if it is caused.
func label(e *Edge, caused bool) Label {
	switch {
	case e.Message:
		return CommunicationDelay
	case !caused:
		return ServiceContention
	case e.Idle:
		return ResourceContention
	}
	return Execution
}

// isCaused reports whether the first event of the occurrence leads to an event.
func (c *chart) isCaused(event int32) bool { return int(event) < len(c.caused) && c.caused[event] }
