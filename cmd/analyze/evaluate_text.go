package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// chapter is a table for people with a sentence about it.
type chapter struct {
	title, note string
	left        int // columns that stand to the left
	rows        [][]string
}

func (a *app) tellEvaluation(e *evaluated, f evaluateFlags) error {
	if f.out != "" {
		if err := a.writeEvaluation(e, f.out); err != nil {
			return err
		}
	}
	if f.format == "json" {
		out := make(map[string]any)
		for _, t := range e.tables() {
			out[t.name] = t.forMachines()
		}
		return json.NewEncoder(a.stdout).Encode(out)
	}
	return writeChapters(a.stdout, e.chapters(), func(out io.Writer, c *chapter) error {
		fmt.Fprintf(out, "%s\n%s\n\n", c.title, c.note)
		const most = 40 // columns
		g := texttab.New(strings.Repeat("l", c.left) + strings.Repeat("r", most-c.left))
		for _, row := range c.rows {
			g.Row(row...)
		}
		return g.Write(out)
	})
}

// writeEvaluation writes the files of an evaluation.
func (a *app) writeEvaluation(e *evaluated, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, t := range e.tables() {
		if err := a.writeOutput(filepath.Join(folder, t.name+".csv"), t.writeCSV); err != nil {
			return err
		}
	}
	for _, p := range e.pictures() {
		if err := a.writeOutput(filepath.Join(folder, p.name+".svg"), p.write); err != nil {
			return err
		}
	}
	return a.writeOutput(filepath.Join(folder, "summary.md"), func(out io.Writer) error {
		fmt.Fprintf(out, "# Evaluation\n\nMade by `%s`.\n\n", e.command)
		return writeChapters(out, e.chapters(), markdown)
	})
}

func writeChapters(out io.Writer, all []chapter, write func(io.Writer, *chapter) error) error {
	w := bufio.NewWriter(out)
	for i := range all {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := write(w, &all[i]); err != nil {
			return err
		}
	}
	return w.Flush()
}

// markdown writes a chapter as Markdown does.
func markdown(out io.Writer, c *chapter) error {
	fmt.Fprintf(out, "## %s\n\n%s\n\n", c.title, c.note)
	for i, row := range c.rows {
		fmt.Fprintf(out, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			fmt.Fprintf(out, "|%s%s\n", strings.Repeat("---|", min(c.left, len(row))), strings.Repeat("--:|", max(0, len(row)-c.left)))
		}
	}
	return nil
}

// chapters are the summary.
func (e *evaluated) chapters() (all []chapter) {
	for _, c := range []chapter{e.aaChapter(), e.ablationChapter(), e.faultChapter(), e.lossChapter(), e.powerChapter(), e.fdrChapter()} {
		if len(c.rows) > 1 || c.title == lossTitle && len(e.Trials) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// rate is a share with one digit behind the point.
func rate(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*x)
}

// score is a number from 0 to 1.
func score(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.2f", x)
}

func versus(runs int) string { return fmt.Sprintf("%d v %d", runs, runs) }
