package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// table is rows of text. The first is the heading; columns after the first are set right, but for words.
type table struct {
	rows  [][]string
	words map[int]bool // columns that are set left
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// print sets the table, as text that lines up or as Markdown, which lines up as well.
func (t *table) print(w io.Writer, markdown bool) error {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for n, row := range t.rows {
		line := make([]string, len(row))
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if line[i] = pad + cell; t.words[i] {
				line[i] = cell + pad
			}
		}
		if !markdown {
			fmt.Fprintln(w, strings.TrimRight(strings.Join(line, "  "), " "))
			continue
		}
		fmt.Fprintln(w, "| "+strings.Join(line, " | ")+" |")
		if n == 0 {
			fmt.Fprintln(w, t.rule(widths))
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// rule is the line below the heading in Markdown.
func (t *table) rule(widths []int) string {
	var out strings.Builder
	for i, width := range widths {
		end := ":"
		if t.words[i] {
			end = "-"
		}
		out.WriteString("|" + strings.Repeat("-", width+1) + end)
	}
	return out.String() + "|"
}

// speeds is the table of all readers beside their floors and peers. All rates are per second of CPU time.
func speeds(results []result) *table {
	t := &table{words: map[int]bool{0: true, 7: true, 8: true}}
	t.add("format", "M events", "MB", "M events/s", "MB/s", "peak MB", "floor MB/s", "goal", "peer", "M events/s", "MB/s", "peak MB", "times faster")
	for _, r := range results {
		own := []string{
			r.name, mega(r.events), mega(r.floor.bytes), rate(r.events, r.ours.cpu), rate(r.floor.bytes, r.ours.cpu),
			mega(r.ours.peakBytes), rate(r.floor.bytes, time.Duration(r.floor.cpuNs)), r.reached(),
		}
		if len(r.peers) == 0 {
			t.add(append(own, "", "", "", "", "")...)
		}
		for _, p := range r.peers {
			t.add(append(own, p.cells(r)...)...)
			own = make([]string, len(own))
		}
	}
	return t
}

// reached says whether the goal was reached.
func (r result) reached() string {
	s := r.ours.cpu.Seconds()
	switch {
	case r.goal.eventsPerSec > 0:
		return fmt.Sprintf("%.0f M/s %s", r.goal.eventsPerSec/1e6, word(float64(r.events)/s >= r.goal.eventsPerSec))
	case r.goal.bytesPerSec > 0:
		return fmt.Sprintf("%.0f MB/s %s", r.goal.bytesPerSec/1e6, word(float64(r.floor.bytes)/s >= r.goal.bytesPerSec))
	}
	return ""
}

func word(reached bool) string {
	if reached {
		return "reached"
	}
	return "missed"
}

// cells are what a peer took, or why there is nothing.
func (p rival) cells(r result) []string {
	switch {
	case p.missing:
		return []string{p.name + ": not installed", "", "", "", ""}
	case p.failed != nil:
		return []string{p.name + ": failed", "", "", "", ""}
	}
	return []string{p.name, rate(r.events, p.best.cpu), rate(r.floor.bytes, p.best.cpu), mega(p.best.peakBytes), fmt.Sprintf("%.1f", p.best.cpu.Seconds()/r.ours.cpu.Seconds())}
}

// memories is the table of short and long traces.
func memories(all []growth) *table {
	t := &table{words: map[int]bool{0: true}}
	t.add("format", "M events", "peak MB", "M events/s", "M events", "peak MB", "M events/s")
	for _, g := range all {
		row := []string{g.name}
		for i := range g.events {
			row = append(row, mega(g.events[i]), mega(g.peaks[i]), rate(g.events[i], g.cpu[i]))
		}
		t.add(row...)
	}
	return t
}

// mega is a number in millions, of three digits.
func mega(n int64) string { return digits(float64(n) / 1e6) }

// rate is in millions a second.
func rate(n int64, of time.Duration) string {
	return digits(float64(n) / 1e6 / max(of, time.Microsecond).Seconds())
}

func digits(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
