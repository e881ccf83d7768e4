package claims

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Critical is what is critical in a run.
type Critical struct {
	Run        string  `json:"run"`                         // its name
	Graph      string  `json:"graph"`                       // in words, such as "claims, epsilon 0 ns"
	StartNs    int64   `json:"start_ns"`                    // of the first claim, in the trace's clock
	DurationNs int64   `json:"duration_ns"`                 // from there to the last end
	WeightNs   int64   `json:"weight_ns"`                   // of the longest path
	All        int     `json:"claims_of_run"`               // how many claims the run has, critical or not
	EdgeCount  int64   `json:"critical_edges"`              // critical edges, also beyond the million that are listed
	Skipped    int     `json:"dependencies_without_weight"` // of the graph of dependencies: those whose weight is no number
	ByEnds     bool    `json:"-"`                           // of the graph of claims: a claim may wait for more than its dependencies
	Ordered    bool    `json:"has_dependencies"`            // so that it is known which do
	Claims     []Claim `json:"claims"`                      // critical ones, in the order of the path
	Edges      []Edge  `json:"edges"`                       // all, or the first million
	Top        int     `json:"-"`                           // rows of a table in text; 0 for all
}

// Claim is a critical claim.
type Claim struct {
	Execution int64    `json:"execution"`                       // seq of its start, by which tables name it
	ID        int64    `json:"id"`                              // its number in the trace
	Text      string   `json:"claim"`                           // the claim with its attributes, in words
	Name      string   `json:"name"`                            // its attribute name
	Resource  string   `json:"resource"`                        // what it takes
	StartNs   int64    `json:"start_ns"`                        // in the trace's clock
	EndNs     int64    `json:"end_ns"`                          // likewise
	Wait      bool     `json:"without_application_predecessor"` // no dependency says why it starts when it does: it waits for the resource
	After     []string `json:"after,omitempty"`                 // critical claims that a claim that waits follows
}

// Edge is a critical edge between two claims or events, by their executions or seq.
type Edge struct {
	From int64 `json:"from"` // what comes first
	To   int64 `json:"to"`   // what cannot come before it
}

// WriteJSON writes one object.
func (r *Critical) WriteJSON(out io.Writer) error { return json.NewEncoder(out).Encode(r) }

// WriteText writes what the critical paths consist of, and which claims on them waited for a resource.
func (r *Critical) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "%s, graph of %s: %s of %s critical, %s; weight %s, the run lasts %s\n", r.Run, r.Graph,
		texttab.Count(len(r.Claims)), texttab.Plural(r.All, "claim"), texttab.Plural(r.EdgeCount, "critical edge"), texttab.Duration(r.WeightNs), texttab.Duration(r.DurationNs))
	if r.Skipped > 0 {
		fmt.Fprintf(out, "%s without a weight left out\n", dependencies(r.Skipped))
	}
	fmt.Fprintln(out)
	if err := r.writeShares(out); err != nil {
		return err
	}
	if !r.ByEnds {
		return nil
	}
	if !r.Ordered {
		_, err := fmt.Fprintln(out, "\nThe run has no dependencies, so that it is not known which critical claims waited for a resource.")
		return err
	}
	return r.writeWaits(out)
}

// dependencies counts dependencies.
func dependencies[N int | int64](n N) string {
	if n == 1 {
		return "1 dependency"
	}
	return texttab.Count(n) + " dependencies"
}

// Share is what the critical claims of a name on a resource take together.
type Share struct {
	Resource string `json:"resource"`
	Name     string `json:"name"`
	Claims   int    `json:"claims"` // critical ones
	Waits    int    `json:"waits"`  // of them
	Ns       int64  `json:"ns"`     // of all; those that overlap count each
}

// Shares has an element for each resource and name, the greatest first.
func (r *Critical) Shares() []Share {
	shares := []Share{}
	at := make(map[[2]string]int)
	for i := range r.Claims {
		c := &r.Claims[i]
		key := [2]string{c.Resource, c.Name}
		i, known := at[key]
		if !known {
			i = len(shares)
			at[key] = i
			shares = append(shares, Share{Resource: c.Resource, Name: c.Name})
		}
		s := &shares[i]
		s.Claims++
		if s.Ns += c.EndNs - c.StartNs; c.Wait {
			s.Waits++
		}
	}
	slices.SortStableFunc(shares, func(a, b Share) int { return cmp.Compare(b.Ns, a.Ns) })
	return shares
}

// writeShares writes a row for each resource and name.
func (r *Critical) writeShares(out io.Writer) error {
	shares := r.Shares()
	all := int64(0)
	for _, s := range shares {
		all += s.Ns
	}
	t := texttab.New("rrrrll")
	t.Row("of critical time", "time", "claims", "waits", "resource", "name")
	shown := shares
	if r.Top > 0 {
		shown = shares[:min(len(shares), r.Top)]
	}
	for _, s := range shown {
		t.Row(texttab.Percent(s.Ns, all), texttab.Duration(s.Ns), texttab.Count(s.Claims), texttab.Count(s.Waits), texttab.Printable(s.Resource), texttab.Printable(s.Name))
	}
	if err := t.Write(out); err != nil {
		return err
	}
	if more := len(shares) - len(shown); more > 0 {
		fmt.Fprintf(out, "%s more: --top 0 prints all\n", texttab.Plural(more, "row"))
	}
	return nil
}

// writeWaits writes the claims that follow a critical claim on no dependency.
func (r *Critical) writeWaits(out io.Writer) error {
	waits := slices.DeleteFunc(slices.Clone(r.Claims), func(c Claim) bool { return !c.Wait })
	if len(waits) == 0 {
		_, err := fmt.Fprintln(out, "\nEvery critical claim behind the first follows one by a dependency: none waited for a resource.")
		return err
	}
	fmt.Fprintf(out, "\n%s no critical predecessor by a dependency, and waited for what ended then:\n", has(len(waits), "critical claim"))
	t := texttab.New("rlll")
	t.Row("start", "claim", "resource", "after")
	shown := waits
	if r.Top > 0 {
		shown = waits[:min(len(waits), r.Top)]
	}
	for _, c := range shown {
		t.Row(texttab.Exact(c.StartNs-r.StartNs), texttab.Printable(c.Text), texttab.Printable(c.Resource), texttab.Printable(strings.Join(c.After, "; ")))
	}
	if err := t.Write(out); err != nil {
		return err
	}
	if more := len(waits) - len(shown); more > 0 {
		fmt.Fprintf(out, "%s more: --top 0 prints all\n", texttab.Plural(more, "claim"))
	}
	return nil
}

// has is the beginning of a sentence about some things.
func has(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " has"
	}
	return texttab.Plural(n, noun) + " have"
}
