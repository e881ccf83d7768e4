package verdicts

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// hypothesis is a subject in one of its quantities: all quantiles of a shape are one hypothesis, which is rejected by
// Simes' p-value.
//
// Where all runs lie within the margin of each other, no division into sides could reject, whatever the labels. Such
// hypotheses are not counted (Tarone 1990): most steps of a trace cost less than the floor, and would take the power from
// those that matter. As the rule does not look at the labels, the others keep their level.
type hypothesis struct {
	rows     []*row
	p        float64
	testable bool
}

// hypotheses joins the rows of a shape. Rows of a subject stand together.
func hypotheses(rows []*row) (all []*hypothesis) {
	for from := 0; from < len(rows); {
		to := from + 1
		for rows[from].quantity().name == schema.QuantityShape && to < len(rows) && rows[to].subject == rows[from].subject {
			to++
		}
		h := &hypothesis{rows: rows[from:to]}
		p := make([]float64, 0, to-from)
		for _, r := range h.rows {
			if r.Testable {
				p = append(p, r.p)
			}
		}
		h.p, h.testable = stats.Simes(p), len(p) > 0
		all = append(all, h)
		from = to
	}
	return all
}

// family names the hypotheses that are tested together: those of one quantity, level and component.
type family struct{ quantity, level, component string }

// text is a family as the table estimates names it.
func (f family) text() string { return f.quantity + " of " + f.level + "s of " + f.component }

// family returns the family of a row.
func (r *row) family() family { return family{r.quantity().name, r.of.Level, r.of.Component} }

// adjust fills in q: Benjamini-Hochberg over families, and inside those that it selects (stats.TwoLevel).
func adjust(all []*hypothesis, q float64) {
	// 1. What cannot reject is in no family.
	var testable []*hypothesis
	for _, h := range all {
		h.setQ(1)
		if h.testable {
			testable = append(testable, h)
		}
	}
	// 2. The others are adjusted family by family.
	families := groupsBy(testable, func(h *hypothesis) family { return h.rows[0].family() })
	p := make([][]float64, len(families))
	for f, members := range families {
		for _, h := range members {
			p[f] = append(p[f], h.p)
		}
	}
	_, adjusted := stats.TwoLevel(p, q)
	for f, members := range families {
		for n, h := range members {
			h.setQ(adjusted[f][n])
		}
	}
}

// setQ gives all rows of a hypothesis its adjusted p: they are rejected together.
func (h *hypothesis) setQ(q float64) {
	for _, r := range h.rows {
		r.q = q
	}
}
