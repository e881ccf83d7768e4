package main

import (
	"fmt"
	"io"
	"strings"
)

// writeTable writes the rows as a table in Markdown. Unchanged splits have the share of splits in which anything was found;
// the others how often the planted function was found, how often it came first, and how many other functions were named on average.
func writeTable(out io.Writer, rows []row) error {
	var b strings.Builder
	b.WriteString("| recordings | runs per side | planted | compare | Welch's t + BH | Mann-Whitney + BH |\n|---|---|---|---|---|---|\n")
	for i := range rows {
		r := &rows[i]
		what := "nothing: any finding"
		if r.planted != "" {
			what = r.planted + " in `" + r.function + "`: found, first, others"
		}
		fmt.Fprintf(&b, "| %s | %d | %s |", r.name, r.size, what)
		for k := range r.rules {
			fmt.Fprintf(&b, " %s |", r.cell(&r.rules[k], k == 0))
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// cell says what a rule found in the splits of a row. root says whether the rule judges root executions.
func (r *row) cell(s *score, root bool) string {
	share := func(n int) string { return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(r.splits)) }
	if r.planted == "" {
		if root {
			return fmt.Sprintf("%s (root %s; behaviour %s)", share(s.any), share(s.root), share(s.acts))
		}
		return share(s.any)
	}
	text := fmt.Sprintf("%s, %s, %.1f", share(s.found), share(s.first), float64(s.other)/float64(r.splits))
	if root {
		text += "; root " + share(s.root)
	}
	return text
}
