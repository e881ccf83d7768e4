package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// tellComposed prints what the paths of many occurrences spend their time on.
func (q *pathQuery) tellComposed(c *criticalpaths.Composed) error {
	sums := bySize(c)
	spans := make([]int64, len(q.occurrences))
	for i := range q.occurrences {
		spans[i] = q.spanNs(i, c)
	}
	if q.flags.format == "json" {
		return q.writeJSON(composedJSON{q.job.Run, q.flags.to, q.flags.from, len(spans), quantiles(spans), composition(c, sums)})
	}
	out := q.app.stdout
	fmt.Fprintf(out, "critical paths towards %s in run %s: %s occurrences%s\n", q.what(), q.job.Run, texttab.Count(len(spans)), q.fromWords())
	q.tellOpen()
	s := quantiles(spans)
	fmt.Fprintf(out, "span: least %s, median %s, 95 %% up to %s, most %s\n\n", texttab.Duration(s.Min), texttab.Duration(s.Median), texttab.Duration(s.P95), texttab.Duration(s.Max))
	return q.tellSums(c, sums, len(spans))
}

// what is the execution in words.
func (q *pathQuery) what() string {
	switch {
	case q.flags.metric && len(q.occurrences) == 1:
		return fmt.Sprintf("instance #%d of the metric", q.occurrences[0].Number)
	case q.flags.metric:
		return "the metric"
	case strings.HasPrefix(q.flags.to, "@"):
		return "event " + q.flags.to[1:]
	}
	return q.flags.to
}

// fromWords says where paths begin, if not where the execution does.
func (q *pathQuery) fromWords() string {
	switch {
	case q.flags.from == "":
		return ""
	case q.flags.from == fromTrace:
		return ", as far back as they lead"
	case strings.HasPrefix(q.flags.from, "@"):
		return ", from event " + q.flags.from[1:]
	}
	return ", from the start of " + q.flags.from
}

// tellOpen says what was left out of the metric.
func (q *pathQuery) tellOpen() {
	if q.open > 0 {
		fmt.Fprintf(q.app.stdout, "left out, since their end is not marked behind a start: %s more\n", texttab.Count(q.open))
	}
}

// spanNs is how long an occurrence's path is in time.
func (q *pathQuery) spanNs(i int, c *criticalpaths.Composed) int64 {
	o := &q.occurrences[i]
	if o.From == criticalpath.Start {
		return o.ToNs - c.Starts[i]
	}
	return o.SpanNs()
}

// bySize are the sums of a composition, the largest first.
func bySize(c *criticalpaths.Composed) []criticalpath.Sum {
	sums := c.Sums.Sums(0, c.Names, c.Parts)
	slices.SortStableFunc(sums, func(a, b criticalpath.Sum) int { return cmp.Compare(b.TotalNs, a.TotalNs) })
	return sums
}

// tellSums prints the parts of paths, the largest first.
func (q *pathQuery) tellSums(c *criticalpaths.Composed, sums []criticalpath.Sum, occurrences int) error {
	total := q.tellCategories(sums)
	g := texttab.New("rrrrr")
	if occurrences == 1 {
		g = texttab.New("rrr")
		g.Row("share", "time", "steps", "", "where")
	} else {
		g.Row("share", "time", "a path", "most", "paths", "", "where")
	}
	n := q.top(len(sums))
	for _, s := range sums[:n] {
		row := []string{texttab.Percent(s.TotalNs, total), texttab.Duration(s.TotalNs)}
		if occurrences == 1 {
			row = append(row, texttab.Count(s.Steps))
		} else {
			row = append(row, texttab.Duration(s.TotalNs/int64(occurrences)), texttab.Duration(s.MaxNs), texttab.Count(s.Occurrences))
		}
		g.Row(append(row, schema.CategoryWords[s.Category], where(c.Names, c.Parts, s.Key))...)
	}
	if err := g.Write(q.app.stdout); err != nil {
		return err
	}
	if rest := sums[n:]; len(rest) > 0 {
		fmt.Fprintf(q.app.stdout, "... and %s smaller parts, %s in all (--top 0 prints them)\n", texttab.Count(len(rest)), texttab.Percent(totalNs(rest), total))
	}
	return nil
}

// tellCategories prints how much of paths is of which category, and returns their time in all.
func (q *pathQuery) tellCategories(sums []criticalpath.Sum) (total int64) {
	total = totalNs(sums)
	kinds := make([]int64, len(schema.CategoryWords))
	for _, s := range sums {
		kinds[s.Category] += s.TotalNs
	}
	var words []string
	for k, ns := range kinds {
		if ns > 0 {
			words = append(words, texttab.Percent(ns, total)+" "+schema.CategoryWords[k])
		}
	}
	if len(words) > 0 {
		fmt.Fprintf(q.app.stdout, "%s\n\n", strings.Join(words, ", "))
	}
	return total
}

func totalNs(sums []criticalpath.Sum) (ns int64) {
	for _, s := range sums {
		ns += s.TotalNs
	}
	return ns
}

func (q *pathQuery) top(n int) int { return top(q.flags.top, n) }

// top is how many of n lines --top lets through.
func top(most, n int) int {
	if most == 0 {
		return n
	}
	return min(n, most)
}

// where says in words where time is spent.
func where(names *schema.Names, parts []window.Part, k criticalpath.Key) string {
	p := parts[k.Part]
	at := names.Components.Name(p.Component)
	if p.Function != schema.NoCode {
		at += "." + names.Functions.Name(p.Function)
	}
	switch {
	case p.Message:
		at = names.Components.Name(p.Sender) + " -> " + at
		if label := names.Messages.Name(p.Label); label != "" {
			at += " by " + label
		}
	case p.Function == schema.NoCode:
		at += " between root executions"
	}
	if k.Busy != schema.NoCode {
		at += ", while a message waited for " + names.Components.Name(k.Busy)
	}
	return at
}
