package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/automaton"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// automatonFlags are the flags of analyze automaton.
type automatonFlags struct {
	comparison string // empty: draw a fragment of a run
	output     string // a file, or - for the standard output
	format     string // svg or dot
	folded     string // yes, no or auto
	width      int    // of the page in pixels
}

// automatonCommand draws the automaton of a service fragment in a run or in a comparison.
// The number of arguments depends on --comparison.
func (a *app) automatonCommand() *cobra.Command {
	var f automatonFlags
	c := &cobra.Command{
		Use:   "automaton RUN FRAGMENT | --comparison ID FRAGMENT",
		Short: "Draw the automaton of a service fragment, or its difference automaton",
		Long: `Draws the automaton of a service fragment with counts, medians and histograms of its time samples on the
transitions. FRAGMENT is its name, or a function with which no other fragment begins. For a run, times count from the event before, on the same component. For a comparison it is the difference
automaton (Hilbig 2023, section 3.3): red and dashed is what only the baseline does, green and double what only the
candidate does, purple and bold where the timing changed; times count as the comparison judged them. A step that both
sides take, but to different states, is drawn once for each.

FILE.svg is a picture; FILE.dot is for Graphviz, without histograms. A picture has at most 2,000 states. --fold puts
chains of three or more steps that look alike into one, and says how often a loop that was unrolled runs ("12 × 2 steps");
what changed by itself stays. By default it does so beyond 60 transitions.`,
		Example: `  analyze automaton fast-1 "lib_select_c.Curl_poll from lib_multi_c" -o poll.svg
  analyze automaton --comparison fast-vs-slow "lib_select_c.Curl_poll from lib_multi_c" -o poll.svg
  analyze automaton --comparison fast-vs-slow "lib_url_c.Curl_connect from lib_multi_c" --fold no -o connect.dot`,
		Args: func(c *cobra.Command, args []string) error {
			if f.comparison != "" {
				return exactly(1, "name the service fragment to draw from the comparison")(c, args)
			}
			return exactly(2, "name a run and one of its service fragments, or a comparison with --comparison and a fragment")(c, args)
		},
		RunE: a.reading(f.check, func(ctx context.Context, l *lake.Lake, args []string) error { return a.automaton(ctx, l, args, f) }),
	}
	p := c.Flags()
	p.StringVar(&f.comparison, "comparison", "", "draw the difference automaton of this comparison, by its name")
	p.StringVarP(&f.output, "output", "o", "", "the file to write; - is the standard output")
	p.StringVar(&f.format, "format", "", "svg or dot; by default what the name of the file ends in")
	a.Choice(p, &f.folded, "fold", "auto", "fold chains and loops of steps: yes, no or auto", "yes", "no", "auto")
	p.IntVar(&f.width, "width", 1600, "of the page in pixels: what is longer goes on in the next row")
	return c
}

// check completes the format from the name of the file, and refuses flags that contradict each other.
func (f *automatonFlags) check() error {
	if f.output == "" {
		return console.Usagef("name the file to write: -o FILE.svg, -o FILE.dot, or -o - with --format")
	}
	f.format = cmp.Or(f.format, strings.TrimPrefix(filepath.Ext(f.output), ".")) // the ending without its point
	switch {
	case f.format != "svg" && f.format != "dot":
		return console.Usagef("-o %s: say --format svg or --format dot", f.output)
	case f.width < 400:
		return console.Usagef("--width %d: 400 or more", f.width)
	}
	return nil
}

// mostUnfolded is the number of transitions up to which --fold auto draws an automaton whole. More do not fit on a
// page at a readable size.
const mostUnfolded = 60

// automaton reads a fragment, folds it where that is asked for or needed, and draws it. The lake is only read.
// What was drawn is reported on standard error, since the picture itself may go to the standard output.
func (a *app) automaton(ctx context.Context, l *lake.Lake, args []string, f automatonFlags) (err error) {
	var drawn *automaton.Automaton
	if f.comparison != "" { // the runs of both sides
		c, err := runs.ComparedFragment(ctx, l, f.comparison, args[0])
		if err != nil {
			return err
		}
		drawn = automaton.OfComparison(c)
	} else {
		t, name, err := runs.Fragment(ctx, l, args[0], args[1], schema.NormRelative) // one run
		if err != nil {
			return err
		}
		drawn = automaton.OfRun(args[0], name, t)
	}
	whole := len(drawn.Transitions) // transitions before folding
	// Automata of single runs are small, and a reader wants to see all of their steps.
	if f.folded == "yes" || (f.folded == "auto" && whole > mostUnfolded) {
		if drawn, err = automaton.Fold(drawn); err != nil { // chains and loops become one transition each
			return err
		}
		drawn.Subtitle += fmt.Sprintf("  ·  folded to %s", texttab.Plural(len(drawn.Transitions), "transition"))
	}
	if err := a.writeOutput(f.output, f.writer(drawn)); err != nil {
		return err
	}
	if !a.Quiet { // the picture may go to the standard output
		fmt.Fprintf(a.stderr, "%s: %s\n", drawn.Title, f.summary(drawn, whole))
	}
	return nil
}

// writer returns the function that writes the automaton in the chosen format. Only the layout of a picture may fail.
// A picture that would be too large says how to get a smaller one.
func (f *automatonFlags) writer(drawn *automaton.Automaton) func(io.Writer) error {
	if f.format == "dot" {
		return func(out io.Writer) error { return automaton.WriteDOT(out, drawn) }
	}
	return func(out io.Writer) error {
		picture, err := automaton.Layout(drawn, automaton.Length(f.width)*100) // px to hundredths of a px
		if err != nil {
			return console.Usagef("%w: --fold yes, -o FILE.dot", err)
		}
		return picture.WriteSVG(out)
	}
}

// summary counts what was drawn.
// It names the transitions before folding, so that nobody takes the picture for the whole automaton.
func (f *automatonFlags) summary(drawn *automaton.Automaton, whole int) string {
	text := texttab.Plural(len(drawn.States), "state") + ", " + texttab.Plural(len(drawn.Transitions), "transition")
	if n := len(drawn.Transitions); n < whole {
		text += fmt.Sprintf(" after folding, %s before (--fold no draws all)", texttab.Count(whole))
	}
	return text
}
