package main

import (
	"fmt"
	"io"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// reportWidth is how wide a report is where names allow.
const reportWidth = 118

// writeText tells a person, in what fits into a log.
func (o *outcome) writeText(out io.Writer, top int) error {
	writeSides(out, o.job, o.runs)
	if len(o.job.Noise) > 0 {
		fmt.Fprintf(out, "noise      %s\n", sideText(o.job.Noise, o.runs))
	}
	fmt.Fprintf(out, "rules      %s\n\n", rulesText(o.job))
	fmt.Fprintf(out, "%s\n\n", texttab.Wrap(o.word+": "+o.sentence, reportWidth, ""))
	if err := o.writeFindings(out, top); err != nil {
		return err
	}
	for _, part := range []func(io.Writer) error{o.writeUntoldPaths, o.writeFunctional, o.writeCounts} {
		if err := part(out); err != nil {
			return err
		}
	}
	o.writeNext(out)
	return nil
}

// writeSides is the head of every report.
func writeSides(out io.Writer, j compare.Job, runs map[string]schema.Run) {
	fmt.Fprintf(out, "comparison %s\n", j.ID)
	fmt.Fprintf(out, "baseline   %s\n", sideText(j.Base, runs))
	fmt.Fprintf(out, "candidate  %s\n", sideText(j.Cand, runs))
}

// rulesText are the rules of a comparison in a line.
func rulesText(j compare.Job) string {
	v := j.Verdicts
	text := fmt.Sprintf("margin %s and %s per root execution; false discovery rate %s; verdicts need %d runs a side",
		texttab.Share(v.Margin), texttab.Exact(int64(v.FloorNs)), texttab.Share(v.FDR), verdicts.MinRuns)
	switch {
	case j.Blocks != nil:
		text += ", here pairs"
	case least(j) == verdicts.MinRuns:
		text += ", which are tested at half the rate"
	}
	return text
}
