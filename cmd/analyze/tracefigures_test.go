package main

import (
	"fmt"
	"io"
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
	said(t, "run")
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
	t.Run("5 work in progress by items", func(t *testing.T) {
		open("#/timeline/wide?signals=wip&items=id&over=2000000", drawn+` && document.querySelector(".label.signal")?.textContent === "work in progress of id"`)
		open("#/timeline/wide?signals=throughput&items=id", drawn+` && document.querySelector(".label.signal")?.textContent === "throughput of id"`)
		open("#/timeline/wide?signals=latency&items=id", drawn+` && document.querySelector(".label.signal")?.textContent === "latency of id"`)
	})
	t.Run("13 two runs in one view", func(t *testing.T) {
		open("#/timeline/tight?with=wide&group=attribute:name&colour=attribute:id", `[...document.querySelectorAll("canvas")].length === 2 && [...document.querySelectorAll("canvas")].every(c => c.list().length > 20)`)
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
