package verdict

import (
	"fmt"
	"io"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/strata"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// MethodRuns is the name of the method that compares runs with runs. All other methods test pooled samples.
const MethodRuns = "runs"

// Comparison is what a report says about a comparison beside its rows.
type Comparison struct {
	ID      string                // its name: the partition of its tables
	Base    []string              // names of the baseline runs, at least one
	Cand    []string              // names of the candidate runs, at least one
	Noise   []string              // names of older runs, which show how much runs of one release differ
	Blocks  []int                 // by run of Base, Cand and Noise: runs of one block are compared with each other; nil: all with all
	Method  string                // MethodRuns, or the name of the test on pooled samples
	Rules   verdicts.Options      // margin, floor and error rates; only for MethodRuns
	Runs    map[string]schema.Run // the runs above by name: how many events they have and how long they take
	Lake    string                // the folder of the lake, as a command names it
	Common  *Common               // what all functions have in common; nil where functions were not compared
	Factors []schema.RunFactor    // the same by run
	Gate    Gate                  // when the command fails
	Strata  strata.Strata         // the labels by which runs are compared with runs of their own kind, and what else differs

	Thresholds []string // of components, where users define some: "lens_*: margin 10%"

	Contributions []schema.Contribution // what every function contributes to the difference; none where functions were not compared
	Errors        []schema.ErrorShare   // how often functions failed; none where no trace says how executions ended
	Examples      map[int64]Example     // requests that show findings, by the numbers of these; none where runs have no ids of traces
	By            string                // ByFunction: the report also has the own time of every function; or ""
	Details       bool                  // a text also has critical paths, changes of behaviour and the numbers of verdicts

	Columns int // of the terminal that a text is written to; 0: it is written to a file or a pipe, and no table is cut

	Totals *Totals // what recorders counted that left out short calls; nil where none did

	Exchanges int     // exchanges of runs between the sides that were compared by the same rule
	Claims    float64 // what the rule claims in one of them, on average
}

// defaultLake is the folder that commands read without --lake.
const defaultLake = "lake"

// command returns how a command on the lake begins.
func (c *Comparison) command() string {
	if c.Lake == defaultLake {
		return "analyze"
	}
	return "analyze --lake " + shellWord(c.Lake)
}

// ansiQuoted is what a shell reads as an escape between $' and '.
var ansiQuoted = strings.NewReplacer(`\`, `\\`, "'", `\'`)

// shellWord quotes a word if a POSIX shell would read it as anything else than one word. What nobody would see in it stands there in
// letters, between $' and ', which shells turn back.
func shellWord(word string) string {
	special := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:=@%+,", r))
	}
	if word != "" && strings.IndexFunc(word, special) < 0 {
		return word
	}
	if texttab.Printable(word) != word {
		return "$'" + texttab.Printable(ansiQuoted.Replace(word)) + "'"
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// RunsPerSide returns how many runs verdicts can rest on: those of the smaller side or, with blocks, the number of blocks
// that have runs of both sides. Runs of a block were recorded under the same conditions, so a block is one observation
// however many runs it has, and a block with runs of one side only shows no difference.
func (c *Comparison) RunsPerSide() int {
	if c.Blocks == nil {
		return min(len(c.Base), len(c.Cand))
	}
	// A block counts once it has been seen on both sides; baseline runs come first, so a candidate finds its block.
	base, both := make(map[int]bool), make(map[int]bool)
	for i, block := range c.Blocks[:len(c.Base)+len(c.Cand)] {
		if i < len(c.Base) {
			base[block] = true
		} else if base[block] {
			both[block] = true
		}
	}
	return len(both)
}

// header returns the lines at the top of every text: what is compared with what. Sides that differ much in the number of
// events do not record the same work.
func (c *Comparison) header() string {
	return fmt.Sprintf("comparison %s\nbaseline   %s\ncandidate  %s\n", c.ID, c.sideText(c.Base), c.sideText(c.Cand))
}

// strataText says by which labels runs are compared with runs of their own kind, or that they are with their neighbours in time; "" if
// all are compared with all.
//
//	by scenario: fast (5 against 5 runs), slow (5 against 4 runs)
func (c *Comparison) strataText() string {
	switch {
	case c.Strata.ByTime:
		return fmt.Sprintf("with those recorded next to them: %d pairs", c.RunsPerSide())
	case len(c.Strata.Labels) == 0:
		return ""
	}
	var cells []string
	for _, cell := range c.Strata.Cells {
		cells = append(cells, fmt.Sprintf("%s (%d against %d runs)", strings.Join(cell.Values, ", "), cell.Base, cell.Cand))
	}
	return "by " + strings.Join(c.Strata.Labels, " and ") + ": " + strings.Join(cells, "; ")
}

// sideText describes the runs of one side: their names, and the average number of events and span of one.
//
//	4 runs (c1 ... c4): 32 events and 18.1 ms per run
func (c *Comparison) sideText(names []string) string {
	// Means per run, so that sides of different numbers of runs compare.
	var events, span int64
	for _, name := range names {
		events += c.Runs[name].Events
		span += c.Runs[name].DurationNs
	}
	n := int64(len(names))
	what := names[0]
	if n > 1 {
		what = fmt.Sprintf("%d runs (%s)", n, firstAndLast(names))
	}
	return fmt.Sprintf("%s: %s events and %s per run", what, texttab.Count(events/n), texttab.Duration(span/n))
}

// firstAndLast lists a few names, or the first and the last of many.
func firstAndLast(names []string) string {
	if len(names) <= 3 {
		return strings.Join(names, ", ")
	}
	return names[0] + " ... " + names[len(names)-1]
}

// rulesText writes the rules of the verdicts in a line, for whoever has to reproduce them. With the minimum number of runs every
// family is tested at a lower rate; a reader who compares two reports must know.
// The rules go into every report, since verdicts without them cannot be reproduced.
func (c *Comparison) rulesText() string {
	text := fmt.Sprintf("margin %s and %s per root execution; false discovery rate %s; verdicts need %d runs per side",
		texttab.Share(c.Rules.Margin), texttab.Exact(int64(c.Rules.FloorNs)), texttab.Share(c.Rules.FDR), verdicts.MinRuns)
	switch {
	case c.Blocks != nil:
		text += ", here pairs"
	case c.RunsPerSide() == verdicts.MinRuns:
		text += ", which are tested more strictly"
	}
	return text
}

// noiseOfOthers reports whether one run a side is all there is, so that the noise is taken from what all other subjects do. That is
// enough to say what stands out. An interval is none of it: how much runs differ, nobody has seen.
func (c *Comparison) noiseOfOthers() bool {
	return len(c.Noise) == 0 && max(len(c.Base), len(c.Cand)) <= 1
}

// intervalText writes the interval of an effect; "" where none is known.
func (c *Comparison) intervalText(loNs, hiNs int64) string {
	if c.noiseOfOthers() {
		return ""
	}
	return texttab.Interval(loNs, hiNs)
}

// noiseSource says where a comparison of few runs takes its noise from. The better its source, the smaller the changes
// that a reader may believe.
func (c *Comparison) noiseSource() string {
	larger := max(len(c.Base), len(c.Cand))
	switch {
	case len(c.Noise) > 0 && larger > 1:
		return fmt.Sprintf("how much runs of a side and %s differ among themselves", texttab.Plural(len(c.Noise), "older run"))
	case len(c.Noise) > 0:
		return fmt.Sprintf("how much %s differ from the baseline", texttab.Plural(len(c.Noise), "older run"))
	case !c.noiseOfOthers():
		return fmt.Sprintf("how much %s of one side differ among themselves", texttab.Plural(larger, "run"))
	}
	return "how much all other subjects of the same kind differ, which is a weak estimate: take changes below 30 % for noise"
}

// width is how many columns of a terminal lines of text take at most: long ones are hard to read, whatever the terminal has.
func (c *Comparison) width() int {
	if c.Columns > 0 {
		return min(c.Columns, textWidth)
	}
	return textWidth
}

// writeTable writes a table, and below it what was done to make it fit the terminal, if it is written to one. names is the column that has names;
// drop are the headers of what may be left out, the least important first.
func (c *Comparison) writeTable(out io.Writer, table *texttab.Table, names int, drop ...string) error {
	note := ""
	if c.Columns > 0 {
		note = table.FitInto(c.Columns, names, drop...)
	}
	if err := table.Write(out); err != nil || note == "" {
		return err
	}
	_, err := fmt.Fprintln(out, texttab.Wrap(note, c.width(), ""))
	return err
}

// writeSum writes terms that add up. On a terminal their texts are wrapped, so that nothing of a sum is left out.
func (c *Comparison) writeSum(out io.Writer, table *texttab.Table) error {
	if c.Columns > 0 {
		return table.WriteWrapped(out, c.Columns)
	}
	return table.Write(out)
}
