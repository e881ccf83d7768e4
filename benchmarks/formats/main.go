// Command formats measures the readers of trace formats: how fast each is on one core beside the floor of the machine
// and beside the programs that people read the format with, and that its memory does not follow the length of the trace.
//
// For every format it makes a trace of about -events events in a folder under -dir, then runs, each in a process of
// its own and the best of -runs counting: the reader, with its events thrown away; a sum over the 64-bit words of the
// same files; and the peers, with their output thrown away. A peer that is not installed is left out, and the table
// says so. Times are CPU seconds of the whole process, user and system, its start included; peak memory is resident
// memory as the system counts it.
//
// Rates of peers count the events and bytes that our reader counts. The traces: a program of four threads with 300
// functions (walk.go), for the formats of spans requests through six services (requests.go), for Kieker flows of 40
// events (kieker.go).
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/benchmarks/program"
)

func main() { program.Main("formats", run) }

// run parses the command line and prints the tables. With the name of a task as its first word it does that task
// instead and prints its figures for the process that started it: the command measures itself.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	// Tasks come before flags: the process that is measured shall not parse the table's flags.
	if len(args) > 0 && tasks[args[0]] != nil {
		return tasks[args[0]](stdout, args[1:])
	}
	f := program.NewFlags("formats", "[-events N] [-format NAMES] [-dir DIR] [-runs N] [-memory MIB] [-little MIB] [-mutations N] [-markdown]", stderr)
	events := f.Float64("events", 2e6, "events of a trace")
	dir := f.String("dir", os.TempDir(), "where traces are made and removed again")
	only := f.String("format", "", "comma-separated formats, default all: "+strings.Join(program.Names(subjects, nameOf), ","))
	runs := f.Int("runs", 3, "runs of each, of which the best counts; fewer where they take long")
	memory := f.Int64("memory", 256, "MiB that a reader is given in the first table")
	little := f.Int64("little", 16, "MiB that a reader is given in the second table, of memory; 0 leaves it out")
	mutations := f.Int("mutations", 0, "instead, read so many mutated inputs of a short trace of every format: none may panic, hang or lose events in silence")
	markdown := f.Bool("markdown", false, "print Markdown")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 || *mutations < 0 || *runs < 1 || *events < 1 || *memory < 1 || *little < 0 {
		return errors.New("unexpected arguments, or numbers that are too small; see -help")
	}
	// Mutations measure nothing; they are a search for readers that fail in silence.
	if *mutations > 0 {
		names := strings.Split(*only, ",")
		wanted := func(format string) bool { return *only == "" || slices.Contains(names, format) }
		return mutate(stdout, *dir, *mutations, wanted, *markdown)
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	// The processes that are measured are this program itself, so that what is measured is what was built.
	self, err := os.Executable()
	if err != nil {
		return err
	}
	b := bench{self: []string{self}, dir: *dir, events: int(*events), runs: *runs, memory: *memory << 20}
	return b.report(ctx, stdout, stderr, chosen, *little<<20, *markdown)
}

// report measures and prints both tables.
// A failed peer is reported and does not end the measurement; a failed reader does, as the traces have no defects.
func (b bench) report(ctx context.Context, stdout, stderr io.Writer, chosen []subject, little int64, markdown bool) error {
	var results []result
	for _, s := range chosen {
		r, err := b.compare(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for _, p := range r.peers {
			if p.failed != nil {
				fmt.Fprintf(stderr, "formats: %s: %v\n", s.name, p.failed)
			}
		}
		results = append(results, r)
	}
	if err := printTable(stdout, speeds(results), markdown); err != nil || little == 0 {
		return err
	}
	var all []growth
	for _, s := range chosen {
		g, err := b.grow(ctx, s, little)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		all = append(all, g)
	}
	fmt.Fprintf(stdout, "The same, and %d times as long, with %d MiB to hold records in:\n\n", longer, little>>20)
	return printTable(stdout, memories(all), markdown)
}

// tasks are what the command does as a process that is measured.
// They are words of the first argument that users have no reason to type.
var tasks = map[string]func(stdout io.Writer, args []string) error{
	// make writes the trace and prints nothing.
	"make": func(_ io.Writer, args []string) error {
		s, dir, n, err := task(args)
		if err != nil {
			return err
		}
		return made(s, dir, int(n))
	},
	// read reads a trace and prints events, bytes and CPU time, in a line.
	"read": func(stdout io.Writer, args []string) error {
		s, dir, memory, err := task(args)
		if err != nil {
			return err
		}
		t, err := read(s, dir, memory)
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(stdout, t.tell())
		return err
	},
	// sum reads the files of a folder as words, the floor, and prints its figures and the sum.
	"sum": func(stdout io.Writer, args []string) error {
		t, words, err := sum(strings.Join(args, ""))
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(stdout, t.tell(), words)
		return err
	},
}

// task reads the words of a task: subject, folder and a number.
// The number is one of events for make and of bytes of memory for read.
func task(args []string) (s subject, dir string, n int64, err error) {
	if len(args) != 3 {
		return s, "", 0, errors.New("a task needs a format, a folder and a number")
	}
	chosen, err := choose(args[0])
	if err != nil {
		return s, "", 0, err
	}
	n, err = strconv.ParseInt(args[2], 10, 64)
	return chosen[0], args[1], n, err
}

// nameOf is what a subject is chosen by.
func nameOf(s subject) string { return s.name }

// choose finds subjects by their names.
func choose(only string) ([]subject, error) { return program.Choose("format", only, subjects, nameOf) }
