package main

import (
	"fmt"
	"slices"
	"sort"

	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
)

// tellPath prints the path towards one event.
func (q *pathQuery) tellPath(p *criticalpaths.Path) error {
	o := q.occurrences[0]
	sums := bySize(&p.Composed)
	span := o.ToNs - max(p.FromNs, o.FromNs)
	if q.flags.format == "json" {
		return q.writeJSON(pathJSON{
			q.job.Run, q.flags.to, q.flags.from, nullable(o.From), o.To, o.ToNs, span, p.ThroughFrom,
			composition(&p.Composed, sums), stepsOf(p), constraintsOf(p.Names, p.Parts, slices.Backward(p.Constraints)),
		})
	}
	if q.tellHead(p, o, span); len(p.Steps) == 0 {
		return nil
	}
	if err := q.tellSteps(p); err != nil {
		return err
	}
	fmt.Fprintln(q.app.stdout)
	if q.flags.constraints && len(p.Constraints) > 0 {
		list := slices.Clone(p.Constraints)
		slices.Reverse(list)
		n := q.top(len(list))
		if err := q.tellConstraints(q.app.stdout, p.Names, p.Parts, list[:n]); err != nil {
			return err
		}
		moreConstraints(q.app.stdout, int64(len(list)-n))
		fmt.Fprintln(q.app.stdout)
	}
	return q.tellSums(&p.Composed, sums, 1)
}

// tellHead says how long the path is and what it belongs to.
func (q *pathQuery) tellHead(p *criticalpaths.Path, o criticalpaths.Occurrence, span int64) {
	out := q.app.stdout
	fmt.Fprintf(out, "critical path towards %s in run %s%s: %s, ends at %s\n", q.what(), q.job.Run, q.fromWords(), texttab.Duration(span), q.since(o.ToNs))
	q.tellOpen()
	if len(p.Steps) == 0 {
		fmt.Fprintln(out, "no critical constraint leads to it")
		return
	}
	fmt.Fprintf(out, "critical constraints that lead to it: %s, on the path: %s", texttab.Count(p.Count), texttab.Count(constraintsOn(p.Steps)))
	switch {
	case o.From == criticalpath.Start:
		fmt.Fprintf(out, ", from %s on", q.since(p.FromNs))
	case !p.ThroughFrom && q.flags.from == "":
		fmt.Fprint(out, "; none leads over its start, so what held it up began before")
	case !p.ThroughFrom:
		fmt.Fprint(out, "; none leads over the event it is from, so what held it up began before")
	}
	fmt.Fprint(out, "\n\n")
}

// constraintsOn counts the constraints of a path, of which contention makes two steps where it begins within one.
func constraintsOn(steps []criticalpath.Step) int64 {
	n := int64(0)
	for i, s := range steps {
		if i == 0 || s.Target != steps[i-1].Target {
			n++
		}
	}
	return n
}

// tellSteps prints the steps in time order: like ones behind each other as one and, of a long path, short ones
// between long ones as one.
func (q *pathQuery) tellSteps(p *criticalpaths.Path) error {
	lines := joined(p.Steps, q.flags.steps)
	if !q.flags.steps && q.flags.top > 0 {
		lines = abridged(lines, q.flags.top)
	}
	spanNs := p.Steps[len(p.Steps)-1].TargetNs - p.Steps[0].SourceNs
	g := texttab.New("rrr")
	g.Row("at", "took", "steps", "", "where")
	short := false
	for _, s := range lines {
		row := []string{q.clock(s.SourceNs, spanNs), texttab.Duration(s.TargetNs - s.SourceNs), texttab.Count(s.n), "", "..."}
		if s.short {
			short = true
		} else {
			row[3], row[4] = schema.CategoryWords[s.Category], where(p.Names, p.Parts, s.Key)
		}
		g.Row(row...)
	}
	if err := g.Write(q.app.stdout); err != nil {
		return err
	}
	if short {
		fmt.Fprintf(q.app.stdout, "... stands for steps shorter than these %d (--top 0 prints them, --steps every single one)\n", q.flags.top)
	}
	return nil
}

// stretch is consecutive steps: of one key, or short ones.
type stretch struct {
	criticalpath.Step
	n     int
	short bool
}

func joined(steps []criticalpath.Step, apart bool) (lines []stretch) {
	for _, s := range steps {
		if n := len(lines); n > 0 && !apart && lines[n-1].Key == s.Key && !s.Message {
			lines[n-1].TargetNs, lines[n-1].Target = s.TargetNs, s.Target
			lines[n-1].n++
			continue
		}
		lines = append(lines, stretch{Step: s, n: 1})
	}
	return lines
}

// abridged keeps the longest lines, and puts together those between two of them.
func abridged(lines []stretch, most int) (out []stretch) {
	if len(lines) <= most {
		return lines
	}
	took := make([]int64, len(lines))
	for i := range lines {
		took[i] = lines[i].TargetNs - lines[i].SourceNs
	}
	sorted := slices.Sorted(slices.Values(took))
	least := sorted[len(sorted)-most] // of equally long ones the first stay
	ties := most - (len(sorted) - sort.Search(len(sorted), func(i int) bool { return sorted[i] > least }))
	long := make([]bool, len(lines))
	for i, ns := range took {
		if long[i] = ns > least; ns == least && ties > 0 {
			long[i] = true
			ties--
		}
	}
	for i, l := range lines {
		if n := len(out); !long[i] && n > 0 && out[n-1].short {
			out[n-1].TargetNs = l.TargetNs
			out[n-1].n += l.n
			continue
		}
		l.short = !long[i]
		out = append(out, l)
	}
	return out
}

// clock is a time since the start of the run in seconds, as fine as steps of a span can be told apart.
func (r *runEvents) clock(ns, spanNs int64) string {
	digits := 9
	for unit := int64(10); digits > 3 && unit*1000 <= spanNs; unit *= 10 {
		digits--
	}
	return fmt.Sprintf("%.*f s", digits, float64(ns-r.startNs)/1e9)
}
