package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// other counts what changed beside time: what appeared, vanished or moved, happens more or less often, or is distributed
// otherwise. "" is nothing.
func (o *outcome) other() string {
	parts := o.counted(slices.Concat(functionalVerdicts, []string{schema.ShapeChanged}))
	if moved := len(o.with(func(f *schema.Finding) bool { return f.Verdict == schema.MovedCost })); moved > 0 {
		parts = append(parts, texttab.Plural(moved, "cost")+" moved between callees of one caller")
	}
	return strings.Join(parts, ", ")
}

// otherDone counts what is done otherwise.
func (o *outcome) otherDone() string { return strings.Join(o.counted(functionalVerdicts), ", ") }

// counted counts fragments and steps with some verdicts.
func (o *outcome) counted(verdicts []string) (parts []string) {
	for _, verdict := range verdicts {
		words := otherWords[verdict]
		fragments, steps := o.tally(verdict, schema.LevelFragment), o.tally(verdict, schema.LevelTransition)
		switch {
		case fragments > 0 && steps > 0:
			parts = append(parts, texttab.Plural(fragments, "fragment")+" and "+texttab.Plural(steps, "step")+" "+words)
		case fragments > 0:
			parts = append(parts, texttab.Plural(fragments, "fragment")+" "+words)
		case steps > 0:
			parts = append(parts, texttab.Plural(steps, "step")+" "+words)
		}
	}
	return parts
}

// otherWords say what a verdict beside time says.
var otherWords = map[string]string{
	schema.Appeared: "appeared", schema.Vanished: "vanished", schema.Moved: "moved", schema.CountChanged: "in other numbers",
	schema.ShapeChanged: "of another distribution",
}

// open says whether too little is decided: the run time of an initial fragment, or more than half of the steps.
func (o *outcome) open() bool {
	for i := range o.roots {
		if o.roots[i].Verdict == schema.Undetermined {
			return true
		}
	}
	return 2*o.tally(schema.Unchanged, schema.LevelTransition) < o.compared(schema.LevelTransition)
}

// compared is how many subjects a level has.
func (o *outcome) compared(level string) (n int) {
	for _, one := range o.counts[level] {
		n += one
	}
	return n
}

// stepsSentence says how many steps are decided.
func (o *outcome) stepsSentence() string {
	text := fmt.Sprintf("%s of %s steps are shown to be unchanged",
		texttab.Count(o.tally(schema.Unchanged, schema.LevelTransition)), texttab.Count(o.compared(schema.LevelTransition)))
	if open := o.tally(schema.Undetermined, schema.LevelTransition); open > 0 {
		text += fmt.Sprintf(", %s undetermined", isAre(open))
	}
	return text
}

// openSentence says what is open, and what more runs would do.
func (o *outcome) openSentence() string {
	for i := range o.roots {
		c := &o.roots[i]
		if c.Verdict == schema.Undetermined {
			name := c.Fragment
			if len(o.roots) == 1 {
				name = o.rootName()
			}
			return fmt.Sprintf("whether %s did is open (%s)%s; %s", name, rootFigures(c), neededOf(c), o.stepsSentence())
		}
	}
	text := o.stepsSentence()
	if n := len(o.needed.Decided); n > 0 {
		d := o.needed.Decided[n-1]
		text += fmt.Sprintf("; %d runs a side would decide %.0f %% of what is open", d.Runs, 100*float64(d.Count)/float64(o.needed.Undetermined))
	}
	return text
}

// neededOf says how many runs would decide about something undetermined.
func neededOf(c *schema.Change) string {
	if c.RunsNeeded == nil {
		return ""
	}
	if *c.RunsNeeded >= stats.MostRuns {
		return "; its runs differ too much for any number of runs to decide"
	}
	return fmt.Sprintf("; %s runs a side would decide", texttab.Count(*c.RunsNeeded))
}

// candidateSentence says why there is no verdict, and what stands out.
func (o *outcome) candidateSentence() string {
	why := fmt.Sprintf("%s against %d cannot tell a release from a run", texttab.Plural(len(o.job.Base), "run"), len(o.job.Cand))
	if o.job.Blocks != nil {
		why = texttab.Plural(least(o.job), "pair") + " of runs cannot tell a release from a run"
	}
	list := o.with(func(f *schema.Finding) bool { return f.Verdict == schema.Candidate })
	if len(list) == 0 {
		return why + "; nothing stands out from the noise"
	}
	verb := "stand"
	if len(list) == 1 {
		verb = "stands"
	}
	return fmt.Sprintf("%s; %s %s out from the noise%s", why, texttab.Plural(len(list), "candidate"), verb, firstOf(list))
}

// noiseFloor says where a comparison of few runs has its noise from.
func (o *outcome) noiseFloor() string {
	most := max(len(o.job.Base), len(o.job.Cand))
	switch {
	case len(o.job.Noise) > 0 && most > 1:
		return fmt.Sprintf("how much runs of a side and %s differ among themselves", texttab.Plural(len(o.job.Noise), "older run"))
	case len(o.job.Noise) > 0:
		return fmt.Sprintf("how much %s differ from the baseline", texttab.Plural(len(o.job.Noise), "older run"))
	case most > 1:
		return fmt.Sprintf("how much %s of one side differ among themselves", texttab.Plural(most, "run"))
	}
	return "how much all other subjects like it differ: weak, so take changes below 30 % for noise"
}

// isAre is a number with its verb.
func isAre(n int) string {
	if n == 1 {
		return "1 is"
	}
	return texttab.Count(n) + " are"
}
