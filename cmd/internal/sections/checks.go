package sections

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/checks"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/report/timeline"
)

// checked is a specification of which the chosen checks are drawn.
type checked struct{ *spec.Spec }

// failingMarks is how many failing states of a check are marked at most.
const failingMarks = 10_000

// readSpec reads a specification and leaves the checks that are like one of the patterns.
func readSpec(file string, patterns []string) (*checked, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s, err := spec.Parse(file, string(text))
	if err != nil {
		return nil, &console.UsageError{Err: err}
	}
	var names []string
	for i := range s.Checks {
		names = append(names, s.Checks[i].Name)
	}
	for _, p := range patterns {
		if !slices.ContainsFunc(names, func(name string) bool { return runs.MatchesPattern(name, p) }) {
			return nil, console.Usagef("--check %s: %s has no such check; it has %s", p, file, runs.FirstNames(names))
		}
	}
	s.Checks = slices.DeleteFunc(s.Checks, func(c spec.Check) bool { return !shown(c.Name, patterns) })
	if len(s.Checks) == 0 {
		return nil, console.Usagef("%s has no check to draw", file)
	}
	return &checked{s}, nil
}

// read adds to the window where the checks and their definitions hold.
func (c *checked) read(ctx context.Context, e *pipeline.Engine, run string, filter runs.Filter, w *timeline.Window) error {
	j := &checks.Job{
		Engine: e, Run: run, Spec: c.Spec, Semantics: requirements.Four, Keep: mtl.Keep{Failing: failingMarks}, Untraced: true, Intervals: true,
	}
	for _, all := range filter {
		var one spec.Filter
		for _, is := range all {
			one.Pairs = append(one.Pairs, spec.Pair{Name: is.Name, Value: is.Value})
		}
		j.View = append(j.View, one)
	}
	outcomes, err := j.Check(ctx)
	if err != nil {
		return err
	}
	said := make(map[[2]string]*requirements.Outcome)
	for i := range outcomes {
		said[[2]string{outcomes[i].Check, outcomes[i].Value}] = &outcomes[i]
	}
	type key struct{ value, definition string }
	last, of := key{}, make(map[string]string) // the check that a definition was met in first, which draws it
	for _, row := range j.Stretches() {
		k := key{row.Check + "\x00" + row.Value, row.Definition}
		if row.Definition != "" {
			if of[row.Definition] == "" {
				of[row.Definition] = row.Check
			}
			if of[row.Definition] != row.Check {
				continue
			}
		}
		if len(w.Held) == 0 || k != last {
			w.Held = append(w.Held, c.held(row.Check, row.Value, row.Definition, said[[2]string{row.Check, row.Value}]))
			last = k
		}
		h := &w.Held[len(w.Held)-1]
		h.Stretches = append(h.Stretches, timeline.Stretch{FromNs: row.FromNs, ToNs: row.ToNs, Holds: row.Truth})
	}
	if len(w.Held) > mostStrips {
		return console.Usagef("these are %d checks and definitions, and a picture has %d at most: choose checks with --check", len(w.Held), mostStrips)
	}
	return nil
}

// held describes a strip. What a check asks at every state is its own strip; definitions in it have others.
func (c *checked) held(check, value, definition string, o *requirements.Outcome) (h timeline.Held) {
	if definition != "" {
		return timeline.Held{Name: definition, Part: true, Said: "where the definition " + definition + " holds"}
	}
	h.Name = check
	if value != "" {
		h.Name += " (" + value + ")"
	}
	if o == nil {
		return h
	}
	word := requirements.Four.Word(o.Verdict)
	h.Said = strings.Join([]string{h.Name + ": " + word, c.Words(o.Formula)}, "\n")
	h.Name += ": " + word
	for _, f := range o.Failing {
		h.Failing = append(h.Failing, f.TimeNs)
	}
	return h
}
