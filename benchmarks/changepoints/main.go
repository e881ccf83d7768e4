// Command changepoints measures how well change points of series are found. Its input is a folder of series in which people marked
// what they see, in the format of the Turing change point data set (van den Burg and Williams 2020, arXiv 2003.06222): a file
// annotations.json, and one file of JSON for every series anywhere below. It prints F1 and covering of every series of one dimension, and
// their means, of package changepoint and of saying that nothing changed.
//
//	git clone https://github.com/alan-turing-institute/TCPD && go run ./benchmarks/changepoints TCPD
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/tracelake/tracelake/benchmarks/program"
	"github.com/tracelake/tracelake/stages/change/changepoint"
)

func main() { program.Main("changepoints", run) }

// run prints the table for the one folder that is named. A folder without an annotated series is an error: it is rarely what was meant.
func run(_ context.Context, stdout, stderr io.Writer, args []string) error {
	f := flag.NewFlagSet("changepoints", flag.ContinueOnError)
	f.SetOutput(stderr)
	margin := f.Int("margin", 5, "places within which a change point is the one that was marked")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() != 1 {
		return errors.New("one folder with annotations.json and series is needed")
	}
	// Series lie anywhere below the folder.
	all, err := readFolder(os.DirFS(f.Arg(0)))
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("%s has no series of one dimension that is annotated", f.Arg(0))
	}
	print(stdout, all, *margin)
	return nil
}

// print prints a line for every series, and the means.
func print(out io.Writer, all []annotated, margin int) {
	// What saying nothing reaches is the measure of what a method gains.
	var found, nothing score // sums
	fmt.Fprintf(out, "%-20s %7s %6s %9s  %s\n", "series", "values", "F1", "covering", "cut at; trends")
	for i := range all {
		s := &all[i]
		// All series are judged alone and with the defaults, as histories of one subject would be.
		shape := changepoint.Find([][]float64{s.values}, changepoint.Defaults())[0]
		// The same measures for the method and for saying nothing.
		own, none := s.rate(s.places(&shape), margin), s.rate(nil, margin)
		found, nothing = found.plus(own), nothing.plus(none)
		fmt.Fprintf(out, "%-20s %7d %6.3f %9.3f  %s\n", s.name, len(s.values), own.f1, own.covering, s.describe(shape))
	}
	n := float64(len(all))
	fmt.Fprintf(out, "%-20s %7d %6.3f %9.3f\n", "mean", len(all), found.f1/n, found.covering/n)
	fmt.Fprintf(out, "%-20s %7d %6.3f %9.3f\n", "saying nothing", len(all), nothing.f1/n, nothing.covering/n)
}

// describe says what was found: places of breaks, and from where to where a series is a slope.
func (s *annotated) describe(shape changepoint.Shape) string {
	var words []string
	for _, at := range s.places(&shape) {
		words = append(words, fmt.Sprint(at))
	}
	// A trend is no place: its slope is told beside the places, which bends are as well.
	for _, t := range shape.Trends {
		words = append(words, fmt.Sprintf("%d-%d", s.position[t.From], s.position[t.To-1]))
	}
	return strings.Join(words, " ")
}

// readFolder reads the annotated series of a folder, in the order of their names.
func readFolder(folder fs.FS) ([]annotated, error) {
	marks, err := readMarks(folder)
	if err != nil {
		return nil, err
	}
	var all []annotated
	err = fs.WalkDir(folder, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		// Files that hold no series, such as the annotations themselves, have no name among the marks.
		s, err := readSeries(folder, path)
		if by := marks[s.name]; err == nil && s.values != nil && by != nil {
			s.marks = by
			all = append(all, s)
		}
		return err
	})
	return all, err
}
