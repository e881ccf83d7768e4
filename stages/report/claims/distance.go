package claims

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Distances are how far runs are from a reference.
type Distances struct {
	Reference string     `json:"reference"` // name of the run that the others are compared with
	By        string     `json:"by"`        // in words
	Order     string     `json:"order"`     // reduced or full
	Runs      []Distance `json:"runs"`      // in the order asked for
	Top       int        `json:"-"`         // differences of a run in text; 0 for all
}

// Distance is that of one run.
type Distance struct {
	Run               string    `json:"run"`                // its name
	D                 int64     `json:"distance"`           // vertices and edges that only one of the two has
	F                 float64   `json:"f"`                  // harmonic mean of the shares that both have, 1 for equal orders
	Vertices          int64     `json:"vertices"`           // those that only one has
	Edges             int64     `json:"edges"`              // likewise
	ReferenceVertices int64     `json:"reference_vertices"` // all of the reference
	ReferenceEdges    int64     `json:"reference_edges"`    // likewise
	RunVertices       int64     `json:"run_vertices"`       // all of the run
	RunEdges          int64     `json:"run_edges"`          // likewise
	Named             bool      `json:"differences_named"`  // false where there are too many edges to name them
	Differences       []Differs `json:"differences"`        // of the reference first, then of the run; in text those that add most may be enough

	All int `json:"-"` // how many differences there are, named or not
}

// Differs is a claim, or a regular event, of one run with what the other run lacks of it.
type Differs struct {
	Run       string `json:"run"`                // which of the two has it
	Execution int64  `json:"seq"`                // seq of its start, or of the event
	Claim     string `json:"claim"`              // in words
	StartNs   int64  `json:"start_ns"`           // in the trace's clock
	Vertices  int32  `json:"vertices"`           // its start, its end or both, as far as the other run lacks them
	After     int32  `json:"edges_from_its_end"` // edges that the other run lacks and that leave its end
	Before    int32  `json:"edges_to_its_start"` // those that reach its start

	OriginNs int64 `json:"-"` // where the time of text begins: the first event of the run
}

// Weight is how much the thing adds to the distance. An edge adds to both its claims.
func (d *Differs) Weight() int32 { return d.Vertices + d.After + d.Before }

// WriteJSON writes one object.
func (r *Distances) WriteJSON(out io.Writer) error { return json.NewEncoder(out).Encode(r) }

// WriteText writes a row a run, and the claims that differ most.
func (r *Distances) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "distance to %s by %s, %s order\n\n", r.Reference, r.By, r.Order)
	t := texttab.New("lrrrrrr")
	t.Row("run", "distance", "F", "vertices", "edges", "of vertices", "of edges")
	for _, d := range r.Runs {
		t.Row(texttab.Printable(d.Run), texttab.Count(d.D), strconv.FormatFloat(d.F, 'f', 4, 64), texttab.Count(d.Vertices), texttab.Count(d.Edges),
			texttab.Count(d.ReferenceVertices+d.RunVertices), texttab.Count(d.ReferenceEdges+d.RunEdges))
	}
	if err := t.Write(out); err != nil {
		return err
	}
	for _, d := range r.Runs {
		if err := r.writeDifferences(out, &d); err != nil {
			return err
		}
	}
	return nil
}

// writeDifferences writes the claims that add most to a distance.
func (r *Distances) writeDifferences(out io.Writer, d *Distance) error {
	if !d.Named {
		_, err := fmt.Fprintf(out, "\n%s: there are too many edges to say which claims differ.\n", d.Run)
		return err
	}
	if len(d.Differences) == 0 {
		return nil
	}
	most := len(d.Differences)
	if r.Top > 0 {
		most = min(most, r.Top)
	}
	shown := Heaviest(d.Differences, most, (*Differs).Weight)
	fmt.Fprintf(out, "\nWhat %s and %s have each alone, by claims; an edge counts at both of its claims:\n", r.Reference, d.Run)
	t := texttab.New("rrrrlrl")
	t.Row("weight", "vertices", "edges after", "edges before", "of", "start", "claim")
	for i := range shown {
		x := &shown[i]
		t.Row(texttab.Count(int64(x.Weight())), texttab.Count(int64(x.Vertices)), texttab.Count(int64(x.After)), texttab.Count(int64(x.Before)), texttab.Printable(x.Run),
			texttab.Exact(x.StartNs-x.OriginNs), texttab.Printable(x.Claim))
	}
	if err := t.Write(out); err != nil {
		return err
	}
	if more := d.All - len(shown); more > 0 {
		fmt.Fprintf(out, "%s more: --top 0 prints all\n", texttab.Plural(more, "claim"))
	}
	return nil
}

// Heaviest are those of a list that weigh most, at most so many, the heaviest first and those of one weight in their order.
func Heaviest[T any](all []T, most int, weight func(*T) int32) []T {
	keys := make([]uint64, len(all)) // the weight, falling, then the position
	for i := range all {
		keys[i] = uint64(math.MaxInt32-weight(&all[i]))<<32 | uint64(i)
	}
	slices.Sort(keys)
	heaviest := make([]T, min(most, len(all)))
	for i := range heaviest {
		heaviest[i] = all[uint32(keys[i])]
	}
	return heaviest
}
