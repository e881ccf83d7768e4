package pages

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/report/automaton"
	"github.com/tracelake/tracelake/stages/report/distribution"
	"github.com/tracelake/tracelake/stages/report/jsonrows"
)

// Run is what the page of a run is made of.
type Run struct {
	Name      string
	Described schema.Run
	Losses    []schema.Loss
	Parts     []PathPart       // of the critical paths of initial fragments
	Summaries []schema.Summary // of fragments and functions
	Windows   []WindowContents
}

// PathPart is a part of the critical paths of a fragment, as a row of the table compositions.
type PathPart struct {
	Fragment    string `parquet:"fragment" json:"fragment"`
	Category    string `parquet:"category" json:"category"`
	Component   string `parquet:"component" json:"component"`
	Function    string `parquet:"function,optional" json:"function,omitempty"`
	Sender      string `parquet:"sender,optional" json:"sender,omitempty"`
	Message     string `parquet:"message,optional" json:"message,omitempty"`
	Busy        string `parquet:"busy_component,optional" json:"busy_component,omitempty"`
	Occurrences int64  `parquet:"occurrences" json:"occurrences"`
	Steps       int64  `parquet:"steps" json:"steps"`
	TotalNs     int64  `parquet:"total_ns" json:"total_ns"`
	MaxNs       int64  `parquet:"max_ns" json:"max_ns"`
}

// runJSON is the run in the first resource of its page.
type runJSON struct {
	Run        jsonrows.Row      `json:"run"`
	Labels     map[string]string `json:"labels"`
	Losses     []jsonrows.Row    `json:"losses"`
	Categories []category        `json:"categories"` // of all critical paths, in the order of schema.CategoryWords
	PathNs     int64             `json:"path_ns"`    // all critical paths together
}

// category is the time of critical paths in steps of a category.
type category struct {
	Category string `json:"category"`
	TotalNs  int64  `json:"total_ns"`
}

// Share of a file that each of the tables of a run may take.
const runShare = .2

// Columns of the tables of a run.
var (
	fragmentColumns = []string{"component", "fragment", "n", "total_ns", "min_ns", "q50_ns", "q90_ns", "q99_ns", "max_ns"}
	functionColumns = []string{"component", "function", "n", "total_ns", "min_ns", "q50_ns", "q90_ns", "q99_ns", "max_ns"}
)

// Sort puts the greatest time first.
func (r *Run) Sort() {
	slices.SortFunc(r.Parts, func(a, b PathPart) int {
		return cmp.Or(cmp.Compare(b.TotalNs, a.TotalNs), cmp.Compare(a.Fragment, b.Fragment), cmp.Compare(a.Category, b.Category), cmp.Compare(a.Component, b.Component),
			cmp.Compare(a.Function, b.Function), cmp.Compare(a.Sender, b.Sender), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Busy, b.Busy))
	})
	slices.SortFunc(r.Summaries, func(a, b schema.Summary) int {
		return cmp.Or(cmp.Compare(b.TotalNs, a.TotalNs), cmp.Compare(a.Component, b.Component), cmp.Compare(a.Fragment, b.Fragment), cmp.Compare(a.Function, b.Function))
	})
}

// Fragments lists the fragments whose automata a reader will ask for: those that take the most time, all of their occurrences together.
func (r *Run) Fragments() (names []string) {
	for i := range r.Summaries {
		if s := &r.Summaries[i]; s.Level == schema.LevelMetric {
			names = append(names, s.Fragment)
		}
	}
	return names
}

// Slowest is the initial fragment whose critical paths take the most time together; empty where there is none.
func (r *Run) Slowest() (fragment string) {
	total := make(map[string]int64)
	for i := range r.Parts {
		p := &r.Parts[i]
		total[p.Fragment] += p.TotalNs
		if of := total[p.Fragment]; fragment == "" || of > total[fragment] || of == total[fragment] && p.Fragment < fragment {
			fragment = p.Fragment
		}
	}
	return fragment
}

// Reserve keeps bytes free for the first page. It comes before all else.
func (r *Run) Reserve(b *Budget) error { return b.Reserve(r.first(nil, nil)) }

// Rows adds the tables of the run: parts of critical paths, fragments and functions, as many of each as fit into its share.
func (r *Run) Rows(b *Budget) error {
	fragments, functions := []schema.Summary{}, []schema.Summary{}
	for _, s := range r.Summaries {
		if s.Level == schema.LevelFunction {
			functions = append(functions, s)
		} else {
			fragments = append(fragments, s)
		}
	}
	return cmp.Or(
		b.AddMost("paths", "parts of critical paths, the smallest", len(r.Parts), runShare, func(n int) any { return jsonrows.Columns(r.Parts[:n]) }),
		b.AddMost("fragments", "fragments, those of the least time", len(fragments), runShare, func(n int) any { return jsonrows.Columns(fragments[:n], fragmentColumns...) }),
		b.AddMost("functions", "functions, those of the least time", len(functions), runShare, func(n int) any { return jsonrows.Columns(functions[:n], functionColumns...) }),
	)
}

// Finish adds the first page, and returns all resources.
func (r *Run) Finish(b *Budget, fragments []Contents) ([]Resource, error) {
	return b.Finish("report", r.first(fragments, b.LeftOut()))
}

// first is the first page.
func (r *Run) first(fragments []Contents, left []LeftOut) *document {
	described := r.Described
	described.Labels = nil // which stand apart
	of := runJSON{
		Run: jsonrows.ByColumn([]schema.Run{described})[0], Labels: r.Described.Labels, Losses: append([]jsonrows.Row{}, jsonrows.ByColumn(r.Losses)...),
		Categories: []category{},
	}
	for _, word := range schema.CategoryWords {
		c := category{Category: word}
		for i := range r.Parts {
			if r.Parts[i].Category == word {
				c.TotalNs += r.Parts[i].TotalNs
			}
		}
		of.PathNs += c.TotalNs
		of.Categories = append(of.Categories, c)
	}
	return &document{
		Kind: "run", Title: r.Name, Run: of, Fragments: append([]Contents{}, fragments...), Windows: append([]WindowContents{}, r.Windows...),
		LeftOut: append([]LeftOut{}, left...),
	}
}

// RunFragment returns the page of a fragment of a run.
func RunFragment(run, name string, t *samples.TimedAutomaton) (any, error) {
	drawn := automaton.OfRun(run, name, t)
	f := &fragmentJSON{Fragment: name, Subtitle: drawn.Subtitle, Occurrences: [2]int64{t.Occurrences}, Steps: []stepJSON{}}
	for i := range drawn.Transitions {
		drawn.Transitions[i].Step = i + 1
		of := &t.Transitions[i]
		d := distribution.Of([]distribution.Run{{Name: run, SamplesNs: t.SamplesNs[i]}}, nil)
		f.Steps = append(f.Steps, stepJSON{
			Event: of.Kind + " " + of.Function, Function: of.Function, Peer: of.Peer, Direction: of.Direction, Runs: [2]int{1},
			Times: map[string]*distributionJSON{schema.NormRelative: d},
		})
	}
	return f, f.layOut(drawn)
}
