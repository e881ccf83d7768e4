package views

import (
	"cmp"
	"fmt"
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

// Arrows are the messages of a window. Where the window covers whole row groups, and more of them than are read for a picture, Slowest has of
// each only the slowest message from one lane to another; Total counts all of them.
type Arrows struct {
	Slowest []Arrow `json:"slowest"` // those that were longest under way, in the order of their sending
	Total   int64   `json:"total"`   // messages between the lanes that overlap the window, drawn or not

	leastNs int64 // how long a message must be under way to be among the slowest
}

// mostMessageGroups is how many row groups of messages a window may overlap for all their messages to be looked at.
const mostMessageGroups = 16

var arrowColumns = []string{"label", "pattern", "sender_lifeline", "receiver_lifeline", "send_ns", "receive_ns"}

// exchanged are the messages of a row group. A message takes messageBytes.
type exchanged struct {
	names                  *schema.Names
	label, sender, receive []schema.Code
	pattern                []schema.Pattern
	sendNs, receiveNs      []int64
}

const messageBytes = 3*4 + 1 + 2*8

// bundle is what messages of a row group from one lifeline to another are together.
type bundle struct {
	from, to string
	count    int64
	slowest  Arrow // without its lanes; times on the clock of the trace
}

// bundleBytes is about what a bundle takes without its names.
const bundleBytes = 120

// sent is when the messages of a row group were under way: first send and last receive.
type sent struct{ firstNs, lastNs int64 }

// messageFooter is what a file of messages states.
type messageFooter struct {
	groups []sent
	file   *lake.Footer
}

// footerOfMessages reads the bounds of all row groups of messages, or takes them from the cache. What states no bounds is always read.
func (r *Run) footerOfMessages(f lake.File) (*messageFooter, error) {
	return Keep(r.cache, f.Path+"#", func() (*messageFooter, int64, error) {
		in, err := r.lake.Reader(f, schema.NewMessages(new(schema.Names)), arrowColumns...)
		if err != nil {
			return nil, 0, err
		}
		defer in.Close()
		all := make([]sent, 0, in.Groups())
		for g := range in.Groups() {
			s := in.Stats(g)
			first, _, known := s.Ints("send_ns")
			_, last, also := s.Ints("receive_ns")
			if !known || !also {
				first, last = -1<<63, 1<<63-1
			}
			all = append(all, sent{first, last})
		}
		out := &messageFooter{all, in.Footer()}
		return out, int64(len(all))*16 + out.file.Bytes(), nil
	})
}

// readMessages decodes a row group of messages.
func (r *Run) readMessages(f lake.File, foot *lake.Footer, group int) (*exchanged, error) {
	m := schema.NewMessages(new(schema.Names))
	in, err := r.lake.ReaderOf(f, foot, m, arrowColumns...)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if err := in.Read(group); err != nil {
		return nil, err
	}
	return &exchanged{m.Names, slices.Clone(m.Label), slices.Clone(m.SenderLifeline), slices.Clone(m.ReceiverLifeline), slices.Clone(m.Pattern), slices.Clone(m.SendNs), slices.Clone(m.ReceiveNs)}, nil
}

// messagesOf returns the messages of a row group, decoded now or from the cache.
func (r *Run) messagesOf(f lake.File, foot *lake.Footer, group int) (*exchanged, error) {
	return Keep(r.cache, fmt.Sprint(f.Path, "#", group), func() (*exchanged, int64, error) {
		x, err := r.readMessages(f, foot, group)
		if err != nil {
			return nil, 0, err
		}
		return x, int64(len(x.sendNs))*messageBytes + nameBytes(x.names), nil
	})
}

// bundles sums up the messages of a row group by their lifelines, or takes the sums from the cache.
func (r *Run) bundles(f lake.File, foot *lake.Footer, group int) ([]bundle, error) {
	return Keep(r.cache, fmt.Sprint(f.Path, "#sums", group), func() ([]bundle, int64, error) {
		x, err := r.readMessages(f, foot, group)
		if err != nil {
			return nil, 0, err
		}
		places := make(map[[2]schema.Code]int)
		var all []bundle
		bytes := int64(0)
		for i, sendNs := range x.sendNs {
			key := [2]schema.Code{x.sender[i], x.receive[i]}
			at, has := places[key]
			if !has {
				at = len(all)
				places[key] = at
				all = append(all, bundle{from: x.names.Lifelines.Name(key[0]), to: x.names.Lifelines.Name(key[1])})
				bytes += bundleBytes + int64(len(all[at].from)+len(all[at].to))
			}
			b := &all[at]
			b.count++
			if b.count == 1 || x.receiveNs[i]-sendNs > b.slowest.ReceiveNs-b.slowest.SendNs {
				b.slowest = x.arrow(i)
			}
		}
		return all, bytes, nil
	})
}

// arrow is a message without its lanes, on the clock of the trace.
func (x *exchanged) arrow(i int) Arrow {
	return Arrow{SendNs: x.sendNs[i], ReceiveNs: x.receiveNs[i], Label: x.names.Messages.Name(x.label[i]), Pattern: schema.PatternWords[x.pattern[i]]}
}

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
	out := &Arrows{Slowest: []Arrow{}, leastNs: -1 << 63} // clocks that are apart let a message arrive before it is sent
	fromNs, toNs := a.FromNs+r.StartNs, a.ToNs+r.StartNs
	type part struct {
		file  lake.File
		foot  *lake.Footer
		group int
		sent
	}
	var parts []part
	for _, f := range r.message.Files {
		foot, err := r.footerOfMessages(f)
		if err != nil {
			return nil, err
		}
		for g, s := range foot.groups {
			if s.firstNs <= toNs && s.lastNs >= fromNs {
				parts = append(parts, part{f, foot.file, g, s})
			}
		}
	}
	for _, p := range parts {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		if len(parts) > mostMessageGroups && p.firstNs >= fromNs && p.lastNs <= toNs {
			all, err := r.bundles(p.file, p.foot, p.group)
			if err != nil {
				return nil, err
			}
			out.addBundles(r, all, places)
		} else {
			x, err := r.messagesOf(p.file, p.foot, p.group)
			if err != nil {
				return nil, err
			}
			out.add(r, x, places, fromNs, toNs)
		}
		out.keep(most)
	}
	slices.SortStableFunc(out.Slowest, func(a, b Arrow) int { return cmp.Compare(a.SendNs, b.SendNs) })
	return out, nil
}

// addBundles adds the sums of a row group that lies within the window.
func (out *Arrows) addBundles(r *Run, all []bundle, places map[string]int) {
	for i := range all {
		from, has := places[all[i].from]
		to, also := places[all[i].to]
		if !has || !also {
			continue
		}
		out.Total += all[i].count
		one := all[i].slowest
		one.From, one.To, one.SendNs, one.ReceiveNs = from, to, one.SendNs-r.StartNs, one.ReceiveNs-r.StartNs
		out.Slowest = append(out.Slowest, one)
	}
}

// add adds the messages of a row group that overlap the window.
func (out *Arrows) add(r *Run, x *exchanged, places map[string]int, fromNs, toNs int64) {
	codes := make([]int, x.names.Lifelines.Len()) // place of a lane, and 1
	for code := range codes {
		if place, has := places[x.names.Lifelines.Name(schema.Code(code))]; has {
			codes[code] = place + 1
		}
	}
	for i, sendNs := range x.sendNs {
		from, to := codes[x.sender[i]], codes[x.receive[i]]
		if sendNs > toNs || x.receiveNs[i] < fromNs || from == 0 || to == 0 {
			continue
		}
		out.Total++
		if x.receiveNs[i]-sendNs < out.leastNs {
			continue
		}
		one := x.arrow(i)
		one.From, one.To, one.SendNs, one.ReceiveNs = from-1, to-1, sendNs-r.StartNs, x.receiveNs[i]-r.StartNs
		out.Slowest = append(out.Slowest, one)
	}
}

// keep drops all but the slowest messages. Of equally slow ones the first stay.
func (out *Arrows) keep(most int) {
	if len(out.Slowest) > most {
		slices.SortStableFunc(out.Slowest, func(a, b Arrow) int {
			return cmp.Or(cmp.Compare(b.ReceiveNs-b.SendNs, a.ReceiveNs-a.SendNs), cmp.Compare(a.SendNs, b.SendNs))
		})
		out.Slowest = out.Slowest[:most]
		if most > 0 {
			out.leastNs = out.Slowest[most-1].ReceiveNs - out.Slowest[most-1].SendNs
		}
	}
}
