package figures

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// Sizes of what stands above and below a figure.
const (
	titleLine    = 27 * px // where the title stands
	leastWidth   = 360 * px
	mostTitle    = 900 * px // titles that are wider do not make the figure wider
	captionSize  = 9 * px
	captionLine  = 13 * px
	captionGlyph = 550 // the width of a letter of the command, in hundredths of a pixel
)

// frame is what all figures have around them: title, legend, and the command that made them.
type frame struct {
	title, description, caption string
	legend                      legend
	width, height               Length // of the page without the head and the foot, with both margins
}

// write writes the page. The body is told where it begins.
func (f *frame) write(out io.Writer, body func(w *bufio.Writer, top Length)) error {
	w := bufio.NewWriter(out)
	title := canvas.TextWidth(f.title, titleSize)*11/10 + 2*margin // bold letters are wider
	width := max(f.width, min(title, mostTitle), min(f.legend.widest()+2*margin, mostTitle), leastWidth)
	legendLines := f.legend.place(width - 2*margin)
	command := wrap(f.caption, int((width-2*margin)/captionGlyph))
	top := titleLine + Length(legendLines)*legendLine + 14*px
	foot := top + f.height
	height := foot + margin
	if len(command) > 0 {
		height += Length(len(command)) * captionLine
	}
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="%v" height="%v" viewBox="0 0 %v %v" role="img" `+
		`font-family="Helvetica, Arial, 'Liberation Sans', sans-serif" font-size="%v" fill="%s">`+"\n",
		width, height, width, height, textSize, ink)
	fmt.Fprintf(w, "<title>%s</title>\n<desc>%s</desc>\n", canvas.Escape(f.title), canvas.Escape(f.described()))
	fmt.Fprintf(w, `<rect width="%v" height="%v" fill="#ffffff"/>`+"\n", width, height)
	writeText(w, margin, titleLine, titleSize, fit(f.title, titleSize, (width-2*margin)*10/11), ` font-weight="bold"`)
	fmt.Fprintln(w)
	f.legend.write(w, titleLine+7*px)
	body(w, top)
	for i, line := range command {
		writeText(w, margin, foot+Length(i+1)*captionLine, captionSize, line,
			` font-family="'DejaVu Sans Mono', Menlo, Consolas, monospace" fill="`+paleInk+`"`)
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "</svg>")
	return w.Flush()
}

// described is the figure in words, for those who do not see it.
func (f *frame) described() string {
	if strings.TrimSpace(f.caption) == "" {
		return f.description
	}
	return f.description + " Made by: " + f.caption
}
