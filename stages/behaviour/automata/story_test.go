package automata

import (
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// story makes a trace of lines "time lifeline > function", "... < function", with the message of an
// event as "?peer" (receives) or "!peer" (sends) at the end. The component is the lifeline up to a
// slash. A line "time lifeline - function" is a further message.
func story(t testing.TB, names *schema.Names, text string) *schema.Events {
	t.Helper()
	ev := &schema.Events{Names: names}
	for _, text := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Fields(text)
		if len(f) < 4 {
			t.Fatalf("not an event: %q", text)
		}
		ns, err := strconv.ParseInt(f[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		peer, direction := schema.NoCode, schema.NoMessage
		if len(f) > 4 {
			direction = schema.Direction(1 + strings.IndexByte("!?", f[4][0]))
			if len(f[4]) > 1 {
				peer = names.Components.Code(f[4][1:])
			}
		}
		component, _, _ := strings.Cut(f[1], "/")
		ev.Seq = append(ev.Seq, int64(len(ev.Seq)))
		ev.TimeNs = append(ev.TimeNs, ns)
		ev.Component = append(ev.Component, names.Components.Code(component))
		ev.Lifeline = append(ev.Lifeline, names.Lifelines.Code(f[1]))
		ev.Function = append(ev.Function, names.Functions.Code(f[3]))
		ev.Kind = append(ev.Kind, schema.Kind(strings.Index("><-", f[2])))
		ev.Direction = append(ev.Direction, direction)
		ev.Peer = append(ev.Peer, peer)
	}
	return ev
}

// part is a batch of a trace, with only the columns that the stage reads.
func part(ev *schema.Events, from, to int) *schema.Events {
	return &schema.Events{
		Names: ev.Names, Seq: ev.Seq[from:to], TimeNs: ev.TimeNs[from:to], Component: ev.Component[from:to],
		Lifeline: ev.Lifeline[from:to], Function: ev.Function[from:to], Kind: ev.Kind[from:to],
		Direction: ev.Direction[from:to], Peer: ev.Peer[from:to],
	}
}

func learn(ev *schema.Events) (*Model, *schema.Ledger) {
	led := new(schema.Ledger)
	b := NewBuilder(ev.Names)
	b.Add(ev, led)
	return b.Model(led), led
}
