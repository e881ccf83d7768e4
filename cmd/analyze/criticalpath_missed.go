package main

import (
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
)

// tellMissed prints which occurrences missed the deadline, and why.
func (q *pathQuery) tellMissed(v *criticalpaths.Verdicts) error {
	if q.flags.format == "json" {
		return q.writeJSON(q.missedJSON(v))
	}
	out := q.app.stdout
	fmt.Fprintf(out, "%s in run %s missed the deadline of %s%s\n", q.howMany(v), q.job.Run, texttab.Exact(q.flags.deadline.Nanoseconds()), q.fromWords())
	q.tellOpen()
	switch {
	case len(v.Missed) == 0:
		return nil
	case v.Reference == 0:
		fmt.Fprint(out, "all missed: nothing says what is usual; choose a later --deadline that some meet to see what the others have more of\n\n")
		return q.tellOccurrences(v)
	}
	fmt.Fprintf(out, "what is usual is taken from %s in time\n\n", texttab.Plural(v.Reference, "occurrence"))
	if err := q.tellCauses(v); err != nil {
		return err
	}
	if err := q.tellSurpluses(v); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return q.tellOccurrences(v)
}

// howMany counts the occurrences that missed the deadline, or names the one asked for.
func (q *pathQuery) howMany(v *criticalpaths.Verdicts) string {
	if q.picked == nil {
		return fmt.Sprintf("%s of %s occurrences of %s", texttab.Count(len(v.Missed)), texttab.Count(len(q.occurrences)), q.what())
	}
	one := q.what()
	if q.flags.metric {
		one = fmt.Sprintf("instance #%d of the metric", q.picked.Number)
	}
	if len(v.Missed) == 0 {
		one += " is in time: it is none of those that"
	}
	return one
}

// causeWords says where a cause is.
func causeWords(v *criticalpaths.Verdicts, c deadlines.Cause) string {
	return where(v.Names, v.Parts, criticalpath.Key{Part: c.Edge.Key, Busy: schema.NoCode})
}

// tellCauses prints the causes summed up over occurrences.
func (q *pathQuery) tellCauses(v *criticalpaths.Verdicts) error {
	g := texttab.New("rrrr")
	g.Row("missed", "too long", "most", "usually", "", "because of")
	all := blames(v)
	n := q.top(len(all))
	for _, b := range all[:n] {
		usual := "never"
		if b.known {
			usual = "up to " + texttab.Duration(b.usualNs)
		}
		g.Row(texttab.Count(b.occurrences), texttab.Duration(b.excessNs), texttab.Duration(b.mostNs), usual, string(b.label), b.what)
	}
	unexplained := 0
	for _, m := range v.Missed {
		if len(m.Causes) == 0 {
			unexplained++
		}
	}
	if unexplained > 0 {
		g.Row(texttab.Count(unexplained), "", "", "", "", noCause)
	}
	if err := g.Write(q.app.stdout); err != nil {
		return err
	}
	if rest := len(all) - n; rest > 0 {
		fmt.Fprintf(q.app.stdout, "... and %s (--top 0 prints them)\n", texttab.Plural(rest, "rarer cause"))
	}
	return nil
}

// noCause stands where everything took as long as it usually may.
const noCause = "no step was unusual"

// tellSurpluses prints what the critical paths of those that missed the deadline have and those in time lack. What adds less than a
// hundredth to what is over the deadline is left out.
func (q *pathQuery) tellSurpluses(v *criticalpaths.Verdicts) error {
	overNs := int64(0)
	for _, m := range v.Missed {
		overNs += m.SpanNs() - q.flags.deadline.Nanoseconds()
	}
	n := 0
	for n < len(v.Surpluses) && v.Surpluses[n].ExcessNs > overNs/100 {
		n++
	}
	if n == 0 {
		return nil
	}
	fmt.Fprint(q.app.stdout, "\nmore on their critical paths than on any in time\n")
	g := texttab.New("rrrrr")
	g.Row("missed", "more", "most", "in time", "at most", "where")
	for _, s := range v.Surpluses[:q.top(n)] {
		g.Row(texttab.Count(s.Missed), texttab.Duration(s.ExcessNs), texttab.Duration(s.MostNs), texttab.Duration(s.MedianNs), texttab.Duration(s.MaxNs),
			where(v.Names, v.Parts, criticalpath.Key{Part: s.Key, Busy: schema.NoCode}))
	}
	if err := g.Write(q.app.stdout); err != nil {
		return err
	}
	if rest := n - q.top(n); rest > 0 {
		fmt.Fprintf(q.app.stdout, "... and %s more (--top 0 prints them)\n", texttab.Count(rest))
	}
	return nil
}

// tellOccurrences prints the occurrences that missed the deadline, in time order.
func (q *pathQuery) tellOccurrences(v *criticalpaths.Verdicts) error {
	g := texttab.New("rrrr")
	g.Row("occurrence", "at", "took", "over", "because of")
	n := q.top(len(v.Missed))
	for _, m := range v.Missed[:n] {
		why := "nothing to compare it with"
		if v.Reference > 0 {
			why = q.because(v, m)
		}
		g.Row(fmt.Sprintf("#%d", m.Number), q.since(m.FromNs), texttab.Duration(m.SpanNs()), texttab.Change(m.SpanNs()-q.flags.deadline.Nanoseconds()), why)
	}
	if err := g.Write(q.app.stdout); err != nil {
		return err
	}
	if rest := len(v.Missed) - n; rest > 0 {
		fmt.Fprintf(q.app.stdout, "... and %s (--top 0 prints them)\n", texttab.Plural(rest, "more occurrence"))
	}
	return nil
}

// mostCauses is how many causes of an occurrence are printed in its line, unless all are asked for.
const mostCauses = 3

// because names the causes of one occurrence.
func (q *pathQuery) because(v *criticalpaths.Verdicts, m criticalpaths.Missed) string {
	var causes []string
	for i, c := range m.Causes {
		if i == mostCauses && q.flags.top > 0 && len(m.Causes) > mostCauses+1 {
			causes = append(causes, fmt.Sprintf("%d more", len(m.Causes)-i))
			break
		}
		causes = append(causes, causeWords(v, c)+" "+texttab.Change(c.ExcessNs))
	}
	text := strings.Join(causes, "; ")
	switch {
	case len(causes) == 0:
		text = noCause
	case !m.Sufficient:
		text += fmt.Sprintf("; without, it still takes %s", texttab.Duration(m.MakespanNs))
	}
	if m.Along {
		text += "; what others did meanwhile moved along"
	}
	if m.Exhausted {
		text += "; the search was cut short"
	}
	return text
}
