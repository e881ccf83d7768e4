package readertest

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

// Summary counts the events and messages of a result, and shows its events without their components.
type Summary struct {
	// Events has a line for each event: time in ns, lifeline, > for an enter, < for an exit or = for a further message, and
	// the function; with a message ! or ? for its direction, series and number, and its label.
	Events []string

	Enters, Exits   int              // events of these kinds
	Sends, Receives int              // ends of messages
	Failed          int              // starts of executions that ended with an error
	Unmatched       int              // receives before or without their sends
	Negative        int              // receives behind their sends, but at an earlier time
	Losses          map[string]int64 // by reason
	Said            []string         // sentences on the traces
}

// signs stand for what an event does with its message, or in its coupling: it sends, receives, opens or waits, or is of a collective
// operation.
const signs = " !?^v****"

// Summarize reads the traces of a reading with a format, as Read does.
func Summarize(format schema.Format, reading *schema.Reading) (*Summary, error) {
	result := Read(format, reading)
	// Messages under way: the time of the send by the number of the message.
	s, sentNs := &Summary{Losses: make(map[string]int64), Said: result.Said}, make(map[int64]int64)
	for _, e := range result.Events {
		line := fmt.Sprintf("%d %s %c %s", e.Ns, e.Key.Lifeline, "><="[e.Key.Kind], e.Key.Function)
		switch e.Key.Kind {
		case schema.Enter:
			s.Enters++
		case schema.Exit:
			s.Exits++
		}
		switch e.Mark.Direction {
		case schema.Send:
			s.Sends++
			sentNs[e.ID] = e.Ns
		case schema.Receive:
			s.Receives++
			// The time of a receive is judged against the send that came before it in the reader's order.
			if ns, sent := sentNs[e.ID]; !sent {
				s.Unmatched++
			} else if e.Ns < ns {
				s.Negative++
			}
			// A number may be used again once its message has arrived.
			delete(sentNs, e.ID)
		}
		if e.Mark.Direction != schema.NoMessage {
			line += fmt.Sprintf(" %c%s%d %s", signs[e.Mark.Direction], e.Mark.Series, e.ID, e.Mark.Label)
		}
		s.Events = append(s.Events, line)
	}
	for _, n := range result.Notes {
		if n.Name == schema.NoteStatus && n.Value == schema.StatusError {
			s.Failed++
		}
	}
	// Places of losses are left out: a summary compares traces of the same events in several forms.
	for _, loss := range result.Ledger.Losses("") {
		s.Losses[loss.Reason] = loss.Count
	}
	return s, result.Err
}
