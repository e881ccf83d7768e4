package models

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Replay is the outcome of a replay of a trace through the models of its components.
type Replay struct {
	Run     string             // name of the run
	Models  int                // in the system
	Changed bool               // operations changed the models after they were learned; the replay has them as learned
	Verdict components.Verdict // how far the models follow the trace
}

// WriteText writes whether the system accepts the trace, where it does not, and how much room its buffers need. A refusal names the
// first event that some model cannot take; events behind it were not tried.
func (r *Replay) WriteText(out io.Writer) error {
	v := &r.Verdict
	system := texttab.Plural(r.Models, "model")
	if r.Changed {
		system += " (as learned, before operations)"
	}
	if v.Accepted {
		fmt.Fprintf(out, "run %s: the system of %s accepts the trace, %s\n", r.Run, system, texttab.Plural(v.Events, "event"))
	} else {
		fmt.Fprintf(out, "run %s: the system of %s does not accept the trace\n", r.Run, system)
		// Without an event, the trace ended in a state in which the model may not end.
		at := "end of the trace"
		if v.Seq != schema.NoValue {
			at = fmt.Sprint("event ", v.Seq)
		}
		fmt.Fprintf(out, "%s, component %s: %s; %s were accepted before\n", at, v.Component, v.Refusal, texttab.Plural(v.Events, "event"))
		// One buffer for all senders keeps their common order; a buffer for each pair does not.
		// A buffer without a sender is that of all senders: only there can another sender's message stand before it.
		if v.Refusal == components.Overtaken && len(v.Buffers) > 0 && v.Buffers[0].Sender == "" {
			fmt.Fprintln(out, "with --buffers pair, the messages of other senders would not stand before it")
		}
	}
	return writeBuffers(out, v.Buffers)
}

// writeBuffers writes how many messages the buffers must hold, the largest first. Buffers of the smallest size are summed up,
// as most have room for one message.
func writeBuffers(out io.Writer, buffers []components.Buffer) error {
	if len(buffers) == 0 {
		return nil
	}
	// 1. The largest first; the caller's slice keeps its order for the JSON.
	buffers = slices.Clone(buffers)
	slices.SortStableFunc(buffers, func(a, b components.Buffer) int { return cmp.Compare(b.Size, a.Size) })
	// 2. Those of the smallest size are one sentence, unless there is only one of them.
	smallest := buffers[len(buffers)-1].Size
	listed := slices.IndexFunc(buffers, func(b components.Buffer) bool { return b.Size == smallest })
	// A sentence about the others is no shorter than the row of a single one.
	if len(buffers)-listed == 1 {
		listed++
	}
	if listed > 0 {
		fmt.Fprintln(out)
		g := texttab.New("r")
		g.Row("room", "buffer of", "messages from")
		for _, b := range buffers[:listed] {
			g.Row(texttab.Count(b.Size), b.Receiver, cmp.Or(b.Sender, "all"))
		}
		if err := g.Write(out); err != nil {
			return err
		}
	}
	room := texttab.Plural(smallest, "message")
	switch rest := len(buffers) - listed; {
	case listed == 0:
		fmt.Fprintf(out, "each of the %d buffers needs room for %s\n", rest, room)
	case rest > 0:
		fmt.Fprintf(out, "\nthe other %d buffers need room for %s each\n", rest, room)
	}
	return nil
}

// replayDocument is the JSON of a replay. Refusal, Seq and Component are null where the system accepts the trace.
type replayDocument struct {
	Run       string         `json:"run"`       // name of the run
	Models    int            `json:"models"`    // in the system
	Accepted  bool           `json:"accepted"`  // every model follows the trace to its end
	Events    int64          `json:"events"`    // accepted ones
	Refusal   *string        `json:"refusal"`   // why a model could not go on
	Seq       *int64         `json:"seq"`       // also null at the end of the trace
	Component *string        `json:"component"` // the one whose model could not go on
	Buffers   []bufferObject `json:"buffers"`   // by receiver and sender, as far as events were accepted
}

// bufferObject is a buffer of the system and the maximum number of messages that it held.
type bufferObject struct {
	Receiver string  `json:"receiver"` // component that takes messages from it
	Sender   *string `json:"sender"`   // null: all
	Room     int     `json:"room"`     // messages
}

// WriteJSON writes the replay with all buffers.
func (r *Replay) WriteJSON(out io.Writer) error {
	v := &r.Verdict
	document := replayDocument{Run: r.Run, Models: r.Models, Accepted: v.Accepted, Events: v.Events, Buffers: []bufferObject{}}
	if !v.Accepted {
		why := string(v.Refusal)
		document.Refusal, document.Component = &why, &v.Component
		if v.Seq != schema.NoValue {
			document.Seq = &v.Seq
		}
	}
	for _, b := range v.Buffers {
		q := bufferObject{Receiver: b.Receiver, Room: b.Size}
		if b.Sender != "" {
			q.Sender = &b.Sender
		}
		document.Buffers = append(document.Buffers, q)
	}
	return json.NewEncoder(out).Encode(document)
}
