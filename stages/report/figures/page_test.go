package figures

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/report/canvas"
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

var number = regexp.MustCompile(`-?[0-9]*\.?[0-9]+`)

// read reads a picture as XML. It fails where that is not well formed, or anything but a number stands where a number
// belongs.
func read(t testing.TB, svg []byte) page {
	t.Helper()
	p := page{classes: make(map[string]int)}
	var open []map[string]string
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return p
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		switch e := token.(type) {
		case xml.StartElement:
			attributes := map[string]string{"element": e.Name.Local}
			for _, a := range e.Attr {
				attributes[a.Name.Local] = a.Value
			}
			open = append(open, attributes)
			checkNumbers(t, attributes)
			if e.Name.Local == "svg" {
				p.width, p.height = float(attributes["width"]), float(attributes["height"])
			}
			p.classes[attributes["class"]]++
			p.checkPlace(t, attributes)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if last := len(open) - 1; last >= 0 && open[last]["element"] == "text" {
				p.texts = append(p.texts, labelOf(string(e), open[last]))
			}
		}
	}
}

func float(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return f
}

// checkNumbers looks at everything that is a length.
func checkNumbers(t testing.TB, attributes map[string]string) {
	t.Helper()
	for name, value := range attributes {
		switch name {
		case "x", "y", "cx", "cy", "r", "width", "height", "font-size", "stroke-width", "fill-opacity":
			if f := float(value); math.IsNaN(f) || math.IsInf(f, 0) {
				t.Fatalf("%s is %q", name, value)
			}
		case "d", "transform":
			if strings.Contains(value, "NaN") || strings.Contains(value, "Inf") || value == "" {
				t.Fatalf("%s is %q", name, value)
			}
		}
	}
}

// checkPlace looks for dots, marks and turned texts beside the page.
func (p *page) checkPlace(t testing.TB, attributes map[string]string) {
	t.Helper()
	x, y := float(attributes["cx"]), float(attributes["cy"])
	if transform := attributes["transform"]; transform != "" {
		values := number.FindAllString(transform, -1)
		x, y = float(values[0]), float(values[1])
	}
	if x < 0 || x > p.width || y < 0 || y > p.height {
		t.Fatalf("%v, %v is not on the page of %v by %v", x, y, p.width, p.height)
	}
}

// labelOf finds where a text begins and ends. Letters of commands are .6 of their size.
func labelOf(text string, attributes map[string]string) label {
	l := label{text: text, x0: float(attributes["x"]), y0: float(attributes["y"]), size: 11}
	if size := attributes["font-size"]; size != "" {
		l.size = float(size)
	}
	width := float64(canvas.TextWidth(text, Length(l.size*100))) / 100
	if strings.Contains(attributes["font-family"], "Mono") {
		width = .6 * l.size * float64(len([]rune(text)))
	}
	angle := 0.0
	if transform := attributes["transform"]; transform != "" {
		values := number.FindAllString(transform, -1)
		l.x0, l.y0, angle = float(values[0]), float(values[1]), float(values[2])*math.Pi/180
	}
	begin := map[string]float64{"": 0, "middle": -width / 2, "end": -width}[attributes["text-anchor"]]
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
