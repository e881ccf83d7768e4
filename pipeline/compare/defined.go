package compare

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/definitions"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/summaries"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// DefinitionError says that something a user defined is of nothing that the runs have.
type DefinitionError struct{ message string }

// Error implements error.
func (e *DefinitionError) Error() string { return e.message }

// limit gives components the thresholds that the definitions have for them.
func (j *comparison) limit() {
	if j.Definitions == nil || len(j.Definitions.Thresholds) == 0 {
		return
	}
	j.Verdicts.Components, j.thresholds = make(map[string]verdicts.Limits), make(map[string]sampletests.Options)
	for _, m := range j.models {
		for _, in := range []map[string]int{m.bucket, m.bare} {
			for component := range in {
				of := j.Definitions.Of(component)
				l := verdicts.Limits{Margin: j.Verdicts.Margin, FloorNs: j.Verdicts.FloorNs}
				if of.Margin != nil {
					l.Margin = *of.Margin
				}
				if of.FloorNs != nil {
					l.FloorNs = *of.FloorNs
				}
				j.Verdicts.Components[component], j.thresholds[component] = l, of.Samples(j.Options.Thresholds)
			}
		}
	}
}

// defined makes a subject of every metric that users define, in the order of the definitions: what every run says of it and, where
// samples are compared, what the tests on those of both sides find. The events of a run are read once for all metrics.
func (j *comparison) defined(ctx context.Context) ([]Subject, error) {
	if j.Definitions == nil || len(j.Definitions.Metrics) == 0 {
		return nil, nil
	}
	all, err := pipeline.Each(ctx, j.Jobs, len(j.models), func(ctx context.Context, run int) (*definedRun, error) {
		return j.readDefined(ctx, j.models[run].run)
	})
	if err != nil {
		return nil, err
	}
	judge := j.ofSamples()
	var subjects []Subject
	for i := range j.Definitions.Metrics {
		m := &j.Definitions.Metrics[i]
		for end, e := range []*definitions.Event{&m.From, &m.To} {
			if !slices.ContainsFunc(all, func(r *definedRun) bool { return r.seen[2*i+end] }) {
				return nil, j.nothing("metric "+m.Name, e)
			}
		}
		subjects = append(subjects, j.definedSubject(judge, m, i, all))
	}
	return subjects, nil
}

// definedRun is what a run says of the metrics that users define.
type definedRun struct {
	hits      [][]definedHit // by metric
	seen      []bool         // by metric, its first and its second event in turn: the run has such an event
	values    [][]int64      // by metric; ascending
	component []string       // by metric: of the first event that ends a sample; "" where none does
}

// definedHit is an event of a metric with its place in the trace.
type definedHit struct {
	seq int64
	definitions.Hit
}

// definedSubject compares one metric. The values of the runs are given up.
func (j *comparison) definedSubject(judge *samplechanges.Judge, m *definitions.Metric, i int, all []*definedRun) Subject {
	of := samplechanges.Subject{Level: schema.LevelDefined, Subject: m.Name, Metric: m.Name}
	runs, estimate := make([]verdicts.Run, len(all)), new(stats.Estimator)
	values := make([][]int64, len(all))
	for r, run := range all {
		of.Component = cmp.Or(of.Component, run.component[i])
		s := summaries.Of(int64(len(run.values[i])), run.values[i], estimate)
		runs[r], values[r] = verdicts.RunOf(&s), run.values[i]
	}
	base, cand := samplechanges.Side{Runs: len(j.Base)}, samplechanges.Side{Runs: len(j.Cand)}
	if !j.summariesOnly {
		base.Values = slices.Concat(values[:len(j.Base)]...)
		cand.Values = slices.Concat(values[len(j.Base):][:len(j.Cand)]...)
	}
	for _, run := range all {
		run.values[i] = nil
	}
	s := Subject{Change: judge.Compare(of, base, cand, "")}
	s.Observed = verdicts.Observed{Level: schema.LevelDefined, Component: of.Component, Runs: runs}
	return s
}

// readDefined reads the events of a run that begin or end samples, and pairs them. What an ingest invented is no observation.
func (j *comparison) readDefined(ctx context.Context, run string) (*definedRun, error) {
	n := len(j.Definitions.Metrics)
	r := &definedRun{hits: make([][]definedHit, n), seen: make([]bool, 2*n), values: make([][]int64, n), component: make([]string, n)}
	events := make([]*definitions.Event, 0, 2*n)
	for i := range j.Definitions.Metrics {
		m := &j.Definitions.Metrics[i]
		events = append(events, &m.From, &m.To)
	}
	last := make([]int64, n) // the first event that may end a sample, by its place: its component is that of the metric
	held := 0
	err := j.scanDefined(ctx, run, events, func(rows *schema.Events, row int, which []int) error {
		for _, e := range which {
			i, isTo := e/2, e%2 == 1
			r.seen[e] = true
			hits := r.hits[i]
			if k := len(hits) - 1; k >= 0 && hits[k].seq == rows.Seq[row] { // it does both
				hits[k].To = true
			} else {
				r.hits[i] = append(hits, definedHit{rows.Seq[row], definitions.Hit{TimeNs: rows.TimeNs[row], Lifeline: rows.Lifeline[row], From: !isTo, To: isTo}})
				held++
			}
			if isTo && (r.component[i] == "" || rows.Seq[row] < last[i]) {
				r.component[i], last[i] = rows.Names.Components.Name(rows.Component[row]), rows.Seq[row]
			}
		}
		if need := int64(held) * hitBytes; need > j.memory {
			return fmt.Errorf("run %s has more than %d events of the metrics that are defined, which take over %d MB: give it more with --memory, or define metrics of rarer events",
				run, held, need>>20)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range r.hits {
		// Buckets have the components of a run apart; in the order of the trace an event may be the answer to that of another one.
		slices.SortFunc(r.hits[i], func(a, b definedHit) int { return cmp.Compare(a.seq, b.seq) })
		hits := make([]definitions.Hit, len(r.hits[i]))
		for k := range hits {
			hits[k] = r.hits[i][k].Hit
		}
		r.hits[i] = nil
		r.values[i] = j.Definitions.Metrics[i].Samples(hits)
	}
	return r, nil
}

// hitBytes is the memory of an event of a metric: with its place in the trace, without it, and its sample on either side.
const hitBytes = 80

// eventColumns are the columns by which events are found that users define.
var eventColumns = []string{"seq", "time_ns", "component", "lifeline", "function", "kind", "direction", "peer", "synthetic"}

// scanDefined finds the events of a run that are of given kinds, bucket by bucket. which are the positions of the kinds, ascending.
// An event costs a look-up by its component and function, whatever the number of kinds.
func (j *comparison) scanDefined(
	ctx context.Context, run string, kinds []*definitions.Event, take func(rows *schema.Events, row int, which []int) error,
) error {
	m, err := j.Lake.Table("events", lake.Run(run))
	if err != nil {
		return err
	}
	rows := schema.NewEvents()
	named := make(map[[2]schema.Code][]int) // by component and function: the kinds whose pattern matches
	var which []int
	return j.Lake.Scan(ctx, m.Files, rows, lake.ScanOptions{Columns: eventColumns}, func() error {
		for i, kind := range rows.Kind {
			key := [2]schema.Code{rows.Component[i], rows.Function[i]}
			of, known := named[key]
			if !known {
				name := rows.Names.Components.Name(key[0]) + "." + rows.Names.Functions.Name(key[1])
				for k, e := range kinds {
					if definitions.Matches(e.Name, name) {
						of = append(of, k)
					}
				}
				named[key] = of
			}
			if len(of) == 0 || rows.Synthetic[i] {
				continue
			}
			which = which[:0]
			for _, k := range of {
				if e := kinds[k]; e.Kind == kind && (e.Direction == schema.NoMessage || e.Direction == rows.Direction[i] && hasPeer(rows, i, e.Peer)) {
					which = append(which, k)
				}
			}
			if len(which) > 0 {
				if err := take(rows, i, which); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// hasPeer reports whether the component at the other end of the message of an event matches a pattern.
func hasPeer(rows *schema.Events, row int, pattern string) bool {
	return rows.Peer[row] != schema.NoCode && definitions.Matches(pattern, rows.Names.Components.Name(rows.Peer[row]))
}

// nothing returns the error that no run has an event, with the name that is nearest to it.
func (j *comparison) nothing(what string, e *definitions.Event) error {
	var names []string
	for _, m := range j.models {
		for k := range m.summaries.functions {
			names = append(names, k.component+"."+k.function)
		}
		for _, f := range m.fragments {
			names = append(names, f.Component+"."+f.Function)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	text := fmt.Sprintf("%s: no run has the event %s %s", what, schema.KindWords[e.Kind], e.Name)
	if e.Direction != schema.NoMessage {
		text += fmt.Sprintf(" with a message %s %s", []string{"", "to", "from"}[e.Direction], e.Peer)
	}
	if slices.ContainsFunc(names, func(name string) bool { return definitions.Matches(e.Name, name) }) {
		return &DefinitionError{text + ", although a function of this name runs"}
	}
	if best := definitions.Nearest(e.Name, names); best != "" {
		text += "; did you mean " + best + "?"
	}
	return &DefinitionError{text}
}

// readReferences finds the events since which an own normalisation takes the times of steps, in the runs whose samples are read.
func (j *comparison) readReferences(ctx context.Context) error {
	norm := j.Definitions.Normalisation(j.Options.Normalisation)
	if norm == nil || j.summariesOnly {
		return nil
	}
	sides := j.models[:len(j.Base)+len(j.Cand)]
	some := false
	for _, m := range sides {
		err := j.scanDefined(ctx, m.run, []*definitions.Event{&norm.Since}, func(rows *schema.Events, row int, _ []int) error {
			m.references = append(m.references, rows.TimeNs[row])
			return nil
		})
		if err != nil {
			return err
		}
		slices.Sort(m.references)
		some = some || len(m.references) > 0
	}
	if !some {
		return j.nothing("normalisation "+norm.Name, &norm.Since)
	}
	return nil
}

// sinceReference returns the times of steps since the latest reference that is not later, in ns; null where there is none before.
// The slice is used again.
func (s *sampled) sinceReference(timesNs, references []int64) []int64 {
	s.since = s.since[:0]
	for _, ns := range timesNs {
		at, is := slices.BinarySearch(references, ns)
		switch {
		case is:
			s.since = append(s.since, 0)
		case at == 0:
			s.since = append(s.since, schema.NoValue)
		default:
			s.since = append(s.since, ns-references[at-1])
		}
	}
	return s.since
}
