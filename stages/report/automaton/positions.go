package automaton

import (
	"bufio"
	"bytes"
	"strings"

	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Positions is a picture as data, for a page that draws it itself: what WriteSVG writes, without colours. Lengths are pixels.
type Positions struct {
	Width       canvas.Length       `json:"width"`
	Height      canvas.Length       `json:"height"`
	States      []PlacedState       `json:"states"`
	Transitions []PlacedTransition  `json:"transitions"`
	Histogram   HistogramDimensions `json:"histogram"`
}

// HistogramDimensions are the sizes of the histograms on transitions, in pixels.
type HistogramDimensions struct {
	Width canvas.Length `json:"width"` // of all bars
	Lane  canvas.Length `json:"lane"`  // height of the highest bar of a side
}

// PlacedState is a state with its place.
type PlacedState struct {
	Number    int64         `json:"n"`
	X         canvas.Length `json:"x"` // of its left edge
	Y         canvas.Length `json:"y"` // of its middle
	Width     canvas.Length `json:"w"`
	Side      string        `json:"side"` // both, base or cand
	Initial   bool          `json:"initial,omitempty"`
	Accepting bool          `json:"accepting,omitempty"`
}

// PlacedTransition is a transition with its line and its text.
type PlacedTransition struct {
	Source int64         `json:"from"` // numbers of states
	Target int64         `json:"to"`
	Step   int           `json:"step"` // of a comparison, its number as Transition.Step has it; 0: none, or several that are folded
	Look   string        `json:"look"` // unchanged, removed, added, changed, or follows: changed because of another step
	Path   string        `json:"d"`    // of its line, as SVG has it
	HeadX  canvas.Length `json:"hx"`   // where the arrow's head ends
	HeadY  canvas.Length `json:"hy"`
	Left   bool          `json:"left,omitempty"` // the head points left
	X      canvas.Length `json:"x"`              // of its text
	Y      canvas.Length `json:"y"`              // of its line below the text
	Upper  canvas.Length `json:"upper"`          // of the lowest line of text above it
	Width  canvas.Length `json:"w"`              // of all text
	Above  canvas.Length `json:"above"`          // height of what stands above the line
	Below  canvas.Length `json:"below"`
	Label  string        `json:"label"` // shortened
	Note   string        `json:"note,omitempty"`
	Lines  []string      `json:"lines"`          // below the line: counts, medians, verdict
	Tip    string        `json:"tip"`            // all of it in words
	Tag    string        `json:"tag,omitempty"`  // the state where the way goes on, if the line does not lead there
	Folded int           `json:"fold,omitempty"` // how many steps it stands for
	From   string        `json:"least,omitempty"`
	Until  string        `json:"greatest,omitempty"` // ends of the axis of its histogram
	Base   []int64       `json:"base,omitempty"`     // samples by bin; none where no histogram is shown
	Cand   []int64       `json:"cand,omitempty"`
}

// sideWords and lookWords are the words of the data.
var (
	sideWords = [...]string{Both: "both", Base: "base", Cand: "cand"}
	lookWords = [...]string{"unchanged", "removed", "added", "changed", "follows"}
)

// Positions returns the picture as data. Labels, notes and lines are shortened as in the picture; tips are whole.
func (p *Picture) Positions() *Positions {
	d := &Positions{
		Width: p.Width, Height: p.Height, States: []PlacedState{}, Transitions: []PlacedTransition{},
		Histogram: HistogramDimensions{histogramWidth, laneHeight},
	}
	for s := range p.states {
		state := &p.states[s]
		left, right, y := p.circle(int32(s))
		d.States = append(d.States, PlacedState{
			Number: state.Number, X: left, Y: y, Width: right - left, Side: sideWords[state.Side], Initial: state.Initial, Accepting: state.Accepting,
		})
	}
	for t := range p.transitions {
		d.Transitions = append(d.Transitions, p.placed(t))
	}
	return d
}

// placed is a transition with its place.
func (p *Picture) placed(t int) PlacedTransition {
	tr, way, c := &p.transitions[t], p.lines[t], &p.captions[t]
	left, _, y := p.at(p.label[t])
	end, before := way[len(way)-1], way[len(way)-2]
	d := PlacedTransition{
		Source: tr.Source, Target: tr.Target, Step: tr.Step, Look: lookWords[tr.look()], Path: pathText(way),
		HeadX: end.x, HeadY: end.y, Left: towards(before.x, end.x) < 0,
		X: left, Y: y, Upper: y - 5*px, Width: c.width, Above: c.above, Below: c.below,
		Label: c.head, Note: c.note, Lines: c.lines, Tip: tr.tip(p.Automaton), Tag: c.tag,
	}
	if p.ends[t][0] == p.ends[t][1] && !p.tagged[t] {
		d.Upper -= hairpin
	}
	if tr.Steps > 1 {
		d.Folded = tr.Steps
	}
	if h := c.histogram; h != nil {
		d.From, d.Until, d.Base, d.Cand = texttab.Duration(h.FromNs), texttab.Duration(h.ToNs), h.Base[:], h.Cand[:]
	}
	return d
}

// pathText is a line as SVG has it, cut short by the length of its head.
func pathText(way []corner) string {
	var text bytes.Buffer
	w := bufio.NewWriter(&text)
	writePath(w, way, headLength-px)
	w.Flush()
	return strings.TrimSpace(text.String())
}
