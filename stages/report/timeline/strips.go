package timeline

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/stages/timing/signals"
)

// Curve is a signal over time.
type Curve = signals.Named

// Held says where a check or a definition holds (Hendriks et al. 2024, Fig. 10).
type Held struct {
	Name      string    // of the check or definition
	Part      bool      // it is a definition in the check above
	Said      string    // what it asks, in words, and of a check its verdict
	Stretches []Stretch // in the order of time
	Failing   []int64   // ns: states that break the check, in the order of time
}

// Stretch is a stretch of states of equal truth.
type Stretch struct {
	FromNs, ToNs int64 // from its first state to that of the next stretch
	Holds        bool
}

// strip is a band below the lanes that has the axis of time.
type strip struct {
	name        string
	top, bottom Length
	curve       *Curve
	held        *Held
}

// What strips measure.
const (
	stripGap    = 8 * px  // between the lanes and the strips
	curveHeight = 56 * px // of a signal
	heldHeight  = 20 * px // of a check
	momentSize  = 5 * px  // half of a diamond
	smallSize   = 9 * px  // text at the scale of a signal
)

// Colours of strips. Red is darker than green, and lower, so that both are told apart without colours.
const (
	green     = "#6cbf84"
	broken    = "#c8102e"
	curveInk  = "#1f5f99"
	curveArea = "#dbe8f6" // below the curve
)

// addStrips places the strips below the lanes.
func (c *Chart) addStrips() {
	y := c.floor() + stripGap
	add := func(s strip, height Length) {
		s.top, s.bottom = y, y+height
		y = s.bottom
		c.strips = append(c.strips, s)
	}
	for i := range c.window.Curves {
		v := &c.window.Curves[i]
		name := v.Name
		if v.Unit != "" {
			name += " (" + v.Unit + ")"
		}
		add(strip{name: name, curve: v}, curveHeight)
	}
	for i := range c.window.Held {
		add(strip{name: c.window.Held[i].Name, held: &c.window.Held[i]}, heldHeight)
	}
}

// writeStrips writes the signals and checks.
func (c *Chart) writeStrips(w *bufio.Writer) {
	right := c.scale.left - gap
	for i := range c.strips {
		s := &c.strips[i]
		about, fill := s.name, ink
		if s.held != nil {
			about = s.held.Said
			if s.held.Part {
				fill = paleInk
			}
		}
		fmt.Fprintf(w, `<g><title>%s</title><text x="%v" y="%v" font-size="%v" text-anchor="end" fill="%s">%s</text></g>`+"\n", canvas.Escape(about), right,
			(s.top+s.bottom)/2+4*px, nameSize, fill, canvas.Escape(fit(s.name, nameSize, right-margin)))
		if s.held != nil {
			c.writeHeld(w, s)
			continue
		}
		c.writeCurve(w, s)
	}
}

// writeCurve writes a signal: its area, its line, and the ends of its scale. One with more pieces than pixels is the stretch of its values
// in each pixel.
func (c *Chart) writeCurve(w *bufio.Writer, s *strip) {
	from, to := s.curve.Domain()
	part := s.curve.Within(max(from, c.window.FromNs), min(to, c.window.ToNs))
	if from, to = part.Domain(); to <= from {
		return
	}
	st := part.Statistics()
	least, greatest := min(st.Least, 0), max(st.Greatest, 0)
	if greatest == least {
		greatest++
	}
	top, bottom := s.top+8*px, s.bottom-lanePadding
	y := func(value float64) Length {
		// Converted step by step, as in scale: the same bytes on every machine.
		return bottom - Length(float64(float64(value-least)/float64(greatest-least))*float64(bottom-top))
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	for _, mark := range [...]struct {
		value float64
		y     Length
	}{{greatest, top + 3*px}, {least, bottom + 3*px}} {
		fmt.Fprintf(w, `<text x="%v" y="%v" font-size="%v" text-anchor="end" fill="%s">%s</text>`+"\n", c.scale.left-2*px, mark.y, smallSize, paleInk, number(mark.value))
	}
	fmt.Fprintf(w, `<path d="M%v %vH%v" stroke="%s"/>`+"\n", c.scale.left, y(0), c.scale.right, "#cbd2d9")
	fmt.Fprintf(w, `<g><title>%s</title>`, canvas.Escape(fmt.Sprintf("%s\nfrom %s to %s in the window, %s on average", s.name, number(st.Least), number(st.Greatest), number(st.Mean))))
	if columns := int((c.scale.clip(to) - c.scale.clip(from)) / px); len(part.Pieces) > 2*columns {
		fmt.Fprintf(w, `<path d="%s" fill="%s" stroke="%s" stroke-width=".6"/></g>`+"\n", c.envelope(&part, columns, y), curveInk, curveInk)
		return
	}
	line := c.line(&part, y)
	fmt.Fprintf(w, `<path d="M%v %vL%sV%vZ" fill="%s"/><path d="M%s" fill="none" stroke="%s" stroke-width="1.2"/></g>`+"\n",
		c.scale.clip(from), y(0), line, y(0), curveArea, line, curveInk)
}

// line is a signal as the points of an SVG path. A parabola is a Bezier curve of degree 2, whose control point lies where the tangents of
// its ends meet: in the middle of its time, at c + b h / 2 where it takes h.
func (c *Chart) line(s *signals.Signal, y func(float64) Length) string {
	var b strings.Builder
	for i := range s.Pieces {
		p := &s.Pieces[i]
		x := float64(p.ToNs-p.FromNs) / float64(s.StepNs)
		left, right := c.scale.clip(p.FromNs), c.scale.clip(p.ToNs)
		end := p.C + float64(x*(p.B+float64(x*p.A)))
		if i == 0 {
			fmt.Fprintf(&b, "%v %v", left, y(p.C))
		} else {
			fmt.Fprintf(&b, "V%v", y(p.C))
		}
		switch {
		case p.A != 0:
			fmt.Fprintf(&b, "Q%v %v %v %v", (left+right)/2, y(p.C+float64(p.B*x/2)), right, y(end))
		case p.B != 0:
			fmt.Fprintf(&b, "L%v %v", right, y(end))
		default:
			fmt.Fprintf(&b, "H%v", right)
		}
	}
	return b.String()
}

// envelope is the area between the least and the greatest values of a signal in each of so many columns.
func (c *Chart) envelope(s *signals.Signal, columns int, y func(float64) Length) string {
	from, to := s.Domain()
	least, greatest := signals.Envelope(s, signals.Span{FromNs: from, ToNs: to}, columns)
	var there, back strings.Builder
	at := func(column int) Length { return c.scale.clip(from) + Length(column)*px }
	for i := range columns {
		fmt.Fprintf(&there, "%s%v %vH%v", [...]string{"M", "L"}[min(i, 1)], at(i), y(greatest[i]), at(i+1))
		last := columns - 1 - i
		fmt.Fprintf(&back, "L%v %vH%v", at(last+1), y(least[last]), at(last))
	}
	return there.String() + back.String() + "Z"
}

// writeHeld writes where a check or definition holds: first the stretches that can be seen, then, a pixel wide, those that cannot, and the
// states that break it.
func (c *Chart) writeHeld(w *bufio.Writer, s *strip) {
	top, bottom, window := s.top+4*px, s.bottom-3*px, c.window
	middle := (top + bottom) / 2
	short := make(map[Length]int) // by column: 1 it holds there, 2 it does not, 3 both
	var bars [2]strings.Builder
	bar := func(holds bool, left, right Length) {
		if holds {
			fmt.Fprintf(&bars[0], "M%v %vH%vV%vH%vZ", left, top, right, bottom, left)
			return
		}
		fmt.Fprintf(&bars[1], "M%v %vH%vV%vH%vZ", left, middle, right, bottom, left)
	}
	for _, one := range s.held.Stretches {
		if one.ToNs < window.FromNs || one.FromNs > window.ToNs {
			continue
		}
		left, right := c.scale.clip(one.FromNs), c.scale.clip(one.ToNs)
		if right-left < px {
			kind := 2
			if one.Holds {
				kind = 1
			}
			short[left/px] |= kind
			continue
		}
		bar(one.Holds, left, right)
	}
	for _, column := range slices.Sorted(maps.Keys(short)) {
		for i, holds := range [...]bool{true, false} {
			if short[column]>>i&1 != 0 {
				bar(holds, column*px, (column+1)*px)
			}
		}
	}
	fmt.Fprintf(w, `<g><title>%s</title>`, canvas.Escape(s.held.Said))
	for i, fill := range [...]string{green, broken} {
		if bars[i].Len() > 0 {
			fmt.Fprintf(w, `<path d="%s" fill="%s"/>`, bars[i].String(), fill)
		}
	}
	c.writeFailing(w, s)
	fmt.Fprintln(w, "</g>")
}

// writeFailing marks the states that break a check, one a pixel.
func (c *Chart) writeFailing(w *bufio.Writer, s *strip) {
	last := Length(-1)
	for _, ns := range s.held.Failing {
		if x := c.scale.clip(ns); c.window.inside(ns) && x/px != last {
			last = x / px
			fmt.Fprintf(w, `<path d="M%v %vl-4 -7h8z" fill="%s"/>`, x, s.top+9*px, ink)
		}
	}
}

// diamond is the path of the mark of a regular event.
func diamond(x, y Length) string {
	return fmt.Sprintf("M%v %vL%v %vL%v %vL%v %vZ", x-momentSize, y, x, y-momentSize, x+momentSize, y, x, y+momentSize)
}

// writeMomentLabel writes the name of a regular event behind its mark, as far as it has room there.
func (c *Chart) writeMomentLabel(w *bufio.Writer, i int) {
	b, right := &c.Boxes[i], c.scale.right
	if i+1 < len(c.Boxes) && c.Boxes[i+1].Lane == b.Lane && c.Boxes[i+1].Level == b.Level {
		right = c.Boxes[i+1].Left
	}
	if b.hatched() || b.Function == schema.NoCode {
		return
	}
	left := b.Right + momentSize + 2*px
	if label := fit(c.window.names().Functions.Name(b.Function), labelSize, right-momentSize-left); label != "" {
		fmt.Fprintf(w, `<text x="%v" y="%v">%s</text>`+"\n", left, c.edge(b.Lane, b.Level+1)+rowHeight/2+4*px, canvas.Escape(label))
	}
}
