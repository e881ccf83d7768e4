package criticalpath

import (
	"fmt"
	"io"
	"slices"
	"sort"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// WritePath writes the critical path towards one event.
func (r *Report) WritePath(out io.Writer, p *findings.Path) error {
	return (&textReport{r, out}).writePath(p)
}

// WritePathJSON writes the critical path towards one event with all steps and all critical constraints.
func (r *Report) WritePathJSON(out io.Writer, p *findings.Path) error {
	o := r.Occurrences[0]
	return writeJSON(out, pathDocument{
		r.Run, r.To, r.From, valueOrNil(o.From), o.To, o.ToNs, pathSpanNs(&o, p), p.ThroughFrom,
		newSums(&p.Composed, largestFirst(&p.Composed)), newSteps(p), newConstraints(p.Names, p.Parts, slices.Backward(p.Constraints)), r.EarlyReceipts,
	})
}

// pathSpanNs returns the time from the first event of the path that belongs to the occurrence to the last one.
func pathSpanNs(o *findings.Occurrence, p *findings.Path) int64 {
	return o.ToNs - max(p.FromNs, o.FromNs)
}

// writePath writes the head, the steps in time order, all critical constraints if they were asked for, and the composition.
// A path is asked for towards one event, so there is one occurrence.
func (r *textReport) writePath(p *findings.Path) error {
	o := r.Occurrences[0]
	sums := largestFirst(&p.Composed)
	if r.writePathHead(p, o); len(p.Steps) == 0 {
		return nil
	}
	if err := r.writeSteps(p); err != nil {
		return err
	}
	fmt.Fprintln(r.out)
	if r.Constraints && len(p.Constraints) > 0 {
		// The search went backwards from the end, and so does its list; the report goes forwards in time.
		list := slices.Clone(p.Constraints)
		slices.Reverse(list)
		n := r.printed(len(list))
		if err := writeConstraints(r.out, r.StartNs, p.Names, p.Parts, list[:n]); err != nil {
			return err
		}
		writeMoreConstraints(r.out, int64(len(list)-n))
		fmt.Fprintln(r.out)
	}
	return r.writeSums(&p.Composed, sums, 1)
}

// writePathHead writes how long the path is and how many constraints lead to its end.
// Its only fault is that of the writer, which the table behind it meets as well.
func (r *textReport) writePathHead(p *findings.Path, o findings.Occurrence) {
	fmt.Fprintf(r.out, "critical path towards %s in run %s%s: %s, ends at %s\n", r.targetText(), r.Run, r.fromText(), texttab.Duration(pathSpanNs(&o, p)), r.sinceStart(o.ToNs))
	r.writeLeftOut()
	if len(p.Steps) == 0 {
		fmt.Fprintln(r.out, "no critical constraint leads to it")
		return
	}
	fmt.Fprintf(r.out, "critical constraints that lead to it: %s, on the path: %s", texttab.Count(p.Count), texttab.Count(countConstraints(p.Steps)))
	// Where the path does not begin at the event that was asked for, the head says where it begins instead.
	switch {
	case o.From == criticalpath.Start:
		fmt.Fprintf(r.out, ", from %s on", r.sinceStart(p.FromNs))
	case !p.ThroughFrom && r.From == "":
		fmt.Fprint(r.out, "; none leads over its start, so what held it up began before")
	case !p.ThroughFrom:
		fmt.Fprint(r.out, "; none leads over the event it is from, so what held it up began before")
	}
	fmt.Fprint(r.out, "\n\n")
	r.writeClocks()
}

// countConstraints counts the constraints of a path. A constraint within which contention begins has two steps.
func countConstraints(steps []criticalpath.Step) int64 {
	n := int64(0)
	// Both steps of one constraint have its target.
	for i, s := range steps {
		if i == 0 || s.Target != steps[i-1].Target {
			n++
		}
	}
	return n
}

// writeSteps writes the steps in time order. Equal steps in sequence are one line, and of a long path, so are the short steps
// between two long ones.
func (r *textReport) writeSteps(p *findings.Path) error {
	// 1. Fewer lines: equal steps in sequence are joined, and short ones between long ones become "...".
	lines := joinSteps(p.Steps, r.EveryStep)
	if !r.EveryStep && r.Top > 0 {
		lines = abridge(lines, r.Top)
	}
	lastNs := p.Steps[len(p.Steps)-1].TargetNs
	// 2. Times with as many digits as tell the steps apart.
	at := newClock(r.StartNs, lastNs, lastNs-p.Steps[0].SourceNs)
	g := texttab.New("rrr")
	g.Row("at", "took", "steps", "", "where")
	short := false
	for _, s := range lines {
		row := []string{at.text(s.SourceNs), texttab.Duration(s.TargetNs - s.SourceNs), texttab.Count(s.n), "", "..."}
		if s.short {
			short = true
		} else {
			row[3], row[4] = schema.CategoryWords[s.Category], placeText(p.Names, p.Parts, s.Key)
		}
		g.Row(row...)
	}
	if err := g.Write(r.out); err != nil {
		return err
	}
	if short {
		fmt.Fprintf(r.out, "... stands for steps shorter than these %d (--top 0 prints them, --steps every single one)\n", r.Top)
	}
	return nil
}

// stretch is a sequence of steps that are printed as one: steps of one key, or short steps.
type stretch struct {
	criticalpath.Step
	n     int  // steps
	short bool // stands for short steps of any key
}

// joinSteps joins equal steps in sequence. Messages are never joined: each is an exchange of its own.
func joinSteps(steps []criticalpath.Step, apart bool) (lines []stretch) {
	for _, s := range steps {
		if n := len(lines); n > 0 && !apart && lines[n-1].Key == s.Key && !s.Message {
			// The line grows to the end of this step and keeps its beginning.
			lines[n-1].TargetNs, lines[n-1].Target = s.TargetNs, s.Target
			lines[n-1].n++
			continue
		}
		lines = append(lines, stretch{Step: s, n: 1})
	}
	return lines
}

// abridge keeps the longest lines, and joins the lines between two of them. Of equally long lines the first ones stay, so that
// the result has exactly the number of long lines that was asked for. It takes O(n log n).
func abridge(lines []stretch, most int) (out []stretch) {
	if len(lines) <= most {
		return lines
	}
	// 1. The duration that decides, and how many lines of just this duration still have room.
	took := make([]int64, len(lines))
	for i := range lines {
		took[i] = lines[i].TargetNs - lines[i].SourceNs
	}
	sorted := slices.Sorted(slices.Values(took))
	shortest := sorted[len(sorted)-most] // of the lines that stay
	// Longer lines are fewer than most; the rest of the room is for lines of just this duration.
	ties := most - (len(sorted) - sort.Search(len(sorted), func(i int) bool { return sorted[i] > shortest }))
	// 2. Which lines stay.
	long := make([]bool, len(lines))
	for i, ns := range took {
		if long[i] = ns > shortest; ns == shortest && ties > 0 {
			long[i] = true
			ties--
		}
	}
	// 3. All others join the short line before them, if there is one.
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
