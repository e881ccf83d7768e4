package claims

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Durations are those of groups of claims in some runs.
type Durations struct {
	By     string     `json:"by"`     // the attributes whose values make a group, in words
	Runs   []string   `json:"runs"`   // their names, in the order of Duration.Runs
	Groups []Duration `json:"groups"` // that which takes most time in all runs first
	Top    int        `json:"-"`      // groups in text; 0 for all
}

// Duration is a group of claims of equal attributes.
type Duration struct {
	Group string  `json:"group"` // the values of its attributes
	Runs  []Stats `json:"runs"`  // by run

	Ns [][]int64 `json:"-"` // of each run, ascending
}

// Stats are those of the durations of a group in a run; without claims all but Claims mean nothing.
type Stats struct {
	Claims   int     `json:"claims"`      // how many there are
	LeastNs  int64   `json:"least_ns"`    // the shortest
	MedianNs int64   `json:"median_ns"`   // the lower one
	MeanNs   float64 `json:"mean_ns"`     // the sum divided by their number
	P99Ns    int64   `json:"p99_ns"`      // 99 % last no longer
	MostNs   int64   `json:"greatest_ns"` // the longest
	SumNs    int64   `json:"sum_ns"`      // of all
}

// StatsOf are the statistics of ascending durations. Quantiles are the smallest value that so many do not exceed.
func StatsOf(ns []int64) Stats {
	n := len(ns)
	if n == 0 {
		return Stats{}
	}
	s := Stats{Claims: n, LeastNs: ns[0], MedianNs: ns[(n-1)/2], P99Ns: ns[(99*n+99)/100-1], MostNs: ns[n-1]}
	for _, d := range ns {
		s.SumNs += d
	}
	s.MeanNs = float64(s.SumNs) / float64(n)
	return s
}

// WriteJSON writes one object.
func (r *Durations) WriteJSON(out io.Writer) error { return json.NewEncoder(out).Encode(r) }

// WriteText writes a row for each group and run, those that take longest first.
func (r *Durations) WriteText(out io.Writer) error {
	t := texttab.New("llrrrrrrr")
	t.Row("claims of equal "+r.By, "run", "claims", "least", "median", "mean", "p99", "greatest", "sum")
	shown := r.Groups
	if r.Top > 0 {
		shown = shown[:min(len(shown), r.Top)]
	}
	for _, g := range shown {
		for i, s := range g.Runs {
			if s.Claims == 0 {
				t.Row(texttab.Printable(g.Group), texttab.Printable(r.Runs[i]), "0")
				continue
			}
			t.Row(texttab.Printable(g.Group), texttab.Printable(r.Runs[i]), texttab.Count(s.Claims), texttab.Duration(s.LeastNs), texttab.Duration(s.MedianNs),
				texttab.Duration(int64(s.MeanNs+0.5)), texttab.Duration(s.P99Ns), texttab.Duration(s.MostNs), texttab.Duration(s.SumNs))
		}
	}
	if err := t.Write(out); err != nil {
		return err
	}
	if more := len(r.Groups) - len(shown); more > 0 {
		fmt.Fprintf(out, "%s more: --top 0 prints all\n", texttab.Plural(more, "group"))
	}
	return nil
}

// bins is how many bars a histogram has at most.
const bins = 20

// WriteHistogram writes a histogram of each group: bars of equal width from the least to the greatest duration of all runs together, with
// the runs beside each other, so that they can be compared.
func (r *Durations) WriteHistogram(out io.Writer) error {
	shown := r.Groups
	if r.Top > 0 {
		shown = shown[:min(len(shown), r.Top)]
	}
	for k, g := range shown {
		if k > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, texttab.Printable(g.Group))
		t := texttab.New("rr" + strings.Repeat("rl", len(r.Runs)))
		head := []string{"from", "to"}
		for _, run := range r.Runs {
			head = append(head, "", texttab.Printable(run))
		}
		t.Row(head...)
		edges, counts := histogram(g.Ns)
		most := 1
		for _, c := range counts {
			most = max(most, slices.Max(c))
		}
		for b := range len(edges) - 1 {
			row := []string{texttab.Exact(edges[b]), texttab.Exact(edges[b+1])}
			for run := range g.Ns {
				n := counts[run][b]
				row = append(row, texttab.Count(n), strings.Repeat("#", (n*barLetters+most-1)/most))
			}
			t.Row(row...)
		}
		if err := t.Write(out); err != nil {
			return err
		}
	}
	return nil
}

// Histograms are durations with a histogram of every group.
type Histograms struct {
	By     string       `json:"by"`     // the attributes whose values make a group, in words
	Runs   []string     `json:"runs"`   // their names, in the order of Counts
	Groups []GroupTimes `json:"groups"` // that which takes most time in all runs first
	All    int          `json:"all"`    // groups there are, of which these are the first
}

// GroupTimes is a group with its histogram: bar i counts durations from edge i to before edge i+1; the last one has its end, too.
type GroupTimes struct {
	Duration
	EdgesNs []int64 `json:"edges_ns"` // ascending, one more than there are bars
	Counts  [][]int `json:"counts"`   // by run, then by bar
}

// Histograms has the bars that WriteHistogram prints, of the first groups.
func (r *Durations) Histograms(most int) *Histograms {
	out := &Histograms{By: r.By, Runs: r.Runs, Groups: []GroupTimes{}, All: len(r.Groups)}
	for _, g := range r.Groups[:min(most, len(r.Groups))] {
		edges, counts := histogram(g.Ns)
		out.Groups = append(out.Groups, GroupTimes{g, edges, counts})
	}
	return out
}

// barLetters is the length of the longest bar.
const barLetters = 30

// histogram counts durations in bins of equal width, the last of which has its end, too. One duration is one bin.
func histogram(runs [][]int64) (edges []int64, counts [][]int) {
	least, most := int64(0), int64(0)
	first := true
	for _, ns := range runs {
		if len(ns) > 0 {
			if least = min(least, ns[0]); first {
				least = ns[0]
			}
			most, first = max(most, ns[len(ns)-1]), false
		}
	}
	width := roundWidth((most - least + bins) / bins)
	least -= ((least % width) + width) % width
	for at := least; ; at += width {
		edges = append(edges, at)
		if at > most {
			break
		}
	}
	for _, ns := range runs {
		of := make([]int, len(edges)-1)
		for _, d := range ns {
			of[min(int((d-least)/width), len(of)-1)]++
		}
		counts = append(counts, of)
	}
	return edges, counts
}

// roundWidth is the smallest of 1, 2 and 5 times a power of ten that is not below a width.
func roundWidth(least int64) int64 {
	for power := int64(1); ; power *= 10 {
		for _, digit := range []int64{1, 2, 5} {
			if power*digit >= least {
				return power * digit
			}
		}
	}
}
