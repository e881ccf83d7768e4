// Package detectable reports which changes a comparison would find, and which it would not, before anything was changed: the smallest
// change of the run time of root executions and of every function, from the runs of one side.
package detectable

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/functionchanges"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Subject is an initial fragment or a function with the smallest change of it that is found.
type Subject struct {
	Component, Function string // names; of a fragment, those of its first event
	Fragment            string // of an initial fragment
	functionchanges.Detectable
}

// Report is what comparisons of runs like these would find.
type Report struct {
	Runs      []string                  // names of the runs of one release
	Rules     functionchanges.Detection // the rules of the comparison that is planned
	Roots     []Subject                 // initial fragments that all runs have
	Functions []Subject                 // that are asked, the costliest first
	TooSmall  int                       // functions that cost too little to be asked
	Sporadic  int                       // functions that some of the runs lack
	Factors   []schema.RunFactor        // how far whole runs differ from each other
	Top       int                       // functions that the text has
}

// WriteText writes the report for people.
// The head states the plan: runs a side, power, margin and floor are those of the comparison, not of the runs at hand.
func (r *Report) WriteText(out io.Writer) error {
	d := r.Rules
	fmt.Fprintf(out, "What comparisons of %d runs a side find with a power of %.0f %%, from %s: margin %s, floor %s\n\n",
		d.Runs, 100*d.Power, texttab.Plural(len(r.Runs), "run"), texttab.Share(d.Margin), texttab.Duration(int64(d.EffectNs)))
	// With too few runs their spread is not known, on which all numbers of the table rest.
	if len(r.Runs) < functionchanges.MinRuns {
		fmt.Fprintf(out, "Too few runs to say: how much runs differ shows from %d on.\n", functionchanges.MinRuns)
		return nil
	}
	// What the runs share is told before the table, since it does not count there.
	if text := r.factorsText(); text != "" {
		fmt.Fprintf(out, "%s\n\n", text)
	}
	t := texttab.New("rrrrl")
	t.Row("cost per root execution", "runs differ by", "smallest change found", "", "limited by", "component", "where")
	for i := range r.Roots {
		s := &r.Roots[i]
		t.Row(s.row("run time of " + s.Fragment)...)
	}
	shown := min(r.Top, len(r.Functions))
	for i := range r.Functions[:shown] {
		s := &r.Functions[i]
		t.Row(s.row(s.Function)...)
	}
	if err := t.Write(out); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s\n", r.restText(shown))
	return nil
}

// restText counts the functions that the table lacks.
func (r *Report) restText(shown int) string {
	text := ""
	if more := len(r.Functions) - shown; more > 0 {
		text = texttab.Plural(more, "more function") + " with --top or --format json; "
	}
	return text + fmt.Sprintf("not asked: %s that cost too little, %d that some of the runs lack", texttab.Plural(r.TooSmall, "function"), r.Sporadic)
}

// factorsText says by how much the runs differ in what all functions share; "" where too few functions could tell.
// Factors are relative to the typical run; their quotient is what counts.
func (r *Report) factorsText() string {
	least, most := math.Inf(1), math.Inf(-1)
	for i := range r.Factors {
		// A run without voters has no factor, and then the others are of no use.
		if r.Factors[i].Voters == 0 {
			return ""
		}
		least, most = min(least, r.Factors[i].Factor), max(most, r.Factors[i].Factor)
	}
	if len(r.Factors) == 0 {
		return ""
	}
	return fmt.Sprintf("The slowest run takes %s more than the fastest in all functions alike; that is taken out of functions, and not of root executions.",
		texttab.Share(most/least-1))
}

// row returns the cells of a subject. Runs differ by the standard deviation that the test sees.
func (s *Subject) row(where string) []string {
	ratio, ns := "none", ""
	// Log is the logarithm of the ratio; infinite: no change of any size would be found.
	if !math.IsInf(s.Log, 1) {
		ratio, ns = texttab.Relative(math.Expm1(s.Log)), texttab.Change(s.effectNs())
	}
	limit := string(s.By)
	if s.Inside {
		limit += " and root"
	}
	// The spread keeps five decimals of a share, a thousandth of a percent.
	return []string{texttab.Duration(int64(math.Round(s.BaseNs))), texttab.Share(math.Round(s.Residual*1e5) / 1e5), ratio, ns, limit, s.Component, where}
}

// effectNs is the smallest change in ns per root execution, the ratio less one times the cost.
func (s *Subject) effectNs() int64 { return int64(math.Round(math.Expm1(s.Log) * s.BaseNs)) }

// subject is a Subject as JSON has it. What is not found, however great, has no change.
type subject struct {
	Component string  `json:"component"`          // name of the component
	Function  string  `json:"function,omitempty"` // its name; empty for an initial fragment
	Fragment  string  `json:"fragment,omitempty"` // its name; empty for a function
	CostNs    int64   `json:"cost_ns"`            // per root execution
	Calls     float64 `json:"calls"`              // per root execution
	Spread    float64 `json:"spread"`             // relative standard deviation of the totals of the runs
	Residual  float64 `json:"residual"`           // the same as the test sees it
	// Both are missing where no change is found, however great.
	Ratio     *float64 `json:"smallest_ratio"`  // of the cost after the smallest change that is found
	ChangeNs  *int64   `json:"smallest_change"` // in ns per root execution
	LimitedBy string   `json:"limited_by"`      // the rule that keeps smaller changes from being found
	Inside    bool     `json:"inside_root"`     // it is asked only where a root execution changed
}

// document rounds a subject to the digits that are the same on every machine.
func (s *Subject) document() subject {
	d := subject{
		Component: s.Component, Function: s.Function, Fragment: s.Fragment, CostNs: int64(math.Round(s.BaseNs)), Calls: digits(s.Calls),
		Spread: digits(s.Spread), Residual: digits(s.Residual), LimitedBy: string(s.By), Inside: s.Inside,
	}
	if !math.IsInf(s.Log, 1) {
		ratio, ns := digits(math.Exp(s.Log)), s.effectNs()
		d.Ratio, d.ChangeNs = &ratio, &ns
	}
	return d
}

// digits rounds to six digits: more would differ between processors.
func digits(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	return rounded
}

// WriteJSON writes all that is known.
func (r *Report) WriteJSON(out io.Writer) error {
	documents := func(of []Subject) []subject {
		all := make([]subject, len(of))
		for i := range of {
			all[i] = of[i].document()
		}
		return all
	}
	type factor struct {
		Run    string  `json:"run"`
		Factor float64 `json:"factor"`
		SE     float64 `json:"se"` // of its logarithm
	}
	factors := []factor{}
	for _, f := range r.Factors {
		factors = append(factors, factor{f.Run, digits(f.Factor), digits(f.SE)})
	}
	return json.NewEncoder(out).Encode(struct {
		Runs       []string  `json:"runs"`            // names of the runs
		PerSide    int       `json:"runs_per_side"`   // of the comparison that is planned
		Power      float64   `json:"power"`           // with which a change is found, from 0 to 1
		Margin     float64   `json:"margin"`          // relative change that does not matter, as a share
		FloorNs    int64     `json:"floor_ns"`        // change that does not matter, in ns per root execution
		Roots      []subject `json:"root_executions"` // initial fragments that all runs have
		Functions  []subject `json:"functions"`       // functions that are asked, the costliest first
		TooSmall   int       `json:"too_small"`       // functions that cost too little to be asked
		Sporadic   int       `json:"sporadic"`        // functions that some of the runs lack
		RunFactors []factor  `json:"run_factors"`     // how far whole runs differ from each other
	}{r.Runs, r.Rules.Runs, r.Rules.Power, r.Rules.Margin, int64(r.Rules.EffectNs), documents(r.Roots), documents(r.Functions), r.TooSmall, r.Sporadic, factors})
}
