package constraints_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// coupled takes some messages of a run out and returns them as couplings, with their places among the messages.
func (r *tables) coupled(rng *rand.Rand) (rest *schema.Messages, c *schema.Couplings, as []int) {
	rest, c = schema.NewMessages(r.events.Names), schema.NewCouplings(r.events.Names)
	m := r.messages
	for i := range m.Label {
		if m.SendSeq[i] == m.ReceiveSeq[i] || rng.Intn(2) == 0 {
			schema.AppendRows(rest, m, i, i+1)
			continue
		}
		as = append(as, i)
		schema.Extend(c, 1)
		k := len(c.Kind) - 1
		c.Kind[k], c.Label[k] = []schema.ConstraintKind{schema.ByCollective, schema.ByLink}[rng.Intn(2)], m.Label[i]
		c.SourceSeq[k], c.SourceNs[k], c.Source[k], c.SourceLifeline[k] = m.SendSeq[i], m.SendNs[i], m.Sender[i], m.SenderLifeline[i]
		c.TargetSeq[k], c.TargetNs[k], c.Target[k], c.TargetLifeline[k] = m.ReceiveSeq[i], m.ReceiveNs[i], m.Receiver[i], m.ReceiverLifeline[i]
	}
	return rest, c, as
}

// unkind are the constraints of a run without their kinds, which tell couplings from messages.
func (r *tables) unkind(opt constraints.Options, c *schema.Couplings, notes []schema.Annotation, reserve int) (rows []string, kinds map[[2]int64]schema.ConstraintKind) {
	b := constraints.NewBuilder(r.events.Names, opt, notes)
	b.AddComponents(r.events.Component)
	b.Reserve(reserve)
	b.AddMessages(r.messages)
	if c != nil {
		b.AddCouplings(c)
	}
	b.Start()
	out := schema.NewConstraints(r.events.Names)
	b.Add(r.events, out, new(schema.Ledger))
	kinds = make(map[[2]int64]schema.ConstraintKind)
	for i := range out.Kind {
		if out.Kind[i] != schema.OnLifeline {
			kinds[[2]int64{out.Source[i], out.Target[i]}] = out.Kind[i]
			out.Kind[i] = schema.ByMessage
		}
	}
	return lines(out, 0), kinds
}

// A coupling holds back what a message would hold back that is of a class by itself: of the shortest time between two lifelines couplings
// have their own.
func TestCouplingsAreMessagesOfTheirOwn(t *testing.T) {
	own := 0
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		r := random(rng, 1+rng.Intn(60))
		rest, c, as := r.coupled(rng)
		// Messages have no notes here, so that those of another type are a class by themselves.
		var notes []schema.Annotation
		for _, i := range as {
			seq, number := r.messages.SendSeq[i], r.messages.MessageID[i]
			notes = append(notes, schema.Annotation{Seq: &seq, About: schema.AboutMessage, Series: "m", Number: &number, Name: schema.NoteType, Value: "reply"})
		}
		for _, b := range []constraints.Bounds{constraints.Paper, constraints.PPS, constraints.Declared} {
			opt := constraints.Options{Bounds: b, DefaultNs: rng.Int63n(30)}
			want, _ := r.unkind(opt, nil, notes, len(r.messages.Label))
			all := r.messages
			r.messages = rest
			got, kinds := r.unkind(opt, c, nil, 0)
			r.messages = all
			if !sameRows(got, want) {
				t.Fatalf("seed %d, %s: got\n%q\nwant\n%q", seed, b, got, want)
			}
			for k := range c.Kind {
				kind, made := kinds[[2]int64{c.SourceSeq[k], c.TargetSeq[k]}]
				if made && kind == c.Kind[k] {
					own++
				}
			}
		}
	}
	if own < 1000 {
		t.Errorf("%d constraints have the kind of their coupling: the test sees too little", own)
	}
}

// Of the messages of one way the shortest is the bound of the others, also where a run has one way only.
func TestOneWay(t *testing.T) {
	r := &tables{events: schema.NewEvents()}
	r.messages = schema.NewMessages(r.events.Names)
	r.event(0, 0, "A", "A/0", "f", schema.Enter, false)
	r.event(1, 5, "A", "A/0", "f", schema.Exit, false)
	r.event(2, 30, "B", "B/0", "g", schema.Enter, false)
	r.event(3, 45, "B", "B/0", "g", schema.Exit, false)
	rng := rand.New(rand.NewSource(1))
	r.message(rng, 0, 2) // of 30 ns
	r.message(rng, 1, 3) // of 40 ns
	out, rows := r.derived(constraints.Options{Bounds: constraints.PPS, DefaultNs: 35}, nil, 9, new(schema.Ledger))
	expect.Slice(t, boundsOf(out, rows[3]), []int64{15, 30}, "bounds into the last event")
}

// What a trace says of its default counts, and neither another word about the trace nor the word about something else.
func TestDefaultOfTheTrace(t *testing.T) {
	seq := int64(0)
	for _, notes := range [][]schema.Annotation{
		{{About: schema.AboutTrace, Name: "author", Value: "7"}},
		{{Seq: &seq, About: schema.AboutSegment, Name: schema.NoteDefault, Value: "7"}},
	} {
		r := random(rand.New(rand.NewSource(3)), 40)
		got, _ := r.derived(constraints.Options{Bounds: constraints.Auto}, notes, 9, new(schema.Ledger))
		want, _ := r.derived(constraints.Options{Bounds: constraints.Auto}, nil, 9, new(schema.Ledger))
		expect.Slice(t, lines(got, 0), lines(want, 0), "constraints with %+v", notes)
	}
}

// Events between executions, and further messages of an event, are no steps: a run has the constraints that it has without them. The step
// before an event has neither a sender nor a label.
func TestEventsThatAreNoSteps(t *testing.T) {
	for seed := range int64(50) {
		rng := rand.New(rand.NewSource(seed))
		r := random(rng, 40)
		out, _ := r.derived(constraints.Options{Bounds: constraints.Paper}, nil, 9, new(schema.Ledger))
		for i := range out.Kind {
			if out.Kind[i] == schema.OnLifeline && (out.Sender[i] != schema.NoCode || out.Label[i] != schema.NoCode) {
				t.Fatalf("seed %d: the step before event %d has a sender or a label", seed, out.Target[i])
			}
		}
		taken := make(map[int64]bool)
		for i := range r.messages.SendSeq {
			taken[r.messages.SendSeq[i]], taken[r.messages.ReceiveSeq[i]] = true, true
		}
		var kept []int
		for i, seq := range r.events.Seq {
			if !taken[seq] && rng.Intn(2) == 0 {
				r.events.Kind[i] = []schema.Kind{schema.Message, schema.Regular}[rng.Intn(2)]
			} else {
				kept = append(kept, i)
			}
		}
		with, _ := r.derived(constraints.Options{Bounds: constraints.Paper}, nil, 1+rng.Intn(9), new(schema.Ledger))
		without := &tables{events: schema.NewEvents(), messages: r.messages}
		without.events.Names = r.events.Names
		for _, i := range kept {
			schema.AppendRows(without.events, r.events, i, i+1)
		}
		bare, _ := without.derived(constraints.Options{Bounds: constraints.Paper}, nil, 9, new(schema.Ledger))
		if got, want := lines(with, 0), lines(bare, 0); !slices.Equal(got, want) {
			t.Fatalf("seed %d: got\n%q\nwant\n%q", seed, fmt.Sprint(got), want)
		}
	}
}
