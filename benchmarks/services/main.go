// Command services measures how often the service with an injected fault is among the first of analyze compare --rank services. Its
// input is a folder of the data set Nezha (Yu et al., ESEC/FSE 2023): faults.tsv, with a line for every fault, and tables of spans in
// normal/ and fault/, one for each minute, packed or not. The requests of the first minute behind an injection are compared with those
// of the fault-free minutes of the day, and with -before also with those of the fault's own tables that ended before the injection.
//
// It prints a line for every fault, and AS@k, the share of faults whose service is among the first k. Last it divides the requests of
// every fault-free day into halves, once by time and then by chance, and counts services that are called regressed.
//
//	go run ./benchmarks/services FOLDER
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tracelake/tracelake/benchmarks/program"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/services"
)

func main() { program.Main("services", run) }

// folder is the data set, and the lake in which it is read.
type folder struct {
	path   string        // the folder of the data set
	lake   *lake.Lake    // a temporary lake, which is removed
	window time.Duration // of requests behind an injection that are compared
	before bool          // requests that ended before the injection are of the baseline, too
	splits int           // of the requests of every fault-free day
}

// run prints the ranks of all faults, and then the splits of fault-free minutes.
func run(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	flags := program.NewFlags("services", "[flags] FOLDER", stderr)
	// The folder is read as it is; the lake is made in a temporary one.
	d := &folder{}
	flags.DurationVar(&d.window, "window", time.Minute, "requests of this time from the injection on are compared")
	flags.BoolVar(&d.before, "before", false, "requests of the fault's tables that ended before the injection are of the baseline, too")
	flags.IntVar(&d.splits, "splits", 20, "halves that are made of every fault-free minute")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("one folder with faults.tsv, normal and fault is needed")
	}
	d.path = flags.Arg(0)
	at, err := os.MkdirTemp("", "services")
	if err != nil {
		return err
	}
	defer os.RemoveAll(at) // the lake of a measurement is of no use to anybody else
	if d.lake, err = lake.Open(at, true); err != nil {
		return err
	}
	// Faults first: they need the runs of the same fault-free days, which then stand ready.
	if err := d.rankFaults(ctx, stdout); err != nil {
		return err
	}
	return d.splitNormal(ctx, stdout)
}

// score counts faults, and those whose service is among the first one, three and five; the shares are AS@1, AS@3 and AS@5.
type score struct{ faults, first, three, five int }

// add counts a fault by the rank of its service; 0 means that the service is not ranked at all.
func (s *score) add(rank int) {
	s.faults++
	s.first += among(rank, 1)
	s.three += among(rank, 3)
	s.five += among(rank, 5)
}

// among returns 1 where a rank is one of the first k, 0 elsewhere.
func among(rank, k int) int {
	if rank >= 1 && rank <= k {
		return 1
	}
	return 0
}

// rankFaults prints the rank of the service at fault for every fault, and AS@k for each system and for all.
func (d *folder) rankFaults(ctx context.Context, out io.Writer) error {
	faults, err := readFaults(filepath.Join(d.path, "faults.tsv"))
	if err != nil {
		return err
	}
	// By system, and under "all".
	scores := make(map[string]*score)
	fmt.Fprintf(out, "%-12s%-10s%-30s%-16s%5s  %s\n", "day", "time", "service", "fault", "rank", "first of the answer")
	// A line is printed as soon as its fault is ranked, so that a long measurement shows how far it is.
	for _, f := range faults {
		r, names, err := d.rank(ctx, f)
		if err != nil {
			return fmt.Errorf("fault of %s %s: %w", f.day, f.time, err)
		}
		// Rank 0 and a dash stand for an answer without the service, or without any.
		rank, first := 0, "-"
		for i := range r.Services {
			name := names.Components.Name(r.Services[i].Component)
			if i == 0 {
				first = name + ", " + r.Services[i].Verdict
			}
			if name == f.service {
				rank = i + 1
			}
		}
		fmt.Fprintf(out, "%-12s%-10s%-30s%-16s%5d  %s\n", f.day, f.time, f.service, f.kind, rank, first)
		// Each fault counts for its system and for all.
		for _, group := range []string{f.system(), "all"} {
			if scores[group] == nil {
				scores[group] = new(score)
			}
			scores[group].add(rank)
		}
	}
	fmt.Fprintf(out, "\n%-16s%8s%8s%8s%8s\n", "system", "faults", "AS@1", "AS@3", "AS@5")
	for _, group := range slices.Sorted(maps.Keys(scores)) {
		s := scores[group]
		percent := func(n int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(s.faults)) } // a group has a fault at least
		fmt.Fprintf(out, "%-16s%8d%8s%8s%8s\n", group, s.faults, percent(s.first), percent(s.three), percent(s.five))
	}
	return nil
}

// rank ranks the services of a fault by requests of the fault-free minutes of its day, and of the window that begins at the injection.
func (d *folder) rank(ctx context.Context, f fault) (*services.Ranking, *schema.Names, error) {
	// 1. The runs: the fault-free minutes of the day, and the minutes around the injection.
	normal, err := d.normal(ctx, f.day)
	if err != nil {
		return nil, nil, err
	}
	faulty := "fault-" + f.day + "-" + f.files[0] // the day and the first minute tell the faults apart
	if err := d.ingest(ctx, faulty, f.paths(d.path)); err != nil {
		return nil, nil, err
	}
	// The requests of both runs, in memory at once: a request is its spans.
	requests, names, err := runs.Requests(ctx, d.lake, runs.WholeRuns(normal, faulty), readingBytes)
	if err != nil {
		return nil, nil, err
	}
	// 2. Requests come by run and by time: those of the fault-free run, then those behind the injection, as long as the window.
	first := slices.IndexFunc(requests, func(q services.Request) bool { return q.Run == 1 }) // all before it are of the fault-free run
	from := slices.IndexFunc(requests, func(q services.Request) bool { return q.Run == 1 && q.Spans[0].StartNs >= f.injectedNs })
	if from < 0 {
		return nil, nil, errors.New("no request starts behind the injection") // the tables of the fault end before its time
	}
	// The time of the fault is the measure: what came before it is no evidence of the fault, and what ended before it is evidence against.
	base, cand := requests[:first:first], requests[from:]
	for i := first; d.before && i < from; i++ {
		if requests[i].Spans[0].FinishNs < f.injectedNs {
			base = append(base, requests[i])
		}
	}
	end := cand[0].Spans[0].StartNs + int64(d.window)
	to := slices.IndexFunc(cand, func(q services.Request) bool { return q.Spans[0].StartNs >= end })
	if to < 0 {
		to = len(cand)
	}
	// The defaults are those of compare --rank services.
	return services.Rank(base, cand[:to], services.Defaults()), names, nil
}

// splitNormal counts services that regressed between halves of fault-free minutes.
// It prints a line for every day.
func (d *folder) splitNormal(ctx context.Context, out io.Writer) error {
	days, err := normalDays(d.path)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%-16s%8s%22s\n", "fault-free day", "splits", "with any regressed")
	// Halves of a day have the same load and the same version: only chance and drift tell them apart.
	for _, day := range days {
		run, err := d.normal(ctx, day)
		if err != nil {
			return err
		}
		// A day's requests are ranked against themselves, so any service called regressed is a false alarm.
		all, _, err := runs.Requests(ctx, d.lake, runs.WholeRuns(run), readingBytes)
		if err != nil {
			return err
		}
		regressed := 0
		// The first split is by time, whatever drifts over the minutes; the others are by chance.
		rng := rand.New(rand.NewPCG(21, 0)) // a fixed seed: the same halves every time
		for range d.splits {
			r := services.Rank(all[:len(all)/2], all[len(all)/2:], services.Defaults())
			if slices.ContainsFunc(r.Services, func(s services.Service) bool { return s.Verdict == services.Regressed }) {
				regressed++
			}
			rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		}
		fmt.Fprintf(out, "%-16s%8d%22d\n", day, d.splits, regressed)
	}
	return nil
}

// system is the system of a fault: the services of TrainTicket are called ts-.
// The data set has no column of it.
func (f *fault) system() string {
	if strings.HasPrefix(f.service, "ts-") {
		return "TrainTicket"
	}
	return "OnlineBoutique"
}
