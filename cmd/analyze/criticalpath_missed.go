package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/paths"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/criticalpath"
	"github.com/tracelake/tracelake/stages/deadlines"
)

func (q *pathQuery) deadlineOptions() deadlines.Options {
	return deadlines.Defaults(q.flags.deadline.Nanoseconds())
}

// tellMissed prints which occurrences missed the deadline, and why.
func (q *pathQuery) tellMissed(v *paths.Verdicts) error {
	if q.flags.format == "json" {
		return q.writeJSON(q.missedJSON(v))
	}
	out := q.app.stdout
	fmt.Fprintf(out, "%s of %s occurrences of %s in run %s missed the deadline of %s%s\n", count(int64(len(v.Missed))), count(int64(len(q.occurrences))),
		q.what(), q.job.Run, duration(q.flags.deadline.Nanoseconds()), q.fromWords())
	if len(v.Missed) == 0 {
		return nil
	}
	fmt.Fprintf(out, "what is usual is taken from %s occurrences in time\n\n", count(int64(v.Reference)))
	if err := q.tellCauses(v); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return q.tellOccurrences(v)
}

// blame is a cause summed over the occurrences that it made late.
type blame struct {
	what        string
	label       deadlines.Label
	occurrences int
	excessNs    int64
	mostNs      int64
	usualNs     int64
	known       bool
}

// blames sums up the causes, the most frequent first.
func blames(v *paths.Verdicts) (list []*blame) {
	byWhat := make(map[string]*blame)
	for _, m := range v.Missed {
		seen := make(map[string]bool)
		for _, c := range m.Causes {
			what := causeWords(v, c)
			key := what + "\x00" + string(c.Label)
			b := byWhat[key]
			if b == nil {
				b = &blame{what: what, label: c.Label}
				byWhat[key] = b
				list = append(list, b)
			}
			if !seen[key] {
				b.occurrences++
				seen[key] = true
			}
			b.excessNs += c.ExcessNs
			b.mostNs = max(b.mostNs, c.BoundNs)
			b.usualNs, b.known = max(b.usualNs, c.ThresholdNs), b.known || c.Known
		}
	}
	slices.SortStableFunc(list, func(a, b *blame) int {
		if a.occurrences != b.occurrences {
			return b.occurrences - a.occurrences
		}
		return strings.Compare(a.what, b.what)
	})
	return list
}

// causeWords says where a cause is.
func causeWords(v *paths.Verdicts, c deadlines.Cause) string {
	return where(v.Names, v.Parts, criticalpath.Key{Part: c.Edge.Key, Busy: schema.NoCode})
}

func (q *pathQuery) tellCauses(v *paths.Verdicts) error {
	g := grid{right: []bool{true, true, true, true}}
	g.row("missed", "too long", "most", "usually up to", "", "where")
	all := blames(v)
	for _, b := range all[:q.top(len(all))] {
		usual := duration(b.usualNs)
		if !b.known {
			usual = "never"
		}
		g.row(count(int64(b.occurrences)), duration(b.excessNs), duration(b.mostNs), usual, string(b.label), b.what)
	}
	unexplained := 0
	for _, m := range v.Missed {
		if len(m.Causes) == 0 {
			unexplained++
		}
	}
	if unexplained > 0 {
		g.row(count(int64(unexplained)), "", "", "", "", "no step was unusual")
	}
	if err := g.write(q.app.stdout); err != nil {
		return err
	}
	if rest := len(all) - q.top(len(all)); rest > 0 {
		fmt.Fprintf(q.app.stdout, "... and %s rarer ones (--top 0 prints them)\n", count(int64(rest)))
	}
	return nil
}

// tellOccurrences prints the occurrences that missed the deadline, in time order.
func (q *pathQuery) tellOccurrences(v *paths.Verdicts) error {
	g := grid{right: []bool{true, true, true, true}}
	g.row("occurrence", "at", "took", "over", "because of")
	n := q.top(len(v.Missed))
	for _, m := range v.Missed[:n] {
		g.row(fmt.Sprintf("#%d", m.Number), q.since(m.FromNs), duration(m.SpanNs()), change(m.SpanNs()-q.flags.deadline.Nanoseconds()), q.because(v, m))
	}
	if err := g.write(q.app.stdout); err != nil {
		return err
	}
	if rest := len(v.Missed) - n; rest > 0 {
		fmt.Fprintf(q.app.stdout, "... and %s more (--top 0 prints them)\n", count(int64(rest)))
	}
	return nil
}

// because names the causes of one occurrence.
func (q *pathQuery) because(v *paths.Verdicts, m paths.Missed) string {
	var causes []string
	for _, c := range m.Causes {
		causes = append(causes, causeWords(v, c)+" "+change(c.ExcessNs))
	}
	text := strings.Join(causes, "; ")
	switch {
	case len(causes) == 0:
		return "no step was unusual"
	case !m.Sufficient:
		text += fmt.Sprintf("; still %s without", duration(m.MakespanNs))
	}
	if m.Exhausted {
		text += "; the search was cut short"
	}
	return text
}

func (q *pathQuery) missedJSON(v *paths.Verdicts) map[string]any {
	missed := make([]map[string]any, 0, len(v.Missed))
	for _, m := range v.Missed {
		causes := make([]map[string]any, 0, len(m.Causes))
		for _, c := range m.Causes {
			p := placeOf(v.Names, v.Parts, criticalpath.Key{Part: c.Edge.Key, Busy: schema.NoCode})
			causes = append(causes, map[string]any{
				"component": p.Component, "function": p.Function, "sender": p.Sender, "message": p.Message, "label": c.Label,
				"source_seq": c.Edge.Source, "target_seq": c.Edge.Target, "bound_ns": c.BoundNs, "usual_ns": c.ThresholdNs,
				"seen_in_time": c.Known, "excess_ns": c.ExcessNs, "gain_ns": c.GainNs,
			})
		}
		missed = append(missed, map[string]any{
			"occurrence": m.Number, "from_seq": m.From, "to_seq": m.To, "start_ns": m.FromNs, "span_ns": m.SpanNs(), "causes": causes,
			"span_without_ns": m.MakespanNs, "sufficient": m.Sufficient, "exhausted": m.Exhausted,
		})
	}
	return map[string]any{
		"run": q.job.Run, "to": q.flags.to, "from": q.flags.from, "deadline_ns": q.flags.deadline.Nanoseconds(),
		"occurrences": len(q.occurrences), "reference": v.Reference, "missed": missed,
	}
}
