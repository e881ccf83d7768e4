package figures

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// Curves is a figure of numbers from 0 to 1 over the size of an effect, such as the power of detectors: one panel beside
// the other, with the same axes.
type Curves struct {
	Title          string  // above all panels
	XLabel, YLabel string  // what the axes are, such as "effect, %" and "power"
	Guide          float64 // a level to compare with, such as .8; 0: none
	Panels         []Panel // from left to right
	Caption        string  // the command that made it
}

// Panel is one setting.
type Panel struct {
	Heading string // what the panel shows
	Lines   []Line // in the order of the legend
}

// Line is a curve. A name means the same colour, dashes and marks in all panels.
type Line struct {
	Name   string  // as in the legend
	Points []Point // in any order
}

// Point is a point of a curve. X is above 0; Y that is NaN is a gap.
type Point struct{ X, Y float64 }

// WriteSVG draws the curves. It is an error if there is no panel, or a point has no place on a logarithmic axis.
func (c Curves) WriteSVG(out io.Writer) error {
	if err := c.check(); err != nil {
		return fmt.Errorf("figure %q: %w", c.Title, err)
	}
	return c.layout().writeSVG(out)
}

// check reports points that cannot be drawn, such as a number below 0 on the logarithmic axis.
func (c *Curves) check() error {
	// A logarithmic axis has no place for 0 or for infinity; Y may be anything, see the package comment.
	if len(c.Panels) == 0 {
		return errors.New("curves without a panel")
	}
	for _, p := range c.Panels {
		for _, l := range p.Lines {
			for _, at := range l.Points {
				if !(at.X > 0) || math.IsInf(at.X, 1) {
					return fmt.Errorf("line %q has a point at %v on a logarithmic axis", l.Name, at.X)
				}
			}
		}
	}
	return nil
}

// names are those of the lines in the order of their first panel.
func (c *Curves) names() (all []string) {
	seen := make(map[string]bool)
	for _, p := range c.Panels {
		for _, l := range p.Lines {
			if !seen[l.Name] {
				seen[l.Name] = true
				all = append(all, l.Name)
			}
		}
	}
	return all
}

// span returns the minimum and the maximum of X; from 1 to 100 where there is no point.
func (c *Curves) span() (least, greatest float64) {
	least, greatest = math.Inf(1), 0
	for _, p := range c.Panels {
		for _, l := range p.Lines {
			for _, at := range l.Points {
				least, greatest = min(least, at.X), max(greatest, at.X)
			}
		}
	}
	// greatest stays 0 only without any point, since all X are above it.
	if greatest == 0 {
		return 1, 100
	}
	return least, greatest
}

// describe is the figure in words.
func (c *Curves) describe() string {
	text := fmt.Sprintf("Curves of %s from 0 to 1 over %s on a logarithmic axis: %s.",
		c.YLabel, c.XLabel, strings.Join(c.names(), ", "))
	for _, p := range c.Panels {
		if p.Heading != "" {
			text += " Panel " + p.Heading + "."
		}
	}
	return text
}
