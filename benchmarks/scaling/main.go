// Command scaling plays the measured task graph of a run on other numbers of cores. It reads what
//
//	analyze plan --measured --format json RUN
//
// prints, and schedules the tasks as the engine does: a stage is ready when all tables that it reads are written, its tasks
// start in the order of their numbers, and a free core takes the first task that waits (list scheduling, Graham 1969: never
// more than twice as long as the best schedule). A task takes the CPU seconds that it took; what cores share, such as
// caches, memory and disks, is not modelled, so that the projection is a lower bound.
//
// The ingest before it, with -ingest, takes one path that nothing divides and the rest of its CPU seconds, which it spreads
// over the cores beside that path. With -buckets and -merge the same work is played in fewer tasks, as if the run had fewer
// buckets.
//
// With -times a trace is played that is so many times as long: every task does so much more, and -buckets and -merge say into how
// many tasks stages are divided then. A stage of one task is a walk, which stays one unless -merge divides it. With -task every
// task costs so much more, as it does in a process of its own.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/benchmarks/program"
	"github.com/tracelake/tracelake/pipeline"
)

func main() { program.Main("scaling", run) }

// settings are what the flags say.
type settings struct {
	cores          []int          // numbers of them to play on
	buckets        int            // tasks that a stage has at most; 0: as measured
	merge          map[string]int // the same of single stages
	serial, spread float64        // CPU seconds of the ingest: on one path, and beside it
	times          float64        // how many times as long the trace is played
	task           float64        // CPU seconds that a task costs beside its work
	tail           float64        // seconds at the end of the command, on one core
}

// run reads a plan as JSON and prints a table: for each number of cores the seconds, the speed-up, and the share of cores at work.
func run(_ context.Context, stdout, stderr io.Writer, args []string) error {
	s, path, err := parse(stderr, args)
	if err != nil {
		return err
	}
	// A dash reads what analyze plan prints, through a pipe.
	in := io.Reader(os.Stdin)
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	var planned []pipeline.Planned
	if err := json.NewDecoder(in).Decode(&planned); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	g, err := graphOf(planned, s)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	write(stdout, g, s)
	return nil
}

// parse reads the flags and the one argument.
func parse(stderr io.Writer, args []string) (s settings, path string, err error) {
	f := program.NewFlags("scaling", "[FLAG]... FILE|-", stderr)
	cores := f.String("cores", "1,2,4,8,16,32,64", "numbers of cores")
	f.IntVar(&s.buckets, "buckets", 0, "play a stage of more tasks in this many; 0: as measured")
	merge := f.String("merge", "", "the same of single stages, such as constraints=4")
	ingest := f.String("ingest", "0,0", "CPU seconds of the ingest on its longest path, and all others")
	f.Float64Var(&s.times, "times", 1, "play a trace that is so many times as long, with -buckets and -merge in so many tasks")
	f.Float64Var(&s.task, "task", 0, "CPU seconds that every task costs beside its work, such as in a process of its own")
	f.Float64Var(&s.tail, "tail", 0, "seconds after the last task, such as for the views of the lake")
	if err := f.Parse(args); err != nil {
		return s, "", err
	}
	if f.NArg() != 1 {
		return s, "", fmt.Errorf("name the file that analyze plan --measured --format json wrote, or -")
	}
	if s.times < 1 || s.task < 0 {
		return s, "", fmt.Errorf("-times is 1 or more, and -task not negative")
	}
	// Numbers of cores may be anything; those of the table are printed in this order.
	for text := range strings.SplitSeq(*cores, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return s, "", fmt.Errorf("-cores %s: numbers from 1, with commas", *cores)
		}
		s.cores = append(s.cores, n)
	}
	// "0,0" leaves the ingest out.
	if _, err := fmt.Sscanf(*ingest, "%g,%g", &s.serial, &s.spread); err != nil {
		return s, "", fmt.Errorf("-ingest %s: two numbers of seconds, with a comma", *ingest)
	}
	s.merge = make(map[string]int)
	for _, text := range strings.FieldsFunc(*merge, func(r rune) bool { return r == ',' }) {
		stage, number, _ := strings.Cut(text, "=")
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 {
			return s, "", fmt.Errorf("-merge %s: STAGE=TASKS, with commas", *merge)
		}
		s.merge[stage] = n
	}
	return s, f.Arg(0), nil
}

// write prints how long the graph takes on every number of cores, and its longest path.
func write(w io.Writer, g *graph, s settings) {
	// Speed-up is against one core: all CPU seconds one behind the other.
	work := g.work() + s.serial + s.spread + s.tail
	fmt.Fprintf(w, "%d tasks of %d stages; %.1f CPU s with the ingest; no number of cores takes less than %.1f s: %s\n",
		g.tasks(), len(g.stages), work, s.serial+g.longestPath()+s.tail, g.path())
	fmt.Fprintf(w, "%8s %10s %10s %12s\n", "cores", "seconds", "speed-up", "cores busy")
	for _, cores := range s.cores {
		seconds := s.ingestOn(cores) + g.play(cores) + s.tail
		fmt.Fprintf(w, "%8d %10.1f %10.1f %11.0f %%\n", cores, seconds, work/seconds, 100*work/seconds/float64(cores))
	}
}

// ingestOn is how long the ingest takes: its longest path, or all of its work where that takes longer.
func (s settings) ingestOn(cores int) float64 {
	// Two bounds of list scheduling: the longest path, and the work shared out evenly.
	return max(s.serial, (s.serial+s.spread)/float64(cores))
}
