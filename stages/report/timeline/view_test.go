package timeline

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/timing/signals"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestViews selects and groups random windows: what is left has lanes by its values, nothing lies over another, and nothing is lost.
func TestViews(t *testing.T) {
	each(t, func(t *testing.T, w *Window, o Options) {
		w.Path = nil
		r := rand.New(rand.NewPCG(uint64(len(w.Executions.Execution)), 2))
		keep, kept := make([]bool, len(w.Executions.Execution)), 0
		for row := range keep {
			if keep[row] = r.IntN(3) > 0; keep[row] {
				kept++
			}
		}
		messages := len(w.Messages.SendSeq)
		w.Select(keep)
		expect.Equal(t, len(w.Executions.Execution), kept, "executions that are kept")
		if len(w.Messages.SendSeq) > messages {
			t.Error("there are more messages than before")
		}
		p := &Partition{Name: "group", Values: []string{"a", "b", "c"}, Of: make([]int32, kept)}
		for row := range p.Of {
			p.Of[row] = int32(r.IntN(4)) - 1
		}
		w.Colours = p
		w.GroupBy(p)
		c := Layout(w, o)
		count := c.Rest.Executions + c.TooDeep
		for i, b := range c.Boxes {
			count += b.Count
			name := c.Lanes[b.Lane].Name
			if b.Value >= 0 && name != p.Values[b.Value] || b.Value < 0 && !b.hatched() && name != "without group" {
				t.Fatalf("a box of value %d is on lane %s", b.Value, name)
			}
			if i > 0 {
				if last := c.Boxes[i-1]; last.Lane == b.Lane && last.Level == b.Level && last.Right > b.Left+c.narrow {
					t.Fatalf("box %+v lies over %+v", b, last)
				}
			}
		}
		expect.Equal(t, count, int64(kept), "executions")
	})
}

// TestStrips draws a signal of constants, a slope and a parabola, one of more pieces than pixels, and a check that changes within pixels.
func TestStrips(t *testing.T) {
	b := read(t, "0.000 a > f\n0.010 a < f\n")
	w := b.cut(0, 10_000_000)
	pieces := []signals.Piece{{FromNs: 0, ToNs: 2e6, C: 1}, {FromNs: 2e6, ToNs: 4e6, C: 1, B: 0.5}, {FromNs: 4e6, ToNs: 6e6, C: 2, B: 2, A: -1}}
	w.Curves = []Curve{{Name: "level", Unit: "m", Signal: signals.Signal{StepNs: 1e6, Pieces: pieces}}, {Name: "busy", Signal: signals.Signal{StepNs: 1}}}
	for i := range int64(5000) {
		w.Curves[1].Pieces = append(w.Curves[1].Pieces, signals.Piece{FromNs: i * 2000, ToNs: (i + 1) * 2000, C: float64(i % 7)})
	}
	w.Held = []Held{{Name: "in_time: BAD", Said: "in_time", Failing: []int64{3e6, 3e6 + 1, 20e6}, Stretches: []Stretch{{0, 3e6, true}, {3e6, 3e6 + 100, false}, {3e6 + 100, 5e6, true}, {5e6, 10e6, false}}}}
	var out bytes.Buffer
	expect.OK(t, Layout(w, Options{Width: 800}).WriteSVG(&out))
	text := out.String()
	// The parabola 2 + 2x - x^2 on [0, 2] begins and ends at 2 and has its vertex 3 in the middle: the control point is at 4, and the
	// scale ends at 3, so the point lies as far above the top as 1 is.
	for _, want := range []string{`>3</text>`, "Q", "level (m)", "from 0 to 6 in the window", `fill="` + green + `"`, `fill="` + broken + `"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%.3000s", want, text)
		}
	}
	expect.Equal(t, strings.Count(text, "l-4 -7h8z"), 2, "a mark of the failing states at one pixel, and one in the legend")
	if len(text) > 100_000 {
		t.Errorf("%d bytes: pieces are not summed up by pixels", len(text))
	}
}
