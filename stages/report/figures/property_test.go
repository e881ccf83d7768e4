package figures

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// word is a name of any length.
func word(r *rand.Rand) string {
	return strings.Repeat(string("aMi.W_10"[r.IntN(8)]), r.IntN(4)*r.IntN(16)+1)
}

// groups are some groups of names, with and without headings.
func groups(r *rand.Rand) (all []Group) {
	for range 1 + r.IntN(3) {
		g := Group{Heading: word(r)}
		if r.IntN(3) == 0 {
			g.Heading = ""
		}
		for range 1 + r.IntN(6) {
			g.Names = append(g.Names, word(r))
		}
		all = append(all, g)
	}
	return all
}

// value is a number of any kind; times are as large as the scale says.
func value(r *rand.Rand, scale float64) float64 {
	switch r.IntN(20) {
	case 0:
		return math.NaN()
	case 1:
		return math.Inf(1 - 2*r.IntN(2))
	}
	return (1.4*r.Float64() - .2) * scale
}

func randomMatrix(seed uint64) Matrix {
	r := rand.New(rand.NewPCG(seed, 1))
	m := Matrix{Title: word(r), Measure: word(r), RowLabel: word(r), ColumnLabel: word(r), Rows: groups(r), Columns: groups(r),
		Best: Best(r.IntN(3)), Caption: word(r) + " " + word(r)}
	for range count(m.Rows) {
		var row []float64
		for range count(m.Columns) {
			row = append(row, value(r, 1))
		}
		m.Cells = append(m.Cells, row)
	}
	return m
}

func randomCurves(seed uint64) Curves {
	r := rand.New(rand.NewPCG(seed, 2))
	c := Curves{Title: word(r), XLabel: word(r), YLabel: word(r), Guide: float64(r.IntN(2)) * .8}
	octaves := float64(1 + r.IntN(60))
	for range 1 + r.IntN(5) {
		p := Panel{Heading: word(r)}
		for range r.IntN(8) {
			l := Line{Name: word(r)}
			for range r.IntN(9) {
				l.Points = append(l.Points, Point{math.Exp2(octaves * (r.Float64() - .3)), value(r, 1)})
			}
			p.Lines = append(p.Lines, l)
		}
		c.Panels = append(c.Panels, p)
	}
	return c
}

func randomSeries(seed uint64) Series {
	r := rand.New(rand.NewPCG(seed, 3))
	s := Series{Title: word(r), Quantity: word(r)}
	scale := math.Exp2(60 * r.Float64())
	n := 1 + r.IntN(1<<(1+r.IntN(8)))
	for range n {
		release := Release{Name: word(r)}
		for range r.IntN(6) {
			release.RunsNs = append(release.RunsNs, value(r, scale))
		}
		s.Releases = append(s.Releases, release)
	}
	for range r.IntN(5) {
		from := r.IntN(n)
		s.Segments = append(s.Segments, Segment{from, from + r.IntN(n-from), value(r, scale), value(r, scale)})
		s.Changes = append(s.Changes, Change{r.IntN(n), word(r)})
	}
	return s
}

// TestTextsHaveRoom draws figures of every size with names of every length.
func TestTextsHaveRoom(t *testing.T) {
	for seed := range uint64(150) {
		for _, p := range []picture{randomMatrix(seed), randomCurves(seed), randomSeries(seed)} {
			svg := draw(t, p)
			if read(t, svg).checkTexts(t); t.Failed() {
				t.Fatalf("%T of seed %d", p, seed)
			}
			if !bytes.Equal(svg, draw(t, p)) {
				t.Fatalf("%T of seed %d is not the same twice", p, seed)
			}
		}
	}
}

// TestSlantedNamesHaveRoom draws long names of columns beside short ones of rows.
func TestSlantedNamesHaveRoom(t *testing.T) {
	m := Matrix{Rows: []Group{{Names: []string{"A"}}}, Cells: [][]float64{{0, 1}}}
	m.Columns = []Group{{Names: []string{strings.Repeat("M", 40), "1"}}}
	read(t, draw(t, m)).checkTexts(t)
}

// TestEverythingIsDrawnOnce counts cells, panels, segments, changes and releases.
func TestEverythingIsDrawnOnce(t *testing.T) {
	for seed := range uint64(50) {
		m, c, s := randomMatrix(seed), randomCurves(seed), randomSeries(seed)
		if got := read(t, draw(t, m)).classes["cell"]; got != count(m.Rows)*count(m.Columns) {
			t.Errorf("%d cells of %d rows and %d columns", got, count(m.Rows), count(m.Columns))
		}
		expect.Equal(t, read(t, draw(t, c)).classes["panel"], len(c.Panels), "panels")
		got := read(t, draw(t, s)).classes
		segments, releases := 0, 0
		for _, g := range s.Segments {
			if finite(g.FromNs) && finite(g.ToNs) {
				segments++
			}
		}
		for _, r := range s.Releases {
			if len(r.RunsNs) > 0 {
				releases++
			}
		}
		if got["segment"] != segments || got["change"] != len(s.Changes) || got["release"] != releases {
			t.Errorf("%v, want %d segments, %d changes, %d releases", got, segments, len(s.Changes), releases)
		}
	}
}

// TestNumbersClamp draws numbers out of range like the ends of the range.
func TestNumbersClamp(t *testing.T) {
	far, near := noise(), noise()
	far.Cells[0] = []float64{-1, 1.5, math.Inf(1), math.Inf(-1), .004, .996, math.NaN(), .5}
	near.Cells[0] = []float64{0, 1, 1, 0, 0, 1, math.NaN(), .5}
	same(t, draw(t, far), draw(t, near))
	high, one := power3(), power3()
	high.Panels[0].Lines[0].Points[1].Y, one.Panels[0].Lines[0].Points[1].Y = math.Inf(1), 1
	high.Panels[0].Lines[1].Points[1].Y, one.Panels[0].Lines[1].Points[1].Y = -3, 0
	same(t, draw(t, high), draw(t, one))
}

// TestNaNIsADash finds as many dashes as cells that are not known.
func TestNaNIsADash(t *testing.T) {
	expect.Equal(t, bytes.Count(draw(t, faults()), []byte(">–<")), 2, "dashes for two cells")
}

// TestBest marks what looks best in each group of rows, all of it where several are, and nothing where all are alike.
func TestBest(t *testing.T) {
	nan := math.NaN()
	m := Matrix{Cells: [][]float64{{.1, .8, nan, 0, nan}, {.5, .8, .3, 0, nan}, {.501, .2, .4, 0, .6}}}
	for mark, want := range map[Best][]int{
		Highest:  {50, 80, 40, none, none},
		Lowest:   {10, 20, 30, none, none},
		Unmarked: {none, none, none, none, none},
	} {
		m.Best = mark
		for column := range want {
			expect.Equal(t, m.best(column, 0, 3), want[column], "%d, column %d", mark, column)
		}
	}
	// Six columns twice in two groups, once with two methods alike.
	expect.Equal(t, bytes.Count(draw(t, faults()), []byte(", the best<")), 2*6+6+6+6, "cells marked")
}

// TestTheOrderOfPointsDoesNotMatter turns every line round.
func TestTheOrderOfPointsDoesNotMatter(t *testing.T) {
	turned := power3()
	for _, p := range turned.Panels {
		for _, l := range p.Lines {
			slices.Reverse(l.Points)
		}
	}
	same(t, draw(t, turned), draw(t, power3()))
}

// TestPennants checks that no change label covers another one, that no line of a change goes through a label, and that none
// leaves the page.
func TestPennants(t *testing.T) {
	turned, lanes := 0, 0
	for seed := range uint64(400) {
		h := seriesOf(seed).layout()
		for i, f := range h.labels {
			if f.right > h.width-margin || f.left < h.left {
				t.Fatalf("seed %d: %v leaves the page", seed, f)
			}
			if f.left < f.x {
				if turned++; 2*f.x-f.left <= h.right {
					t.Fatalf("seed %d: %v has room to the right of its line", seed, f)
				}
			}
			lanes = max(lanes, f.lane)
			for k, g := range h.labels {
				if over := f.left < g.right && g.left < f.right; i != k && f.lane == g.lane && over {
					t.Fatalf("seed %d: %v lies on %v", seed, f, g)
				}
				if g.lane > f.lane && g.x > f.left && g.x < f.right {
					t.Fatalf("seed %d: the line of %v goes through %v", seed, g, f)
				}
			}
		}
	}
	if turned == 0 || lanes < 3 {
		t.Errorf("%d turned, %d lanes: the test sees too little", turned, lanes)
	}
}

// seriesOf is a history with different changes.
func seriesOf(seed uint64) *Series {
	r := rand.New(rand.NewPCG(seed, 4))
	s := &Series{}
	for i := range 1 + r.IntN(90) {
		s.Releases = append(s.Releases, Release{Name: fmt.Sprintf("8.%d.0", i)})
	}
	for i := range s.Releases {
		if r.IntN(12) == 0 {
			s.Changes = append(s.Changes, Change{i, word(r)})
		}
	}
	return s
}

// TestNamesHaveRoom sees no two slanted names nearer than a line of text, and the first release named where there is no
// change.
func TestNamesHaveRoom(t *testing.T) {
	for seed := range uint64(100) {
		h := seriesOf(seed).layout()
		last, named := -1, h.named()
		for i, is := range named {
			if !is {
				continue
			}
			if last >= 0 && h.slant && h.x(i)-h.x(last) < nameRoom {
				t.Fatalf("seed %d: releases %d and %d are %v apart", seed, last, i, h.x(i)-h.x(last))
			}
			last = i
		}
		if len(h.Changes) == 0 && !named[0] {
			t.Fatalf("seed %d: the first release has no name", seed)
		}
	}
}

// TestErrors gives parts that do not fit together.
func TestErrors(t *testing.T) {
	long := noise()
	long.Cells[3] = append(long.Cells[3], 1)
	short := noise()
	short.Cells = short.Cells[1:]
	zero, far := power3(), power3()
	zero.Panels[1].Lines[0].Points[0].X = 0
	far.Panels[1].Lines[0].Points[0].X = math.Inf(1)
	outside, backwards, late := releases(), releases(), releases()
	outside.Segments[2].To = 12
	backwards.Segments[1].To = 5
	late.Changes[1].At = 12
	for want, p := range map[string]picture{
		`figure "": a matrix without cells`:                                                                   Matrix{},
		`figure "False alarms under Gaussian noise": row 3 has 9 cells, there are 8 columns`:                  long,
		`figure "False alarms under Gaussian noise": 7 rows of cells for 8 names`:                             short,
		`figure "": curves without a panel`:                                                                   Curves{},
		`figure "Power of the release verdict": line "moderated t" has a point at 0 on a logarithmic axis`:    zero,
		`figure "Power of the release verdict": line "moderated t" has a point at +Inf on a logarithmic axis`: far,
		`figure "": a history without releases`:                                                               Series{},
		`figure "enter multi_runsingle → exit Curl_poll": a segment from release 10 to 12 of 12`:              outside,
		`figure "enter multi_runsingle → exit Curl_poll": a segment from release 6 to 5 of 12`:                backwards,
		`figure "enter multi_runsingle → exit Curl_poll": a change at release 12 of 12`:                       late,
	} {
		var svg bytes.Buffer
		if err := p.WriteSVG(&svg); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if svg.Len() > 0 {
			t.Errorf("%s: %d bytes", want, svg.Len())
		}
	}
}
