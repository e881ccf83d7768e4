// Command trust measures how often comparisons of a few runs can be believed: how often something is found between runs that
// do not differ, and how often a change that was planted is found and named first. It takes a folder of recordings with a file that says what
// is true of them (truth.json), ingests and analyzes them, compares random splits of their runs by the rule of analyze compare and
// by rules that are common elsewhere, and prints tables in Markdown.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/benchmarks/program"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
)

func main() { program.Main("trust", run) }

// job is what to measure.
type job struct {
	folder, truth string // of the recordings; the file that says what is known of them
	lake          string // where recordings are ingested
	cells         string // words of names; "" is all
	conditions    string // words of planted conditions; "" is all
	rules         string // words of names; "" is all
	sizes         []int  // runs per side
	splits        int    // random ones for each row of the tables
	first         bool   // functions and root executions alone
	jobs          int    // splits that are judged at the same time
	needed        bool   // measure what is said of the runs that are needed instead

	needs []need // what was measured of them
}

// run reads the flags, measures, and writes curves, the table of records and the Markdown, in this order. The result goes to
// stdout; the name of the cell that is under way goes to stderr, since a cell takes minutes to hours.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	f := flag.NewFlagSet("trust", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprintln(stderr, "usage: trust [flags] FOLDER, with FOLDER/truth.json or -truth FILE saying what is known of the recordings")
		f.PrintDefaults()
	}
	var j job
	var sizes, curves, table string
	f.StringVar(&j.truth, "truth", "", "what is known of the recordings (default FOLDER/truth.json)")
	f.StringVar(&j.lake, "lake", "", "folder of the lake that is made and kept (default: one that is removed)")
	f.StringVar(&j.cells, "cells", "", "only cells whose names have one of these words, separated by commas")
	f.StringVar(&j.conditions, "planted", "", "only planted conditions whose names have one of these words")
	f.StringVar(&j.rules, "rules", "", "only rules whose names have one of these words, beside that of analyze compare")
	f.StringVar(&sizes, "runs", "3,5,8,10", "runs per side, separated by commas")
	f.IntVar(&j.splits, "splits", 100, "random splits per row of the tables, no two the same: fewer where the runs have fewer")
	f.BoolVar(&j.first, "first", false, "ask analyze compare for functions and root executions alone, in a small part of the time")
	f.BoolVar(&j.needed, "needed", false, "measure instead how many undetermined functions and root executions are decided with the number of runs that they are said to need")
	f.IntVar(&j.jobs, "jobs", runtime.NumCPU(), "splits that are judged at the same time")
	f.StringVar(&curves, "svg", "", "folder for curves of power over false findings, a file for every cell and number of runs")
	f.StringVar(&table, "parquet", "", "file for what every rule said of every split")
	// Wrong usage ends here, before anything is read.
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() != 1 || j.splits < 1 {
		f.Usage()
		return errors.New("name one folder of recordings")
	}
	j.folder = f.Arg(0)
	// Two runs are the fewest that have a variance.
	for s := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 2 {
			return fmt.Errorf("-runs %q: numbers of two or more, separated by commas", sizes)
		}
		j.sizes = append(j.sizes, n)
	}
	records, err := j.run(ctx, stderr)
	if err != nil {
		return err
	}
	if j.needed {
		return writeNeeds(stdout, j.needs)
	}
	// Curves and table have what the tables of the output sum up, so that other questions need no new measurement.
	if curves != "" {
		if err := writeCurves(curves, records); err != nil {
			return err
		}
	}
	if table != "" {
		if err := writeParquet(table, records); err != nil {
			return err
		}
	}
	return writeTables(stdout, records)
}

// run measures all cells, and says on stderr which one it is at.
func (j *job) run(ctx context.Context, stderr io.Writer) (records []record, err error) {
	known, err := readTruth(j.folder, j.truth)
	if err != nil {
		return nil, err
	}
	// A lake that is named is kept, and its recordings are not ingested again the next time.
	if j.lake == "" {
		if j.lake, err = os.MkdirTemp("", "trust"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(j.lake)
	}
	// The lake is made if it is not there.
	l, err := lake.Open(j.lake, true)
	if err != nil {
		return nil, err
	}
	for i := range known.Cells {
		c := &known.Cells[i]
		if !wanted(c.Name, j.cells) {
			continue
		}
		fmt.Fprintln(stderr, c.Name)
		// Conditions that are left out are not even ingested.
		c.Planted = slices.DeleteFunc(c.Planted, func(p planted) bool { return !wanted(p.Condition, j.conditions) })
		m, err := j.prepare(ctx, l, c)
		if err != nil {
			return nil, err
		}
		if j.needed {
			needs, err := j.needsOf(ctx, m)
			if err != nil {
				return nil, err
			}
			j.needs = append(j.needs, needs...)
			continue
		}
		// A cell is measured before the next one is prepared, so that the memory of one suffices.
		rows, err := j.measure(ctx, m)
		if err != nil {
			return nil, err
		}
		records = append(records, rows...)
	}
	return records, nil
}

// wanted reports whether a name has one of the words, which commas separate. No words, "", are in every name.
func wanted(name, words string) bool {
	for word := range strings.SplitSeq(words, ",") {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// writeParquet writes the records as a file with the columns that type record declares.
func writeParquet(path string, records []record) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = parquet.WriteRows(f, parquet.Key{}, records)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
