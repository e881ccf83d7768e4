package criticalpath

import (
	"fmt"
	"io"
	"math"

	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// Gains is the question what would be gained from faster functions.
type Gains struct {
	Run, To string // To is empty for all root executions that no message starts
	Top     int    // functions that text has; 0 for all
	Loose   int64  // inferred callbacks that hold nothing back
}

// assumptions says what a gain is. They stand in the report, since a gain is an estimate and no measurement.
func (q *Gains) assumptions() []string {
	return append(looseCallbacks(q.Loose, q.Run), gainAssumptions...)
}

// looseCallbacks says what inferred callbacks mean that hold nothing back, where there are any. This comes first, since it may hide a gain:
// what really waits is then on the critical path.
func looseCallbacks(n int64, run string) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("inferred callbacks (%s) hold nothing back: a lifeline that waits for one is taken to execute until it starts; "+
		"analyze run --callbacks-hold %s lets it wait", texttab.Count(n), run)}
}

// gainAssumptions are those of every run.
var gainAssumptions = []string{
	"each function alone is faster, wherever it is on the critical path of the occurrence, from its start on; what comes before the start stays",
	"the occurrence gains as much until another way to it becomes critical, which has the spare time of its timing constraints",
	"what is off the path stays as it is, also where it is the same function; analyze what-if --faster recomputes the whole schedule",
}

// wilson returns the bounds of the 95 % interval of a share of n (Wilson 1927), which holds for rare and for nearly certain ones, too.
// Below, p is the share that was seen; the interval is centred between it and 1/2, the nearer to 1/2 the smaller n is.
func wilson(some, n int64) (lo, hi float64) {
	const z = 1.959964 // the 97.5 % quantile of the normal distribution
	size, p := float64(n), float64(some)/float64(max(n, 1))
	middle, half := p+z*z/(2*size), z*math.Sqrt(p*(1-p)/size+z*z/(4*size*size))
	return max((middle-half)/(1+z*z/size), 0), min((middle+half)/(1+z*z/size), 1)
}

// shareText writes a share with its interval.
func shareText(some, n int64) string {
	if n == 0 {
		return ""
	}
	lo, hi := wilson(some, n)
	return fmt.Sprintf("%s (%.0f-%.0f)", texttab.Percent(some, n), 100*lo, 100*hi)
}

// WriteText writes the functions from whose speed most is gained.
func (q *Gains) WriteText(out io.Writer, x *findings.Gains) error {
	// Without a target the time of the whole run is shared out; with one, the time of an occurrence, and late ones are set apart.
	g := texttab.New("rrrrl")
	head := []string{"-10 %", "-50 %", "-100 %", "own time", "critical"}
	if q.To == "" {
		fmt.Fprintf(out, "what faster functions would gain in run %s: %s that no message starts\n", q.Run, texttab.Plural(x.Occurrences, "root execution"))
		fmt.Fprintf(out, "time of all together; how many have the function on their critical path\n\n")
	} else {
		fmt.Fprintf(out, "what faster functions would gain: %s of %s in run %s\n", texttab.Plural(x.Occurrences, "occurrence"), q.To, q.Run)
		fmt.Fprintf(out, "time of an occurrence; how many have the function on their critical path, of the %s beyond %s as well, or near it\n\n",
			texttab.Count(x.Late), texttab.Duration(x.LateNs))
		g = texttab.New("rrrrlll")
		head = append(head, "when late", "near")
	}
	g.Row(append(head, "function")...)
	shown := rowsPrinted(q.Top, len(x.Functions))
	for _, f := range x.Functions[:shown] {
		// Times are of all occurrences together; without a target they are shown as such.
		n := int64(1)
		if q.To != "" {
			n = max(x.Occurrences, 1)
		}
		row := []string{
			texttab.Duration(f.Ns[0] / n), texttab.Duration(f.Ns[1] / n), texttab.Duration(f.Ns[2] / n), texttab.Duration(f.TotalNs / n),
			shareText(f.Critical, x.Occurrences),
		}
		if q.To != "" {
			row = append(row, shareText(f.Late, x.Late), shareText(f.Near, x.Occurrences))
		}
		g.Row(append(row, f.Name)...)
	}
	if err := writeCut(out, g, len(x.Functions)-shown, texttab.Plural(len(x.Functions)-shown, "function")); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nThis assumes:\n")
	for _, line := range q.assumptions() {
		fmt.Fprintf(out, "- %s\n", line)
	}
	return nil
}

// gainsDocument is the JSON of Gains.
type gainsDocument struct {
	Run         string       `json:"run"`         // name of the run
	To          string       `json:"to"`          // empty: all root executions that no message starts
	Occurrences int64        `json:"occurrences"` // that end at To
	Late        int64        `json:"late"`        // occurrences that took longer than late_ns
	LateNs      int64        `json:"late_ns"`     // 0: nothing says what is late
	NearShare   float64      `json:"near_share"`  // spare time of what is near-critical, as a share of the occurrence's time
	Functions   []gainObject `json:"functions"`   // that from which most is gained if it took no time comes first
	Assumptions []string     `json:"assumptions"` // sentences that say what a gain is
}

// gainObject is a function on critical paths, or near them. Times are those of all occurrences together.
type gainObject struct {
	Name        string     `json:"name"`             // COMPONENT.FUNCTION
	TotalNs     int64      `json:"total_ns"`         // that it executes on the paths
	GainNs      [3]int64   `json:"gain_ns"`          // by the document's percents: 10, 50, 100
	Critical    int64      `json:"critical"`         // occurrences with the function on their path
	CriticalIn  [2]float64 `json:"critical_95"`      // the 95 % interval of their share
	Late        int64      `json:"critical_late"`    // late ones among them
	LateIn      [2]float64 `json:"critical_late_95"` // the 95 % interval of their share among late occurrences
	NearOfThese int64      `json:"near"`             // occurrences with the function near their path and not on it
}

// WriteJSON writes all functions.
func (q *Gains) WriteJSON(out io.Writer, x *findings.Gains) error {
	d := gainsDocument{
		Run: q.Run, To: q.To, Occurrences: x.Occurrences, Late: x.Late, LateNs: x.LateNs, NearShare: x.NearShare, Functions: []gainObject{},
		Assumptions: q.assumptions(),
	}
	// Nothing is known of a share of none: it may be anything.
	interval := func(some, n int64) [2]float64 {
		if n == 0 {
			return [2]float64{0, 1}
		}
		lo, hi := wilson(some, n)
		return [2]float64{lo, hi}
	}
	for _, f := range x.Functions {
		d.Functions = append(d.Functions, gainObject{
			f.Name, f.TotalNs, f.Ns, f.Critical, interval(f.Critical, x.Occurrences), f.Late, interval(f.Late, x.Late), f.Near,
		})
	}
	return writeJSON(out, d)
}
