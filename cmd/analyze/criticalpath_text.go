package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tracelake/tracelake/pipeline/paths"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/criticalpath"
	"github.com/tracelake/tracelake/stages/graph"
)

// tellComposed prints what the paths of many occurrences spend their time on.
func (q *pathQuery) tellComposed(c *paths.Composed) error {
	sums := bySize(c)
	spans := make([]int64, len(q.occurrences))
	for i := range q.occurrences {
		spans[i] = q.spanNs(i, c)
	}
	if q.flags.format == "json" {
		return q.writeJSON(map[string]any{
			"run": q.job.Run, "to": q.flags.to, "from": q.flags.from, "occurrences": len(spans), "spans_ns": quantiles(spans),
			"composition": composition(c, sums),
		})
	}
	out := q.app.stdout
	fmt.Fprintf(out, "critical paths towards %s in run %s: %s occurrences%s\n", q.what(), q.job.Run, count(int64(len(spans))), q.fromWords())
	s := quantiles(spans)
	fmt.Fprintf(out, "span: least %s, median %s, 95 %% up to %s, most %s\n\n", duration(s.Min), duration(s.Median), duration(s.P95), duration(s.Max))
	return q.tellSums(c, sums, int64(len(spans)))
}

// spanNs is how long an occurrence's path is in time.
func (q *pathQuery) spanNs(i int, c *paths.Composed) int64 {
	o := &q.occurrences[i]
	if o.From == criticalpath.Start {
		return o.ToNs - c.Starts[i]
	}
	return o.SpanNs()
}

// bySize are the sums of a composition, the largest first.
func bySize(c *paths.Composed) []criticalpath.Sum {
	sums := c.Sums.Sums(0, c.Names, c.Parts)
	slices.SortStableFunc(sums, func(a, b criticalpath.Sum) int {
		switch {
		case a.TotalNs > b.TotalNs:
			return -1
		case a.TotalNs < b.TotalNs:
			return 1
		}
		return 0
	})
	return sums
}

// tellSums prints the parts of paths, the largest first.
func (q *pathQuery) tellSums(c *paths.Composed, sums []criticalpath.Sum, occurrences int64) error {
	total, kinds := int64(0), make([]int64, len(schema.CategoryWords))
	for _, s := range sums {
		total += s.TotalNs
		kinds[s.Category] += s.TotalNs
	}
	out := q.app.stdout
	for k, ns := range kinds {
		if ns > 0 {
			fmt.Fprintf(out, "%s %s", percent(ns, total), schema.CategoryWords[k])
			fmt.Fprint(out, map[bool]string{true: "\n\n", false: ", "}[lastOf(kinds, k)])
		}
	}
	g := grid{right: []bool{true, true, true, true, true}}
	g.row("share", "time", "a path", "most", "paths", "", "where")
	for _, s := range q.head(sums) {
		g.row(percent(s.TotalNs, total), duration(s.TotalNs), duration(s.TotalNs/max(occurrences, 1)), duration(s.MaxNs), count(s.Occurrences),
			schema.CategoryWords[s.Category], where(c.Names, c.Parts, s.Key))
	}
	if err := g.write(out); err != nil {
		return err
	}
	if rest := len(sums) - len(q.head(sums)); rest > 0 {
		left := int64(0)
		for _, s := range sums[len(sums)-rest:] {
			left += s.TotalNs
		}
		fmt.Fprintf(out, "... and %s smaller parts, %s in all (--top 0 prints them)\n", count(int64(rest)), percent(left, total))
	}
	return nil
}

func lastOf(kinds []int64, k int) bool {
	return !slices.ContainsFunc(kinds[k+1:], func(ns int64) bool { return ns > 0 })
}

// head is the part of a list that --top lets through.
func (q *pathQuery) head(sums []criticalpath.Sum) []criticalpath.Sum {
	return sums[:q.top(len(sums))]
}

func (q *pathQuery) top(n int) int {
	if q.flags.top == 0 {
		return n
	}
	return min(n, q.flags.top)
}

// where says in words where time is spent.
func where(names *schema.Names, parts []graph.Part, k criticalpath.Key) string {
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

func percent(part, whole int64) string {
	if whole == 0 {
		return "0 %"
	}
	x := 100 * float64(part) / float64(whole)
	if x < 9.95 {
		return fmt.Sprintf("%.1f %%", x)
	}
	return fmt.Sprintf("%.0f %%", x)
}

// fromWords says where paths begin, if not where the execution does.
func (q *pathQuery) fromWords() string {
	switch q.flags.from {
	case "":
		return ""
	case fromTrace:
		return ", as far back as they lead"
	}
	return ", from the start of " + q.flags.from
}

// tellPath prints the path towards one event.
func (q *pathQuery) tellPath(p *paths.Path) error {
	o := q.occurrences[0]
	sums := bySize(&p.Composed)
	span := o.ToNs - max(p.FromNs, o.FromNs)
	if q.flags.format == "json" {
		return q.writeJSON(map[string]any{
			"run": q.job.Run, "to": q.flags.to, "from": q.flags.from, "from_seq": nullable(o.From), "to_seq": o.To,
			"to_ns": o.ToNs, "span_ns": span, "through_from": p.ThroughFrom,
			"composition": composition(&p.Composed, sums), "path": q.pathSteps(p), "constraints": criticalConstraints(p),
		})
	}
	out := q.app.stdout
	fmt.Fprintf(out, "critical path towards the finish of %s in run %s%s: %s, finished at %s\n", q.what(), q.job.Run, q.fromWords(), duration(span), q.since(o.ToNs))
	fmt.Fprintf(out, "%s critical constraints lead to it; the path has %s of them", count(int64(len(p.Constraints))), count(int64(len(p.Steps))))
	switch {
	case o.From == criticalpath.Start:
		fmt.Fprintf(out, ", from %s on\n\n", q.since(p.FromNs))
	case p.ThroughFrom:
		fmt.Fprint(out, "\n\n")
	default:
		fmt.Fprint(out, "; none leads over its start, so what held it up began before\n\n")
	}
	if err := q.tellSteps(p); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return q.tellSums(&p.Composed, sums, 1)
}

// tellSteps prints the steps in time order, like ones behind each other as one.
func (q *pathQuery) tellSteps(p *paths.Path) error {
	g := grid{right: []bool{true, true, true}}
	g.row("at", "took", "steps", "", "where")
	lines := joined(p.Steps, q.flags.steps)
	cut := len(lines)
	if !q.flags.steps {
		cut = q.top(len(lines))
	}
	for _, s := range lines[:cut] {
		g.row(q.since(s.SourceNs), duration(s.TargetNs-s.SourceNs), strconv.Itoa(s.n), schema.CategoryWords[s.Category], where(p.Names, p.Parts, s.Key))
	}
	if err := g.write(q.app.stdout); err != nil {
		return err
	}
	if cut < len(lines) {
		fmt.Fprintf(q.app.stdout, "... and %s more (--top 0 prints them, --steps prints every step)\n", count(int64(len(lines)-cut)))
	}
	return nil
}

// stretch is consecutive steps of one key.
type stretch struct {
	criticalpath.Step
	n int
}

func joined(steps []criticalpath.Step, apart bool) (lines []stretch) {
	for _, s := range steps {
		if n := len(lines); n > 0 && !apart && lines[n-1].Key == s.Key && !s.Message {
			lines[n-1].TargetNs, lines[n-1].Target = s.TargetNs, s.Target
			lines[n-1].n++
			continue
		}
		lines = append(lines, stretch{s, 1})
	}
	return lines
}
