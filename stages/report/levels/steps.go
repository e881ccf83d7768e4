package levels

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// entityVerdicts are the kinds of changes of an entity, in the order of the report.
var entityVerdicts = []string{schema.Appeared, schema.Vanished, schema.Changed, schema.Moved}

// writeSteps writes what became of the entities from every model set to the next, in the order in which the sets were given: for
// releases in a row this is their history.
func (t *textReport) writeSteps() error {
	// A comparison with unions has more rows in t.sets; history is about the sets that were given.
	for i := 1; i < len(t.Sets); i++ { // from the second set on: each has the one before it
		base, cand := t.Sets[i-1].Name, t.Sets[i].Name
		changes := t.changesOf(base, cand)
		if i > 1 {
			fmt.Fprintln(t.out)
		}
		fmt.Fprintf(t.out, "From %s to %s: %s\n", base, cand, stepSummary(changes))
		if err := t.writeStep(changes); err != nil {
			return err
		}
	}
	return nil
}

// changesOf returns the changes of a step; those of the entities that differ most come first.
// Moved, appeared and vanished have rank 0 and come first, but each verdict is listed by itself, so only the order within one counts.
func (t *textReport) changesOf(base, cand string) []schema.EntityChange {
	var changes []schema.EntityChange
	for _, c := range t.Changes {
		if c.BaseSet == base && c.CandSet == cand {
			changes = append(changes, c)
		}
	}
	slices.SortStableFunc(changes, func(x, y schema.EntityChange) int { return cmp.Compare(t.rank(x), t.rank(y)) })
	return changes
}

// stepSummary counts changes by their verdicts. Entities that changed are counted by how their behaviour changed as well: an
// extension keeps all that was possible before, a replacement does not.
func stepSummary(changes []schema.EntityChange) string {
	if len(changes) == 0 { // the table has no row of an entity that stays the same
		return "the same behaviour"
	}
	var parts []string
	for _, verdict := range entityVerdicts { // every verdict is named, also where none has it
		n := 0
		byBehaviour := make(map[string]int)
		for _, c := range changes {
			if c.Verdict == verdict {
				n++
				byBehaviour[c.Behaviour]++
			}
		}
		text := fmt.Sprintf("%s %s", texttab.Count(n), verdict)
		if verdict == schema.Changed && n > 0 {
			text += fmt.Sprintf(" (%d extended, %d reduced, %d replaced)", byBehaviour[schema.Extended], byBehaviour[schema.Reduced], byBehaviour[schema.Replaced])
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// writeStep writes the first changes of every kind.
func (t *textReport) writeStep(changes []schema.EntityChange) error {
	table := texttab.New("")
	for _, verdict := range entityVerdicts {
		// DeleteFunc overwrites its slice, so each verdict filters a copy.
		of := slices.DeleteFunc(slices.Clone(changes), func(c schema.EntityChange) bool { return c.Verdict != verdict })
		for _, c := range firstRows(of, t.top) {
			table.Row(append([]string{"", verdict}, t.changeCells(c)...)...)
		}
		if len(of) > t.top { // each kind by itself, so that many of one do not hide the others
			table.Row("", verdict, fmt.Sprintf("... and %s more", texttab.Count(len(of)-t.top)))
		}
	}
	return table.Write(t.out)
}

// rank returns the position of a changed entity among those that differ. Other changes have rank 0 and keep their order.
func (t *textReport) rank(c schema.EntityChange) int {
	if c.Verdict != schema.Changed {
		return 0
	}
	return slices.IndexFunc(t.differing, func(e *entity) bool { return e.component == c.Component && e.name == c.Entity })
}

// changeCells names the entity of a change, and says how it changed or what its name is now.
func (t *textReport) changeCells(c schema.EntityChange) []string {
	// A fragment that only moved to another component keeps its name, so that the component says all.
	cells := t.nameCells(c.Component, c.Entity)
	now := t.nameCells(c.CandComponent, c.CandEntity)
	switch {
	case c.Verdict == schema.Moved && slices.Equal(cells[1:], now[1:]): // behind the component
		cells = append(cells, "-> "+c.CandComponent)
	case c.Verdict == schema.Moved:
		cells = append(cells, "-> "+c.CandEntity)
	case c.Verdict == schema.Changed:
		cells = append(cells, fmt.Sprintf("%s, %s -> %s", c.Behaviour, letter(c.BaseVariant), letter(c.CandVariant)))
	}
	return cells
}
