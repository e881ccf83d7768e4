package main

import (
	"fmt"
	"io"
	"time"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// printTable prints a table and an empty line behind it, as text that lines up or as Markdown.
func printTable(w io.Writer, t *texttab.Table, markdown bool) error {
	write := t.Write
	if markdown {
		write = t.WriteMarkdown
	}
	if err := write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// speeds is the table of all readers beside their floors and peers. All rates are per second of CPU time.
// A format has a row for each peer, and its own figures in the first of them.
func speeds(results []result) *texttab.Table {
	t := texttab.New("lrrrrrrllrrrr")
	t.Row("format", "M events", "MB", "M events/s", "MB/s", "peak MB", "floor MB/s", "goal", "peer", "M events/s", "MB/s", "peak MB", "times faster")
	// The bytes are those of all files, as the floor reads them; the reader may know less.
	for _, r := range results {
		own := []string{
			r.name, mega(r.events), mega(r.floor.bytes), rate(r.events, r.ours.CPU), rate(r.floor.bytes, r.ours.CPU),
			mega(r.ours.PeakBytes), rate(r.floor.bytes, time.Duration(r.floor.cpuNs)), r.reached(),
		}
		if len(r.peers) == 0 {
			t.Row(append(own, "", "", "", "", "")...)
		}
		for _, p := range r.peers {
			// A further peer repeats no figures of the reader.
			t.Row(append(own, p.cells(r)...)...)
			own = make([]string, len(own))
		}
	}
	return t
}

// reached says whether the goal was reached.
// It is empty for a format without a goal.
func (r result) reached() string {
	s := r.ours.CPU.Seconds()
	switch {
	case r.goal.eventsPerSec > 0:
		return fmt.Sprintf("%.0f M/s %s", r.goal.eventsPerSec/1e6, word(float64(r.events)/s >= r.goal.eventsPerSec))
	case r.goal.bytesPerSec > 0:
		return fmt.Sprintf("%.0f MB/s %s", r.goal.bytesPerSec/1e6, word(float64(r.floor.bytes)/s >= r.goal.bytesPerSec))
	}
	return ""
}

// word is the verdict on a goal.
func word(reached bool) string {
	if reached {
		return "reached"
	}
	return "missed"
}

// cells are what a peer took, or why there is nothing.
// How many times faster is by CPU time: above 1 the reader is faster than the peer.
func (p rival) cells(r result) []string {
	switch {
	case p.missing:
		return []string{p.name + ": not installed", "", "", "", ""}
	case p.failed != nil:
		return []string{p.name + ": failed", "", "", "", ""}
	}
	return []string{p.name, rate(r.events, p.best.CPU), rate(r.floor.bytes, p.best.CPU), mega(p.best.PeakBytes), fmt.Sprintf("%.1f", p.best.CPU.Seconds()/r.ours.CPU.Seconds())}
}

// memories is the table of short and long traces.
// Both traces of a format stand in one row, the short one first, so that equal peaks catch the eye.
func memories(all []growth) *texttab.Table {
	t := texttab.New("lrrrrrr")
	t.Row("format", "M events", "peak MB", "M events/s", "M events", "peak MB", "M events/s")
	for _, g := range all {
		// Short and long trace in pairs, since it is their quotient that is looked at.
		row := []string{g.name}
		for i := range g.events {
			row = append(row, mega(g.events[i]), mega(g.peaks[i]), rate(g.events[i], g.cpu[i]))
		}
		t.Row(row...)
	}
	return t
}

// mega is a number in millions, of three digits.
// A megabyte is a million bytes here, as rates of disks and networks have it.
func mega(n int64) string { return digits(float64(n) / 1e6) }

// rate is in millions a second.
// A time below a microsecond counts as one, so that no rate is infinite.
func rate(n int64, of time.Duration) string {
	return digits(float64(n) / 1e6 / max(of, time.Microsecond).Seconds())
}

// digits writes a number with three digits, or all digits before the point.
func digits(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}
