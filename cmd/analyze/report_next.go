package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// writeNext prints what to do next.
func (o *outcome) writeNext(out io.Writer) {
	lines := o.next()
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(out, "\nNext:\n")
	for _, line := range lines {
		fmt.Fprintf(out, "  %s\n", line)
	}
}

// next are the commands that look closer at the first finding, and what runs to add.
func (o *outcome) next() (lines []string) {
	if len(o.findings) > 0 {
		lines = o.closer(&o.told[0])
	}
	if have := least(o.job); !o.enough {
		lines = append(lines, fmt.Sprintf("record %s a side: verdicts need %d", texttab.Plural(verdicts.MinRuns-have, "more run"), verdicts.MinRuns))
	} else if o.word == wholeUndetermined {
		lines = append(lines, "record more runs on a machine that does nothing else, both sides in turn (--pair-by), or allow more with --margin")
	}
	return lines
}

// command is how a command on the lake begins.
func (o *outcome) command() string {
	if o.lake == "lake" {
		return "analyze"
	}
	return "analyze --lake " + shellWord(o.lake)
}

// closer are commands that look closer at a finding.
func (o *outcome) closer(f *schema.Finding) (lines []string) {
	run := o.job.Cand[0]
	if f.Verdict == schema.Vanished {
		run = o.job.Base[0]
	}
	command := o.command()
	if root := o.delayed(f); root != nil {
		lines = append(lines, fmt.Sprintf("%s critical-path %s --to %s --top 10", command, run, shellWord(root.Component+"."+root.Function)))
	}
	if f.Function != "" {
		lines = append(lines, fmt.Sprintf("%s query callers-of --param run=%s --param component=%s --param function=%s",
			command, run, shellWord(f.Component), shellWord(f.Function)))
	}
	return append(lines, fmt.Sprintf("%s query \"SELECT level, subject, fragment, verdict, effect_ns FROM changes WHERE comparison = '%s' AND finding = %d ORDER BY rank\"",
		command, o.job.ID, f.Finding))
}

// delayed is the initial fragment that a finding delays most: on whose critical paths its function spends the greatest
// time, or nil if it is on none.
func (o *outcome) delayed(f *schema.Finding) (root *schema.Change) {
	var most int64
	for i := range o.changes {
		c := &o.changes[i]
		if c.Level != schema.LevelCriticalPath || c.Component != f.Component || c.Function != f.Function {
			continue
		}
		if ns := max(c.TotalCandNs, c.TotalBaseNs); ns > most {
			for r := range o.roots {
				if o.roots[r].Fragment == c.Fragment {
					most, root = ns, &o.roots[r]
				}
			}
		}
	}
	return root
}

// shellWord quotes a word for a shell where it needs that.
func shellWord(word string) string {
	special := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:=@%+,", r))
	}
	if word != "" && strings.IndexFunc(word, special) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
