// Package flame writes flame graphs of critical paths: as folded text, which other programs for flame graphs read, as JSON for
// https://speedscope.app, and as a picture. A picture of two releases has the frames of the second, coloured by how much longer or
// shorter the paths of an occurrence stay in them, or by what a comparison found of their functions.
package flame

import (
	"fmt"
	"io"
	"strings"
)

// Endings are those of the files that Write knows.
// Speedscope's own ending is kept whole: a file .json alone might be anything.
var Endings = []string{".svg", ".folded", ".speedscope.json"}

// Check returns an error for a file whose ending says no format, before anything is computed for it. What goes to the standard
// output, "-", is folded text, which other programs read from a pipe.
func Check(name string) error {
	if name == "-" {
		return nil
	}
	for _, e := range Endings {
		if strings.HasSuffix(name, e) {
			return nil
		}
	}
	return fmt.Errorf("%s: the name of a flame graph ends in %s", name, strings.Join(Endings, ", "))
}

// Write writes the picture, or its graph, in the format that the ending of a name says.
func (p *Picture) Write(out io.Writer, name string) error {
	switch {
	case strings.HasSuffix(name, ".folded"), name == "-":
		return WriteFolded(out, p.Graph)
	case strings.HasSuffix(name, ".speedscope.json"):
		return WriteSpeedscope(out, p.Graph)
	}
	return p.WriteSVG(out)
}
