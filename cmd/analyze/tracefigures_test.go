package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/tracelake/tracelake/cmd/internal/testdata/browser"
	"github.com/tracelake/tracelake/testdata/expect"
)

// imagePipeline writes a trace of the image pipeline of Hendriks et al. 2024, Example 1, in kind: images of the types low, high and high go through A on the
// CPU, B, C, E, F, which types other than high leave out, and G on the CPU. A memory holds an image from the start of B to the end of G, and has room for
// so many. G of an image and A of the next one share the CPU. E comes before F, but for the third image.
func imagePipeline(room int64) string {
	var out strings.Builder
	out.WriteString("TU MILLISECONDS\nR 0 2 false;name=CPU\nR 1 1 false;name=FPGA\nR 2 1 false;name=GPU\nR 3 9 false;name=M2\n")
	claim, dependency := 0, 0
	var freed []int64
	at := int64(0)
	for image, kind := range []string{"low", "high", "high", "low"} {
		add := func(task string, from, to int64, resource int) int64 {
			fmt.Fprintf(&out, "C %d %d %d %d 1;name=%s, id=%d, type=%s\n", claim, from, to, resource, task, image, kind)
			if task != "A" && task != "mem" {
				fmt.Fprintf(&out, "D %d 2 %d %d;\n", dependency, claim-1, claim)
				dependency++
			}
			claim++
			return to
		}
		a := add("A", at, at+4, 0)
		at += 4
		b := a
		if image >= int(room) {
			b = max(a, freed[image-int(room)])
		}
		c := add("C", add("B", b, b+2, 1), b+5, 1)
		steps := []string{"E", "F"}
		if kind == "low" {
			steps = steps[:1]
		} else if image == 2 {
			steps = []string{"F", "E"}
		}
		for _, step := range steps {
			c = add(step, c, c+2, 2)
		}
		g := add("G", c, c+3, 0)
		add("mem", b, g, 3)
		freed = append(freed, g)
	}
	return out.String()
}

// dieBonder writes a trace of a model of the die bonder of Example 2, in kind, whose actions take always as long, and one of a system, which has the begin and
// the end of each action as events and takes somewhat longer or shorter; the transformation that makes claims of the model of these (Example 13); and the
// requirement of productivity of Example 10.
func dieBonder() map[string]string {
	model, system := "TU MILLISECONDS\nR 0 1 false;name=bonder\n", "TU MILLISECONDS\n"
	normal := "transformation actions {\n"
	claim, event := 0, 0
	actions := []struct {
		name  string
		takes int // ms
		off   func(die int) int
	}{
		{"pick", 30, func(die int) int { return die % 2 }}, {"clamp", 20, func(die int) int { return die%4 - 2 }}, {"bond", 40, func(int) int { return 0 }},
	}
	for die := range 8 {
		at, real := die*100, die*100
		for _, a := range actions {
			model += fmt.Sprintf("C %d %d %d 0 1;name=%s,die=%d\n", claim, at, at+a.takes, a.name, die)
			at, claim = at+a.takes, claim+1
			for _, edge := range []string{"begin", "end"} {
				system += fmt.Sprintf("E %d %d;device=%s,edge=%s,die=%d\n", event, real, a.name, edge, die)
				if event++; edge == "begin" {
					real += a.takes + a.off(die)
				}
			}
		}
	}
	for _, a := range actions {
		normal += fmt.Sprintf("  claim-spec %[1]s : {'device'='%[1]s', 'edge'='begin'}, {'device'='%[1]s', 'edge'='end'}, {'name'='%[1]s', 'resource'='bonder'};\n", a.name)
	}
	return map[string]string{
		"model.etf": model, "system.etf": system, "normal.trl": normal + "}\n",
		"pipeline.etl": "signal tp : throughput of id per s over 10 ms\nsignal wip : wip of id\ndef good_throughput : tp >= 100.0\ndef steady : wip >= 2.0\n" +
			"check productivity : globally if steady then good_throughput\ncheck latency : globally wip <= 9.0\n",
	}
}

// itemSpans are from when to when items are under way, in ms.
type itemSpans [][2]float64

// itemsOf reads the spans of items from a trace.
func itemsOf(trace string) itemSpans {
	spans := make(itemSpans, 4)
	for line := range strings.Lines(trace) {
		var claim, from, to, resource, amount, id int
		var task string
		if n, _ := fmt.Sscanf(line, "C %d %d %d %d %d;name=%1s", &claim, &from, &to, &resource, &amount, &task); n < 6 {
			continue
		}
		_, rest, _ := strings.Cut(line, "id=")
		fmt.Sscanf(rest, "%d", &id)
		if s := &spans[id]; s[1] == 0 {
			*s = [2]float64{float64(from), float64(to)}
		} else {
			s[0], s[1] = min(s[0], float64(from)), max(s[1], float64(to))
		}
	}
	return spans
}

// at is how many items are under way, and the sum of what they get done in a ms.
func (s itemSpans) at(ms float64) (wip, throughput float64) {
	for _, one := range s {
		if one[0] <= ms && ms < one[1] {
			wip++
			throughput += 1 / (one[1] - one[0])
		}
	}
	return wip, throughput
}

// TestFiguresOfTrace shows the figures of Hendriks et al. 2024 on its image pipeline, in kind, and its two traces side by side, with the values that hold by
// construction of the traces.
func TestFiguresOfTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("the figures of traces are looked at in full tests")
	}
	t.Chdir(t.TempDir())
	for name, room := range map[string]int64{"tight": 1, "wide": 4} {
		expect.OK(t, os.WriteFile(name+".etf", []byte(imagePipeline(room)), 0o666))
		expect.OK(t, load(t.Context(), []string{name + ".etf"}, nil, io.Discard, io.Discard))
	}
	for name, text := range dieBonder() {
		expect.OK(t, os.WriteFile(name, []byte(text), 0o666))
	}
	for _, file := range []string{"model.etf", "system.etf"} {
		expect.OK(t, load(t.Context(), []string{file}, nil, io.Discard, io.Discard))
	}
	said(t, "run")
	said(t, "transform", "system", "--spec", "normal.trl", "--run", "normal")
	said(t, "run")
	for name, more := range map[string][]string{"wide": {"--intervals"}, "tight": nil} {
		args := append([]string{"check", name, "--spec", "pipeline.etl", "--quiet"}, more...)
		if err := run(t.Context(), args, strings.NewReader(""), io.Discard, io.Discard); err == nil {
			t.Errorf("%s keeps its productivity", name)
		}
	}
	address := served(t)
	p := browser.New(t, 1400, 1000)
	p.Do(chromedp.Navigate(address))
	_, base := admitted(t, address)
	open := func(hash, ready string) {
		t.Helper()
		p.Open(base + hash)
		p.Wait(`document.querySelector(".waiting") === null && (` + ready + `)`)
	}
	numbers := func(title string) []string {
		t.Helper()
		return browser.Eval[[]string](p, fmt.Sprintf(`[...[...document.querySelectorAll("figure")].find(f => f.querySelector("strong").textContent === %q).querySelectorAll("tbody tr")].map(r => [...r.children].map(c => c.textContent).join("|"))`, title))
	}
	values := func(function string) []string {
		t.Helper()
		return browser.Eval[[]string](p, fmt.Sprintf(`document.querySelector("canvas").list().filter(b => b.function === %q).sort((a, b) => a.left - b.left).map(b => b.value)`, function))
	}
	const drawn = `(document.querySelector("canvas")?.list?.() ?? []).length > 20`

	t.Run("4 resources and how long each has how many claims", func(t *testing.T) {
		open("#/timeline/tight?signals=clients", drawn+` && document.querySelectorAll("#histograms svg.plot").length === 4`)
		// By construction: four A of 4 ms end to end from 0 to 16, four G of 3 ms, of which the first, from 11 to 14, shares the CPU with A.
		expect.Deep(t, numbers("CPU"), histogramOf(t, "tight", "CPU"), "the numbers of the page are those of the command line")
		contains(t, strings.Join(numbers("CPU"), " "), "2|3.00 ms", "two claims share the CPU for 3 ms")
		contains(t, strings.Join(numbers("M2"), " "), "0|4.00 ms", "the memory holds nothing until the first B")
		open("#/timeline/wide?signals=clients", drawn+` && document.querySelectorAll("#histograms svg.plot").length === 4`)
		expect.Deep(t, numbers("M2"), histogramOf(t, "wide", "M2"), "with room for all")
	})
	t.Run("5 signals of Little's law", func(t *testing.T) {
		client, base := admitted(t, address)
		spans := itemsOf(imagePipeline(4))
		for of, want := range map[string]func(ms float64) (value float64, has bool){
			// Definitions 13, 15 and 16: how many images are under way, what they add up to where each one's work is even over its time, and their quotient.
			"wip": func(ms float64) (float64, bool) { n, _ := spans.at(ms); return n, true }, "throughput": func(ms float64) (float64, bool) { _, tp := spans.at(ms); return 1000 * tp, true },
			"latency": func(ms float64) (float64, bool) { n, tp := spans.at(ms); return n / tp / 1000, tp > 0 },
		} {
			r := expect.Value(client.Get(base + "api/run/wide/signals?items=id&from=0&to=26000000&pixels=26&of=" + of))(t)
			sent := into[struct {
				Signals []struct{ Least, Greatest []*float64 }
			}](t, expect.Value(io.ReadAll(r.Body))(t))
			r.Body.Close()
			expect.Equal(t, len(sent.Signals), 1, "signals")
			for ms := range 26 {
				value, has := want(float64(ms) + 0.5) // nothing changes between two ms
				least, greatest := sent.Signals[0].Least[ms], sent.Signals[0].Greatest[ms]
				if (least != nil) != has || has && (math.Abs(*least-value) > 1e-9 || math.Abs(*greatest-value) > 1e-9) {
					t.Errorf("%s in ms %d: %v to %v, want %v", of, ms, *least, *greatest, value)
				}
			}
		}
		open("#/timeline/wide?signals=wip&items=id&over=2000000", drawn+` && document.querySelector(".label.signal")?.textContent === "work in progress of id"`)
		open("#/timeline/wide?signals=throughput&items=id", drawn+` && document.querySelector(".label.signal")?.textContent === "throughput of id"`)
		open("#/timeline/wide?signals=latency&items=id", drawn+` && document.querySelector(".label.signal")?.textContent === "latency of id"`)
	})
	t.Run("10 where a requirement holds", func(t *testing.T) {
		open("#/timeline/wide?checks=productivity&signals=throughput&items=id&over=10000000", drawn+` && document.querySelector("canvas").bars().length === 3 && document.querySelector("canvas").bars()[0].held.length > 0`)
		type stretch struct {
			Left, Right float64
			Holds       bool
		}
		bars := browser.Eval[[]struct {
			Name string
			Held []stretch
		}](p, `document.querySelector("canvas").bars()`)
		width := browser.Eval[float64](p, `document.querySelector("canvas").clientWidth`)
		printed := into[[]struct {
			Definition string
			FromNs     float64 `json:"from_ns"`
			ToNs       float64 `json:"to_ns"`
			Truth      bool
		}](t, said(t, "query", "SELECT coalesce(definition, '') AS definition, from_ns, to_ns, truth FROM check_intervals WHERE run = 'wide' AND check_name = 'productivity'", "--format", "json"))
		named := map[string]string{"": "✗ productivity, bad", "steady": "steady", "good_throughput": "good_throughput"}
		at := 0
		for i, bar := range bars {
			for _, has := range bar.Held {
				want := printed[at]
				at++
				expect.Equal(t, bar.Name, named[want.Definition], "lane %d", i)
				expect.Equal(t, has.Holds, want.Truth, "%s from %v", bar.Name, want.FromNs)
				if scale := width / 26e6; math.Abs(has.Left-want.FromNs*scale) > 0.01 || math.Abs(has.Right-want.ToNs*scale) > 0.01 {
					t.Errorf("%s: %v to %v, want %v to %v", bar.Name, has.Left, has.Right, want.FromNs*scale, want.ToNs*scale)
				}
			}
		}
		expect.Equal(t, at, len(printed), "stretches")
		// By construction: two images are under way from 4 to 24 ms, and over 10 ms the throughput is 100 a second from 9 ms on.
		expect.Deep(t, bars[1].Held[1].Holds, true, "it is steady in the middle")
		p.Click("details.astable summary")
		p.Wait(`document.querySelectorAll("#held tbody tr").length === ` + fmt.Sprint(len(printed)))
		contains(t, p.Text("#held"), "✗ productivity, bad 4.00 ms 9.00 ms no", "the bars as a table")
		open("#/checks/wide", `document.querySelector("main table a") !== null`)
		p.Click("main table a")
		p.Wait(`location.hash.includes("checks=productivity")`)
		open("#/timeline/model?checks=1", `document.querySelector("canvas")?.list?.().length > 0`) // it was held against nothing
		open("#/timeline/tight?checks=latency", drawn)
		contains(t, p.Text("main"), "analyze check tight --spec FILE.etl --intervals", "what lacks says which command makes it")
	})
	t.Run("13 and 15 a model and a system, normalised", func(t *testing.T) {
		open("#/timeline/model?with=normal&group=attribute:name&colour=attribute:name", `[...document.querySelectorAll("canvas")].length === 2 && [...document.querySelectorAll("canvas")].every(c => c.list().length === 24)`)
		lanes := browser.Eval[[]string](p, `[...document.querySelectorAll("canvas")].map(c => [...new Set(c.list().map(b => b.lane))].sort().join(" "))`)
		expect.Deep(t, lanes, []string{"bond clamp pick", "bond clamp pick"}, "the system's events became claims with the names of the model's")
		open("#/durations/model?with=normal", `document.querySelectorAll("figure svg.plot").length === 3`)
		rows := numbers("clamp")
		filled := func(column int) (n int, sum string) {
			for _, row := range rows {
				if words := strings.Split(row, "|"); words[column] != "0" {
					n++
					sum += words[column] + " "
				}
			}
			return n, sum
		}
		n, sum := filled(2)
		expect.Equal(t, fmt.Sprint(n, " ", sum), "1 8 ", "the model has one value")
		n, sum = filled(3)
		expect.Equal(t, fmt.Sprint(n, " ", sum), "4 2 2 2 2 ", "the system four, around it")
	})
	t.Run("14 critical claims with what dependencies ask for", func(t *testing.T) {
		open("#/timeline/tight?colour=critical:claims:0&group=attribute:name", drawn+` && document.querySelector("canvas").list().some(b => b.value !== "") && document.querySelector("table.waited") !== null`)
		// Example 14: the path follows the dependencies, but from G to B: B waits for the memory that G frees.
		expect.Deep(t, values("B"), []string{"critical", "waited", "waited", "waited"}, "B")
		for _, task := range []string{"C", "E", "F", "G"} {
			expect.Equal(t, strings.ReplaceAll(strings.Join(values(task), ""), "critical", ""), "", "%s", task)
		}
		printed := into[struct {
			Claims []struct {
				Execution int64
				Claim     string
				Name      string
				Wait      bool `json:"without_application_predecessor"`
				After     []string
			}
			Edges []struct{ From, To int64 }
		}](t, said(t, "critical-path", "tight", "--graph", "claims", "--format", "json"))
		name := make(map[int64]string)
		var waited []string
		for _, c := range printed.Claims {
			name[c.Execution] = c.Name
			if c.Wait {
				waited = append(waited, c.Claim+"|"+strings.Join(c.After, "; "))
			}
		}
		expect.Deep(t, browser.Eval[[]string](p, `[...document.querySelectorAll("table.waited tbody tr")].map(r => r.children[1].textContent + "|" + r.children[3].textContent)`), waited, "the claims that waited")
		edges := browser.Eval[struct {
			From, To []int64
			Applied  []bool
		}](p, `document.querySelector("canvas").follows()`)
		expect.Equal(t, len(edges.From), len(printed.Edges), "edges")
		kinds := make(map[string]bool)
		for i := range edges.From {
			kinds[fmt.Sprintf("%s-%s %v", name[edges.From[i]], name[edges.To[i]], edges.Applied[i])] = true
		}
		for _, want := range []string{"A-B true", "B-C true", "C-E true", "E-F true", "F-E true", "C-F true", "E-G true", "F-G true", "G-B false"} {
			if !kinds[want] {
				t.Errorf("no edge %s among %v", want, kinds)
			}
		}
		if kinds["G-B true"] || kinds["B-C false"] {
			t.Errorf("dependencies are taken for others: %v", kinds)
		}
		contains(t, p.Text(".legend.critical"), "26 of 26 claims critical, 32 critical edges; weight 48.0 ms", "the sentence of the command line")
		open("#/timeline/wide?colour=critical:claims:inf", drawn+` && document.querySelector("#critical") !== null`)
		contains(t, p.Text("#critical"), "analyze critical-path wide --graph claims --epsilon inf", "the command")
	})
	t.Run("13 two runs in one view", func(t *testing.T) {
		open("#/timeline/tight?with=wide&group=attribute:name&colour=attribute:id", `[...document.querySelectorAll("canvas")].length === 2 && [...document.querySelectorAll("canvas")].every(c => c.list().length > 20 && c.list().some(b => b.value))`)
		expect.Deep(t, values("B"), []string{"0", "1", "2", "3"}, "coloured by image")
	})
	t.Run("15 histogram of claims of both", func(t *testing.T) {
		open("#/durations/tight?with=wide", `document.querySelectorAll("figure svg.plot").length > 5`)
		expect.Deep(t, numbers("B"), []string{"2.00 ms|2.00 ms|4|4"}, "all of B take 2 ms")
		mem := strings.Join(numbers("mem"), " ")
		contains(t, mem, "|", "the memory")
		contains(t, p.Text("main table.plain"), "B tight 4 2.00 ms 2.00 ms 2.00 ms 2.00 ms 2.00 ms 8.00 ms wide 4 2.00 ms 2.00 ms 2.00 ms 2.00 ms 2.00 ms 8.00 ms", "the numbers")
	})
	t.Run("16 shades of the difference from a reference", func(t *testing.T) {
		open("#/timeline/wide?colour=difference:tight&with=tight&alike=name,id", `[...document.querySelectorAll("canvas")].length === 2 && [...document.querySelectorAll("canvas")].every(c => c.list().length > 10) && document.querySelector("canvas").list().some(b => b.value !== "")`)
		printed := into[struct {
			Runs []struct {
				Distance    int64
				F           float64
				Differences []struct {
					Run      string
					Claim    string
					Vertices int `json:"vertices"`
					After    int `json:"edges_from_its_end"`
					Before   int `json:"edges_to_its_start"`
				}
			}
		}](t, said(t, "distance", "tight", "wide", "--by", "name,id", "--format", "json"))
		r := printed.Runs[0]
		contains(t, p.Text(".legend.durations"), fmt.Sprintf("wide is %d apart from tight, F %.3g", r.Distance, r.F), "the distance")
		want := []string{"0", "0", "0", "0"}
		for _, d := range r.Differences {
			for image := range want {
				if d.Run == "wide" && strings.HasPrefix(d.Claim, "B ") && strings.Contains(d.Claim, fmt.Sprintf("id=%d", image)) {
					want[image] = fmt.Sprint(d.Vertices + d.After + d.Before)
				}
			}
		}
		expect.Deep(t, values("B"), want, "how much each B differs")
		if strings.Join(want, "") == "0000" {
			t.Error("no B differs")
		}
	})
	t.Run("17 three behaviours", func(t *testing.T) {
		open("#/timeline/wide?colour=behaviour:id&alike=name,type", drawn+` && document.querySelectorAll(".legend.values button").length === 3 && document.querySelector("canvas").list().some(b => b.value !== "")`)
		expect.Deep(t, values("G"), []string{"1", "2", "3", "1"}, "two images of type low are alike, and the others differ in the order of E and F")
		contains(t, p.Text(".legend.values"), "behaviour 1 2 items", "the legend")
		p.Click(".legend.values button:nth-of-type(3)")
		p.Wait(`document.querySelector("canvas").list().filter(b => !b.pale).every(b => b.value === "3")`)
		open("#/behaviours/wide?item=id&by=name,type", `document.querySelectorAll("main table.plain tbody tr").length === 3`)
	})
	t.Run("pages", func(t *testing.T) {
		servedPages(t, address, "#/timeline/wide?checks=productivity&with=tight", "#/timeline/tight?colour=critical:claims:0&with=wide", "#/checks/wide", "#/durations/model?with=normal")
	})
	p.Quiet()
}

// histogramOf is the histogram of a signal that analyze signals prints, as the page writes it.
func histogramOf(t *testing.T, run, signal string) (rows []string) {
	t.Helper()
	for line := range strings.Lines(string(said(t, "signals", run, "--of", "clients", "--histogram"))) {
		words := strings.Fields(line)
		if len(words) == 6 && words[0] == signal {
			rows = append(rows, strings.Join([]string{words[1], words[2] + " " + words[3], words[4] + " " + words[5]}, "|"))
		}
	}
	return rows
}
