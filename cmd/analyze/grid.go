package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/tracelake/tracelake/cmd/internal/console"
)

// grid is a table for people: columns as wide as they need to be, numbers to the right.
type grid struct {
	right []bool // by column; those beyond stand to the left
	rows  [][]string
}

func (g *grid) row(cells ...string) { g.rows = append(g.rows, cells) }

func (g *grid) write(out io.Writer) error {
	var widths []int
	for _, row := range g.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	w := bufio.NewWriter(out)
	for _, row := range g.rows {
		line := ""
		for i, cell := range row {
			gap := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < len(g.right) && g.right[i] {
				cell = gap + cell
			} else {
				cell += gap
			}
			if i > 0 {
				line += "  "
			}
			line += cell
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	return w.Flush()
}

// duration writes nanoseconds with three digits or more and a unit.
func duration(ns int64) string {
	x, sign := float64(ns), ""
	if x < 0 {
		x, sign = -x, "-"
	}
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, " s"}, {1e6, " ms"}, {1e3, " us"}} {
		if x >= u.size*0.9995 { // three digits of it are one of this unit
			return sign + digits(x/u.size) + u.name
		}
	}
	return fmt.Sprintf("%d ns", ns)
}

func digits(x float64) string {
	switch {
	case x >= 99.95:
		return fmt.Sprintf("%.0f", x)
	case x >= 9.995:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// change is duration with a sign for growth too.
func change(ns int64) string {
	if ns > 0 {
		return "+" + duration(ns)
	}
	return duration(ns)
}

func count(n int64) string { return console.Count(n) }
