package automaton

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

func laidOut(t *testing.T, a *Automaton) *Picture {
	t.Helper()
	p := expect.Value(Layout(a, 1600*px))(t)
	return p
}

// TestEverythingIsDrawnOnce counts the states and transitions of the SVG, and reads it as XML.
func TestEverythingIsDrawnOnce(t *testing.T) {
	for seed := range uint64(40) {
		a := random(seed, 1+int(seed))
		got := wellFormed(t, draw(t, a, 1600*px))
		if got["state"] != len(a.States) || got["transition"] != len(a.Transitions) {
			t.Errorf("seed %d: %d of %d states, %d of %d transitions", seed, got["state"], len(a.States), got["transition"], len(a.Transitions))
		}
	}
}

// wellFormed counts the groups of an SVG by class.
func wellFormed(t *testing.T, svg string) map[string]int {
	t.Helper()
	classes := make(map[string]int)
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return classes
		}
		expect.OK(t, err)
		if e, is := token.(xml.StartElement); is && e.Name.Local == "g" {
			for _, attribute := range e.Attr {
				if attribute.Name.Local == "class" {
					classes[attribute.Value]++
				}
			}
		}
	}
}

// box is what a node covers on the page.
type box struct{ left, right, top, bottom Length }

func (p *Picture) box(n int32) box {
	node := &p.nodes[n]
	left, _, y := p.at(n)
	right := left + node.width
	if node.kind == stateNode {
		left, right, y = p.circle(n)
	}
	return box{left, right, y - node.above, y + node.below}
}

// TestBoxesDoNotOverlap compares every state and label with every other, and with the edges of the page.
func TestBoxesDoNotOverlap(t *testing.T) {
	for seed := range uint64(30) {
		p := laidOut(t, random(seed, 3+2*int(seed)))
		var boxes []box
		for n := range p.nodes {
			if p.nodes[n].kind != bendNode {
				boxes = append(boxes, p.box(int32(n)))
			}
		}
		for i, a := range boxes {
			if a.left < 0 || a.top < headHeight || a.right > p.Width || a.bottom > p.Height {
				t.Fatalf("seed %d: %v is not on the page", seed, a)
			}
			for _, b := range boxes[:i] {
				if a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom {
					t.Fatalf("seed %d: %v overlaps %v", seed, a, b)
				}
			}
		}
	}
}

// TestLinesEndAtTheirStates looks where the line of every transition begins and ends.
func TestLinesEndAtTheirStates(t *testing.T) {
	back, tagged, loops := 0, 0, 0
	for seed := range uint64(30) {
		p := laidOut(t, random(seed, 3+2*int(seed)))
		for i, way := range p.lines {
			from, to := p.box(p.ends[i][0]), p.box(p.ends[i][1])
			first, last := way[0], way[len(way)-1]
			begins, arrives := first.x == from.right, last.x == to.left
			switch {
			case p.tagged[i]:
				label := p.box(p.label[i])
				arrives = last.x+p.captions[i].tagWidth() == label.right && strings.HasPrefix(p.captions[i].tag, "to ")
				tagged++
			case p.ends[i][0] == p.ends[i][1]:
				begins, arrives = first.x < from.right && first.x > from.left, last.x < to.right && last.x > to.left
				loops++
			case p.back[i]:
				begins, arrives = first.x == from.left, last.x == to.right
				back++
			}
			if !begins || !arrives || first.y < from.top || first.y > from.bottom || (!p.tagged[i] && (last.y < to.top || last.y > to.bottom)) {
				t.Fatalf("seed %d: a line from %v to %v goes %v", seed, from, to, way)
			}
			if before := way[len(way)-2]; before.y != last.y || before.x == last.x {
				t.Fatalf("seed %d: the head of %v has no direction", seed, way)
			}
		}
	}
	if back == 0 || tagged == 0 || loops == 0 {
		t.Errorf("%d back edges, %d tags, %d loops: the test sees too little", back, tagged, loops)
	}
}

// TestTheOrderOfTheInputDoesNotMatter shuffles states, transitions and samples.
func TestTheOrderOfTheInputDoesNotMatter(t *testing.T) {
	for seed := range uint64(20) {
		a := random(seed, 30)
		var dot, shuffledDot bytes.Buffer
		want := draw(t, a, 1600*px)
		expect.OK(t, WriteDOT(&dot, a))
		r := rand.New(rand.NewPCG(seed, 2))
		r.Shuffle(len(a.States), func(i, j int) { a.States[i], a.States[j] = a.States[j], a.States[i] })
		r.Shuffle(len(a.Transitions), func(i, j int) { a.Transitions[i], a.Transitions[j] = a.Transitions[j], a.Transitions[i] })
		for i := range a.Transitions {
			slices.Reverse(a.Transitions[i].Base.SamplesNs)
		}
		expect.OK(t, WriteDOT(&shuffledDot, a))
		if draw(t, a, 1600*px) != want || shuffledDot.String() != dot.String() {
			t.Fatalf("seed %d: another picture", seed)
		}
	}
}

// TestOrderingTakesCrossingsAway compares with the order in which the search meets the nodes.
func TestOrderingTakesCrossingsAway(t *testing.T) {
	before, after := 0, 0
	for seed := range uint64(20) {
		p := laidOut(t, random(seed, 60))
		position := make([]int32, len(p.nodes))
		p.number(position)
		after += p.allCrossings(position)
		p.columns = make([][]int32, len(p.columns))
		p.firstOrder()
		p.number(position)
		before += p.allCrossings(position)
	}
	if after*2 > before {
		t.Errorf("%d crossings, %d before", after, before)
	}
}

// TestFoldKeepsWhatIsNotUnchanged checks that folding loses no step and no change.
func TestFoldKeepsWhatIsNotUnchanged(t *testing.T) {
	boxes := 0
	for seed := range uint64(40) {
		a := random(seed, 60)
		for i := range a.Transitions {
			a.Transitions[i].Base.Count, a.Transitions[i].Cand.Count = 7, 7
		}
		folded := expect.Value(Fold(a))(t)
		looks := make(map[int]int)
		steps, changed, removed := 0, 0, len(a.States)-len(folded.States)
		for i := range folded.Transitions {
			tr := &folded.Transitions[i]
			steps += max(tr.Steps, 1)
			if tr.Steps > 1 {
				boxes, removed = boxes+1, removed-(tr.Steps-1)
			}
			looks[tr.look()] += max(tr.Steps, 1)
			if tr.look() == timing && tr.Steps > 1 {
				t.Fatalf("seed %d: what changed by itself is folded", seed)
			}
		}
		for i := range a.Transitions {
			looks[a.Transitions[i].look()]--
		}
		changed = len(slices.DeleteFunc(slices.Collect(maps.Values(looks)), func(n int) bool { return n == 0 }))
		if steps != len(a.Transitions) || changed != 0 || removed != 0 {
			t.Fatalf("seed %d: %d steps of %d, %d changes more, %d states unaccounted for", seed, steps, len(a.Transitions), changed, removed)
		}
	}
	if boxes < 5 {
		t.Errorf("only %d chains: the test sees too little", boxes)
	}
}

// TestFoldAddsMedians sees medians added where times are those since the event before, and the last one's else.
func TestFoldAddsMedians(t *testing.T) {
	a := chain(5, "f")
	a.Transitions[0].Base.MedianNs = schema.NoValue
	for _, additive := range []bool{true, false} {
		a.Additive = additive
		folded, err := Fold(a)
		if err != nil || len(folded.Transitions) != 1 || folded.Transitions[0].Steps != 4 {
			t.Fatal(folded, err)
		}
		expect.Equal(t, folded.Transitions[0].Base.MedianNs, map[bool]int64{true: 30, false: 10}[additive], "additive %v: median", additive)
	}
}

// TestFoldLoops sees loops that were unrolled told by how often they run: of one step, of several, and between other steps.
func TestFoldLoops(t *testing.T) {
	for _, c := range []struct {
		labels string
		want   []string
	}{
		{"aaaaaa", []string{"6 × a"}},
		{"abababab", []string{"4 × 2 steps"}},
		{"xyzabababcabababcabababcw", []string{"3 steps", "3 × 7 steps", "w"}},
		{"xabababyz", []string{"x", "3 × 2 steps", "y", "z"}},
		{"aab", []string{"3 steps"}},
		{"aabb", []string{"4 steps"}},
		{"abcdefgh", []string{"8 steps"}},
		{"ab", []string{"a", "b"}},
	} {
		a := chain(len(c.labels)+1, "")
		for i := range a.Transitions {
			a.Transitions[i].Label = c.labels[i : i+1]
		}
		folded := expect.Value(Fold(a))(t)
		slices.SortFunc(folded.Transitions, func(x, y Transition) int { return cmp.Compare(x.Source, y.Source) })
		var got []string
		for i := range folded.Transitions {
			got = append(got, folded.Transitions[i].Label)
		}
		expect.Slice(t, got, c.want, "%s", c.labels)
	}
}

// TestFoldSides sees chains of one side folded, and no chain of both.
func TestFoldSides(t *testing.T) {
	a := chain(9, "f")
	for i := range a.Transitions {
		a.Transitions[i].Label = string(rune('a' + i))
		if i >= 4 {
			a.Transitions[i].Side, a.States[i+1].Side = Cand, Cand
		}
	}
	folded := expect.Value(Fold(a))(t)
	expect.Equal(t, len(folded.Transitions), 2, "boxes")
	for i := range folded.Transitions {
		expect.Equal(t, folded.Transitions[i].Steps, 4, "steps of a box")
	}
	expect.Equal(t, folded.Transitions[0].Side != folded.Transitions[1].Side, true, "sides differ")
}

// chain is a chain of states with the same event on all transitions.
func chain(states int, label string) *Automaton {
	a := &Automaton{Title: label}
	for s := range int64(states) {
		a.States = append(a.States, State{Number: s, Initial: s == 0})
		if s > 0 {
			a.Transitions = append(a.Transitions, Transition{Source: s - 1, Target: s, Label: label, Base: Times{Count: 2, MedianNs: 10}})
		}
	}
	return a
}

// TestOddNames draws names that are no XML, no DOT, not UTF-8, or very long.
func TestOddNames(t *testing.T) {
	for _, name := range []string{"", "std::map<int, char*>::operator[]", `"quoted" \ back\n`, "a&b'c", "\x00\xff\x01", strings.Repeat("long", 500), "関数→", "\n\t"} {
		a := chain(3, name)
		a.Subtitle, a.Transitions[0].Note = name, name
		expect.Equal(t, wellFormed(t, draw(t, a, 1600*px))["transition"], 2, "%q", name)
		var dot bytes.Buffer
		expect.OK(t, WriteDOT(&dot, a))
		if lines := strings.Count(dot.String(), "\n"); lines != 5+3+1+2+1 {
			t.Errorf("%q: %d lines of DOT:\n%s", name, lines, dot.String())
		}
	}
}

// TestSmallAndLarge draws nothing, one state, the largest automaton that is drawn, and refuses a larger one.
func TestSmallAndLarge(t *testing.T) {
	expect.Equal(t, wellFormed(t, draw(t, &Automaton{Title: "empty"}, 1600*px))["state"], 0, "states of nothing")
	expect.Equal(t, wellFormed(t, draw(t, chain(1, "one"), 1600*px))["state"], 1, "states of one")
	expect.Equal(t, wellFormed(t, draw(t, random(1, MostStates), 1600*px))["state"], MostStates, "states of the largest")
	_, err := Layout(chain(MostStates+1, "f"), 1600*px)
	expect.Refused(t, err, "2,001 states", "too large an automaton")
}

// TestWrongInput names what is wrong.
func TestWrongInput(t *testing.T) {
	twice, nowhere := chain(2, "f"), chain(2, "f")
	twice.States[1].Number = 0
	nowhere.Transitions[0].Target = 9
	for want, a := range map[string]*Automaton{"two states have the number 0": twice, "state 9, which does not exist": nowhere} {
		_, err := Layout(a, 1600*px)
		expect.Refused(t, err, want, "wrong input")
		expect.Refused(t, WriteDOT(io.Discard, a), want, "DOT")
	}
}
