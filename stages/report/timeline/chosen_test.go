package timeline

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// kinds is a window with a message, a callback that is inferred and a coupling, all between the same two lanes.
func kinds(t *testing.T) *Window {
	b := read(t, "0 A > f !m\n1 B > g ?m\n100 A > h !n\n101 B > k ?n\n200 A > v !o\n201 B > w ?o\n500 B < w\n501 A < v\n502 B < k\n503 A < h\n504 B < g\n505 A < f\n")
	w := b.cut(0, 600)
	w.Messages.Pattern[1] = schema.Inferred
	w.Messages.ReceiverFunction[2] = schema.NoCode
	return w
}

// TestKindsOfArrows sees that an inferred callback and a coupling are drawn as what they are, also where they are close to messages, on the path and in the
// legend.
func TestKindsOfArrows(t *testing.T) {
	w := kinds(t)
	m := w.Messages
	for i := range m.SendNs { // all within a pixel
		m.SendNs[i], m.ReceiveNs[i] = 0, 1
	}
	c := Layout(w, Options{Width: 900})
	expect.Equal(t, len(c.Arrows), 3, "arrows of three kinds are not bundled")
	w.Path = []Step{{Source: m.SendSeq[1], Target: m.ReceiveSeq[1], TargetNs: 1, Component: m.Receiver[1], Sender: m.Sender[1], Message: true, Critical: true}}
	svg, _ := outputs(t, w, Options{Width: 900})
	for text, n := range map[string]int{`stroke-dasharray="3 2"`: 3, `stroke-dasharray="1 2"`: 2, "callback that is inferred": 1, "coupling that is no message": 1, ">message<": 1} {
		expect.Equal(t, strings.Count(svg, text), n, "%s in %s", text, svg)
	}
	expect.Equal(t, Layout(w, Options{Width: 900}).Path[0].Inferred, true, "the step of the path is inferred")
}

// TestChosenColours sees that chosen functions have their colours, beside a path and where they are narrow, the first choice before the others, and that the
// legend of a narrow picture goes on in further rows inside the page.
func TestChosenColours(t *testing.T) {
	w := kinds(t)
	is := func(names ...string) func(string, string) bool {
		return func(component, function string) bool {
			for _, name := range names {
				if name == component+"."+function {
					return true
				}
			}
			return false
		}
	}
	o := Options{Width: 500, Chosen: []Chosen{{"A.f or <B.g>", is("A.f", "B.g")}, {"B.g and B.k", is("B.g", "B.k")}, {"none", is()}}}
	svg, _ := outputs(t, w, o)
	for class, n := range map[string]int{`<rect class="tlc0" x`: 2, `<rect class="tlc1" x`: 1, `<rect class="tlc2" x`: 0, `<rect class="tlc0" y`: 1, "A.f or &lt;B.g&gt;": 1} {
		expect.Equal(t, strings.Count(svg, class), n, "%s in %s", class, svg)
	}
	c := Layout(w, o)
	legend := c.legend()
	last := legend[len(legend)-1]
	if last.row == 0 || c.bottom()+Length(len(c.notes()))*noteHeight+22*px+Length(last.row)*noteHeight > c.Height {
		t.Errorf("the legend ends in row %d, with a page of %v", last.row, c.Height)
	}
}
