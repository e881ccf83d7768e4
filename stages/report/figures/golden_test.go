package figures

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

var update = flag.Bool("update", false, "write the pictures into testdata")

// picture is any of the figures.
type picture interface{ WriteSVG(io.Writer) error }

// examples are the figures of testdata.
var examples = map[string]picture{
	"noise":    noise(),
	"faults":   faults(),
	"power":    power3(),
	"releases": releases(),
	"commits":  commits(),
}

// TestGoldens draws the examples.
func TestGoldens(t *testing.T) {
	for name, p := range examples {
		t.Run(name, func(t *testing.T) {
			path, got := filepath.Join("testdata", name+".svg"), draw(t, p)
			if *update {
				expect.OK(t, os.WriteFile(path, got, 0o666))
			}
			want := expect.Value(os.ReadFile(path))(t)
			same(t, got, want)
		})
	}
}

func draw(t testing.TB, p picture) []byte {
	t.Helper()
	var svg bytes.Buffer
	expect.OK(t, p.WriteSVG(&svg))
	return svg.Bytes()
}

// same fails where two pictures differ.
func same(t *testing.T, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

var methods = []string{"ABS", "REL", "KS", "MWU", "SHIFT", "DYN", "KS+ABS", "moderated t"}

// noise is in the layout of figure 4.5: one group of rows, one of columns.
func noise() Matrix {
	m := Matrix{
		Title: "False alarms under Gaussian noise", Measure: "share of transitions reported", Best: Lowest,
		RowLabel: "method", ColumnLabel: "standard deviation", Caption: "analyze evaluate --faults noise --seeds 12",
		Rows:    []Group{{Names: methods}},
		Columns: []Group{{Names: []string{"1 us", "4 us", "16 us", "64 us", "256 us", "1 ms", "4 ms", "16 ms"}}},
	}
	for i := range methods {
		var row []float64
		for j := range 8 {
			row = append(row, float64(j*(i+1)%9)*float64(j)/56)
		}
		m.Cells = append(m.Cells, row)
	}
	m.Cells[5][7] = math.NaN()
	return m
}

// faults is in the layout of figure 4.6: two groups of columns, and two of rows.
func faults() Matrix {
	delays := []string{"100 us", "1 ms", "4 ms", "16 ms", "64 ms", "256 ms"}
	m := Matrix{
		Title: "Spikes and chains of delays", Measure: "F1", RowLabel: "method", ColumnLabel: "delay",
		Caption: "analyze evaluate --faults spike,chain --delays 100us,1ms,4ms,16ms,64ms,256ms --runs 3 --seeds 12 " +
			"--against same-trace,independent-runs --out figures/",
		Rows:    []Group{{"same trace", methods}, {"independent runs, 3 v 3", methods}},
		Columns: []Group{{"spike", delays}, {"chain", delays}},
	}
	for i := range 2 * len(methods) {
		var row []float64
		for j := range 12 {
			row = append(row, math.Round(float64(100-i/8*10)/(1+math.Exp(2-float64(j%6)+float64((i*5+j/6)%7)/2)))/100)
		}
		m.Cells = append(m.Cells, row)
	}
	m.Cells[4][2], m.Cells[12][11] = math.NaN(), math.NaN()
	return m
}

// power3 is three panels of five lines with a gap.
func power3() Curves {
	c := Curves{Title: "Power of the release verdict", XLabel: "effect, %", YLabel: "power", Guide: .8}
	c.Caption = "analyze power --runs 2,3,5"
	for k, runs := range []string{"2 v 2 runs", "3 v 3 runs", "5 v 5 runs"} {
		p := Panel{Heading: runs}
		for i, name := range []string{"moderated t", "Welch t", "KS pooled", "MWU pooled", "permutation"} {
			l := Line{Name: name}
			for _, x := range []float64{1, 2, 5, 10, 20, 50, 100} {
				y := 1 / (1 + math.Pow(float64(6+4*i-3*k)/x, 1.8))
				l.Points = append(l.Points, Point{x, math.Round(100*y) / 100})
			}
			p.Lines = append(p.Lines, l)
		}
		c.Panels = append(c.Panels, p)
	}
	c.Panels[0].Lines[4].Points[3].Y = math.NaN()
	return c
}

// releases is a short history with all its names.
func releases() Series {
	r := rand.New(rand.NewPCG(1, 1))
	s := Series{
		Title: "enter multi_runsingle → exit Curl_poll", Quantity: "median of a run",
		Segments: []Segment{{0, 5, 20.2e6, 20.2e6}, {6, 9, 24.3e6, 24.3e6}, {10, 11, 21.9e6, 21.9e6}},
		Changes:  []Change{{6, "+20 %"}, {10, "−10 %, unconfirmed"}}, Caption: "analyze history --subject Curl_poll",
	}
	for i, name := range strings.Fields("8.10.0 8.10.1 8.11.0 8.11.1 8.12.0 8.13.0 8.14.0 8.14.1 8.15.0 8.16.0 8.17.0 8.18.0") {
		level := 20.2e6
		if i >= 6 {
			level = 24.3e6
		}
		if i >= 10 {
			level = 21.9e6
		}
		release := Release{Name: name}
		for range 5 {
			release.RunsNs = append(release.RunsNs, level*(1+.02*math.Round(100*r.NormFloat64())/100))
		}
		s.Releases = append(s.Releases, release)
	}
	return s
}

// commits is a long history with long names, changes close to each other, and releases without runs.
func commits() Series {
	r := rand.New(rand.NewPCG(2, 2))
	s := Series{Title: "worker.run: own time", Quantity: "own time per call"}
	s.Changes = []Change{{30, "+200 %"}, {33, "−40 %"}, {68, "+67 %"}}
	s.Segments = []Segment{{0, 29, 300, 300}, {30, 32, 900, 900}, {33, 67, 540, 540}, {68, 71, 900, 900}}
	for i := range 72 {
		release := Release{Name: fmt.Sprintf("nightly-2026-%02d-%02d", 1+i/28, 1+i%28)}
		for range 3 {
			level := 0.0
			for _, g := range s.Segments {
				if i >= g.From && i <= g.To {
					level = g.FromNs
				}
			}
			release.RunsNs = append(release.RunsNs, math.Round(level*(1+.05*r.NormFloat64())))
		}
		if i%25 == 20 {
			release.RunsNs = nil
		}
		s.Releases = append(s.Releases, release)
	}
	return s
}
