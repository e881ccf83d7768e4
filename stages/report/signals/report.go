// Package signals writes signals of a run for people and for programs.
package signals

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/signals"
)

// Report is what is said of the signals of a run.
type Report struct {
	Run     string          // name of the run
	StartNs int64           // of the run, from which times are counted in text
	Signals []signals.Named // in the order in which they were asked for
	Instant int64           // items of no length, which count in no throughput without a window
	Top     int             // pieces of a signal that text has; 0 for all
	Bins    int             // of histograms of signals that are no constants
}

// WriteText writes a row a signal, and the pieces of one that is alone.
func (r *Report) WriteText(out io.Writer) error {
	t := texttab.New("lrrrrl")
	// The name is the user's own text, so that it may have control characters, which Printable replaces.
	t.Row("signal", "pieces", "least", "mean", "greatest", "unit")
	for i := range r.Signals {
		s := &r.Signals[i]
		st := s.Statistics()
		t.Row(texttab.Printable(s.Name), texttab.Count(len(s.Pieces)), number(st.Least), number(st.Mean), number(st.Greatest), s.Unit)
	}
	if err := t.Write(out); err != nil {
		return err
	}
	if r.Instant > 0 {
		fmt.Fprintf(out, "%s of no length: they count in averages over a window only\n", texttab.Plural(r.Instant, "item"))
	}
	// The pieces of several signals would be one long list; JSON has them.
	if len(r.Signals) != 1 {
		return nil
	}
	return r.writePieces(out, &r.Signals[0])
}

// writePieces writes the first pieces of a signal.
func (r *Report) writePieces(out io.Writer, s *signals.Named) error {
	fmt.Fprintln(out)
	t := texttab.New("rrrr")
	t.Row("from", "to", "value", "slope per s")
	pieces := s.Pieces
	if r.Top > 0 && len(pieces) > r.Top {
		pieces = pieces[:r.Top]
	}
	for _, p := range pieces {
		slope := ""
		if p.B != 0 {
			// A step is the unit of x in a piece; slopes are written per second.
			slope = number(p.B * 1e9 / float64(s.StepNs))
		}
		t.Row(texttab.Exact(p.FromNs-r.StartNs), texttab.Exact(p.ToNs-r.StartNs), number(p.C), slope)
	}
	// Constants have no slope, so that the column is empty for most signals.
	t.DropEmptyColumns()
	if err := t.Write(out); err != nil {
		return err
	}
	if more := len(s.Pieces) - len(pieces); more > 0 {
		fmt.Fprintf(out, "%s more: --top 0 prints all\n", texttab.Plural(more, "piece"))
	}
	return nil
}

// number writes a value with the digits that a reader needs.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// piece is a piece of a signal in JSON: c + b x + a x^2, x in seconds since from_ns.
type piece struct {
	Signal string  `json:"signal"`         // its name, as it was asked for
	Unit   string  `json:"unit,omitempty"` // of its values
	FromNs int64   `json:"from_ns"`        // where the piece begins, in ns of the trace's clock
	ToNs   int64   `json:"to_ns"`          // where it ends
	C      float64 `json:"c"`              // the value at from_ns
	B      float64 `json:"b"`              // per second
	A      float64 `json:"a"`              // per second squared
}

// WriteJSON writes an object a line for every piece of every signal, in the order of time.
func (r *Report) WriteJSON(out io.Writer) error {
	lines := json.NewEncoder(out)
	for i := range r.Signals {
		s := &r.Signals[i]
		// Coefficients count x in steps of StepNs; k brings them to seconds.
		k := 1e9 / float64(s.StepNs)
		for _, p := range s.Pieces {
			if err := lines.Encode(piece{s.Name, s.Unit, p.FromNs, p.ToNs, p.C, p.B * k, p.A * k * k}); err != nil {
				return err
			}
		}
	}
	return nil
}

// bar is a bar of a histogram in JSON.
type bar struct {
	Signal string  `json:"signal"` // its name
	From   float64 `json:"from"`   // smallest value of the bar
	To     float64 `json:"to"`     // from, for one value
	Ns     float64 `json:"ns"`     // how long the signal has such a value
}

// WriteHistogramJSON writes an object a line for every bar.
func (r *Report) WriteHistogramJSON(out io.Writer) error {
	lines := json.NewEncoder(out)
	for i := range r.Signals {
		for _, b := range r.bars(&r.Signals[i]) {
			if err := lines.Encode(bar{r.Signals[i].Name, b.From, b.To, b.Ns}); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteHistogram writes how long each signal has which value.
func (r *Report) WriteHistogram(out io.Writer) error {
	t := texttab.New("lrrr")
	t.Row("signal", "value", "time", "share")
	for i := range r.Signals {
		s := &r.Signals[i]
		// Shares are of the whole domain; 1 stands for an empty one, to divide by.
		from, to := s.Domain()
		for _, b := range r.bars(s) {
			value := number(b.From)
			if b.To > b.From {
				value += " to " + number(b.To)
			}
			t.Row(texttab.Printable(s.Name), value, texttab.Duration(int64(b.Ns)), texttab.Share(b.Ns/float64(max(1, to-from))))
		}
	}
	return t.Write(out)
}

// bars are the bars of a signal: one a value of a signal of constants, and else equal bins from its least to its greatest value.
func (r *Report) bars(s *signals.Named) []signals.Bar {
	// A histogram of single values exists for signals of constants alone; with too many values it would be no picture.
	if bars, err := signals.Histogram(&s.Signal); err == nil && len(bars) <= max(r.Bins, 1) {
		return bars
	}
	st := s.Statistics()
	edges := make([]float64, r.Bins+1)
	for i := range edges {
		edges[i] = st.Least + (st.Greatest-st.Least)*float64(i)/float64(r.Bins)
	}
	return signals.Bins(&s.Signal, edges)
}
