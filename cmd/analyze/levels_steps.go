package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// steps print what became of the entities from every model set to the next.
func (r *levelsReport) steps() error {
	for i := 1; i < len(r.job.Sets); i++ {
		base, cand := r.job.Sets[i-1].Name, r.job.Sets[i].Name
		var all []schema.EntityChange
		for _, c := range r.tables.Changes {
			if c.BaseSet == base && c.CandSet == cand {
				all = append(all, c)
			}
		}
		if i > 1 {
			fmt.Fprintln(r.out)
		}
		fmt.Fprintf(r.out, "From %s to %s: %s\n", base, cand, summary(all))
		if err := r.step(all); err != nil {
			return err
		}
	}
	return nil
}

// entityVerdicts are the words for what becomes of an entity, in the order of the report.
var entityVerdicts = []string{schema.Appeared, schema.Vanished, schema.Changed, schema.Moved}

// summary counts changes by their words.
func summary(all []schema.EntityChange) string {
	if len(all) == 0 {
		return "the same behaviour"
	}
	var parts []string
	for _, verdict := range entityVerdicts {
		n := 0
		how := make(map[string]int)
		for _, c := range all {
			if c.Verdict == verdict {
				n++
				how[c.Behaviour]++
			}
		}
		text := fmt.Sprintf("%s %s", texttab.Count(n), verdict)
		if verdict == schema.Changed && n > 0 {
			text += fmt.Sprintf(" (%d extended, %d reduced, %d replaced)", how[schema.Extended], how[schema.Reduced], how[schema.Replaced])
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// step prints the first changes of every kind, those of the entities that differ most before others.
func (r *levelsReport) step(all []schema.EntityChange) error {
	slices.SortStableFunc(all, func(x, y schema.EntityChange) int { return cmp.Compare(r.rank(x), r.rank(y)) })
	g := texttab.New("")
	for _, verdict := range entityVerdicts {
		some := slices.DeleteFunc(slices.Clone(all), func(c schema.EntityChange) bool { return c.Verdict != verdict })
		for _, c := range first(some, r.top) {
			g.Row(append([]string{"", verdict}, r.became(c)...)...)
		}
		if len(some) > r.top {
			g.Row("", verdict, fmt.Sprintf("... and %s more", texttab.Count(len(some)-r.top)))
		}
	}
	return g.Write(r.out)
}

// rank is the position of a changed entity among those that differ; others have none and stay in their order.
func (r *levelsReport) rank(c schema.EntityChange) int {
	if c.Verdict != schema.Changed {
		return 0
	}
	return slices.IndexFunc(r.rows, func(e *levelsEntity) bool { return e.component == c.Component && e.name == c.Entity })
}

// became are the cells that name the entity of a change, and say how it changed or what it is called now.
func (r *levelsReport) became(c schema.EntityChange) []string {
	cells := r.naming(c.Component, c.Entity)
	now := r.naming(c.CandComponent, c.CandEntity)
	switch {
	case c.Verdict == schema.Moved && slices.Equal(cells[1:], now[1:]):
		cells = append(cells, "-> "+c.CandComponent)
	case c.Verdict == schema.Moved:
		cells = append(cells, "-> "+c.CandEntity)
	case c.Verdict == schema.Changed:
		cells = append(cells, fmt.Sprintf("%s, %s -> %s", c.Behaviour, letter(c.BaseVariant), letter(c.CandVariant)))
	}
	return cells
}
