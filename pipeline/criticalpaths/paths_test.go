package criticalpaths_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/testdata/expect"
)

func job(l *lake.Lake, edges int64, jobs int) *criticalpaths.Job {
	return &criticalpaths.Job{Engine: &pipeline.Engine{Lake: l, Jobs: jobs, Memory: 1 << 30}, Run: "r", Edges: edges}
}

// layouts are buckets, rows of a row group, constraints of a window, and jobs; the first is all in memory.
var layouts = [][4]int{{1, 1 << 16, 1 << 30, 1}, {1, 7, 1, 1}, {3, 5, 3, 2}, {5, 1, 40, 3}, {2, 1 << 16, 9, 2}, {4, 64, 0, 2}}

// someLayouts are those of all that are played: under -short, as for the race detector, one job and three.
func someLayouts() [][4]int {
	if testing.Short() {
		return [][4]int{layouts[0], layouts[3]}
	}
	return layouts
}

// someSeeds are how many random runs of all are played: under -short a fifth.
func someSeeds(all int) int {
	if testing.Short() {
		return all / 5
	}
	return all
}

// answers are what the commands about critical paths say of a run, as JSON in names.
func answers(t *testing.T, j *criticalpaths.Job) []byte {
	t.Helper()
	var out bytes.Buffer
	say := func(v ...any) {
		line := expect.Value(json.Marshal(v))(t)
		fmt.Fprintf(&out, "%s\n", line)
	}
	all := occurrences(t, j)
	for c := range components {
		named, err := j.Occurrences(t.Context(), name("C", c)+".f0")
		if err != nil && err != criticalpaths.ErrNothing {
			t.Fatal(err)
		}
		say(named)
		longest(t, j, name("C", c)+".f0", named)
	}
	for _, some := range [][]findings.Occurrence{all, all[:1], all[len(all)/2:]} {
		composed := expect.Value(j.Compose(t.Context(), some))(t)
		say(composed.Starts, sums(composed))
	}
	rng := rand.New(rand.NewSource(1))
	for i, o := range all {
		switch rng.Intn(3) {
		case 0:
			o.From, o.FromNs = criticalpath.Start, 0
		case 1:
			first := all[rng.Intn(i+1)]
			o.From, o.FromNs = first.From, first.FromNs
		}
		p := expect.Value(j.Trace(t.Context(), o, criticalpaths.Ask{Through: rng.Intn(2) == 0, Constraints: true}))(t)
		say(o.From, o.To, p.ThroughFrom, p.FromNs, sums(&p.Composed), steps(p), links(p))
	}
	return out.Bytes()
}

// occurrences are all executions, in the order of their starts.
func occurrences(t *testing.T, j *criticalpaths.Job) (all []findings.Occurrence) {
	t.Helper()
	for c := range components {
		for f := range 3 {
			some, err := j.Occurrences(t.Context(), name("C", c)+"."+name("f", f))
			if err != nil && err != criticalpaths.ErrNothing {
				t.Fatal(err)
			}
			all = append(all, some...)
		}
	}
	slices.SortFunc(all, func(a, b findings.Occurrence) int { return int(a.From - b.From) })
	return all
}

// longest sees that the longest execution of a function is the first of those that took longest among all of them.
func longest(t *testing.T, j *criticalpaths.Job, function string, all []findings.Occurrence) {
	t.Helper()
	o, err := j.Longest(t.Context(), function)
	if len(all) == 0 {
		expect.Equal(t, err, criticalpaths.ErrNothing, "the longest of none")
		return
	}
	expect.OK(t, err)
	want := all[0]
	for _, one := range all {
		if one.SpanNs() > want.SpanNs() {
			want = one
		}
	}
	expect.Equal(t, o, want, "the longest execution")
}

// words say what time is spent on.
func words(c *findings.Composed, k criticalpath.Key) string {
	p := c.Parts[k.Part]
	return fmt.Sprint(schema.CategoryWords[k.Category], " ", c.Names.Components.Name(p.Component), ".", c.Names.Functions.Name(p.Function),
		" ", c.Names.Components.Name(p.Sender), " ", c.Names.Messages.Name(p.Label), " ", c.Names.Components.Name(k.Busy), p.Message)
}

func sums(c *findings.Composed) (out []string) {
	for _, s := range c.Sums.Sums(0, c.Names, c.Parts) {
		out = append(out, fmt.Sprint(words(c, s.Key), s.Occurrences, s.Steps, s.TotalNs, s.MaxNs))
	}
	return out
}

func steps(p *findings.Path) (out []string) {
	for _, s := range p.Steps {
		out = append(out, fmt.Sprint(s.Source, s.Target, s.SourceNs, s.TargetNs, words(&p.Composed, s.Key)))
	}
	return out
}

func links(p *findings.Path) (out []string) {
	for _, c := range p.Constraints {
		out = append(out, fmt.Sprint(c.Source, c.Target, c.TargetNs, c.DurationNs, c.Flags))
	}
	return out
}

// The answers are the same whether a run is in memory in one window or swept window by window, whatever its buckets, row
// groups and jobs.
func TestSweptAsInMemory(t *testing.T) {
	for seed := range int64(2) {
		r := generate(rand.New(rand.NewSource(seed)), 50)
		var want []byte
		for _, x := range someLayouts() {
			l := r.store(t, x[0], x[1])
			got := answers(t, job(l, int64(x[2]), x[3]))
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("seed %d, %v: %s", seed, x, firstDifference(got, want))
			}
		}
	}
}

// Constraints that cannot be neither stop the sweeps nor break them.
func TestDamaged(t *testing.T) {
	for seed := range int64(3) {
		r := generate(rand.New(rand.NewSource(seed)), 40)
		r.damage = rand.New(rand.NewSource(seed))
		answers(t, job(r.store(t, 2, 16), 1+5*seed, 2))
	}
}

func firstDifference(got, want []byte) string {
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return fmt.Sprintf("got\n%s\nwant\n%s", a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, not %d", len(a), len(b))
}

// A table of compositions has the same bytes whatever the windows and jobs.
func TestCompositionBytes(t *testing.T) {
	r := generate(rand.New(rand.NewSource(4)), 150)
	var want []byte
	for _, x := range someLayouts() {
		j := job(r.store(t, x[0], x[1]), int64(x[2]), x[3])
		c := expect.Value(j.Compose(t.Context(), occurrences(t, j)))(t)
		rows := schema.NewCompositions(c.Names)
		c.Sums.AppendTo(rows, 0, c.Names.Fragments.Code("all"), true, c.Parts)
		var file bytes.Buffer
		expect.Value(parquet.NewWriter(&file, rows).Close(rows))(t)
		if want == nil {
			want = file.Bytes()
		}
		if !bytes.Equal(file.Bytes(), want) {
			t.Errorf("%v: other bytes", x)
		}
	}
}

// The shares of an occurrence are the time from the start of its path to its end, and its steps are as well. Compose gives
// what Trace gives.
func TestSharesAreTheSpan(t *testing.T) {
	r := generate(rand.New(rand.NewSource(5)), 100)
	j := job(r.store(t, 2, 64), 20, 2)
	for _, o := range occurrences(t, j) {
		p := expect.Value(j.Trace(t.Context(), o, criticalpaths.Ask{Through: true, Constraints: true}))(t)
		shares, stepped := int64(0), int64(0)
		for _, s := range p.Sums.Sums(0, p.Names, p.Parts) {
			shares += s.TotalNs
		}
		for _, s := range p.Steps {
			stepped += s.TargetNs - s.SourceNs
		}
		if span := o.ToNs - p.FromNs; shares != span || stepped != span || p.FromNs < o.FromNs || p.ThroughFrom && p.FromNs != o.FromNs {
			t.Errorf("%+v: shares of %d, steps of %d, from %d on, over the start: %t", o, shares, stepped, p.FromNs, p.ThroughFrom)
		}
		composed := expect.Value(j.Compose(t.Context(), []findings.Occurrence{o}))(t)
		p = expect.Value(j.Trace(t.Context(), o, criticalpaths.Ask{Constraints: true}))(t)
		if !slices.Equal(sums(composed), sums(&p.Composed)) || composed.Starts[0] != p.FromNs {
			t.Errorf("%+v: composed %v from %d on, traced %v from %d on", o, sums(composed), composed.Starts, sums(&p.Composed), p.FromNs)
		}
	}
}
