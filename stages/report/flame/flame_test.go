package flame_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	report "github.com/tracelake/tracelake/stages/report/flame"
	"github.com/tracelake/tracelake/stages/timing/flame"
	"github.com/tracelake/tracelake/testdata/expect"
)

// graph has two frames on top of one, and one whose name XML and folded text cannot hold as it is.
func graph(name string, ns int64) *flame.Graph {
	g := flame.New(name)
	g.Paths = 2
	main := g.Over(0, "a.main")
	g.Frames[main].Ns = 100
	g.Frames[g.Over(main, "b.<;>")].Ns = ns
	g.Frames[g.Over(main, "a.work")].Ns = 300
	g.Frames[g.Over(0, flame.Idle)].Ns = 50
	return g
}

// TestFolded sees lines of call paths, with semicolons between frames only.
func TestFolded(t *testing.T) {
	var out bytes.Buffer
	expect.OK(t, report.WriteFolded(&out, graph("run", 700)))
	expect.Equal(t, out.String(), "run;[idle] 50\nrun;a.main 100\nrun;a.main;a.work 300\nrun;a.main;b.<,> 700\n", "folded")
}

// TestSpeedscope sees that samples and weights belong together, and that all frames are named.
func TestSpeedscope(t *testing.T) {
	var out bytes.Buffer
	expect.OK(t, report.WriteSpeedscope(&out, graph("run", 700)))
	var f struct {
		Shared   struct{ Frames []struct{ Name string } }
		Profiles []struct {
			Samples  [][]int
			Weights  []int64
			EndValue int64
		}
	}
	expect.OK(t, json.Unmarshal(out.Bytes(), &f))
	var lines []string
	p := f.Profiles[0]
	for i, sample := range p.Samples {
		var names []string
		for _, at := range sample {
			names = append(names, f.Shared.Frames[at].Name)
		}
		lines = append(lines, fmt.Sprint(strings.Join(names, " "), " ", p.Weights[i]))
	}
	expect.Equal(t, strings.Join(lines, "\n"), "run [idle] 50\nrun a.main 100\nrun a.main a.work 300\nrun a.main b.<;> 700", "samples")
	expect.Equal(t, p.EndValue, 1150, "all time")
}

// TestPicture sees that a picture is XML, that each box has its time a path, and beside another run the difference.
func TestPicture(t *testing.T) {
	base := graph("before", 500)
	base.Frames[base.Find(base.Find(0, "a.main"), "a.work")].Name = "a.other"
	base = rebuilt(base)
	for title, p := range map[string]*report.Picture{
		"a.work: 150 ns a path, 26 %":                       {Title: "x", Graph: graph("run", 700)},
		"b.&lt;;&gt;: 350 ns a path, 61 %, +100 ns":         {Title: "x", Graph: graph("run", 700), Base: base},
		"a.work: 150 ns a path, 26 %, not there before":     {Title: "x", Graph: graph("run", 700), Base: base},
		"2 critical paths of 575 ns on average":             {Title: "x", Graph: graph("run", 700)},
		"longer than in before (2 paths of 475 ns), blue: ": {Title: "x", Graph: graph("run", 700), Base: base},
	} {
		var out bytes.Buffer
		expect.OK(t, p.WriteSVG(&out))
		if !strings.Contains(out.String(), title) {
			t.Errorf("no %q in\n%s", title, out.String())
		}
		for d := xml.NewDecoder(&out); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestVerdicts sees that frames have the colours of the verdicts on their functions, that a change is named with its interval, and that
// the time of frames that only the baseline has is stated.
func TestVerdicts(t *testing.T) {
	base := graph("3 baseline runs", 500)
	base.Frames[base.Over(base.Find(0, "a.main"), "a.gone")].Ns = 80
	effect, lo, hi := int64(200), int64(150), int64(260)
	p := &report.Picture{Title: "x", Graph: graph("3 candidate runs", 700), Base: base, Changes: map[string]*schema.Change{
		"b.<;>":  {Verdict: schema.Regressed, EffectNs: &effect, EffectLoNs: &lo, EffectHiNs: &hi},
		"a.work": {Verdict: schema.Unchanged},
	}}
	var out bytes.Buffer
	expect.OK(t, p.WriteSVG(&out))
	for _, want := range []string{
		"b.&lt;;&gt;: 350 ns a path, 61 %, +100 ns; its own time per root execution: regressed, +200 ns (95 % interval +150 to +260 ns)</title><rect",
		`fill="#f0524a" stroke="#fff"`, `>b.&lt;;&gt; +200 ns</text>`,
		"a.work: 150 ns a path, 26 %, 0 ns; its own time: unchanged</title>", `fill="#d6e8d2" stroke="#fff"`,
		"[idle]: 25 ns a path, 4.3 %, 0 ns</title>", `fill="#ececec" stroke="#fff"`,
		"2 critical paths of 575 ns on average; a box is as wide as the time of the paths in it and in what it calls; 3 baseline runs: 2 paths of 515 ns",
		"1 further frame only in 3 baseline runs, with 40 ns a path",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

// TestAdd sees that the sum of two graphs has the time of both in the frames of their call paths.
func TestAdd(t *testing.T) {
	sum := flame.New("sum")
	sum.Add(graph("before", 500))
	other := flame.New("after")
	other.Paths = 1
	other.Frames[other.Over(other.Over(0, "a.main"), "a.new")].Ns = 7
	sum.Add(other)
	var out bytes.Buffer
	expect.OK(t, report.WriteFolded(&out, sum))
	expect.Equal(t, out.String(), "sum;[idle] 50\nsum;a.main 100\nsum;a.main;a.new 7\nsum;a.main;a.work 300\nsum;a.main;b.<,> 500\n", "folded")
	expect.Equal(t, sum.Paths, 3, "paths")
}

// rebuilt makes a graph anew from its frames, since names of frames are looked up.
func rebuilt(g *flame.Graph) *flame.Graph {
	out := flame.New(g.Frames[0].Name)
	out.Paths = g.Paths
	at := make([]int, len(g.Frames))
	for i, f := range g.Frames[1:] {
		at[i+1] = out.Over(at[f.Parent], f.Name)
		out.Frames[at[i+1]].Ns = f.Ns
	}
	return out
}
