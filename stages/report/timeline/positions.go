package timeline

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Positions is a picture as data, for a page that draws it itself: what WriteSVG writes, without colours. Lengths are pixels.
type Positions struct {
	Title     string        `json:"title"`  // the run and the window
	Counts    string        `json:"counts"` // how much is in the window
	Width     Length        `json:"width"`
	Height    Length        `json:"height"` // without the notes
	Left      Length        `json:"left"`   // ends of the axis
	Right     Length        `json:"right"`
	Top       Length        `json:"top"`        // of the lanes
	RowHeight Length        `json:"row_height"` // of a box
	Axis      string        `json:"axis"`       // from when its numbers count
	Ticks     []PlacedTick  `json:"ticks"`
	Lanes     []PlacedLane  `json:"lanes"`
	Boxes     []PlacedBox   `json:"boxes"` // callers before callees
	Arrows    []PlacedArrow `json:"arrows"`
	Path      []PlacedStep  `json:"path"` // the critical path; of steps at the same pixels the first
	Notes     []string      `json:"notes"`
	Chosen    []string      `json:"chosen"` // functions with colours of their own
}

// PlacedTick is a mark on the axis.
type PlacedTick struct {
	X     Length `json:"x"`
	Label string `json:"label,omitempty"` // none for a small mark
}

// PlacedLane is a lane with its name.
type PlacedLane struct {
	Name   string `json:"name"`
	Label  string `json:"label"` // the name, shortened
	Top    Length `json:"y"`
	Height Length `json:"h"`
	Base   Length `json:"base"` // on which the boxes stand
}

// PlacedBox is an execution, or several too narrow to be told apart.
type PlacedBox struct {
	X      Length `json:"x"`
	Y      Length `json:"y"`
	Width  Length `json:"w"`
	Look   string `json:"look"`             // function, several, bar (too narrow for an outline) or chosen
	Colour int    `json:"colour,omitempty"` // of a function, its place in the palette; of a chosen one, its place among those
	Open   bool   `json:"open,omitempty"`   // the trace lacks its start or its finish
	Pale   bool   `json:"pale,omitempty"`   // the critical path is shown and does not run along it
	Label  string `json:"label,omitempty"`  // as far as it has room
	Tip    string `json:"tip"`
}

// PlacedArrow is a message or several.
type PlacedArrow struct {
	X1   Length `json:"x1"`
	Y1   Length `json:"y1"`
	X2   Length `json:"x2"`
	Y2   Length `json:"y2"`
	Kind string `json:"kind"`           // message, inferred or coupled
	Fade int    `json:"fade,omitempty"` // 1 or 2: how faint, where many arrows begin at one place
	Head bool   `json:"head,omitempty"` // it has room for one, and ends in the window
	Tip  string `json:"tip"`
}

// PlacedStep is a step of the critical path.
type PlacedStep struct {
	Path string `json:"d"`              // of its line, as SVG has it
	Head bool   `json:"head,omitempty"` // a message that ends in the window
	Tip  string `json:"tip"`
}

// arrowWords are the words of the data.
var arrowWords = [...]string{sent: "message", inferred: "inferred", coupled: "coupled"}

// Positions returns the picture as data. Labels are shortened as in the picture; tips are whole.
func (c *Chart) Positions() *Positions {
	a := c.axis()
	d := &Positions{
		Title: c.title(), Counts: c.counts(), Width: c.Width, Height: c.bottom() + margin, Left: c.scale.left, Right: c.scale.right, Top: headHeight,
		RowHeight: rowHeight, Axis: a.title, Ticks: []PlacedTick{}, Lanes: []PlacedLane{}, Boxes: []PlacedBox{}, Arrows: []PlacedArrow{},
		Path: []PlacedStep{}, Notes: append([]string{}, c.notes()...), Chosen: []string{},
	}
	for _, t := range a.ticks {
		d.Ticks = append(d.Ticks, PlacedTick{t.at, t.label})
	}
	for i := range c.Lanes {
		l := &c.Lanes[i]
		d.Lanes = append(d.Lanes, PlacedLane{l.Name, fit(l.Name, nameSize, c.scale.left-gap-margin), l.Top, l.Bottom - l.Top, c.edge(i, 0)})
	}
	for i := range c.Boxes {
		d.Boxes = append(d.Boxes, c.placedBox(&c.Boxes[i]))
	}
	for i := range c.Arrows {
		a := &c.Arrows[i]
		d.Arrows = append(d.Arrows, PlacedArrow{a.Left, a.LeftY, a.Right, a.RightY, arrowWords[a.Kind], a.fade(), a.fade() == 0 && !a.CutAtEnd, c.arrowTip(a)})
	}
	drawn := make(map[[5]Length]bool)
	for i := range c.Path {
		g := &c.Path[i]
		if drawn[g.pixels()] {
			continue
		}
		drawn[g.pixels()] = true
		d.Path = append(d.Path, PlacedStep{g.outline(), g.Message && !g.ToCut, c.stepTip(g)})
	}
	for i := range c.chosen {
		d.Chosen = append(d.Chosen, c.chosen[i].Name)
	}
	return d
}

// placedBox is a box with what is written in it.
func (c *Chart) placedBox(b *Box) PlacedBox {
	width, chosen := b.Right-b.Left, c.choice(b)
	d := PlacedBox{X: b.Left, Y: c.edge(b.Lane, b.Level+1), Width: width, Look: "function", Open: b.Open, Tip: c.tip(b), Pale: len(c.Path) > 0 && !b.OnPath && chosen < 0}
	switch {
	case chosen >= 0:
		d.Look, d.Colour = "chosen", chosen
	case width < 2*px:
		d.Look = "bar"
	case b.hatched():
		d.Look = "several"
	default:
		d.Colour = colour(c.window.names().Functions.Name(b.Function))
	}
	if !b.hatched() && b.Function != schema.NoCode && width >= 4*labelPadding {
		d.Label = fit(c.window.names().Functions.Name(b.Function), labelSize, width-2*labelPadding)
	}
	return d
}

// pixels are the pixels at which a step is drawn.
func (g *Segment) pixels() [5]Length {
	return [5]Length{g.Left / px, g.LeftY / px, g.Right / px, g.RightY / px, g.Along / px}
}

// stepTip is the text over a step of the critical path.
func (c *Chart) stepTip(g *Segment) string {
	return fmt.Sprintf("critical path: %s\nfrom %s, %s", c.window.stepName(&g.Step), texttab.Exact(g.SourceNs-c.window.OriginNs), texttab.Exact(g.TargetNs-g.SourceNs))
}
