package requirements

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestSieve sees that the states that a sieve keeps say what all states of a run say, and that it has few of them.
func TestSieve(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 26))
	for text, few := range map[string]bool{
		"check a : globally if start {'function'='f1'} then within 30 ns end {'name'='f2'}":                                               true,
		"check a : globally if {'component'='c1'} then within 9 ns {'component'='c2','function'='f3'}":                                    false,
		"check a : globally if start {'component'='c1','function'='f1'} then within 99 ns {'function'='f1','message'='m'}":                true,
		"check a : globally not {'function'='nothing'} check b : globally if {'component'='c0','function'='f4'} then {'function'='f5'}":   true,
		"check a : forall (i : 1...3) globally if {'function'='f'+i} then until not {'function'='f6'} we have that end {'function'='f7'}": true,
	} {
		s := expect.Value(spec.Parse("f", text))(t)
		for _, untraced := range []bool{false, true} {
			all := randomEvents(r, 4000)
			whole, part := NewStates(s, all.Names, untraced), NewStates(s, all.Names, untraced)
			whole.Add(all)
			whole.Tape.Close()
			g := NewSieve(part, s)
			part.Add(sifted(g, all, 500))
			part.Tape.Close()
			expect.Equal(t, g.Sifted(), true, "%s: the last state was kept", text)
			if few && part.Tape.States() > whole.Tape.States()/3 {
				t.Errorf("%s: %d states of %d were kept", text, part.Tape.States(), whole.Tape.States())
			}
			for i := range s.Checks {
				want := expect.Value(whole.Judge(s, &s.Checks[i], Four, mtl.Keep{Failing: 9, Delays: true}))(t)
				got := expect.Value(part.Judge(s, &s.Checks[i], Four, mtl.Keep{Failing: 9, Delays: true}))(t)
				for k := range want {
					expect.Equal(t, said(&got[k]), said(&want[k]), "what %s says", text)
				}
			}
		}
	}
}

// said is what an outcome says, without the places of states on a tape.
func said(o *Outcome) string {
	text := fmt.Sprint(o.Finite, o.Q99Ns, o.States, o.Triggers, o.Failures, o.Open, o.MarginNs, Four.Word(o.Verdict))
	for _, f := range o.Failing {
		text += fmt.Sprint(" ", f.Seq, f.TimeNs, f.Component, f.Function, f.DelayNs, f.ExcessNs)
	}
	return text
}

// randomEvents are events of all kinds.
func randomEvents(r *rand.Rand, n int) *schema.Events {
	ev, now := schema.NewEvents(), int64(0)
	schema.Extend(ev, n)
	for i := range n {
		now += r.Int64N(4)
		ev.Seq[i], ev.TimeNs[i], ev.Kind[i], ev.Synthetic[i] = int64(i), now, schema.Kind(r.IntN(4)), r.IntN(9) == 0
		ev.Component[i] = ev.Names.Components.Code(fmt.Sprint("c", r.IntN(4)))
		ev.Lifeline[i] = ev.Names.Lifelines.Code("l")
		if ev.Function[i] = schema.NoCode; r.IntN(9) > 0 {
			ev.Function[i] = ev.Names.Functions.Code(fmt.Sprint("f", r.IntN(40)))
		}
		if ev.Message[i] = schema.NoCode; r.IntN(2) == 0 {
			ev.Message[i] = ev.Names.Messages.Code("m")
		}
	}
	return ev
}

// sifted is the events that a sieve chooses, of row groups of some length that stand for those of one bucket.
func sifted(g *Sieve, all *schema.Events, rows int) *schema.Events {
	kept := &schema.Events{Names: all.Names}
	n := len(all.Seq)
	for from := 0; from < n; from += rows {
		group := &schema.Events{Names: all.Names}
		stretch(group, all, from, min(from+rows, n))
		for _, i := range g.Choose(group, 3, from+rows >= n, nil) {
			stretch(kept, all, from+i, from+i+1)
		}
	}
	return kept
}

// stretch appends rows of a table to another.
func stretch(to, from *schema.Events, first, end int) {
	source := from.Columns()
	for i, c := range to.Columns() {
		switch {
		case c.Ints != nil:
			*c.Ints = append(*c.Ints, (*source[i].Ints)[first:end]...)
		case c.Codes != nil:
			*c.Codes = append(*c.Codes, (*source[i].Codes)[first:end]...)
		case c.Enum != nil:
			*c.Enum = append(*c.Enum, (*source[i].Enum)[first:end]...)
		default:
			*c.Bools = append(*c.Bools, (*source[i].Bools)[first:end]...)
		}
	}
}

// TestSieveLosesTheEnd sees that a bucket that ends in messages is told, and one that has nothing else is not.
func TestSieveLosesTheEnd(t *testing.T) {
	s := expect.Value(spec.Parse("f", "check a : globally not {'function'='f'}"))(t)
	for _, states := range []int{0, 5} {
		ev := randomEvents(rand.New(rand.NewPCG(1, 2)), 20)
		for i := range ev.Kind {
			if ev.Kind[i] = schema.Enter; i >= states {
				ev.Kind[i] = schema.Message
			}
		}
		g := NewSieve(NewStates(s, ev.Names, true), s)
		sifted(g, ev, 10)
		expect.Equal(t, g.Sifted(), states == 0, "%d states, then messages: the last state was kept", states)
	}
}

// TestNoSieve names specifications that ask about every state.
func TestNoSieve(t *testing.T) {
	for _, text := range []string{
		"check a : globally within 5 ns {'function'='f'}", "check a : finally {'function'='f'}", "check a : globally not {'message'='m'}",
		"check a : forall (f : values of function) globally not {'function'=f}",
	} {
		s := expect.Value(spec.Parse("f", text))(t)
		if NewSieve(NewStates(s, schema.NewEvents().Names, true), s) != nil {
			t.Errorf("%s has a sieve", text)
		}
	}
}
