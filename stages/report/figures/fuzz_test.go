package figures

import (
	"bytes"
	"math"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// FuzzFigures gives all figures any names and numbers: the SVG is well formed, and every length in it is a number.
func FuzzFigures(f *testing.F) {
	f.Add("KS", "1 ms", 0.5, 20e6, 3)
	f.Add("</text><script>", "\x00\xff\ufffe&\"'", math.NaN(), math.Inf(1), 0)
	f.Add("a\nb\tc", "…", -1.0, 1e308, 40)
	f.Add("", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", math.Inf(-1), -1e-320, 7)
	var svg bytes.Buffer // of all pictures, one after the other
	check := func(t *testing.T, p picture) {
		svg.Reset()
		expect.OK(t, p.WriteSVG(&svg))
		readParts(t, svg.Bytes(), false)
	}
	f.Fuzz(func(t *testing.T, name, other string, x, y float64, n int) {
		n = max(n, -n) % 60
		if n < 0 {
			n = 0
		}
		m := Matrix{Title: name, Measure: other, RowLabel: name, ColumnLabel: other, Caption: other + " " + name,
			Rows: []Group{{name, []string{other, name}}}, Columns: []Group{{other, []string{name, other}}},
			Cells: [][]float64{{x, y}, {y, .5}}}
		check(t, m)
		points := []Point{{1, x}, {2, y}}
		if x > 0 && !math.IsInf(x, 1) {
			points = append(points, Point{x, .1})
		}
		check(t, Curves{Title: other, XLabel: name, YLabel: other, Guide: y, Caption: name,
			Panels: []Panel{{name, []Line{{other, points}, {name, points}}}, {Heading: other}}})
		s := Series{Title: name, Quantity: other, Caption: other, Segments: []Segment{{0, n, y, y / 2}}}
		s.Changes = []Change{{n, name}, {n / 2, other}}
		for i := range n + 1 {
			s.Releases = append(s.Releases, Release{[]string{name, other}[i%2], []float64{x, y * float64(i)}[:i%3]})
		}
		check(t, s)
	})
}
