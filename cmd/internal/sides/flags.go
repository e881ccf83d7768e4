package sides

import (
	"github.com/tracelake/tracelake/cmd/internal/console"
	flamereport "github.com/tracelake/tracelake/stages/report/flame"
)

// Flags ask for critical paths as a flame graph, or for those of a comparison.
type Flags struct {
	File       string  // of a flame graph; empty for none
	Slowest    float64 // percent of the occurrences, those that took longest
	Against    string  // a run with whose paths these are compared; empty for none
	Comparison string  // the runs of a comparison instead of one run, with its verdicts; empty for none
}

// Check refuses what makes no sense.
func (f *Flags) Check() error {
	switch {
	case f.File == "" && (f.Slowest != 100 || f.Against != ""):
		return console.Usagef("--slowest and --against are of a flame graph: name its file with --flame")
	case f.Against != "" && f.Comparison != "":
		return console.Usagef("--comparison names what is compared: leave --against out")
	case !(f.Slowest > 0 && f.Slowest <= 100):
		return console.Usagef("--slowest %v: a number of percent above 0, and 100 at most", f.Slowest)
	case f.File != "" && flamereport.Check(f.File) != nil:
		return console.Usagef("--flame %w", flamereport.Check(f.File))
	}
	return nil
}
