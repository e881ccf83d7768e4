package criticalpath

import (
	"fmt"
	"io"
	"math"

	"github.com/tracelake/tracelake/stages/change/criticality"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Criticality is the question which functions became more critical, or less.
type Criticality struct {
	Comparison, To string            // name of the comparison, and the execution that paths lead to
	Base, Cand     []criticality.Run // with the shares of each run
	LateNs         int64             // occurrences that took longer were late
	NearShare      float64           // spare time of what is near-critical, as a share of the occurrence's time
	Top            int               // functions that text has; 0 for all
}

// occurrencesOf counts the occurrences of runs, and the late ones.
func occurrencesOf(runs []criticality.Run) (all, late int64) {
	for _, r := range runs {
		all, late = all+r.Occurrences, late+r.Late
	}
	return all, late
}

// WriteText writes the functions that changed first, then those that are critical most often.
func (q *Criticality) WriteText(out io.Writer, functions []criticality.Function) error {
	// The head says how much there is to judge: runs decide, occurrences are only their samples.
	base, baseLate := occurrencesOf(q.Base)
	cand, candLate := occurrencesOf(q.Cand)
	fmt.Fprintf(out, "how often functions are on the critical path towards %s, in comparison %s:\n", q.To, q.Comparison)
	fmt.Fprintf(out, "%s (%s, %s beyond %s) against %s (%s, %s beyond it)\n", texttab.Plural(len(q.Cand), "candidate run"), texttab.Plural(cand, "occurrence"), texttab.Count(candLate),
		texttab.Duration(q.LateNs), texttab.Plural(len(q.Base), "baseline run"), texttab.Plural(base, "occurrence"), texttab.Count(baseLate))
	fmt.Fprintf(out, "mean share of the runs in percent, with 95 %% intervals; near: beside the path, with at most %s of the time to spare\n\n", texttab.Share(q.NearShare))
	g := texttab.New("lrlllllrl")
	g.Row("verdict", "points", "95 % interval", "base", "cand", "late base", "late cand", "near cand", "function")
	shown := rowsPrinted(q.Top, len(functions))
	// A verdict without a difference, as where a side has no occurrence, leaves the columns of numbers empty.
	for _, f := range functions[:shown] {
		points, interval := "", ""
		if !math.IsNaN(f.Difference) {
			points, interval = fmt.Sprintf("%+.1f", 100*f.Difference), fmt.Sprintf("%+.1f to %+.1f", 100*f.Lo, 100*f.Hi)
		}
		g.Row(f.Verdict, points, interval, meanText(f.Base.Critical), meanText(f.Cand.Critical), meanText(f.Base.Late), meanText(f.Cand.Late), plainShare(f.Cand.Near), f.Name)
	}
	if err := writeCut(out, g, len(functions)-shown, texttab.Plural(len(functions)-shown, "function")); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\nA verdict compares runs with runs, from %d a side on; false ones among all functions are held to %s. Unchanged: the interval lies within %s points.\n",
		criticality.FewestRuns, texttab.Share(criticality.Rate), fmt.Sprint(100*criticality.Margin))
	return err
}

// meanText writes the mean share of a side's runs in percent, with its 95 % interval; "none" where no run has such occurrences.
func meanText(s criticality.Share) string {
	if s.Runs == 0 {
		return "none"
	}
	return fmt.Sprintf("%.1f (%.0f-%.0f)", 100*s.Mean, 100*s.Lo, 100*s.Hi)
}

// plainShare writes a share in percent without its interval: what is near the path is context, and no verdict is built on it.
func plainShare(s criticality.Share) string {
	if s.Runs == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", 100*s.Mean)
}

// criticalityDocument is the JSON of Criticality.
type criticalityDocument struct {
	Comparison  string              `json:"comparison"`  // name of the comparison
	To          string              `json:"to"`          // the execution that paths lead to
	LateNs      int64               `json:"late_ns"`     // occurrences that took longer were late
	NearShare   float64             `json:"near_share"`  // spare time of what is near-critical, as a share of the occurrence's time
	Rate        float64             `json:"rate"`        // of false verdicts
	Margin      float64             `json:"margin"`      // a difference of shares that counts as none
	BaseRuns    int                 `json:"base_runs"`   // runs of the baseline
	CandRuns    int                 `json:"cand_runs"`   // runs of the candidate
	Occurrences [2]int64            `json:"occurrences"` // of the baseline, of the candidate
	Late        [2]int64            `json:"late"`        // occurrences beyond late_ns, of the baseline, of the candidate
	Functions   []criticalityObject `json:"functions"`   // what changed first, then by how often they are critical
}

// criticalityObject is a function. Shares are mean, lower and upper end of the 95 % interval; null where no run has such occurrences.
type criticalityObject struct {
	Name         string     `json:"name"`          // COMPONENT.FUNCTION
	Verdict      string     `json:"verdict"`       // more critical, less critical, unchanged or undetermined
	Difference   *float64   `json:"difference"`    // of the shares, candidate less baseline; null where a side has no occurrence
	DifferenceIn [2]float64 `json:"difference_95"` // ends of the 95 % interval of the difference
	P            float64    `json:"p"`             // of the test, without regard to other functions
	Q            float64    `json:"q"`             // of all functions: the rate of false discoveries up to this one
	Base         []float64  `json:"base"`          // share of occurrences with the function on their path
	Cand         []float64  `json:"cand"`          // the same of the candidate
	BaseLate     []float64  `json:"base_late"`     // share among late occurrences
	CandLate     []float64  `json:"cand_late"`     // the same of the candidate
	BaseNear     []float64  `json:"base_near"`     // share of occurrences with the function near their path
	CandNear     []float64  `json:"cand_near"`     // the same of the candidate
}

// WriteJSON writes all functions.
func (q *Criticality) WriteJSON(out io.Writer, functions []criticality.Function) error {
	base, baseLate := occurrencesOf(q.Base)
	cand, candLate := occurrencesOf(q.Cand)
	d := criticalityDocument{
		Comparison: q.Comparison, To: q.To, LateNs: q.LateNs, NearShare: q.NearShare, Rate: criticality.Rate, Margin: criticality.Margin,
		BaseRuns: len(q.Base), CandRuns: len(q.Cand), Occurrences: [2]int64{base, cand}, Late: [2]int64{baseLate, candLate}, Functions: []criticalityObject{},
	}
	three := func(s criticality.Share) []float64 {
		if s.Runs == 0 {
			return nil
		}
		return []float64{s.Mean, s.Lo, s.Hi}
	}
	for _, f := range functions {
		o := criticalityObject{
			Name: f.Name, Verdict: f.Verdict, DifferenceIn: [2]float64{f.Lo, f.Hi}, P: f.P, Q: f.Q,
			Base: three(f.Base.Critical), Cand: three(f.Cand.Critical), BaseLate: three(f.Base.Late), CandLate: three(f.Cand.Late),
			BaseNear: three(f.Base.Near), CandNear: three(f.Cand.Near),
		}
		if !math.IsNaN(f.Difference) {
			o.Difference = &f.Difference
		}
		d.Functions = append(d.Functions, o)
	}
	return writeJSON(out, d)
}
