package history_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/history"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

// machine is a run by hand: what a call of f takes in every component, in ns. Each calls it ten times a run. With a component
// ownTimes there are summaries of the functions, too, and with a component caller its main calls those of g and h, twice each. There they call sub of
// the component callee, and messages and critical paths are known.
type machine map[string]float64

const (
	ownTimes   = ""
	caller     = "z"
	callee     = "y"
	renaming   = "x" // with it g has lookup in the place of f, and h is what g has as lookup_all
	calls      = 10
	components = 10 // a to j
)

// at is the component that a name stands for, and its function.
func (m machine) at(name string) (component, function string) {
	_, renames := m[renaming]
	switch {
	case renames && name == "g":
		return "g", "lookup"
	case renames && name == "h":
		return "g", "lookup_all"
	}
	return name, "f"
}

// tables are those of a run: f is entered and left.
func (m machine) tables() (fragments []schema.Fragment, transitions []schema.Transition, all []schema.Summary) {
	for c := range components {
		component := string(rune('a' + c))
		ns, has := m[component]
		if !has {
			continue
		}
		component, function := m.at(component)
		name := component + "." + function
		fragments = append(fragments, schema.Fragment{Fragment: name, Component: component, Function: function, Occurrences: calls})
		for n, kind := range schema.KindWords[:2] {
			number := int64(n)
			transitions = append(transitions, schema.Transition{
				Fragment: name, Transition: number, Component: component, Source: number, Target: 1 - number, Function: function, Kind: kind, Count: calls,
			})
			all = append(all, schema.Summary{
				Level: schema.LevelTransition, Component: component, Fragment: name, Transition: &number,
				Count: calls, N: calls * number, TotalNs: calls * number * int64(ns),
			})
		}
		if _, own := m[ownTimes]; own {
			all = append(all, schema.Summary{
				Level: schema.LevelFunction, Component: component, Function: function, Count: calls, N: calls, TotalNs: calls * int64(ns),
			})
		}
		all = append(all, schema.Summary{
			Level: schema.LevelMetric, Component: component, Fragment: name, Metric: schema.MetricWords[schema.Runtime],
			Count: calls, N: calls, TotalNs: calls * int64(ns),
		})
	}
	if _, calls := m[caller]; calls {
		m.call(&fragments, &transitions, &all)
	}
	return fragments, transitions, all
}

// call adds the main of the caller: in the time before the last step of each call it waits for f.
func (m machine) call(fragments *[]schema.Fragment, transitions *[]schema.Transition, all *[]schema.Summary) {
	const main = caller + ".main"
	first := len(*transitions)
	step := func(function, kind, direction, peer string, ns float64) {
		number := int64(len(*transitions) - first)
		*transitions = append(*transitions, schema.Transition{
			Fragment: main, Transition: number, Component: caller, Source: number, Target: number + 1, Function: function, Kind: kind, Direction: direction, Peer: peer, Count: calls,
		})
		*all = append(*all, schema.Summary{
			Level: schema.LevelTransition, Component: caller, Fragment: main, Transition: &number, Count: calls, N: calls, TotalNs: calls * int64(ns),
		})
	}
	*fragments = append(*fragments, schema.Fragment{Fragment: main, Component: caller, Function: "main", Occurrences: calls})
	step("main", "enter", "", "", 0)
	for _, called := range []string{"g", "h"} {
		ns, has := m[called]
		component, function := m.at(called)
		for range 2 {
			if has {
				step(function, "enter", "send", component, ms)
				step(function, "exit", "receive", component, ns)
			}
		}
	}
	step("main", "exit", "", "", ms)
	for _, called := range []string{"g", "h"} {
		if _, has := m[called]; !has {
			continue
		}
		called, function := m.at(called)
		sub := schema.FragmentName(callee, "sub", schema.Receive, called)
		*fragments = append(*fragments, schema.Fragment{Fragment: sub, Component: callee, Function: "sub", Peer: called, Occurrences: calls})
		for n, way := range []string{"receive", "send"} {
			number := int64(n)
			*transitions = append(*transitions, schema.Transition{
				Fragment: sub, Transition: number, Component: callee, Source: number, Target: 1 - number, Function: "sub", Kind: schema.KindWords[n], Direction: way, Peer: called, Count: calls,
			})
			*all = append(*all, schema.Summary{
				Level: schema.LevelTransition, Component: callee, Fragment: sub, Transition: &number, Count: calls, N: calls * number, TotalNs: calls * number * 3 * ms,
			})
		}
		*all = append(*all, schema.Summary{
			Level: schema.LevelMetric, Component: callee, Fragment: sub, Metric: schema.MetricWords[schema.Runtime], Count: calls, N: calls, TotalNs: calls * 3 * ms,
		})
		for _, of := range [][3]string{{called, function, caller}, {caller, function, called}, {callee, "sub", called}, {called, "sub", callee}} {
			*all = append(*all, schema.Summary{
				Level: schema.LevelMessage, Component: of[0], Function: of[1], Peer: of[2], Metric: schema.Transit, Count: calls, N: calls, TotalNs: calls * ms,
			})
		}
	}
}

// paths are the critical paths of the caller: f executes, and messages lead to it and back.
func (m machine) paths() *schema.Compositions {
	rows := schema.NewCompositions(new(schema.Names))
	n := rows.Names
	add := func(category schema.Category, component, function, sender, busy string) {
		rows.Fragment, rows.Initial = append(rows.Fragment, n.Fragments.Code(caller+".main")), append(rows.Initial, true)
		rows.Category, rows.Component = append(rows.Category, category), append(rows.Component, n.Components.Code(component))
		rows.Function, rows.Sender = append(rows.Function, n.Functions.Code(function)), append(rows.Sender, n.Components.Code(sender))
		rows.Label, rows.Busy = append(rows.Label, schema.NoCode), append(rows.Busy, n.Components.Code(busy))
		rows.Occurrences, rows.Steps = append(rows.Occurrences, calls), append(rows.Steps, calls)
		rows.TotalNs, rows.MaxNs = append(rows.TotalNs, calls*ms), append(rows.MaxNs, ms)
	}
	add(schema.Executing, caller, "main", "", "")
	for _, called := range []string{"g", "h"} {
		if _, has := m[called]; has {
			component, function := m.at(called)
			add(schema.Executing, component, function, "", "")
			add(schema.Communicating, component, function, caller, "")
			add(schema.Communicating, caller, function, component, "")
			add(schema.Contending, component, function, "", component)
		}
	}
	return rows
}

// put commits the tables of a run.
func put(t *testing.T, l *lake.Lake, run string, m machine) {
	t.Helper()
	fragments, transitions, all := m.tables()
	fingerprint := lake.Fingerprint("hand", 1, m, nil)
	s := expect.Value(l.Stage("hand", lake.Run(run), fingerprint))(t)
	manifests := []*lake.Manifest{
		manifest(t, s, run, fingerprint, "fragments", fragments), manifest(t, s, run, fingerprint, "transitions", transitions),
		manifest(t, s, run, fingerprint, "summaries", all),
	}
	for _, table := range []string{"samples", "metrics"} { // a history reads neither, but a comparison wants to know them
		manifests = append(manifests, &lake.Manifest{Table: table, Fingerprint: fingerprint})
	}
	if _, calls := m[caller]; calls {
		rows := m.paths()
		w := expect.Value(s.CreateTable("compositions", lake.NoBucket, 0, rows))(t)
		expect.OK(t, w.Finish(rows))
		manifests = append(manifests, &lake.Manifest{Table: "compositions", Fingerprint: fingerprint, Files: []lake.File{w.File}})
	}
	expect.OK(t, s.Commit(manifests...))
}

func manifest[T any](t *testing.T, s *lake.Staging, run, fingerprint, table string, rows []T) *lake.Manifest {
	t.Helper()
	f := expect.Value(lake.Write(s, table, 0, rows))(t)
	return &lake.Manifest{Table: table, Fingerprint: fingerprint, Files: []lake.File{f}}
}

// job makes a lake of releases of three runs each: of says what a component takes in a release, and every run differs
// from the next by up to 3 %, so that no two runs are alike. A component that takes less than nothing is not there.
func job(t *testing.T, releases int, of func(component string, release int) float64) history.Job {
	t.Helper()
	return jobWith(t, nil, releases, of)
}

// jobWith is job with more of what a machine may have.
func jobWith(t *testing.T, more []string, releases int, of func(component string, release int) float64) history.Job {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	j := history.Job{Engine: &pipeline.Engine{Lake: l, Jobs: 2}, ID: "x", Spec: history.Spec{
		Series: changepoint.Defaults(), Verdicts: verdicts.Defaults(), Matching: matching.ByDifference,
	}}
	for r := range releases {
		release := history.Release{Name: fmt.Sprint("v", r+1)}
		for k := range 3 {
			m := machine{}
			for c := range components {
				component := string(rune('a' + c))
				if ns := of(component, r); ns >= 0 {
					m[component] = ns * (1 + .01*float64((7*r+5*k+3*c)%4))
				}
			}
			for _, what := range more {
				m[what] = 0
			}
			run := fmt.Sprintf("%s-%d", release.Name, k)
			put(t, l, run, m)
			release.Runs = append(release.Runs, run)
		}
		j.Releases = append(j.Releases, release)
	}
	return j
}

func look(t *testing.T, j history.Job) *history.Tables {
	t.Helper()
	tables, fresh, err := history.Run(context.Background(), j)
	if err != nil || fresh {
		t.Fatal(fresh, err)
	}
	return tables
}

// valuesOf are all values of a history.
func valuesOf(t *testing.T, tables *history.Tables) (all []schema.ReleaseValue) {
	t.Helper()
	expect.OK(t, tables.Values(func(v *schema.ReleaseValue) { all = append(all, *v) }))
	return all
}

// said are the notable change points of steps in words, by rank.
func said(t *history.Tables) (words []string) {
	for _, p := range t.Points {
		if p.Level == schema.LevelTransition && verdicts.IsChange(p.Verdict) {
			confirmed := "unconfirmed"
			if p.Confirmed {
				confirmed = "confirmed"
			}
			words = append(words, fmt.Sprintf("%s %s in %s %s", p.Component, p.Verdict, p.Release, confirmed))
		}
	}
	return words
}
