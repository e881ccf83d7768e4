// Package signals writes signals of a run for people and for programs.
package signals

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/signals"
)

// Report is what is said of the signals of a run.
type Report struct {
	Run     string // name of the run
	StartNs int64  // of the run, from which times are counted in text
	// Each visits the signals in the order in which they were asked for, and says how many items have no length, which count in no throughput
	// without a window
	Each func(visit func(*signals.Stream) error) (instants int64, err error)
	Top  int // pieces of a signal that text has; 0 for all
	Bins int // of histograms of signals that are no constants
}

// WriteText writes a row a signal, and the pieces of one that is alone.
func (r *Report) WriteText(out io.Writer) error {
	t := texttab.New("lrrrrl")
	// The name is the user's own text, so that it may have control characters, which Printable replaces.
	t.Row("signal", "pieces", "least", "mean", "greatest", "unit")
	top := r.Top
	if top == 0 {
		top = math.MaxInt
	}
	rows := 0
	var alone signals.Statistics
	var stepNs int64
	instants, err := r.Each(func(s *signals.Stream) error {
		// The pieces of several signals would be one long list; JSON has them.
		if rows++; rows > 1 {
			top, alone.First = 0, nil
		}
		st, err := s.Statistics(top)
		if rows == 1 {
			alone, stepNs = st, s.StepNs
		}
		t.Row(texttab.Printable(s.Name), texttab.Count(st.Pieces), number(st.Least), number(st.Mean), number(st.Greatest), s.Unit)
		return err
	})
	if err != nil {
		return err
	}
	if err := t.Write(out); err != nil {
		return err
	}
	if instants > 0 {
		fmt.Fprintf(out, "%s of no length: they count in averages over a window only\n", texttab.Plural(instants, "item"))
	}
	if rows != 1 {
		return nil
	}
	return r.writePieces(out, &alone, stepNs)
}

// writePieces writes the first pieces of a signal.
func (r *Report) writePieces(out io.Writer, st *signals.Statistics, stepNs int64) error {
	fmt.Fprintln(out)
	t := texttab.New("rrrr")
	t.Row("from", "to", "value", "slope per s")
	for _, p := range st.First {
		slope := ""
		if p.B != 0 {
			// A step is the unit of x in a piece; slopes are written per second.
			slope = number(p.B * 1e9 / float64(stepNs))
		}
		t.Row(texttab.Exact(p.FromNs-r.StartNs), texttab.Exact(p.ToNs-r.StartNs), number(p.C), slope)
	}
	// Constants have no slope, so that the column is empty for most signals.
	t.DropEmptyColumns()
	if err := t.Write(out); err != nil {
		return err
	}
	if more := st.Pieces - len(st.First); more > 0 {
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
	_, err := r.Each(func(s *signals.Stream) error {
		// Coefficients count x in steps of StepNs; k brings them to seconds.
		k := 1e9 / float64(s.StepNs)
		return s.Each(func(p *signals.Piece) error {
			return lines.Encode(piece{s.Name, s.Unit, p.FromNs, p.ToNs, p.C, p.B * k, p.A * k * k})
		})
	})
	return err
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
	_, err := r.Each(func(s *signals.Stream) error {
		bars, _, err := s.Histogram(r.Bins)
		for _, b := range bars {
			err = cmp.Or(err, lines.Encode(bar{s.Name, b.From, b.To, b.Ns}))
		}
		return err
	})
	return err
}

// WriteHistogram writes how long each signal has which value.
func (r *Report) WriteHistogram(out io.Writer) error {
	t := texttab.New("lrrr")
	t.Row("signal", "value", "time", "share")
	_, err := r.Each(func(s *signals.Stream) error {
		bars, lengthNs, err := s.Histogram(r.Bins)
		for _, b := range bars {
			value := number(b.From)
			if b.To > b.From {
				value += " to " + number(b.To)
			}
			// Shares are of the whole domain; 1 stands for an empty one, to divide by.
			t.Row(texttab.Printable(s.Name), value, texttab.Duration(int64(b.Ns)), texttab.Share(b.Ns/float64(max(1, lengthNs))))
		}
		return err
	})
	return cmp.Or(err, t.Write(out))
}
