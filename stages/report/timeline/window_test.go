package timeline

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// builder makes windows out of events, as ingest and the stage executions would.
type builder struct {
	w     *Window
	seq   int64
	stack map[schema.Code][]int // rows of open executions, by lifeline
	sent  map[string]sending
}

type sending struct {
	seq, ns             int64
	component, function schema.Code
}

func newBuilder() *builder {
	names := new(schema.Names)
	return &builder{
		w:     &Window{Run: "run", Executions: schema.NewExecutions(names), Messages: schema.NewMessages(names)},
		stack: make(map[schema.Code][]int), sent: make(map[string]sending),
	}
}

// event adds TIME LIFELINE >|< FUNCTION [!id|?id]; the component is the lifeline up to its first slash.
func (b *builder) event(ns int64, lifeline string, enter bool, function, message string) {
	names, x := b.w.names(), b.w.Executions
	component, _, _ := strings.Cut(lifeline, "/")
	c, l, f := names.Components.Code(component), names.Lifelines.Code(lifeline), names.Functions.Code(function)
	if open := b.stack[l]; enter {
		parent := schema.NoValue
		if len(open) > 0 {
			parent = x.Execution[open[len(open)-1]]
		}
		b.stack[l] = append(open, len(x.Execution))
		schema.Extend(x, 1)
		i := len(x.Execution) - 1
		x.Execution[i], x.Component[i], x.Lifeline[i], x.Function[i] = b.seq, c, l, f
		x.StartNs[i], x.Depth[i], x.Parent[i], x.Synthetic[i] = ns, int64(len(open)), parent, false
	} else {
		i := open[len(open)-1]
		b.stack[l] = open[:len(open)-1]
		x.FinishNs[i], x.FinishSeq[i], x.DurationNs[i] = ns, b.seq, ns-x.StartNs[i]
	}
	if message != "" {
		b.message(message, sending{b.seq, ns, c, f})
	}
	b.seq++
}

func (b *builder) message(id string, at sending) {
	if id[0] == '!' {
		b.sent[id[1:]] = at
		return
	}
	from, m := b.sent[id[1:]], b.w.Messages
	schema.Extend(m, 1)
	i := len(m.SendSeq) - 1
	m.Label[i], m.Pattern[i] = schema.NoCode, schema.Trigger
	m.SendSeq[i], m.SendNs[i], m.Sender[i], m.SenderFunction[i] = from.seq, from.ns, from.component, from.function
	m.ReceiveSeq[i], m.ReceiveNs[i], m.Receiver[i], m.ReceiverFunction[i] = at.seq, at.ns, at.component, at.function
}

// cut keeps what a reader would hand over of a window.
func (b *builder) cut(fromNs, toNs int64) *Window {
	w := *b.w
	names := w.names()
	w.FromNs, w.ToNs = fromNs, toNs
	w.Executions, w.Messages = schema.NewExecutions(names), schema.NewMessages(names)
	for i, start := range b.w.Executions.StartNs {
		if start <= toNs && b.w.Executions.FinishNs[i] >= fromNs {
			schema.AppendRows(w.Executions, b.w.Executions, i, i+1)
		}
	}
	for i, send := range b.w.Messages.SendNs {
		if send <= toNs && b.w.Messages.ReceiveNs[i] >= fromNs {
			schema.AppendRows(w.Messages, b.w.Messages, i, i+1)
		}
	}
	return &w
}

// read makes a window of lines of events.
func read(t *testing.T, events string) *builder {
	t.Helper()
	b := newBuilder()
	for text := range strings.Lines(events) {
		var ns int64
		fields := strings.Fields(text)
		if _, err := fmt.Sscan(fields[0], &ns); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		b.event(ns, fields[1], fields[2] == ">", fields[3], strings.Join(fields[4:], ""))
	}
	return b
}

// random makes a trace of threads that call, return and send, and closes what is open at its end.
func random(r *rand.Rand, events int) *builder {
	b := newBuilder()
	ns, id := int64(0), 0
	var flying []string
	calls := make(map[string][]string)
	lines := []string{"a", "b/1", "b/2", "c", "d/x", "e", "f"}
	for range events {
		ns += r.Int64N(1 << r.IntN(12))
		l, message := lines[r.IntN(len(lines))], ""
		switch open := len(flying) > 0; {
		case r.IntN(4) == 0:
			id++
			message = fmt.Sprintf("!%d", id)
			flying = append(flying, message[1:])
		case open && r.IntN(2) == 0:
			message, flying = "?"+flying[0], flying[1:]
		}
		if n := len(calls[l]); n > 0 && r.IntN(9) > 8-n {
			b.event(ns, l, false, calls[l][n-1], message)
			calls[l] = calls[l][:n-1]
		} else {
			f := fmt.Sprintf("function_%d", r.IntN(20))
			b.event(ns, l, true, f, message)
			calls[l] = append(calls[l], f)
		}
	}
	for _, l := range lines {
		for n := len(calls[l]); n > 0; n-- {
			b.event(ns, l, false, calls[l][n-1], "")
		}
	}
	b.w.ToNs = max(ns, 1)
	return b
}

// walkBack makes a path as those that follow what came last are: from the last event back to the first.
func (b *builder) walkBack() (path []Step) {
	x, m := b.w.Executions, b.w.Messages
	type event struct {
		line, component, function schema.Code
		ns                        int64
	}
	events := make([]event, b.seq)
	for i := range x.Execution {
		events[x.Execution[i]] = event{x.Lifeline[i], x.Component[i], x.Function[i], x.StartNs[i]}
		events[x.FinishSeq[i]] = event{x.Lifeline[i], x.Component[i], x.Function[i], x.FinishNs[i]}
	}
	for at := b.seq - 1; at > 0; {
		e := events[at]
		s := Step{Target: at, TargetNs: e.ns, Component: e.component, Function: e.function, Sender: schema.NoCode, Source: -1, Critical: at%5 != 0}
		for prev := at - 1; prev >= 0 && s.Source < 0; prev-- {
			if events[prev].line == e.line {
				s.Source = prev
			}
		}
		for i := range m.SendSeq {
			if m.ReceiveSeq[i] == at && m.SendSeq[i] > s.Source {
				s.Source, s.Message, s.Sender = m.SendSeq[i], true, m.Sender[i]
			}
		}
		if s.Source < 0 {
			break
		}
		s.SourceNs = events[s.Source].ns
		path = append(path, s)
		at = s.Source
	}
	return path
}
