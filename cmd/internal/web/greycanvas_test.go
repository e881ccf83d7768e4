package web

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// source is the text of a file of the pages.
func source(t *testing.T, name string) string {
	t.Helper()
	return string(expect.Value(os.ReadFile("src/" + name))(t))
}

// between is what stands between two texts of a file; both must be there.
func between(t *testing.T, name, from, to string) string {
	t.Helper()
	_, text, found := strings.Cut(source(t, name), from)
	text, _, closed := strings.Cut(text, to)
	if !found || !closed {
		t.Fatalf("%s has no %q with %q behind it", name, from, to)
	}
	return text
}

// lightness is that of CIE 1976, from 0 to 100: what is left of a colour in grey, in steps that eyes take for equal ones.
func lightness(luminance float64) float64 {
	if luminance <= 216./24389 {
		return luminance * 24389 / 27
	}
	return 116*math.Cbrt(luminance) - 16
}

// lightnesses are those of the colours of a text, in their order.
func lightnesses(t *testing.T, text string) (all []float64) {
	t.Helper()
	for _, m := range regexp.MustCompile(`"(#[0-9a-f]{6})"`).FindAllStringSubmatch(text, -1) {
		all = append(all, lightness(luminance(t, "--c: "+m[1]+";", "c")))
	}
	return all
}

// TestGreyScales sees that colours that stand for more and less go one way in grey: the lengths of executions, how much differs, and how many entities differ.
func TestGreyScales(t *testing.T) {
	ascends := func(what string, all []float64, least float64, sign float64) {
		t.Helper()
		for i := 1; i < len(all); i++ {
			if sign*(all[i]-all[i-1]) < least {
				t.Errorf("%s: step %d has the lightness %.1f, the one before it %.1f", what, i, all[i], all[i-1])
			}
		}
	}
	dark, light, _ := strings.Cut(between(t, "timelinecanvas.ts", "export const durations = (dark: boolean): string[] =>\n  dark ? ", ";"), " : ")
	for what, scale := range map[string]struct {
		colours string
		sign    float64
	}{"durations in the dark": {dark, 1}, "durations in the light": {light, -1}} {
		all := lightnesses(t, scale.colours)
		expect.Equal(t, len(all), 8, "steps of %s", what)
		ascends(what, all, 3.5, scale.sign)
	}

	// How much differs: mixed of two colours, of which nothing and the least that differs are 3 tenths apart; a line below the box says that it differs at all.
	ends := regexp.MustCompile(`\[\[(\d+), (\d+), (\d+)\], \[(\d+), (\d+), (\d+)\]\]`).FindStringSubmatch(between(t, "timelinecanvas.ts", "export function shade(share: number): string {", "}"))
	if len(ends) != 7 {
		t.Fatal("the shades have no two ends")
	}
	var shades []float64
	for _, part := range []float64{0, .3, .65, 1} {
		hex := "#"
		for i := range 3 {
			from, to := expect.Value(strconv.ParseFloat(ends[1+i], 64))(t), expect.Value(strconv.ParseFloat(ends[4+i], 64))(t)
			hex += fmt.Sprintf("%02x", int(math.Round(from+(to-from)*part)))
		}
		shades = append(shades, lightnesses(t, `"`+hex+`"`)...)
	}
	ascends("shades of a difference", shades, 1.5, -1)
	if !strings.Contains(source(t, "timelinelegend.tsx"), `mark: (v) => (v === "0" ? "" : "line")`) {
		t.Error("what differs has no line")
	}

	// The matrix of levels: a share of one colour over the ground, and the number itself.
	steps := regexp.MustCompile(`td\.step(\d) \{ background: color-mix\(in srgb, var\(--base\) (\d+)%, var\(--ground\)\); \}`).FindAllStringSubmatch(source(t, "levels.css"), -1)
	expect.Equal(t, len(steps), 5, "steps of the matrix")
	for i := 1; i < len(steps); i++ {
		if expect.Value(strconv.Atoi(steps[i][2]))(t) < expect.Value(strconv.Atoi(steps[i-1][2]))(t)+6 {
			t.Errorf("step %s of the matrix has %s %%, the one before it %s %%", steps[i][1], steps[i][2], steps[i-1][2])
		}
	}
}

// signsOfPictures are signs of categories without a lightness of their own, by file: what must stand in it for nobody to need their colours.
var signsOfPictures = map[string][]string{
	"levels.tsx":         {`<span class={"letter " + n}>{of === "-" ? "–" : of}</span>`, `{n === 0 ? "0" : <a`, `class={e.unrelated ? "unrelated" : ""}`},
	"levels.css":         {".lattice path.unrelated { stroke-dasharray: ", ".lattice rect.computed { stroke-dasharray: "},
	"livediagram.tsx":    {`class="hot" text-anchor="end">{signed(hotness, sight)}</text>`},
	"livetiming.tsx":     {`+ (k % 2 ? 4 : 0)); // ragged: it goes on`, `for (let h = top + 4; h < end; h += 6) {`},
	"livebaseline.tsx":   {`r={outside(i) ? 4 : 2.6}`, `mean_ns >= c.base_ns ? "slower" : "faster"`},
	"live.css":           {".ebd .wires .unused { stroke-dasharray: 2 4; }", "stroke-dasharray: 9 3; }"},
	"timelinelegend.tsx": {`mark: (v) => (v === "waited" ? "frame" : "line")`, `word: (v) => "behaviour " + v`, `word: printable`},
	"timeline.css":       {`.values button[aria-pressed="true"] { box-shadow: inset`},
}

// TestGreyPictures sees that no categories of the timeline, of a system that runs, of levels and of durations are told apart by their hues alone.
func TestGreyPictures(t *testing.T) {
	for file, signs := range signsOfPictures {
		for _, sign := range signs {
			if !strings.Contains(source(t, file), sign) {
				t.Errorf("%s lacks %q", file, sign)
			}
		}
	}

	// Runs whose histograms lie over each other have outlines of their own.
	dashes := regexp.MustCompile(`"([^"]+)"`).FindAllString(between(t, "durations.tsx", "const dashes = [", "];"), -1)
	if len(dashes) < 8 {
		t.Errorf("there are %d outlines", len(dashes))
	}
	for i, a := range dashes {
		for _, b := range dashes[:i] {
			if a == b {
				t.Errorf("two runs have the outline %s", a)
			}
		}
	}

	// Executions of a system that runs: what works and what waits differ in lightness, and so they do in those that run still, which have a ragged end.
	for where, text := range map[string]string{
		"on paper and in the light": between(t, "livetiming.tsx", "const onWhite: Tints = {", "}"), "in the dark": between(t, "livetiming.tsx", "const rest = dark ? {", "}"),
	} {
		tints := regexp.MustCompile(`(\w+): "(#[0-9a-f]{6})"`).ReplaceAllString(text, "--$1: $2;")
		for _, pair := range [][2]string{{"works", "waits"}, {"openWork", "open"}} {
			if c := contrast(t, tints, pair[0], pair[1]); c < leastContrast {
				t.Errorf("%s: %s and %s have a contrast of %.2f", where, pair[0], pair[1], c)
			}
		}
	}
}
