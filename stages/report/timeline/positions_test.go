package timeline

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestPositions sees that a picture as data has what the picture has: every lane, box and arrow, and the path, at their places.
func TestPositions(t *testing.T) {
	each(t, func(t *testing.T, w *Window, o Options) {
		c := Layout(w, o)
		p := c.Positions()
		var svg bytes.Buffer
		expect.OK(t, c.WriteSVG(&svg))
		expect.Equal(t, len(p.Lanes), len(c.Lanes), "lanes")
		expect.Equal(t, len(p.Boxes), len(c.Boxes), "boxes")
		expect.Equal(t, len(p.Arrows), len(c.Arrows), "arrows")
		at := make(map[[5]Length]bool)
		for i := range c.Path {
			at[c.Path[i].pixels()] = true
		}
		expect.Equal(t, len(p.Path), len(at), "steps at different pixels")
		for _, b := range p.Boxes {
			if b.Tip == "" || b.Label != "" && b.Look == "several" || b.Y < p.Top || b.Y+p.RowHeight > p.Height || b.X < p.Left || b.X+b.Width > p.Right {
				t.Fatalf("box %+v of %+v", b, p.Lanes)
			}
		}
		for _, s := range p.Path {
			if !strings.Contains(svg.String(), `<path d="`+s.Path+`"`) {
				t.Fatalf("step %+v is not in the picture", s)
			}
		}
		heads := 0
		for _, a := range p.Arrows {
			if a.Head {
				heads++
			}
		}
		body, _, _ := strings.Cut(svg.String()[strings.Index(svg.String(), "</defs>"):], `<g fill="`+paleInk+`">`+"\n<g transform")
		expect.Equal(t, heads, strings.Count(body, "url(#tl-head)"), "heads of arrows")
	})
}
