package main

import (
	"fmt"
	"io"
	"iter"

	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// constraintJSON is a timing constraint.
type constraintJSON struct {
	SourceSeq  int64   `json:"source_seq"`
	TargetSeq  int64   `json:"target_seq"`
	Kind       string  `json:"kind"`
	Component  string  `json:"component"`
	Function   *string `json:"function"`
	Sender     *string `json:"sender"`
	Message    *string `json:"message"`
	TargetNs   int64   `json:"target_ns"`
	DurationNs int64   `json:"duration_ns"`
	Critical   bool    `json:"critical"`
}

// constraintsOf are constraints for machines.
func constraintsOf(names *schema.Names, parts []window.Part, list iter.Seq2[int, criticalpaths.Constraint]) []constraintJSON {
	out := []constraintJSON{}
	for _, c := range list {
		at := placeOf(names, parts, criticalpath.Key{Part: c.Part, Busy: schema.NoCode})
		out = append(out, constraintJSON{c.Source, c.Target, kindOf(c), at.Component, at.Function, at.Sender, at.Message,
			c.TargetNs, c.DurationNs, c.Flags&window.Critical != 0})
	}
	return out
}

// kindOf is the word for the kind of a constraint.
func kindOf(c criticalpaths.Constraint) string {
	if c.Flags&window.Message != 0 {
		return schema.ConstraintKindWords[schema.ByMessage]
	}
	return schema.ConstraintKindWords[schema.OnLifeline]
}

// tellConstraints prints constraints in the order of their targets.
func (r *runEvents) tellConstraints(out io.Writer, names *schema.Names, parts []window.Part, list []criticalpaths.Constraint) error {
	spanNs := list[len(list)-1].TargetNs - list[0].SourceNs()
	g := texttab.New("rrrr")
	g.Row("from", "to", "at", "took", "", "", "where")
	for _, c := range list {
		critical := ""
		if c.Flags&window.Critical != 0 {
			critical = "critical"
		}
		g.Row(fmt.Sprintf("@%d", c.Source), fmt.Sprintf("@%d", c.Target), r.clock(c.SourceNs(), spanNs), texttab.Duration(c.DurationNs), kindOf(c), critical,
			where(names, parts, criticalpath.Key{Part: c.Part, Busy: schema.NoCode}))
	}
	return g.Write(out)
}

// moreConstraints says how many constraints are not printed.
func moreConstraints(out io.Writer, n int64) {
	if n > 0 {
		fmt.Fprintf(out, "... and %s (--top 0 prints them)\n", texttab.Plural(n, "more constraint"))
	}
}
