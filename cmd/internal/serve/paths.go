package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/named"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// openEvents lets one request at a time ask for executions by their names and for critical paths.
func (s *site) openEvents(r *http.Request) (ctx context.Context, events *named.Events, release func(), err error) {
	name := r.PathValue("name")
	v, err := s.partition("run", name)
	if err != nil {
		return nil, nil, nil, err
	}
	if v.Table("constraints") == nil {
		return nil, nil, nil, &lake.NotAnalyzedError{Run: name, Table: "constraints"}
	}
	described, err := lake.Read[schema.Run](s.lake, "runs", lake.Run(name))
	if err != nil {
		return nil, nil, nil, err
	}
	if r.URL.Query().Get("to") == "" {
		return nil, nil, nil, badRequest("to is missing: COMPONENT.FUNCTION#1")
	}
	ctx, cancel := context.WithTimeoutCause(r.Context(), queryTime, fmt.Errorf("the critical path took longer than %s: use analyze critical-path", queryTime))
	leave, err := s.alone(ctx)
	if err != nil {
		cancel()
		return nil, nil, nil, err
	}
	engine := &pipeline.Engine{Lake: s.lake, Jobs: s.jobs, Memory: s.memory / 4}
	events = &named.Events{Job: &criticalpaths.Job{Engine: engine, Run: name}, StartNs: described[0].StartNs}
	return ctx, events, func() { leave(); cancel() }, nil
}

// step is a part of a critical path. Times count from the run's first event.
type step struct {
	StartNs   int64  `json:"start_ns"`
	FinishNs  int64  `json:"finish_ns"`
	Component string `json:"component"`
	Function  string `json:"function"` // empty where the lifeline is idle
	Sender    string `json:"sender"`   // of a message; else empty
	Message   bool   `json:"message"`
}

// path returns the critical path from the start of an execution to its finish: to is COMPONENT.FUNCTION#I or @SEQ.
func (s *site) path(r *http.Request) (any, error) {
	ctx, events, release, err := s.openEvents(r)
	if err != nil {
		return nil, err
	}
	defer release()
	to := r.URL.Query().Get("to")
	x, err := events.First(ctx, "to", to)
	if err != nil {
		return nil, err
	}
	found, err := events.Job.Trace(ctx, x, criticalpaths.Ask{})
	if err != nil {
		return nil, err
	}
	steps := make([]step, len(found.Steps))
	for i, one := range found.Steps {
		p, n := found.Parts[one.Part], found.Names
		steps[i] = step{
			StartNs: one.SourceNs - events.StartNs, FinishNs: one.TargetNs - events.StartNs, Message: one.Message,
			Component: n.Components.Name(p.Component), Function: n.Functions.Name(p.Function), Sender: n.Components.Name(p.Sender),
		}
	}
	return struct {
		To       string `json:"to"`
		StartNs  int64  `json:"start_ns"`
		FinishNs int64  `json:"finish_ns"`
		Steps    []step `json:"steps"`
	}{to, x.FromNs - events.StartNs, x.ToNs - events.StartNs, steps}, nil
}

// mostOccurrences is how many occurrences a page is told of, the longest ones: a picture shows no more.
const mostOccurrences = 4000

// occurrences are those of a function, column by column. Times count from the run's first event.
type occurrences struct {
	Number  []int64 `json:"number"`
	Seq     []int64 `json:"seq"` // of the enter event
	StartNs []int64 `json:"start_ns"`
	SpanNs  []int64 `json:"span_ns"`
}

// paths returns what the critical paths of all occurrences of a function consist of, in the documents that analyze critical-path prints:
// composed for all of them and, with a deadline in nanoseconds, missed for those that took longer. With only=occurrences there are no paths.
func (s *site) paths(r *http.Request) (any, error) {
	deadline, err := number(r, "deadline", 0, int64(24*time.Hour), 0)
	if err != nil {
		return nil, err
	}
	ctx, events, release, err := s.openEvents(r)
	if err != nil {
		return nil, err
	}
	defer release()
	to := r.URL.Query().Get("to")
	all, err := events.Executions(ctx, "to", to)
	if err != nil {
		return nil, err
	}
	if r.URL.Query().Get("only") == "occurrences" {
		return map[string]any{"occurrences": longest(all, events.StartNs), "total": len(all)}, nil
	}
	report := &criticalpath.Report{Run: events.Job.Run, StartNs: events.StartNs, To: to, Occurrences: all, DeadlineNs: deadline}
	var composed, missed bytes.Buffer
	found, err := events.Job.Compose(ctx, all)
	if err == nil {
		err = report.WriteComposedJSON(&composed, found)
	}
	if err == nil && deadline > 0 {
		var late *findings.Verdicts
		if late, err = events.Job.Explain(ctx, all, deadlines.Defaults(deadline)); err == nil {
			err = report.WriteMissedJSON(&missed, late)
		}
	}
	if err != nil {
		return nil, err
	}
	return struct {
		Occurrences occurrences     `json:"occurrences"`
		Total       int             `json:"total"` // occurrences, told or not
		Composed    json.RawMessage `json:"composed"`
		Missed      json.RawMessage `json:"missed,omitempty"`
	}{longest(all, events.StartNs), len(all), composed.Bytes(), missed.Bytes()}, nil
}

// longest returns the longest of some occurrences in the order of their starts.
func longest(all []findings.Occurrence, originNs int64) occurrences {
	if len(all) > mostOccurrences {
		all = slices.Clone(all)
		slices.SortStableFunc(all, func(a, b findings.Occurrence) int { return cmp.Compare(b.SpanNs(), a.SpanNs()) })
		all = all[:mostOccurrences]
		slices.SortFunc(all, func(a, b findings.Occurrence) int { return cmp.Compare(a.Number, b.Number) })
	}
	out := occurrences{Number: []int64{}, Seq: []int64{}, StartNs: []int64{}, SpanNs: []int64{}}
	for _, o := range all {
		out.Number, out.Seq = append(out.Number, o.Number), append(out.Seq, o.From)
		out.StartNs, out.SpanNs = append(out.StartNs, o.FromNs-originNs), append(out.SpanNs, o.SpanNs())
	}
	return out
}

// fragment is what can be asked about: a function that others start, with the time of its critical paths.
type fragment struct {
	Fragment string `json:"fragment"`
	Initial  bool   `json:"initial"` // no message starts it
	TotalNs  int64  `json:"total_ns"`
}

// The parameters most and from of fragments: a page of a run of a million components would be 61 MB, of which a reader sees what comes first.
const (
	pageOfFragments  = 2000
	mostOfFragments  = 20_000
	fromAnyFragments = 1 << 31
)

// fragments lists the fragments of a run whose critical paths were summed up: those that no message starts first, then by time; a page of them, and
// how many there are.
func (s *site) fragments(r *http.Request) (any, error) {
	name := r.PathValue("name")
	most, err := number(r, "most", 1, mostOfFragments, pageOfFragments)
	if err != nil {
		return nil, err
	}
	from, err := number(r, "from", 0, fromAnyFragments, 0)
	if err != nil {
		return nil, err
	}
	v, err := s.partition("run", name)
	if err != nil {
		return nil, err
	}
	m := v.Table("compositions")
	if m == nil {
		return nil, &lake.NotAnalyzedError{Run: name, Table: "compositions"}
	}
	sums := make(map[string]*fragment)
	c := schema.NewCompositions(new(schema.Names))
	err = s.lake.Scan(r.Context(), m.Files, c, lake.ScanOptions{Columns: []string{"fragment", "initial", "total_ns"}}, func() error {
		for i, code := range c.Fragment {
			of := c.Names.Fragments.Name(code)
			if sums[of] == nil {
				sums[of] = &fragment{Fragment: of, Initial: c.Initial[i]}
			}
			sums[of].TotalNs += c.TotalNs[i]
		}
		return nil
	})
	all := make([]fragment, 0, len(sums))
	for _, f := range sums {
		all = append(all, *f)
	}
	slices.SortFunc(all, func(a, b fragment) int {
		if a.Initial != b.Initial {
			return map[bool]int{true: -1, false: 1}[a.Initial]
		}
		return cmp.Or(cmp.Compare(b.TotalNs, a.TotalNs), cmp.Compare(a.Fragment, b.Fragment))
	})
	total := int64(len(all))
	from = min(from, total)
	return map[string]any{"run": name, "fragments": all[from:min(from+most, total)], "from": from, "total": total}, err
}
