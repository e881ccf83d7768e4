package figures

import (
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/testdata/strictxml"
)

// page is what a test reads of a picture.
type page struct {
	width, height float64
	classes       map[string]int // groups by their class
	texts         []label
}

// label is a text from its beginning to its end, in pixels.
type label struct {
	text           string
	x0, y0, x1, y1 float64
	size           float64
}

// read reads a picture as XML. It fails where that is not well formed, or anything but a number stands where a number
// belongs.
func read(t testing.TB, svg []byte) page {
	t.Helper()
	return readParts(t, svg, true)
}

// readParts is read, which looks for where texts stand only if that is asked for.
func readParts(t testing.TB, svg []byte, texts bool) page {
	p := page{classes: make(map[string]int)}
	var text []strictxml.Attribute // of the text in hand
	for r := strictxml.New(string(svg)); ; {
		err := r.Next()
		if err == io.EOF {
			return p
		}
		if err != nil {
			t.Helper()
			t.Fatalf("%v in %s", err, svg)
		}
		switch {
		case r.Kind == strictxml.Start:
			checkNumbers(t, r.Attributes)
			if r.Name == "svg" {
				p.width, p.height = float(valueOf(r.Attributes, "width")), float(valueOf(r.Attributes, "height"))
			}
			if class := valueOf(r.Attributes, "class"); class != "" {
				p.classes[class]++
			}
			p.checkPlace(t, r.Name, r.Attributes)
			if r.Name == "text" {
				text = append(text[:0], r.Attributes...)
			}
		case r.Kind == strictxml.Text && r.Name == "text" && texts:
			p.texts = append(p.texts, labelOf(r.Text, text))
		}
	}
}

// valueOf is the value of an attribute, or "".
func valueOf(attributes []strictxml.Attribute, name string) string {
	for _, a := range attributes {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// float is a number, or NaN.
func float(s string) float64 {
	if s == "" {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return f
}

// numbers are those of a transformation.
func numbers(transform string) []string {
	return strings.FieldsFunc(transform, func(r rune) bool { return r != '-' && r != '.' && (r < '0' || r > '9') })
}

// checkNumbers looks at everything that is a length.
func checkNumbers(t testing.TB, attributes []strictxml.Attribute) {
	for _, a := range attributes {
		switch a.Name {
		case "x", "y", "cx", "cy", "r", "width", "height", "font-size", "stroke-width", "fill-opacity":
			if f := float(a.Value); math.IsNaN(f) || math.IsInf(f, 0) {
				t.Helper()
				t.Fatalf("%s is %q", a.Name, a.Value)
			}
		case "d", "transform":
			if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") || a.Value == "" {
				t.Helper()
				t.Fatalf("%s is %q", a.Name, a.Value)
			}
		}
	}
}

// checkPlace looks for dots, marks and turned texts beside the page.
func (p *page) checkPlace(t testing.TB, name string, attributes []strictxml.Attribute) {
	x, y := float(valueOf(attributes, "cx")), float(valueOf(attributes, "cy"))
	if transform := valueOf(attributes, "transform"); transform != "" {
		values := numbers(transform)
		if name == "text" && len(values) < 3 || len(values) < 2 {
			t.Helper()
			t.Fatalf("%s does not say where a %s is and how it is turned", transform, name)
		}
		x, y = float(values[0]), float(values[1])
	}
	if x < 0 || x > p.width || y < 0 || y > p.height {
		t.Helper()
		t.Fatalf("%v, %v is not on the page of %v by %v", x, y, p.width, p.height)
	}
}

// labelOf finds where a text begins and ends. Letters of commands are .6 of their size.
func labelOf(text string, attributes []strictxml.Attribute) label {
	l := label{text: text, x0: float(valueOf(attributes, "x")), y0: float(valueOf(attributes, "y")), size: 11}
	if size := valueOf(attributes, "font-size"); size != "" {
		l.size = float(size)
	}
	width := float64(canvas.TextWidth(text, Length(l.size*100))) / 100
	if strings.Contains(valueOf(attributes, "font-family"), "Mono") {
		width = .6 * l.size * float64(len([]rune(text)))
	}
	angle := 0.0
	if transform := valueOf(attributes, "transform"); transform != "" {
		values := numbers(transform)
		l.x0, l.y0, angle = float(values[0]), float(values[1]), float(values[2])*math.Pi/180
	}
	begin := map[string]float64{"": 0, "middle": -width / 2, "end": -width}[valueOf(attributes, "text-anchor")]
	l.x1, l.y1 = l.x0+(begin+width)*math.Cos(angle), l.y0+(begin+width)*math.Sin(angle)
	l.x0, l.y0 = l.x0+begin*math.Cos(angle), l.y0+begin*math.Sin(angle)
	return l
}

// level says whether a text is written from left to right.
func (l label) level() bool { return l.y0 == l.y1 }

// checkTexts looks for texts that leave the page, and for level texts that lie on each other.
func (p page) checkTexts(t testing.TB) {
	t.Helper()
	for i, l := range p.texts {
		if min(l.x0, l.x1) < 0 || max(l.x0, l.x1) > p.width || min(l.y0, l.y1)-.7*l.size < 0 || max(l.y0, l.y1) > p.height {
			t.Errorf("%q at %v, %v to %v, %v leaves the page of %v by %v", l.text, l.x0, l.y0, l.x1, l.y1, p.width, p.height)
		}
		for _, k := range p.texts[:i] {
			if l.level() && k.level() && l.x0 < k.x1 && k.x0 < l.x1 && l.y0-.7*l.size < k.y0 && k.y0-.7*k.size < l.y0 {
				t.Errorf("%q at %v, %v lies on %q at %v, %v", l.text, l.x0, l.y0, k.text, k.x0, k.y0)
			}
		}
	}
}
