package flame

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/flame"
)

// Picture is a flame graph as it is drawn.
type Picture struct {
	Title string       // in bold above the picture
	Graph *flame.Graph // the frames that are drawn; times are those of all its paths together
	Base  *flame.Graph // what its times are compared with; nil: nothing
	// Changes are what a comparison found of functions, by COMPONENT.FUNCTION: their verdicts are the colours of the frames. Nil: there is
	// no comparison, and beside a base the colours are differences of the times.
	Changes map[string]*schema.Change
}

// Sizes of the picture.
const (
	width     = 1600 * canvas.Px
	margin    = 16 * canvas.Px // around the picture
	rowHeight = 18 * canvas.Px // of a frame; boxes are 1 px lower, so that rows are apart
	head      = 68 * canvas.Px // above the frames: the title and two lines of legend
	textSize  = 11 * canvas.Px
	titleSize = 15 * canvas.Px
	narrowest = canvas.Px / 2 // boxes that are narrower are left out
)

// box is a frame with its place.
type box struct {
	frame       int           // its position in Graph.Frames
	depth       int           // rows above it; 0 for the root
	left, right canvas.Length // in the picture, margin included
}

// WriteSVG writes the picture as SVG 1.1 without scripts and without anything from outside: the lowest frame at the top, its callees
// below it, as icicles hang. A box has its whole name, time and share as a title, which browsers show under the pointer.
func (p *Picture) WriteSVG(out io.Writer) error {
	w := bufio.NewWriter(out)
	totals := p.Graph.Totals()
	boxes, deepest, hidden := p.layout(totals)
	height := head + canvas.Length(deepest+1)*rowHeight + 2*margin
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="%v" height="%v" viewBox="0 0 %v %v" `+
		`font-family="Helvetica, Arial, 'Liberation Sans', sans-serif" font-size="%v" fill="#222">`+"\n", width, height, width, height, textSize)
	fmt.Fprintf(w, "<title>%s</title>\n", canvas.Escape(p.Title))
	fmt.Fprintf(w, `<rect width="%v" height="%v" fill="#fff"/>`+"\n", width, height)
	canvas.WriteText(w, margin, 26*canvas.Px, titleSize, p.Title, ` font-weight="bold"`)
	canvas.WriteText(w, margin, 44*canvas.Px, textSize, p.legend(totals[0]), "")
	if p.Changes != nil {
		writeVerdictLegend(w, 60*canvas.Px)
	}
	// Base times are brought to the number of paths of the graph, so that both sides compare box by box.
	base := p.baseTotals()
	for _, b := range boxes {
		p.writeBox(w, b, totals, base)
	}
	canvas.WriteText(w, margin, height-margin/2, textSize, p.footer(hidden), ` fill="#777"`)
	fmt.Fprintln(w, "</svg>")
	return w.Flush()
}

// layout places the frames that are wide enough, those on top of one frame side by side in the order of their names.
func (p *Picture) layout(totals []int64) (boxes []box, deepest, hidden int) {
	g := p.Graph
	// A frame's position is known when its turn comes, since Sorted hands out a parent before its children.
	left, depth := make([]canvas.Length, len(totals)), make([]int, len(totals)) // left: of the next frame on top of one
	// scale turns time into width: the root is as wide as the page without margins, and the box of any frame its share of that.
	scale := func(ns int64) canvas.Length {
		return canvas.Length(math.Round(float64(width-2*margin) * float64(ns) / float64(max(totals[0], 1))))
	}
	for n, i := range g.Sorted() {
		at := margin
		if n > 0 {
			parent := g.Frames[i].Parent
			at, depth[i] = left[parent], depth[parent]+1
			// The next child begins where this one ends, also where this one is too narrow to be drawn.
			left[parent] += scale(totals[i])
		}
		left[i] = at
		if scale(totals[i]) < narrowest {
			hidden++
			continue
		}
		deepest = max(deepest, depth[i])
		boxes = append(boxes, box{i, depth[i], at, at + scale(totals[i])})
	}
	return boxes, deepest, hidden
}

// legend explains the picture in a line.
func (p *Picture) legend(totalNs int64) string {
	text := fmt.Sprintf("%s of %s on average; a box is as wide as the time of the paths in it and in what it calls",
		// Times are means over paths, so that graphs of different numbers of paths compare; 1 stands for none, to divide by.
		texttab.Plural(p.Graph.Paths, "critical path"), texttab.Duration(totalNs/int64(max(p.Graph.Paths, 1))))
	if p.Base == nil {
		return text
	}
	// With verdicts the colours say no difference of times, so the legend has none of them.
	if p.Changes != nil {
		return text + fmt.Sprintf("; %s: %s of %s", p.Base.Frames[0].Name, texttab.Plural(p.Base.Paths, "path"), texttab.Duration(p.Base.Totals()[0]/int64(max(p.Base.Paths, 1))))
	}
	return text + fmt.Sprintf("; red: longer than in %s (%s of %s), blue: shorter, dark edge: not there",
		p.Base.Frames[0].Name, texttab.Plural(p.Base.Paths, "path"), texttab.Duration(p.Base.Totals()[0]/int64(max(p.Base.Paths, 1))))
}

// footer says what the picture leaves out.
func (p *Picture) footer(hidden int) string {
	text := fmt.Sprintf("%s too narrow to draw", texttab.Plural(hidden, "frame"))
	// Beside differences of times the dark edges already say what is new; what is gone can be seen nowhere.
	if p.Changes == nil || p.Base == nil {
		return text
	}
	missing, ns := 0, int64(0) // frames of the base that the graph lacks
	// A frame is the same where its whole path is: same holds its position in the graph, -1 where the path is not there.
	same := make([]int, len(p.Base.Frames))
	// The root, 0, is the same by definition; parents come before their children.
	for i, f := range p.Base.Frames[1:] {
		if same[i+1] = -1; same[f.Parent] >= 0 {
			same[i+1] = p.Graph.Find(same[f.Parent], f.Name)
		}
		if same[i+1] < 0 {
			missing++
			// Only the frame's own time counts: with that of its callees, nested frames would count twice.
			ns += f.Ns
		}
	}
	return text + fmt.Sprintf("; %s only in %s, with %s a path", texttab.Plural(missing, "further frame"), p.Base.Frames[0].Name, texttab.Duration(ns/int64(max(p.Base.Paths, 1))))
}

// baseTotals returns the time of every frame of the graph in the base, for as many paths as the graph has; -1 where the base lacks it.
func (p *Picture) baseTotals() []int64 {
	if p.Base == nil {
		return nil
	}
	totals := p.Base.Totals()
	out := make([]int64, len(p.Graph.Frames))
	// A frame's path decides, as in footer; here the other way round, from the graph to the base.
	same := make([]int, len(p.Graph.Frames)) // positions in the base; -1: none
	for i, f := range p.Graph.Frames {
		if i > 0 {
			if same[i] = -1; same[f.Parent] >= 0 {
				same[i] = p.Base.Find(same[f.Parent], f.Name)
			}
		}
		if out[i] = -1; same[i] >= 0 {
			out[i] = int64(float64(totals[same[i]]) * float64(p.Graph.Paths) / float64(max(p.Base.Paths, 1)))
		}
	}
	return out
}

// writeBox writes a frame with its label and its title. Colours are, in order of precedence: the verdict on the function, the
// difference to the base, the name.
func (p *Picture) writeBox(w *bufio.Writer, b box, totals, base []int64) {
	f, n := p.Graph.Frames[b.frame], int64(max(p.Graph.Paths, 1)) // f is the frame, n its number of paths
	title := fmt.Sprintf("%s: %s a path, %s", f.Name, texttab.Duration(totals[b.frame]/n), texttab.Percent(totals[b.frame], totals[0]))
	fill, edge, label := warm(f.Name), "#fff", f.Name
	if base != nil {
		fill = cool(totals[b.frame], base[b.frame], totals[0])
		if base[b.frame] < 0 {
			edge = "#a00"
			title += ", not there before"
		} else {
			title += fmt.Sprintf(", %s", texttab.Change((totals[b.frame]-base[b.frame])/n))
		}
	}
	// Verdicts take the place of the colours of differences.
	if p.Changes != nil {
		change := p.Changes[f.Name]
		fill, edge = fillOf(""), "#fff"
		if change != nil {
			fill = fillOf(change.Verdict)
			title += describe(change)
		}
		if isShown(change) {
			label += " " + texttab.Change(*change.EffectNs)
		}
	}
	y := head + canvas.Length(b.depth)*rowHeight
	fmt.Fprintf(w, `<g><title>%s</title><rect x="%v" y="%v" width="%v" height="%v" fill="%s" stroke="%s" stroke-width="0.5"/>`,
		canvas.Escape(title), b.left, y, b.right-b.left, rowHeight-canvas.Px, fill, edge)
	// 20 px hold about two letters and the dots of a name that was cut; 3 px are free on either side.
	if room := b.right - b.left - 6*canvas.Px; room > 20*canvas.Px {
		canvas.WriteText(w, b.left+3*canvas.Px, y+13*canvas.Px, textSize, canvas.Shorten(label, textSize, room), "")
	}
	fmt.Fprintln(w, "</g>")
}

// warm is a colour of its own for every name, as flame graphs have them; what is outside of functions is grey.
func warm(name string) string {
	if name[0] == '[' {
		return "#d8d8d8"
	}
	// A hash gives the same function the same colour in every picture.
	h := uint32(2166136261) // FNV-1a
	for _, c := range []byte(name) {
		h = (h ^ uint32(c)) * 16777619
	}
	// The ranges keep to red, orange and yellow, light enough for dark text.
	return fmt.Sprintf("#%02x%02x%02x", 225+h%30, 130+h>>8%90, 70+h>>16%50)
}

// cool is red where a frame takes longer than in the base, and blue where it takes less; a tenth of all time is the full colour.
func cool(ns, baseNs, totalNs int64) string {
	// A frame that the base lacks is compared with 0: all of its time is new.
	change := 10 * float64(ns-max(baseNs, 0)) / float64(max(totalNs, 1))
	// Full colour from red 245,70,60 or blue 70,120,245, fading to near white where nothing changed.
	pale := uint8(235 * (1 - min(math.Abs(change), 1)))
	if change >= 0 {
		return fmt.Sprintf("#%02x%02x%02x", 245, 70+uint16(pale)*175/235, 60+uint16(pale)*185/235)
	}
	return fmt.Sprintf("#%02x%02x%02x", 70+uint16(pale)*175/235, 120+uint16(pale)*125/235, 245)
}
