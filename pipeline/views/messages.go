package views

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Arrow is a message of a window. Times count from the run's first event.
type Arrow struct {
	From      int    `json:"from"`       // place of the sender's lifeline in the list of lanes
	To        int    `json:"to"`         // of the receiver's
	SendNs    int64  `json:"send_ns"`    // when it was sent
	ReceiveNs int64  `json:"receive_ns"` // when it was received
	Label     string `json:"label"`      // its name in the trace
	Pattern   string `json:"pattern"`    // how the receiver was waited for, as in the table messages
}

// Arrows are the messages of a window.
type Arrows struct {
	Slowest []Arrow `json:"slowest"` // those that were longest under way, in the order of their sending
	Total   int64   `json:"total"`   // messages between the lanes that overlap the window, drawn or not
	Groups  int     `json:"groups"`  // row groups that were too many to be read; 0 where Total is known
}

// mostMessageGroups is how many row groups of messages are read for a window at most.
const mostMessageGroups = 16

var arrowColumns = []string{"label", "pattern", "sender_lifeline", "receiver_lifeline", "send_ns", "receive_ns"}

// Messages returns the messages that are under way in a window between two of its lanes, at most so many of them.
func (r *Run) Messages(a Ask, most int) (*Arrows, error) {
	lanes, err := r.Lanes()
	if err != nil {
		return nil, err
	}
	places := make(map[string]int)
	for _, place := range a.Lanes {
		if place >= 0 && place < len(lanes) {
			places[lanes[place].Lifeline] = place
		}
	}
	out, groups := &Arrows{Slowest: []Arrow{}}, 0
	fromNs, toNs := a.FromNs+r.StartNs, a.ToNs+r.StartNs
	overlaps := func(s lake.Stats) bool {
		first, _, known := s.Ints("send_ns")
		_, last, also := s.Ints("receive_ns")
		return !known || !also || first <= toNs && last >= fromNs
	}
	m := schema.NewMessages(new(schema.Names))
	skip := func(s lake.Stats) bool {
		if !overlaps(s) {
			return true
		}
		if groups++; groups > mostMessageGroups {
			out.Groups++
			return true
		}
		return false
	}
	err = r.lake.Scan(r.ctx, r.message.Files, m, lake.ScanOptions{Columns: arrowColumns, Skip: skip}, func() error {
		out.add(r, m, places, fromNs, toNs)
		out.keep(most)
		return nil
	})
	slices.SortStableFunc(out.Slowest, func(a, b Arrow) int { return cmp.Compare(a.SendNs, b.SendNs) })
	return out, err
}

// add adds the messages of a row group that overlap the window.
func (out *Arrows) add(r *Run, m *schema.Messages, places map[string]int, fromNs, toNs int64) {
	codes := make([]int, m.Names.Lifelines.Len()) // place of a lane, and 1
	for code := range codes {
		if place, has := places[m.Names.Lifelines.Name(schema.Code(code))]; has {
			codes[code] = place + 1
		}
	}
	for i, sendNs := range m.SendNs {
		from, to := codes[m.SenderLifeline[i]], codes[m.ReceiverLifeline[i]]
		if sendNs > toNs || m.ReceiveNs[i] < fromNs || from == 0 || to == 0 {
			continue
		}
		out.Total++
		out.Slowest = append(out.Slowest, Arrow{
			From: from - 1, To: to - 1, SendNs: sendNs - r.StartNs, ReceiveNs: m.ReceiveNs[i] - r.StartNs,
			Label: m.Names.Messages.Name(m.Label[i]), Pattern: schema.PatternWords[m.Pattern[i]],
		})
	}
}

// keep drops all but the slowest messages. Of equally slow ones the first stay.
func (out *Arrows) keep(most int) {
	if len(out.Slowest) > most {
		slices.SortStableFunc(out.Slowest, func(a, b Arrow) int {
			return cmp.Or(cmp.Compare(b.ReceiveNs-b.SendNs, a.ReceiveNs-a.SendNs), cmp.Compare(a.SendNs, b.SendNs))
		})
		out.Slowest = out.Slowest[:most]
	}
}
