package main

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// score sums up the records of one rule over the splits of a cell, a number of runs and a condition.
type score struct {
	rule                                        string    // as in the records
	any, found, first, root, behaviour, correct int       // splits
	others                                      int       // findings in other functions
	intervals, held                             int       // of known truth, and those that hold it
	together, heldAll                           int       // the same of what all runs together show of the changed function
	known                                       []outcome // splits in which the truth of one interval is known: whether it holds it
}

// row is a row of a table.
type row struct {
	cell     string // of the recordings
	runs     int64  // per side
	planted  string // the condition; "" of unchanged runs
	function string // that was changed
	splits   int
	rules    []score // in the order of the records: that of analyze compare first
}

// rowsOf sums records up, in their order.
func rowsOf(records []record) (rows []*row) {
	byKey := make(map[string]*row)
	for i := range records {
		r := &records[i]
		// Conditions are in the key, so that unchanged runs and each planted change have rows of their own.
		key := fmt.Sprintf("%s\x00%d\x00%s", r.Cell, r.Runs, r.Planted)
		of := byKey[key]
		if of == nil {
			of = &row{cell: r.Cell, runs: r.Runs, planted: r.Planted, function: r.Function}
			byKey[key] = of
			rows = append(rows, of)
		}
		// Each rule has a record for every split; the greatest number tells how many there are.
		of.splits = max(of.splits, int(r.Split)+1)
		of.score(r.Rule).add(r)
	}
	return rows
}

// score finds the score of a rule, and adds one for a rule that the row has not met.
func (r *row) score(rule string) *score {
	for i := range r.rules {
		if r.rules[i].rule == rule {
			return &r.rules[i]
		}
	}
	r.rules = append(r.rules, score{rule: rule})
	return &r.rules[len(r.rules)-1]
}

// add counts a split.
func (s *score) add(r *record) {
	for _, c := range []struct {
		count *int
		is    bool
		// Each is a number of splits in which something holds, so that rates follow by division.
	}{{&s.any, r.Any}, {&s.found, r.Found}, {&s.first, r.First}, {&s.root, r.Root}, {&s.behaviour, r.Behaviour}, {&s.correct, r.Unchanged}} {
		if c.is {
			*c.count++
		}
	}
	s.others += int(r.Others)
	s.intervals += int(r.Intervals)
	s.held += int(r.Held)
	s.together += int(r.Together)
	s.heldAll += int(r.HeldAll)
	if r.Intervals == 1 {
		s.known = append(s.known, outcome{r.Base, r.Cand, r.Held == 1})
	}
}

// nominal is the rate of splits of unchanged runs in which anything may be found.
const nominal = .05

// excessive reports whether so many of n splits with a finding are more than the nominal rate explains, at a level of 5 %: whether
// as many or more have a probability below that, by the binomial distribution. Splits share runs, so this is a guide and no test.
func excessive(count, n int) bool {
	below, term := 0.0, math.Pow(1-nominal, float64(n)) // of the binomial distribution
	// P(X = k+1) follows from P(X = k), so that no binomial coefficient overflows.
	for k := range count {
		below += term
		term *= float64(n-k) / float64(k+1) * nominal / (1 - nominal)
	}
	return 1-below < .05
}

// percent is a share of the splits. NaN is a dash.
func percent(count, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", 100*float64(count)/float64(of))
}

// bounded is a share of the splits with its binomial interval of 95 %.
func bounded(count, of int) string {
	if of == 0 {
		return "-"
	}
	lo, hi := exactBinomial(count, of)
	return fmt.Sprintf("%s (%.0f-%.0f)", percent(count, of), 100*lo, 100*hi)
}

// points is a share as points of per cent. NaN is a dash.
func points(share float64) string {
	if math.IsNaN(share) {
		return "-"
	}
	return fmt.Sprintf("%.0f", 100*share)
}

// writeTables writes two tables in Markdown: what is found where nothing changed, and where a change was planted. All numbers but those
// of other functions are per cent.
func writeTables(out io.Writer, records []record) error {
	rows := rowsOf(records)
	if len(rows) == 0 {
		return nil
	}
	// 1. Unchanged runs: any finding is false. The intervals are those of all functions, which should hold 0 in 95 %.
	var b strings.Builder
	b.WriteString("| unchanged, any finding | runs | analyze compare | of roots | of behaviour | intervals that hold 0 |")
	// The first rule is that of the product, whose columns come first.
	others := rows[0].rules[1:]
	for _, s := range others {
		fmt.Fprintf(&b, " %s |", s.rule)
	}
	b.WriteString("\n|" + strings.Repeat("---|", 6+len(others)) + "\n")
	for _, r := range rows {
		// Rates of whole splits, but for the intervals, which are of functions.
		if r.planted != "" {
			continue
		}
		own := &r.rules[0]
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %s |", r.cell, r.runs, r.rate(own.any), percent(own.root, r.splits),
			percent(own.behaviour, r.splits), percent(own.held, own.intervals))
		for i := range others {
			fmt.Fprintf(&b, " %s |", r.rate(r.rules[i+1].any))
		}
		b.WriteString("\n")
	}
	// 2. Planted changes: how often the change was found, and at the first place.
	b.WriteString("\n| planted: found, first, others | runs | in | analyze compare | root | interval holds it | standard error | what all runs show | called unchanged |")
	for _, s := range others {
		fmt.Fprintf(&b, " %s |", s.rule)
	}
	b.WriteString("\n|" + strings.Repeat("---|", 9+len(others)) + "\n")
	for _, r := range rows {
		if r.planted == "" {
			continue
		}
		own := &r.rules[0]
		// The function that was changed stands in the row, since a cell may have several.
		fmt.Fprintf(&b, "| %s %s | %d | `%s` | %s | %s | %s | %s | %s | %s |", r.cell, r.planted, r.runs, r.function, r.power(own), percent(own.root, r.splits),
			bounded(own.held, own.intervals), points(errorOf(own.known)), percent(own.heldAll, own.together), percent(own.correct, r.splits))
		for i := range others {
			fmt.Fprintf(&b, " %s |", r.power(&r.rules[i+1]))
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// rate is the share of the splits, bold where it is more than the nominal rate explains.
func (r *row) rate(count int) string {
	if text := percent(count, r.splits); !excessive(count, r.splits) {
		return text
	} else {
		return "**" + text + "**"
	}
}

// power is how often the changed function was found, how often it came first, and how many other functions were found on average.
func (r *row) power(s *score) string {
	return fmt.Sprintf("%s, %s, %.1f", percent(s.found, r.splits), percent(s.first, r.splits), float64(s.others)/float64(r.splits))
}
