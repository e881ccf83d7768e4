// Package wordtest makes traces for tests of what is learnt from the words of a trace: from a few lines of text, or
// random ones of any size.
package wordtest

import (
	"fmt"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Story makes a trace of lines "time lifeline > function", "... < function", with the message of an
// event as "?peer" (receives) or "!peer" (sends) at the end. The component is the lifeline up to a
// slash. A line "time lifeline - function" is a further message.
func Story(t testing.TB, names *schema.Names, text string) *schema.Events {
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
		// Without a fifth word the event is internal.
		peer, direction := schema.NoCode, schema.NoMessage
		if len(f) > 4 {
			direction = schema.Direction(1 + strings.IndexByte("!?", f[4][0]))
			if len(f[4]) > 1 {
				peer = names.Components.Code(f[4][1:])
			}
		}
		// Lifelines of one component are a/1, a/2, and so on.
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

// Part is a batch of a trace, with only the columns that the stage reads.
func Part(ev *schema.Events, from, to int) *schema.Events {
	return &schema.Events{
		Names: ev.Names, Seq: ev.Seq[from:to], TimeNs: ev.TimeNs[from:to], Component: ev.Component[from:to],
		Lifeline: ev.Lifeline[from:to], Function: ev.Function[from:to], Kind: ev.Kind[from:to],
		Direction: ev.Direction[from:to], Peer: ev.Peer[from:to],
	}
}

// Synthetic makes a trace of n events on 50 interleaved lifelines. Each has a stock of words, random call
// trees of 11 events on average, and repeats them in random order.
func Synthetic(n, stock int) *schema.Events {
	// The seed is fixed: all runs of a benchmark see the same trace.
	names, rng := new(schema.Names), rand.New(rand.NewSource(1))
	for i := range 50 {
		names.Components.Code(fmt.Sprint("component", i))
		names.Lifelines.Code(fmt.Sprint("component", i))
		names.Functions.Code(fmt.Sprint("function", i))
	}
	// 1. A stock of words for each lifeline.
	var words [50][][]callstack.Symbol
	for c := range words {
		for range stock {
			words[c] = append(words[c], callTree(rng))
		}
	}
	// 2. One event at a time, of a lifeline by chance, so that words interleave.
	ev := &schema.Events{Names: names}
	var rest [50][]callstack.Symbol
	for i := range n {
		c := rng.Intn(50)
		if len(rest[c]) == 0 {
			rest[c] = words[c][rng.Intn(stock)]
		}
		ev.Seq = append(ev.Seq, int64(i))
		ev.TimeNs = append(ev.TimeNs, int64(i)*100+rng.Int63n(100))
		ev.Component = append(ev.Component, schema.Code(c))
		ev.Lifeline = append(ev.Lifeline, schema.Code(c))
		ev.Function = append(ev.Function, rest[c][0].Function())
		ev.Kind = append(ev.Kind, rest[c][0].Kind())
		ev.Direction = append(ev.Direction, schema.NoMessage)
		ev.Peer = append(ev.Peer, schema.NoCode)
		rest[c] = rest[c][1:]
	}
	return ev
}

// callTree makes a word: a random tree of calls, at most 12 deep.
func callTree(rng *rand.Rand) (word []callstack.Symbol) {
	var open []schema.Code
	// A call is opened with a chance of 45 %, so that trees stay small.
	for len(word) == 0 || len(open) > 0 {
		// Functions of one depth are few, so that words share beginnings.
		kind, d := schema.Enter, len(open)
		if d > 0 && (d == 12 || rng.Intn(100) >= 45) {
			kind, d = schema.Exit, d-1
		} else {
			open = append(open, schema.Code(rng.Intn(4)+3*d))
		}
		word = append(word, callstack.SymbolOf(open[d], kind, schema.NoMessage, schema.NoCode))
		if kind == schema.Exit {
			open = open[:d]
		}
	}
	return word
}
