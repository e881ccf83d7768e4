package named

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/whatif"
)

// Changes are what would be different in a run, in the words of a command line.
type Changes struct {
	To             string   // the execution whose occurrences are timed, COMPONENT.FUNCTION[#I] or @SEQ
	Faster, Slower []string // COMPONENT.FUNCTION=20%
	Remove         []string // COMPONENT.FUNCTION[#I]
	RestNs         int64    // see whatif.Rules
	Paced          bool     // executions that nobody in the trace starts keep their distance to the starts of To
}

// Rules returns the occurrences that are timed, and the rules of their new schedule.
func (r *Events) Rules(ctx context.Context, c Changes) (to []findings.Occurrence, rules whatif.Rules, err error) {
	rules.RestNs = c.RestNs
	for i, text := range slices.Concat(c.Faster, c.Slower) {
		flag, sign := "--faster", -1.0
		if i >= len(c.Faster) {
			flag, sign = "--slower", 1
		}
		change, err := whatif.ParseChange(text, sign)
		if err != nil {
			return nil, rules, console.Usagef("%s %w", flag, err)
		}
		if change.Name, err = r.Name(ctx, flag, change.Name); err != nil {
			return nil, rules, err
		}
		rules.Changes = append(rules.Changes, change)
	}
	for _, name := range c.Remove {
		found, err := r.Executions(ctx, "--remove", name)
		if err != nil {
			return nil, rules, err
		}
		for _, o := range found {
			rules.Removed = append(rules.Removed, whatif.Span{From: o.From, To: o.To})
		}
	}
	slices.SortFunc(rules.Removed, func(a, b whatif.Span) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	if to, err = r.Executions(ctx, "--to", c.To); err != nil {
		return nil, rules, err
	}
	if to[0].From == criticalpath.Start {
		return nil, rules, console.Usagef("--to %s takes no time: name the finish of an execution, or COMPONENT.FUNCTION#I", c.To)
	}
	if c.Paced {
		err = r.pace(ctx, c.To, &rules)
	}
	return to, rules, err
}

// pace lets all occurrences of the execution that is timed set the pace, also where one of them is asked for. An event @SEQ sets none.
func (r *Events) pace(ctx context.Context, to string, rules *whatif.Rules) error {
	if strings.HasPrefix(to, "@") {
		return nil
	}
	one, err := r.Cut(ctx, "--to", to)
	for i := range one.All {
		rules.Paces = append(rules.Paces, one.All[i].From)
	}
	return err
}
