// Command trust measures how often comparisons of a few runs can be believed: how often something is found between runs that
// do not differ, and how often a change that was planted is found and named first. It compares random splits of the runs of a
// lake by the rule of analyze compare and by two rules that are common elsewhere, and prints a table in Markdown.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "trust:", err)
		os.Exit(1)
	}
}

// job is what to measure.
type job struct {
	lake, name string
	unchanged  []string // selectors of runs that do not differ
	planted    []plant
	sizes      []int // runs per side
	splits     int
	jobs       int
}

// plant is a change that was planted: the runs that have it and the function that was changed.
type plant struct{ selector, function string }

func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	f := flag.NewFlagSet("trust", flag.ContinueOnError)
	f.SetOutput(stderr)
	var j job
	var unchanged, sizes string
	f.StringVar(&j.lake, "lake", "", "folder of a lake whose runs have summaries")
	f.StringVar(&j.name, "name", "", "name of the lake in the table")
	f.StringVar(&unchanged, "unchanged", "", "runs that do not differ: selectors KEY=VALUE, separated by commas")
	f.Func("planted", "KEY=VALUE:component.function: runs with a change planted in a function; may be repeated", func(s string) error {
		selector, function, found := strings.Cut(s, ":")
		if !found {
			return errors.New("name the function behind a colon")
		}
		j.planted = append(j.planted, plant{selector, function})
		return nil
	})
	f.StringVar(&sizes, "runs", "3,4,5,8,10", "runs per side, separated by commas")
	f.IntVar(&j.splits, "splits", 100, "random splits per row of the table")
	f.IntVar(&j.jobs, "jobs", runtime.NumCPU(), "splits that are judged at the same time")
	if err := f.Parse(args); err != nil {
		return err
	}
	if j.lake == "" || unchanged == "" || j.splits < 1 || f.NArg() > 0 {
		return errors.New("usage: trust -lake DIR -unchanged KEY=VALUE,... [-planted KEY=VALUE:component.function ...]; see -help")
	}
	j.unchanged = strings.Split(unchanged, ",")
	for s := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 2 {
			return fmt.Errorf("-runs %q: numbers of two or more, separated by commas", sizes)
		}
		j.sizes = append(j.sizes, n)
	}
	rows, err := j.measure(ctx)
	if err != nil {
		return err
	}
	return writeTable(stdout, rows)
}

// writeTable writes the rows as a table in Markdown. Unchanged splits have the share of splits in which anything was found;
// the others how often the planted function was found, how often it came first, and how many other functions were named on average.
func writeTable(out io.Writer, rows []row) error {
	var b strings.Builder
	b.WriteString("| recordings | runs per side | planted | compare | Welch's t + BH | Mann-Whitney + BH |\n|---|---|---|---|---|---|\n")
	for i := range rows {
		r := &rows[i]
		what := "nothing: any finding"
		if r.planted != "" {
			what = r.planted + " in `" + r.function + "`: found, first, others"
		}
		fmt.Fprintf(&b, "| %s | %d | %s |", r.name, r.size, what)
		for k := range r.rules {
			fmt.Fprintf(&b, " %s |", r.cell(&r.rules[k], k == 0))
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// cell says what a rule found in the splits of a row. root says whether the rule judges root executions.
func (r *row) cell(s *score, root bool) string {
	share := func(n int) string { return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(r.splits)) }
	if r.planted == "" {
		if root {
			return fmt.Sprintf("%s (root %s; behaviour %s)", share(s.any), share(s.root), share(s.acts))
		}
		return share(s.any)
	}
	text := fmt.Sprintf("%s, %s, %.1f", share(s.found), share(s.first), float64(s.other)/float64(r.splits))
	if root {
		text += "; root " + share(s.root)
	}
	return text
}
