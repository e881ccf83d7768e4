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

// leastContrast is by how much the lightness of two grounds beside each other differs where nothing else tells them apart, as a ratio of
// luminances (WCAG 2, relative luminance).
const leastContrast = 1.3

// alike are categories that pages tell apart, by the variables of their colours, with the rules that give each a sign of its own. A category
// without a rule has its lightness alone.
var alike = []struct {
	what  string
	names []string
	signs map[string]string // by variable: a rule of the style
}{
	{"sides of a picture", []string{"base", "cand"}, map[string]string{"cand": `.key.cand {`}},
	{"transitions", []string{"ink", "removed", "added", "timing", "follows"}, map[string]string{
		"removed": ".transition.removed .line {", "added": ".transition.added .line {", "timing": ".transition.changed .line {"}},
	{"states", []string{"ink", "removed", "added"}, map[string]string{"removed": ".state.base rect {", "added": ".state.cand rect {"}},
	{"parts of critical paths", []string{"part0", "part1", "part2", "part3"}, nil},
}

// shapes are declarations that tell categories apart without colours.
var shapes = regexp.MustCompile(`(stroke-width|stroke-dasharray|clip-path|border-style|border-radius): ([^;]+);`)

// TestGrey sees that no two categories of a picture are told apart by their hue alone: in the light, in the dark and on paper they differ in
// lightness, or in the width of a line, its dashes, or the shape of a mark.
func TestGrey(t *testing.T) {
	style := string(expect.Value(os.ReadFile("src/style.css"))(t))
	palettes := regexp.MustCompile(`(?s)--ground: .*?\}`).FindAllString(style, -1)
	expect.Equal(t, len(palettes), 3, "palettes: light, dark, paper")
	compared := 0
	for i, palette := range palettes {
		for _, group := range alike {
			for k, a := range group.names {
				for _, b := range group.names[:k] {
					compared++
					if signOf(t, style, group.signs[a]) != signOf(t, style, group.signs[b]) {
						continue
					}
					if c := contrast(t, palette, a, b); c < leastContrast {
						t.Errorf("%s of palette %d: --%s and --%s have one sign and a contrast of %.2f", group.what, i, a, b, c)
					}
				}
			}
		}
	}
	if compared < 40 {
		t.Errorf("%d pairs were compared", compared)
	}
}

// TestVerdictsHaveSigns sees that verdicts of different colours have different signs, and that each is written as a word beside it.
func TestVerdictsHaveSigns(t *testing.T) {
	source := string(expect.Value(os.ReadFile("src/ui.tsx"))(t))
	table := func(name string) map[string]string {
		_, text, _ := strings.Cut(source, "const "+name+": Record<string, string> = {")
		text, _, _ = strings.Cut(text, "};")
		of := make(map[string]string)
		for _, m := range regexp.MustCompile(`(\w+): "([^"]*)"`).FindAllStringSubmatch(text, -1) {
			of[m[1]] = m[2]
		}
		return of
	}
	signs, tones := table("signs"), table("tones")
	if len(signs) < 15 || len(tones) < 8 {
		t.Fatalf("%d signs and %d tones were found", len(signs), len(tones))
	}
	for a, tone := range tones {
		for b, other := range tones {
			if tone != other && signs[a] == signs[b] {
				t.Errorf("%s and %s have different colours and one sign %q", a, b, signs[a])
			}
		}
	}
	if !strings.Contains(source, `{signs[of] ?? "•"}</span> {words(of)}`) {
		t.Error("a verdict has no word beside its sign")
	}
}

// signOf are the declarations of a rule that need no colour; the empty rule has none.
func signOf(t *testing.T, style, rule string) string {
	t.Helper()
	if rule == "" {
		return ""
	}
	_, body, found := strings.Cut(style, "\n"+rule)
	body, _, closed := strings.Cut(body, "}")
	sign := fmt.Sprint(shapes.FindAllString(body, -1))
	if !found || !closed || sign == "[]" {
		t.Fatalf("the style has no %q with a sign: %q", rule, sign)
	}
	return sign
}

// contrast is that of two colours of a palette.
func contrast(t *testing.T, palette, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, palette, a), luminance(t, palette, b)
	return (math.Max(x, y) + .05) / (math.Min(x, y) + .05)
}

// luminance is the relative luminance of a colour (WCAG 2): what is left of it in grey.
func luminance(t *testing.T, palette, name string) (sum float64) {
	t.Helper()
	m := regexp.MustCompile(`--` + name + `: #([0-9a-f]{3}(?:[0-9a-f]{3})?);`).FindStringSubmatch(palette)
	if m == nil {
		t.Fatalf("the palette has no --%s: %.300s", name, palette)
	}
	hex := m[1]
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	for i, weight := range []float64{.2126, .7152, .0722} {
		v := float64(expect.Value(strconv.ParseUint(hex[2*i:2*i+2], 16, 8))(t)) / 255
		if v <= .04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}
