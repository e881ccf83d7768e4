package pages

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/jsonrows"
	"github.com/tracelake/tracelake/stages/report/verdict"
)

// Comparison is what the page of a comparison is made of.
type Comparison struct {
	Report    *verdict.Report
	ID        string
	Changes   []schema.Change   // by rank
	Findings  []schema.Finding  // by number
	Estimates []schema.Estimate // by rank
	Factors   []schema.RunFactor
	Exchanges []schema.Exchange
	Windows   []WindowContents
	PerRun    *PerRun
	Tests     *Tests // of pooled samples
}

// Tests are the thresholds of the combined test of pooled samples (Hilbig 2023, section 3.5.5). Components may have thresholds of their own,
// which a page does not know.
type Tests struct {
	P       float64 `json:"p"`        // of the tests of Kolmogorov and Smirnov, and of Mann and Whitney
	GuardNs int64   `json:"guard_ns"` // difference of the sums below which these, and the shift of the deciles, do not count
	AbsNs   int64   `json:"abs_ns"`   // difference of the sums that is a change by itself
}

// document is the first resource of a page.
type document struct {
	Kind       string           `json:"kind"`  // "comparison" or "run"
	Title      string           `json:"title"` // of the window
	Comparison any              `json:"comparison,omitempty"`
	Sentences  any              `json:"sentences,omitempty"`
	Tests      *Tests           `json:"tests,omitempty"`
	Factors    []jsonrows.Row   `json:"run_factors,omitempty"`
	Exchanges  []jsonrows.Row   `json:"exchanges,omitempty"`
	Run        any              `json:"run,omitempty"`
	Fragments  []Contents       `json:"fragments"` // whose automata the page has
	Windows    []WindowContents `json:"windows"`
	LeftOut    []LeftOut        `json:"left_out"`
}

// Contents names a fragment and the resource that has it.
type Contents struct {
	Fragment string `json:"fragment"`
	Resource string `json:"resource"`
}

// rowColumns are the columns of the table of all changes.
var rowColumns = []string{
	"rank", "level", "verdict", "component", "fragment", "subject", "function", "metric", "peer", "direction", "effect_ns", "effect_lo_ns",
	"effect_hi_ns", "cost_base_ns", "cost_cand_ns", "count_base", "count_cand", "q", "finding", "root_cause",
}

// Share of a file that the table of all changes may take, and the numbers behind their verdicts.
const (
	rowsShare    = .4
	detailsShare = .3
)

// Rows adds the rows of a comparison: all changes in a few columns, and all columns of what changed and of all fragments.
func (c *Comparison) Rows(b *Budget) error {
	var detailed []schema.Change
	estimates := make(map[int64][]schema.Estimate)
	for _, e := range c.Estimates {
		estimates[e.Rank] = append(estimates[e.Rank], e)
	}
	for i := range c.Changes {
		if r := &c.Changes[i]; isChange(r) || r.Level == schema.LevelFragment {
			detailed = append(detailed, *r)
		}
	}
	err := b.AddMost("details", "changes without the numbers behind their verdicts", len(detailed), detailsShare, func(n int) any {
		var of []schema.Estimate
		for i := range detailed[:n] {
			if isChange(&detailed[i]) {
				of = append(of, estimates[detailed[i].Rank]...)
			}
		}
		return map[string]jsonrows.Table{"changes": jsonrows.Columns(detailed[:n]), "estimates": jsonrows.Columns(of)}
	})
	if err != nil {
		return err
	}
	err = b.AddMost("changes", "changes, those of the least impact", len(c.Changes), rowsShare, func(n int) any {
		return jsonrows.Columns(c.Changes[:n], rowColumns...)
	})
	if err != nil || c.PerRun == nil {
		return err
	}
	return c.PerRun.add(b)
}

// Reserve keeps bytes free for the first page. It comes before all else.
func (c *Comparison) Reserve(b *Budget) error { return b.Reserve(c.first(nil, nil)) }

// Finish adds the first page, and returns all resources.
func (c *Comparison) Finish(b *Budget, fragments []Contents) ([]Resource, error) {
	return b.Finish("report", c.first(fragments, b.LeftOut()))
}

// first is the first page.
func (c *Comparison) first(fragments []Contents, left []LeftOut) *document {
	return &document{
		Kind: "comparison", Title: c.ID, Comparison: c.Report.Document(0), Sentences: c.Report.Sentences(), Tests: c.Tests,
		Factors: jsonrows.ByColumn(c.Factors), Exchanges: jsonrows.ByColumn(c.Exchanges),
		Fragments: append([]Contents{}, fragments...), Windows: append([]WindowContents{}, c.Windows...), LeftOut: append([]LeftOut{}, left...),
	}
}
