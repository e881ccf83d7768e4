package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
)

// The formats of a report.
const (
	formatText     = "text"
	formatJSON     = "json"
	formatJUnit    = "junit"
	formatMarkdown = "markdown"
)

var compareFormats = []string{formatText, formatJSON, formatJUnit, formatMarkdown}

// telling is what is told, where and how.
type telling struct {
	failOn []string // the words of --fail-on
	files  []reportFile
}

// reportFile is a file of --report.
type reportFile struct{ format, name string }

// tellings checks what is to be told.
func (f *compareFlags) tellings() (t telling, err error) {
	if t.failOn, err = f.failWords(); err != nil {
		return t, err
	}
	switch {
	case !slices.Contains(compareFormats, f.format):
		return t, console.Usagef("--format %q: one of %s", f.format, strings.Join(compareFormats, ", "))
	case !f.byRuns() && f.format != formatText && f.format != formatJSON:
		return t, console.Usagef("--format %s is for --method runs; --method %s has text and json", f.format, f.method)
	case f.levels && f.format != formatText && f.format != formatJSON:
		return t, console.Usagef("--levels has text and json, and no %s", f.format)
	}
	for _, report := range f.reports {
		format, name, _ := strings.Cut(report, "=")
		if !slices.Contains(compareFormats, format) || name == "" {
			return t, console.Usagef("--report %q: FORMAT=FILE with one of the formats %s", report, strings.Join(compareFormats, ", "))
		}
		t.files = append(t.files, reportFile{format, name})
	}
	return t, nil
}

// tell writes the report and the files, and says whether --fail-on names what was found, and what stands last in the
// text.
func (a *app) tell(l *lake.Lake, j compare.Job, f compareFlags, t telling, r *compare.Result) (failed bool, last string, err error) {
	described, _, err := runs.Described(l)
	if err != nil {
		return false, "", err
	}
	if !f.byRuns() {
		failed = samplesFail(t.failOn, r.Changes)
		if f.format == formatJSON {
			return failed, "", json.NewEncoder(a.stdout).Encode(newSampleReport(j, r.Changes, f.top))
		}
		return failed, "", writeSamples(a.stdout, j, described, r.Changes, f.top)
	}
	o := newOutcome(j, described, a.Lake, t.failOn, r)
	for _, file := range t.files {
		if err := a.writeOutput(file.name, func(out io.Writer) error { return o.writeFile(out, file.format, f.top) }); err != nil {
			return false, "", fmt.Errorf("--report %s: %w", file.format, err)
		}
	}
	if f.format == formatText {
		last = o.lastLine()
	}
	return len(o.tripped) > 0, last, o.write(a.stdout, f.format, f.top)
}

// write writes the outcome in a format, the last line of the text left out.
func (o *outcome) write(out io.Writer, format string, top int) error {
	switch format {
	case formatJSON:
		return o.writeJSON(out, top)
	case formatJUnit:
		return o.writeJUnit(out)
	case formatMarkdown:
		return o.writeMarkdown(out, top)
	}
	return o.writeText(out, top)
}

// writeFile writes all of the outcome in a format.
func (o *outcome) writeFile(out io.Writer, format string, top int) error {
	if err := o.write(out, format, top); err != nil || format != formatText {
		return err
	}
	_, err := io.WriteString(out, o.lastLine())
	return err
}

// lastLine is the exit code with its reason, as it stands below the text.
func (o *outcome) lastLine() string {
	if line := o.exitLine(); line != "" {
		return "\n" + line + "\n"
	}
	return ""
}
