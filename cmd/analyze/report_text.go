package main

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
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
	fmt.Fprintf(out, "%s\n\n", wrap(o.word+": "+o.sentence, reportWidth, ""))
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
		shareText(v.Margin), durationText(v.FloorNs), shareText(v.FDR), verdicts.MinRuns)
	switch {
	case j.Blocks != nil:
		text += ", here pairs"
	case least(j) == verdicts.MinRuns:
		text += ", which are tested at half the rate"
	}
	return text
}

// shareText writes a share in percent, without needless digits.
func shareText(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.3g", 100*x), ".0") + " %" }

// durationText writes nanoseconds without needless digits.
func durationText(ns float64) string {
	return strings.NewReplacer("µs", " us", "ms", " ms", "ns", " ns").Replace(unspaced(time.Duration(ns)))
}

// unspaced writes a duration as Go does, with a space before plain seconds.
func unspaced(d time.Duration) string {
	if d == 0 || d >= time.Second {
		return strings.TrimSuffix(d.String(), "s") + " s"
	}
	return d.String()
}

// wrap breaks a text at spaces into lines of a width, those after the first indented. A number keeps its unit.
func wrap(text string, width int, indent string) string {
	var out strings.Builder
	at := 0
	for i, word := range unbroken(strings.Fields(text)) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+n > width:
			out.WriteString("\n" + indent)
			at = len(indent)
		default:
			out.WriteString(" ")
			at++
		}
		out.WriteString(word)
		at += n
	}
	return out.String()
}

// unbroken puts units behind their numbers.
func unbroken(words []string) (out []string) {
	for _, word := range words {
		switch strings.TrimRight(word, ",;:.)") {
		case "%", "s", "ms", "us", "ns":
			if len(out) > 0 {
				out[len(out)-1] += " " + word
				continue
			}
		}
		out = append(out, word)
	}
	return out
}
