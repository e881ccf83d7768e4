package compare_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/summaries"
	"github.com/tracelake/tracelake/testdata/expect"
)

// machine is a run by hand: for every component a fragment "x.f" of one call that takes so long each time.
type machine map[string]struct {
	bucket int
	callNs int64
}

const occurrences = 10

// tables are what a comparison reads of one bucket.
type tables struct {
	fragments   []schema.Fragment
	transitions []schema.Transition
	samples     *schema.Samples
	metrics     *schema.Metrics
}

func (m machine) tables(bucket int) tables {
	names := new(schema.Names)
	out := tables{samples: schema.NewSamples(names), metrics: schema.NewMetrics(names)}
	for _, component := range []string{"a", "b", "c", "d"} {
		c, has := m[component]
		if !has || c.bucket != bucket {
			continue
		}
		fragment := component + ".f"
		out.fragments = append(out.fragments, schema.Fragment{Fragment: fragment, Component: component, Function: "f", Occurrences: occurrences})
		for i, kind := range schema.KindWords[:2] {
			out.transitions = append(out.transitions, schema.Transition{
				Fragment: fragment, Transition: int64(i), Component: component, Source: int64(i), Target: int64(1 - i),
				Function: "f", Kind: kind, Count: occurrences,
			})
			out.addSamples(fragment, int64(i), c.callNs)
		}
	}
	return out
}

func (t *tables) addSamples(fragment string, transition, callNs int64) {
	s := t.samples
	for n := range int64(occurrences) {
		since, previous := int64(0), schema.NoValue
		if transition == 1 {
			since, previous = callNs+n, callNs+n
		}
		s.Fragment = append(s.Fragment, s.Names.Fragments.Code(fragment))
		s.Transition = append(s.Transition, transition)
		s.Occurrence = append(s.Occurrence, n)
		s.TimeNs = append(s.TimeNs, n*1e9+since)
		s.SincePreviousNs = append(s.SincePreviousNs, previous)
		s.SinceCallNs = append(s.SinceCallNs, previous)
		s.SinceStartNs = append(s.SinceStartNs, since)
	}
}

// summaries are those of a bucket.
func (t *tables) summaries() []schema.Summary {
	steps, metrics := summaries.NewTransitions(t.samples.Names, t.fragments, new(stats.Estimator)), summaries.NewMetrics(t.metrics.Names, new(stats.Estimator))
	steps.Add(t.samples)
	metrics.Add(t.metrics)
	return append(steps.Rows(), metrics.Rows()...)
}

// run compares and returns the changes.
func run(ctx context.Context, j compare.Job) ([]schema.Change, bool, error) {
	r, fresh, err := compare.Run(ctx, j)
	if err != nil {
		return nil, false, err
	}
	return r.Changes, fresh, nil
}

// put commits the tables of a run.
func put(t *testing.T, l *lake.Lake, run string, m machine) {
	t.Helper()
	files := make(map[string][]lake.File)
	fingerprint := lake.Fingerprint(run, 1, fmt.Sprint(m), nil)
	s := expect.Value(l.Stage("hand", lake.Run(run), fingerprint))(t)
	add := func(table string, f lake.File, err error) {
		expect.OK(t, err)
		files[table] = append(files[table], f)
	}
	for bucket := range 3 {
		b := m.tables(bucket)
		f, err := lake.Write(s, "fragments", bucket, b.fragments)
		add("fragments", f, err)
		f, err = lake.Write(s, "transitions", bucket, b.transitions)
		add("transitions", f, err)
		f, err = lake.Write(s, "summaries", bucket, b.summaries())
		add("summaries", f, err)
		for table, rows := range map[string]schema.Columns{"samples": b.samples, "metrics": b.metrics} {
			w, err := s.CreateTable(table, bucket, 0, rows)
			if err == nil {
				err = w.Finish(rows)
			}
			add(table, w.File, err)
		}
	}
	var manifests []*lake.Manifest
	for _, table := range []string{"fragments", "transitions", "samples", "metrics", "summaries"} {
		manifests = append(manifests, &lake.Manifest{Table: table, Fingerprint: fingerprint, Files: files[table]})
	}
	expect.OK(t, s.Commit(manifests...))
}

func open(t *testing.T) *lake.Lake {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	return l
}

func job(l *lake.Lake, base, cand string) compare.Job {
	return compare.Job{Engine: &pipeline.Engine{Lake: l, Jobs: 2}, ID: "x", Spec: compare.Spec{
		Base: strings.Fields(base), Cand: strings.Fields(cand), Matching: matching.ByDifference,
		Options: samplechanges.Options{Method: sampletests.DYN, Normalisation: schema.NormFragmentAbsolute, Thresholds: sampletests.Defaults()},
	}}
}

// said are the verdicts on steps and fragments that are not "unchanged", by rank.
func said(all []schema.Change) string {
	var out []string
	for _, c := range all {
		if c.Verdict != schema.Unchanged {
			out = append(out, fmt.Sprintf("%s %s %s", c.Fragment, c.Subject, c.Verdict))
		}
	}
	return strings.Join(out, ", ")
}

const ms = 1_000_000

// TestBuckets checks that components are compared with themselves wherever their buckets are: together, swapped,
// apart, or in a bucket that the other run lacks.
func TestBuckets(t *testing.T) {
	base := machine{"a": {0, ms}, "b": {1, 2 * ms}, "c": {1, 3 * ms}}
	const want = "b.f exit f slower, a.f exit f faster"
	for _, cand := range []machine{
		{"a": {0, ms / 2}, "b": {1, 9 * ms}, "c": {1, 3 * ms}},
		{"a": {1, ms / 2}, "b": {0, 9 * ms}, "c": {0, 3 * ms}},
		{"a": {0, ms / 2}, "b": {1, 9 * ms}, "c": {2, 3 * ms}},
		{"a": {2, ms / 2}, "b": {2, 9 * ms}, "c": {2, 3 * ms}},
	} {
		l := open(t)
		put(t, l, "base", base)
		put(t, l, "cand", cand)
		all, fresh, err := run(t.Context(), job(l, "base", "cand"))
		if err != nil || fresh || said(all) != want {
			t.Errorf("%v: got %s, fresh %v, %v; want %s", cand, said(all), fresh, err, want)
		}
	}
}

// TestOneSided checks that a component which one side lacks is reported, even when only a later run has it.
func TestOneSided(t *testing.T) {
	l := open(t)
	put(t, l, "b1", machine{"a": {0, ms}, "b": {0, ms}})
	put(t, l, "b2", machine{"a": {0, ms}, "b": {0, ms}})
	put(t, l, "c1", machine{"a": {0, ms}})
	put(t, l, "c2", machine{"a": {0, ms}, "d": {2, ms}})
	j := job(l, "b1 b2", "c1 c2")
	j.Matching = matching.ByWalk // which does not ask whether d.f is b.f
	all, _, err := run(t.Context(), j)
	expect.OK(t, err)
	verdicts := make(map[string]int)
	for _, c := range all {
		verdicts[c.Component+" "+c.Level]++
	}
	if verdicts["b fragment"] != 1 || verdicts["d fragment"] != 1 || verdicts["a fragment"] != 1 || verdicts["a transition"] != 2 || len(verdicts) != 4 {
		t.Errorf("got %v", verdicts)
	}
}

// TestFresh checks that a comparison is kept, and made anew when a run or an option is another.
func TestFresh(t *testing.T) {
	l := open(t)
	put(t, l, "base", machine{"a": {0, ms}})
	put(t, l, "cand", machine{"a": {0, 9 * ms}})
	j := job(l, "base", "cand")
	strict := j
	strict.Options.Thresholds.P = .001
	for _, c := range []struct {
		what  string
		job   compare.Job
		again func()
		fresh bool
	}{
		{"the first time", j, func() {}, false},
		{"again", j, func() {}, true},
		{"another option", strict, func() {}, false},
		{"the option before", j, func() {}, false},
		{"another run of that name", j, func() { put(t, l, "cand", machine{"a": {1, 9 * ms}}) }, false},
	} {
		c.again()
		all, fresh, err := run(t.Context(), c.job)
		if err != nil || fresh != c.fresh || said(all) != "a.f exit f slower" {
			t.Errorf("%s: fresh %v, %v: %s", c.what, fresh, err, said(all))
		}
	}
	m, err := l.Manifest("matches", lake.Comparison("x"))
	if err != nil || m == nil || m.Rows() != 3 {
		t.Errorf("matches: %+v, %v", m, err)
	}
}

// TestRefused checks that a run without tables is named, and that a cancelled comparison leaves nothing.
func TestRefused(t *testing.T) {
	l := open(t)
	put(t, l, "base", machine{"a": {0, ms}})
	_, _, err := run(t.Context(), job(l, "base", "cand"))
	expect.Refused(t, err, "run cand has no table fragments: analyze it first, with analyze run cand", "candidate without fragments")
	put(t, l, "cand", machine{"a": {0, ms}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := run(ctx, job(l, "base", "cand")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if m, err := l.Manifest("changes", lake.Comparison("x")); m != nil || err != nil {
		t.Errorf("a cancelled comparison left a table: %v", err)
	}
}
