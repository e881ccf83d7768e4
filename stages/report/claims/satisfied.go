package claims

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Satisfied is how a run keeps the dependencies of a run.
type Satisfied struct {
	Run          string   `json:"run"`            // the run that is held against them
	Constraints  string   `json:"constraints"`    // the other run
	Weight       string   `json:"weight"`         // what the weights are, in words
	Dependencies int      `json:"dependencies"`   // of the other run
	Asked        int      `json:"asked"`          // those that have a weight, and both ends in the run
	Skipped      int      `json:"without_weight"` // those whose weight is no number
	Broken       []Broken `json:"broken"`         // those that the run does not keep
	Top          int      `json:"-"`              // rows of the table in text; 0 for all
}

// Broken is a dependency that the run does not keep. Times are those of the trace.
type Broken struct {
	Dependency int64  `json:"dependency"` // its number in the other run
	From       string `json:"from"`       // in words
	To         string `json:"to"`         // likewise
	FromNs     int64  `json:"from_ns"`    // when it took place in the run
	ToNs       int64  `json:"to_ns"`      // likewise; it had to be at FromNs + WeightNs or later
	WeightNs   int64  `json:"weight_ns"`  // the least distance that is asked
	ByNs       int64  `json:"by_ns"`      // how much is lacking

	OriginNs int64 `json:"-"` // of the run
}

// WriteJSON writes one object.
func (r *Satisfied) WriteJSON(out io.Writer) error { return json.NewEncoder(out).Encode(r) }

// WriteText writes a row a dependency that is not kept.
func (r *Satisfied) WriteText(out io.Writer) error {
	verdict := "keeps all"
	if len(r.Broken) > 0 {
		verdict = "does not keep " + texttab.Count(len(r.Broken))
	}
	fmt.Fprintf(out, "%s %s of %s of %s, %s\n", r.Run, verdict, dependencies(r.Asked), r.Constraints, r.Weight)
	if lacking := r.Dependencies - r.Asked - r.Skipped; lacking > 0 {
		fmt.Fprintf(out, "%s not asked: %s lacks an end of each\n", dependencies(lacking), r.Run)
	}
	if r.Skipped > 0 {
		fmt.Fprintf(out, "%s not asked: without a weight\n", dependencies(r.Skipped))
	}
	if len(r.Broken) == 0 {
		return nil
	}
	fmt.Fprintln(out)
	t := texttab.New("rllrrrr")
	t.Row("dependency", "from", "to", "at", "to at", "weight", "too early by")
	shown := r.Broken
	if r.Top > 0 {
		shown = shown[:min(len(shown), r.Top)]
	}
	for _, b := range shown {
		t.Row(texttab.Count(b.Dependency), texttab.Printable(b.From), texttab.Printable(b.To), texttab.Exact(b.FromNs-b.OriginNs), texttab.Exact(b.ToNs-b.OriginNs),
			texttab.Exact(b.WeightNs), texttab.Exact(b.ByNs))
	}
	if err := t.Write(out); err != nil {
		return err
	}
	if more := len(r.Broken) - len(shown); more > 0 {
		fmt.Fprintf(out, "%s more: --top 0 prints all\n", dependencies(more))
	}
	return nil
}
