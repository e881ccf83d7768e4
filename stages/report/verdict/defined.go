package verdict

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// definedHeading stands above the table of metrics that users define.
const definedHeading = "Metrics defined; times are the mean of a sample, effects per root execution of the typical run:"

// definedOf returns the metrics that users define, by name.
func definedOf(changes []schema.Change) []schema.Change {
	list := []schema.Change{}
	for i := range changes {
		if changes[i].Level == schema.LevelDefined {
			list = append(list, changes[i])
		}
	}
	slices.SortStableFunc(list, func(a, b schema.Change) int { return cmp.Compare(a.Subject, b.Subject) })
	return list
}

// definedTable is the table of metrics that users define, nil if there are none. Names go through a function that makes them safe.
//
//	metric    verdict    samples  base -> cand           effect    95 % interval     q
//	answered  regressed  40 -> 40  422 us -> 2.05 ms  +1.63 ms  +1.60 to +1.66 ms  <0.001
func definedTable(changes []schema.Change, safe func(string) string) *texttab.Table {
	list := definedOf(changes)
	// Without metrics of the user's there is no table, and no heading above it.
	if len(list) == 0 {
		return nil
	}
	table := texttab.New("llrrrrr")
	table.Row("metric", "verdict", "samples", "base -> cand", "effect", "95 % interval", "q")
	for i := range list {
		c := &list[i]
		// What is not known stays empty, and a column that is empty for all is dropped.
		row := []string{safe(c.Subject), Words(c.Verdict), safe(fromTo(texttab.Count(c.NBase), texttab.Count(c.NCand))),
			safe(fromTo(optional(c.MeanBaseNs), optional(c.MeanCandNs))), "", "", ""}
		if c.EffectNs != nil {
			row[4] = texttab.Change(*c.EffectNs)
		}
		if c.EffectLoNs != nil && c.EffectHiNs != nil {
			row[5] = texttab.Interval(*c.EffectLoNs, *c.EffectHiNs)
		}
		if c.Q != nil {
			row[6] = safe(qText(c.Q))
		}
		table.Row(row...)
	}
	table.DropEmptyColumns()
	return table
}

// writeDefined writes the metrics that users define.
func (c *Comparison) writeDefined(out io.Writer, changes []schema.Change) error {
	table := definedTable(changes, func(name string) string { return name })
	if table == nil {
		return nil
	}
	fmt.Fprintln(out, definedHeading)
	if err := c.writeTable(out, table, 0, "q", "samples", "base -> cand", "95 % interval"); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return nil
}
