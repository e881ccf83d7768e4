package claims

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Picture is claims over time: a row for each resource of each run, with more rows where claims overlap.
type Picture struct {
	Title  string      // what stands above it
	Legend [][2]string // colour and words
	Runs   []Lanes     // one below the other, on one scale
}

// Lanes is a run of a picture. Its times begin at OriginNs.
type Lanes struct {
	Run      string // its name
	OriginNs int64  // the time at the left edge
	Boxes    []Box  // in any order: they are put where there is room
}

// Box is a claim.
type Box struct {
	Lane           string // the resource
	StartNs, EndNs int64  // in the run's clock; both
	Colour, Text   string // of SVG; Text appears under the pointer
}

// mostBoxes is how many claims a picture has at most: more would not be seen.
const mostBoxes = 50_000

// Sizes of a picture, in pixels.
const (
	pictureWidth, gutter, rowHeight, laneGap, fontSize = 1200, 170, 14, 4, 11
)

// Red is the shade of a share of 0 to 1: from grey over light red to red.
func Red(share float64) string {
	if share <= 0 {
		return "#cfd4da"
	}
	fade := 200 - int(min(share, 1)*200)
	return fmt.Sprintf("#%02x%02x%02x", 215, fade, fade)
}

// WriteSVG draws the picture.
func (p *Picture) WriteSVG(out io.Writer) error {
	boxes, spanNs := 0, int64(1)
	for _, r := range p.Runs {
		boxes += len(r.Boxes)
		for _, b := range r.Boxes {
			spanNs = max(spanNs, b.EndNs-r.OriginNs)
		}
	}
	if boxes > mostBoxes {
		return fmt.Errorf("a picture shows at most %s, and these are %s: choose a shorter run", texttab.Plural(mostBoxes, "claim"), texttab.Count(boxes))
	}
	var body pictureBody
	body.spanNs, body.y = spanNs, 3*rowHeight
	for i := range p.Runs {
		body.run(&p.Runs[i])
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"%d\">\n",
		pictureWidth, body.y+rowHeight, pictureWidth, body.y+rowHeight, fontSize)
	fmt.Fprintf(w, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", canvas.Escape(p.Title))
	canvas.WriteText(w, 4*canvas.Px, rowHeight*canvas.Px, (fontSize+2)*canvas.Px, p.Title, "")
	x := canvas.Length(4)
	for _, l := range p.Legend {
		fmt.Fprintf(w, "<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", x, 2*rowHeight-9, l[0])
		canvas.WriteText(w, (x+14)*canvas.Px, 2*rowHeight*canvas.Px, fontSize*canvas.Px, l[1], "")
		x += 34 + canvas.TextWidth(l[1], fontSize*canvas.Px)/canvas.Px
	}
	for _, s := range body.drawn {
		fmt.Fprintln(w, s)
	}
	fmt.Fprintf(w, "<text x=\"%d\" y=\"%d\">0</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n</svg>\n", gutter, body.y+rowHeight-3, pictureWidth-4, body.y+rowHeight-3,
		texttab.Duration(spanNs))
	return w.Flush()
}

// pictureBody is what has been drawn.
type pictureBody struct {
	spanNs int64
	y      int
	drawn  []string
}

// at is the place of a time since the start of a run.
func (b *pictureBody) at(ns int64) canvas.Length {
	width := canvas.Length(pictureWidth-gutter-4) * canvas.Px
	return gutter*canvas.Px + canvas.Length(float64(width)*(float64(ns)/float64(b.spanNs)))
}

// run draws the lanes of a run, in the order of their names.
func (b *pictureBody) run(r *Lanes) {
	b.drawn = append(b.drawn, fmt.Sprintf("<text x=\"4\" y=\"%d\" font-weight=\"bold\">%s</text>", b.y+rowHeight-3, canvas.Escape(r.Run)))
	b.y += rowHeight
	byLane := make(map[string][]Box)
	var names []string
	for _, x := range r.Boxes {
		if byLane[x.Lane] == nil {
			names = append(names, x.Lane)
		}
		byLane[x.Lane] = append(byLane[x.Lane], x)
	}
	slices.Sort(names)
	for _, name := range names {
		b.drawn = append(b.drawn, fmt.Sprintf("<text x=\"12\" y=\"%d\">%s</text>", b.y+rowHeight-3, canvas.Escape(canvas.Shorten(name, fontSize*canvas.Px, (gutter-20)*canvas.Px))))
		b.lane(r, byLane[name])
	}
	b.y += laneGap
}

// lane draws the claims of a resource, each in the first row where there is room.
func (b *pictureBody) lane(r *Lanes, boxes []Box) {
	slices.SortStableFunc(boxes, func(x, y Box) int { return cmp.Compare(x.StartNs, y.StartNs) })
	var freeNs []int64
	for _, x := range boxes {
		row := slices.IndexFunc(freeNs, func(ns int64) bool { return ns <= x.StartNs })
		if row < 0 {
			row = len(freeNs)
			freeNs = append(freeNs, 0)
		}
		freeNs[row] = x.EndNs
		left, right := b.at(x.StartNs-r.OriginNs), b.at(x.EndNs-r.OriginNs)
		b.drawn = append(b.drawn, fmt.Sprintf("<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\" fill=\"%s\" stroke=\"#555\" stroke-width=\"0.3\"><title>%s, %s at %s</title></rect>",
			left, b.y+row*rowHeight+1, max(right-left, canvas.Px/2), rowHeight-2, x.Colour, canvas.Escape(x.Text), texttab.Duration(x.EndNs-x.StartNs), texttab.Exact(x.StartNs-r.OriginNs)))
		if name := canvas.Shorten(x.Text, fontSize*canvas.Px, right-left-8*canvas.Px); right-left > 24*canvas.Px && name != "" {
			b.drawn = append(b.drawn, fmt.Sprintf("<text x=\"%s\" y=\"%d\">%s</text>", left+2*canvas.Px, b.y+row*rowHeight+rowHeight-3, canvas.Escape(name)))
		}
	}
	b.y += len(freeNs)*rowHeight + laneGap
}
