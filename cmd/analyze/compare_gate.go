package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// What --fail-on may name where runs are compared with runs. Metrics and messages follow from steps and do not count.
//
//	regressed     a finding regressed, or made what contains it regress, or a fragment, a part of critical paths, or a
//	              step by its own time regressed and no finding explains it
//	improved      the same of what improved
//	changed       either of them, or a finding, step or fragment whose distribution or number changed, or that
//	              appeared, vanished or moved
//	undetermined  the run time of an initial fragment is undetermined
//	candidate     there is a candidate
const (
	gateRegressed    = "regressed"
	gateImproved     = "improved"
	gateChanged      = "changed"
	gateUndetermined = "undetermined"
	gateCandidate    = "candidate"
)

var gateWords = []string{gateRegressed, gateImproved, gateChanged, gateUndetermined, gateCandidate}

// gateVerdicts are the verdicts that the words mean; undetermined is about run times of initial fragments alone.
var gateVerdicts = map[string][]string{
	gateRegressed: {schema.Regressed},
	gateImproved:  {schema.Improved},
	gateCandidate: {schema.Candidate},
	gateChanged: {
		schema.Regressed, schema.Improved, schema.Appeared, schema.Vanished, schema.Moved, schema.CountChanged, schema.ShapeChanged, schema.MovedCost,
	},
}

// sampleFailures are the words of --fail-on of a test on samples, with the verdicts that they mean.
var sampleFailures = map[string][]string{
	gateRegressed: {schema.Slower},
	gateImproved:  {schema.Faster},
	gateChanged:   {schema.Slower, schema.Faster, schema.Changed, schema.Appeared, schema.Vanished, schema.Moved},
}

// failWords splits and checks the words of --fail-on.
func (f *compareFlags) failWords() ([]string, error) {
	if f.failOn == "" {
		return nil, nil
	}
	words := strings.Split(f.failOn, ",")
	for i, word := range words {
		words[i] = strings.TrimSpace(word)
		switch {
		case !slices.Contains(gateWords, words[i]):
			return nil, console.Usagef("--fail-on %q: one or more of %s, with commas between", word, strings.Join(gateWords, ", "))
		case !f.byRuns() && sampleFailures[words[i]] == nil:
			return nil, console.Usagef("--fail-on %s: only --method runs gives such a verdict", words[i])
		}
	}
	return words, nil
}

// samplesFail says whether a test on samples found a change that a word means. Critical paths say where a change
// arrives, and messages have no verdict.
func samplesFail(words []string, all []schema.Change) bool {
	others, _ := apart(all)
	return slices.ContainsFunc(others, func(c schema.Change) bool {
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(sampleFailures[word], c.Verdict) })
	})
}

// tripped is a word of --fail-on that something meets.
type tripped struct {
	Word    string `json:"word"`
	Because string `json:"because"`
}

// gate finds the words of --fail-on that something meets.
func (o *outcome) gate() (all []tripped) {
	for _, word := range o.failOn {
		if because := o.meets(word); because != "" {
			all = append(all, tripped{word, because})
		}
	}
	return all
}

// meets says what meets a word, or "".
func (o *outcome) meets(word string) string {
	for _, verdict := range gateVerdicts[word] {
		if because := o.gateOn(verdict, verdictWords(verdict)); because != "" {
			return because
		}
	}
	for i := range o.roots {
		if word == gateUndetermined && o.roots[i].Verdict == schema.Undetermined {
			return "the run time of " + o.roots[i].Fragment + " is undetermined"
		}
	}
	return ""
}

// gateOn says what has a verdict: findings, else what no finding explains. "" is nothing.
func (o *outcome) gateOn(verdict, words string) string {
	if list := o.causing(verdict); len(list) > 0 {
		f := &list[0]
		if f.Verdict != verdict {
			words = verdictWords(f.Verdict) + ", and what contains it " + words
		}
		return fmt.Sprintf("finding %d, %s, %s", f.Finding, suspect(f), words) + andMore(len(list)-1)
	}
	var first *schema.Change
	n := 0
	for i := range o.changes {
		if o.loose(&o.changes[i], verdict) {
			if n++; first == nil {
				first = &o.changes[i]
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s: %s", levelWords[first.Level], words, subjectText(first)) + andMore(n-1)
}

// causing are the findings with a verdict, and those that give it to what contains them.
func (o *outcome) causing(verdict string) []schema.Finding {
	switch verdict {
	case schema.Regressed:
		return o.with(o.slower)
	case schema.Improved:
		return o.with(o.faster)
	}
	return o.with(func(f *schema.Finding) bool { return f.Verdict == verdict })
}

func andMore(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and %s more", texttab.Count(n))
}

// levelWords name one subject of a level.
var levelWords = map[string]string{
	schema.LevelTransition: "a step", schema.LevelFragment: "a fragment", schema.LevelCriticalPath: "a part of critical paths",
	schema.LevelMetric: "a metric", schema.LevelMessage: "messages",
}

// subjectText names the subject of a change where nothing else does.
func subjectText(c *schema.Change) string {
	switch {
	case c.Fragment == "" || c.Fragment == c.Subject || c.Level == schema.LevelFragment:
		return c.Subject
	case c.Level == schema.LevelCriticalPath:
		return c.Subject + " towards " + c.Fragment
	}
	return c.Subject + " in " + c.Fragment
}

// shortSubject is the subject of a change with its fragment's function, whoever calls it.
func shortSubject(c *schema.Change) string {
	fragment := *c
	fragment.Fragment, _, _ = strings.Cut(c.Fragment, " from ")
	return subjectText(&fragment)
}

// exitLine says with which exit code the program ends and why; "" if nobody asks.
func (o *outcome) exitLine() string {
	words := strings.Join(o.failOn, ",")
	switch {
	case words == "":
		return ""
	case len(o.tripped) > 0:
		return fmt.Sprintf("exit code %d: --fail-on %s: %s", console.Changed, o.tripped[0].Word, o.tripped[0].Because)
	case !o.enough && words != gateCandidate:
		return fmt.Sprintf("exit code 0: --fail-on %s: there is no verdict without three runs a side", words)
	}
	return fmt.Sprintf("exit code 0: --fail-on %s: nothing found", words)
}
