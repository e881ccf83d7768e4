package matching

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// entity makes one of "component.function: source-target symbol peer, ...", where a symbol is as in automaton.
func entity(text string) Entity {
	name, rest, _ := strings.Cut(text, ": ")
	e := Entity{Fragment: name}
	e.Component, e.Function, _ = strings.Cut(name, ".")
	var a Automaton
	for i, line := range strings.Split(rest, ", ") {
		t := schema.Transition{Transition: int64(i), Component: e.Component, Kind: "enter"}
		if _, err := fmt.Sscan(strings.Replace(line, "-", " ", 1)+" .", &t.Source, &t.Target, &t.Function, &t.Peer); err != nil {
			panic(err)
		}
		if t.Peer = strings.Trim(t.Peer, "."); t.Peer != "" {
			t.Direction = "send"
		}
		if f := strings.ToLower(t.Function); f != t.Function {
			t.Function, t.Kind = f, "exit"
		}
		a.Transitions = append(a.Transitions, t)
	}
	e.Automata = []Automaton{a}
	return e
}

func entitiesOf(texts []string) (list []Entity) {
	for _, text := range texts {
		list = append(list, entity(text))
	}
	return list
}

func TestMoved(t *testing.T) {
	for _, c := range []struct {
		name       string
		base, cand []string
		want       string
	}{
		{"to another component", []string{"a.f: 0-1 f, 1-0 F"}, []string{"b.f: 0-1 f, 1-0 F"}, "[0 0]"},
		{"changed as well", []string{"a.f: 0-1 f, 1-0 F"}, []string{"b.f: 0-1 f, 1-2 g, 2-3 G, 3-0 F"}, ""},
		{"to one of two", []string{"a.f: 0-1 f, 1-0 F"}, []string{"b.f: 0-1 f, 1-0 F", "c.f: 0-1 f, 1-0 F"}, ""},
		{"one of two", []string{"a.f: 0-1 f, 1-0 F", "c.f: 0-1 f, 1-0 F"}, []string{"b.f: 0-1 f, 1-0 F"}, ""},
		{"peers tell them apart", []string{"a.f: 0-1 f x, 1-0 F x", "a.f: 0-1 f y, 1-0 F y"},
			[]string{"b.f: 0-1 f y, 1-0 F y", "b.f: 0-1 f x, 1-0 F x"}, "[0 1][1 0]"},
		{"another peer", []string{"a.f: 0-1 f x, 1-2 g y, 2-3 G y, 3-0 F x"}, []string{"a.f: 0-1 f z, 1-2 g y, 2-3 G y, 3-0 F z"}, "[0 0]"},
		{"two peers become one", []string{"a.f: 0-1 f x, 1-2 g y, 2-3 G y, 3-0 F x"}, []string{"b.f: 0-1 f z, 1-2 g z, 2-3 G z, 3-0 F z"}, ""},
		{"another function that calls the same", []string{"a.f: 0-1 f, 1-2 g, 2-3 G, 3-0 F"}, []string{"a.h: 0-1 h, 1-2 g, 2-3 G, 3-0 H"}, "[0 0]"},
		{"another function and nothing else", []string{"a.f: 0-1 f, 1-0 F"}, []string{"a.h: 0-1 h, 1-0 H"}, ""},
		{"another function elsewhere", []string{"a.f: 0-1 f, 1-2 g, 2-3 G, 3-0 F"}, []string{"b.h: 0-1 h, 1-2 g, 2-3 G, 3-0 H"}, ""},
	} {
		base, cand := entitiesOf(c.base), entitiesOf(c.cand)
		expect.Equal(t, pairsOf(Moved(base, cand)), c.want, "%s", c.name)
		for _, m := range Moved(base, cand) {
			renamed := Automaton{Transitions: m.Renaming.Apply(cand[m.Cand].Automata[0].Transitions)}
			expect.Equal(t, len(JointWalk([]Automaton{base[m.Base].Automata[0], renamed}).Steps), len(renamed.Transitions), "%s: steps for all transitions", c.name)
		}
	}
}

func pairsOf(moves []Move) (text string) {
	for _, m := range moves {
		text += fmt.Sprint([]int{m.Base, m.Cand})
	}
	return text
}

// One run in common is enough; but a fragment whose runs look like those of two others is ambiguous.
func TestMovedOfSeveralRuns(t *testing.T) {
	short, long := entity("a.f: 0-1 f, 1-0 F"), entity("a.f: 0-1 f, 1-2 g, 2-3 G, 3-0 F")
	both := Entity{Fragment: "a.f", Component: "a", Function: "f", Automata: []Automaton{short.Automata[0], long.Automata[0]}}
	b, c := entity("b.f: 0-1 f, 1-2 g, 2-3 G, 3-0 F"), entity("c.f: 0-1 f, 1-0 F")
	expect.Equal(t, pairsOf(Moved([]Entity{both}, []Entity{b})), "[0 0]", "with a candidate of one run")
	expect.Equal(t, pairsOf(Moved([]Entity{both}, []Entity{b, c})), "", "with candidates of two runs")
}

// Names are exchanged: what two names were before are two names after.
func TestExchange(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     map[string]string
	}{
		{"x", "y", map[string]string{"x": "y", "y": "x"}},
		{"x y", "y z", map[string]string{"x": "y", "y": "z", "z": "x"}},
		{"x y", "y x", map[string]string{"x": "y", "y": "x"}},
		{"x", "x", map[string]string{"x": "x"}},
	} {
		expect.Deep(t, exchangeNames(strings.Fields(c.from), strings.Fields(c.to)), c.want, "%s to %s", c.from, c.to)
	}
}
