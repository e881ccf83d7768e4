package pathdiff

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

// Subject is the row in words: "execution lens.solve", "contention for lens: lens.solve" (lens runs solve while a
// message for lens waits), "message m from stage to lens.solve", or "idle stage".
func (r *Row) Subject() string {
	category := schema.CategoryWords[r.Part.Category]
	if r.Smaller > 0 {
		return fmt.Sprintf("%s ... (%d smaller parts)", category, r.Smaller)
	}
	p := &r.Part
	switch p.Category {
	case schema.Communicating:
		return p.message()
	case schema.Contending:
		return category + " for " + p.Busy + ": " + p.doing()
	}
	return category + " " + p.doing()
}

// Peer is the component at the other end: the sender of a message, or the one for which a message waited.
func (p *Part) Peer() string {
	if p.Category == schema.Contending {
		return p.Busy
	}
	return p.Sender
}

// doing is what a component is at: a function, a message, or nothing.
func (p *Part) doing() string {
	switch {
	case p.Sender != "":
		return p.message()
	case p.Function != "":
		return p.Component + "." + p.Function
	case p.Category == schema.Contending:
		return p.Component + " between executions"
	}
	return p.Component
}

func (p *Part) message() string {
	text := "message "
	if p.Label != "" {
		text += p.Label + " "
	}
	return text + "from " + p.Sender + " to " + p.Component + "." + p.Function
}
