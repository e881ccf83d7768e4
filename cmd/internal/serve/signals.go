package serve

import (
	"cmp"
	"errors"
	"math"
	"net/http"
	"slices"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/signals"
	"github.com/tracelake/tracelake/schema"
	timing "github.com/tracelake/tracelake/stages/timing/signals"
)

// quantities are what the signals of a timeline may be of; the first one of every entry is what analyze signals calls it.
var quantities = map[string]signals.Job{
	"wip":        {Of: signals.WIP, By: signals.ByRoot},
	"messages":   {Of: signals.WIP, By: signals.ByMessage},
	"usage":      {Of: signals.Usage, By: signals.ByRoot},
	"clients":    {Of: signals.Clients, By: signals.ByRoot},
	"throughput": {Of: signals.Throughput, By: signals.ByRoot, PerNs: 1e9, Per: "s"},
	"latency":    {Of: signals.Latency, By: signals.ByRoot, PerNs: 1e9, Per: "s"},
	"trace":      {Of: signals.Traced},
}

// ofItems are the quantities that count items, which an attribute may tell apart.
var ofItems = map[string]bool{signals.WIP: true, signals.Throughput: true, signals.Latency: true}

// mostSignals is how many signals a picture has.
const mostSignals = 24

// mostBars is how many bars a histogram has, as that of analyze signals.
const mostBars = 20

// mostAverage is the longest time, in nanoseconds, over which signals are averaged.
const mostAverage = int64(1000 * time.Hour)

// job is what a request asks for: of says which signals, items the attribute whose values are items, and over the nanoseconds over which they are averaged.
func (s *site) job(r *http.Request) (job signals.Job, err error) {
	name := r.PathValue("name")
	if _, err := s.partition("run", name); err != nil {
		return job, err
	}
	q := r.URL.Query()
	job, has := quantities[q.Get("of")]
	if !has {
		return job, badRequest("of is one of wip, messages, usage, clients, throughput, latency, trace")
	}
	if items := q.Get("items"); items != "" && ofItems[job.Of] && job.By != signals.ByMessage {
		job.By = items
	}
	job.Lake, job.Run = s.lake, name
	job.WindowNs, err = number(r, "over", 0, mostAverage, 0)
	return job, err
}

// unknownAttribute makes an error of the request of one that says that nothing of a run has the attribute of the items.
func unknownAttribute(err error) error {
	var none *signals.NoAttributeError
	if errors.As(err, &none) {
		return badRequest(err.Error())
	}
	return err
}

// histograms says how long each signal of a run has which value (Hendriks et al. 2024, Definition 11), as analyze signals --histogram does.
func (s *site) histograms(r *http.Request) (any, error) {
	job, err := s.job(r)
	if err != nil {
		return nil, err
	}
	release, err := s.alone(r.Context())
	if err != nil {
		return nil, err
	}
	defer release()
	type bar struct {
		From float64 `json:"from"`
		To   float64 `json:"to"` // from, for one value
		Ns   float64 `json:"ns"`
	}
	type histogram struct {
		Name   string `json:"name"`
		Unit   string `json:"unit"`
		SpanNs int64  `json:"span_ns"` // of which bars are shares
		Bars   []bar  `json:"bars"`

		mean float64
	}
	var out struct {
		Signals []histogram `json:"signals"`
		Total   int         `json:"total"`
	}
	out.Signals = []histogram{}
	_, err = job.Each(r.Context(), func(one *timing.Stream) error {
		out.Total++
		whole, err := one.Statistics(0)
		if err != nil {
			return err
		}
		bars, spanNs, err := one.Histogram(mostBars)
		h := histogram{one.Name, one.Unit, spanNs, []bar{}, whole.Mean}
		for _, b := range bars {
			h.Bars = append(h.Bars, bar{b.From, b.To, b.Ns})
		}
		out.Signals = append(out.Signals, h)
		return err
	})
	out.Signals = busiest(out.Signals, func(h *histogram) float64 { return h.mean })
	return out, unknownAttribute(err)
}

// busiest keeps as many signals as a picture has: those with the greatest means, the greatest first, where there are more; else all as they are.
func busiest[S any](all []S, mean func(*S) float64) []S {
	if len(all) <= mostSignals {
		return all
	}
	slices.SortStableFunc(all, func(a, b S) int { return cmp.Compare(mean(&b), mean(&a)) })
	return all[:mostSignals]
}

// signals returns the signals of a run in a window: for every pixel the least and the greatest value.
func (s *site) signals(r *http.Request) (any, error) {
	job, err := s.job(r)
	if err != nil {
		return nil, err
	}
	described, err := lake.Read[schema.Run](s.lake, "runs", lake.Run(job.Run))
	if err != nil {
		return nil, err
	}
	var ask [3]int64
	for i, p := range []struct {
		name                 string
		least, most, initial int64
	}{{"from", math.MinInt64 / 4, math.MaxInt64 / 4, 0}, {"to", math.MinInt64 / 4, math.MaxInt64 / 4, described[0].DurationNs}, {"pixels", 1, 4096, 800}} {
		if ask[i], err = number(r, p.name, p.least, p.most, p.initial); err != nil {
			return nil, err
		}
	}
	if ask[1] <= ask[0] {
		return nil, badRequest("the window ends before it begins")
	}
	release, err := s.alone(r.Context())
	if err != nil {
		return nil, err
	}
	defer release()
	all, err := job.Signals(r.Context())
	if err != nil {
		return nil, unknownAttribute(err)
	}
	out := struct {
		Signals []envelope `json:"signals"`
		Total   int        `json:"total"`
	}{[]envelope{}, len(all)}
	all = busiest(all, func(one *timing.Named) float64 { return one.Statistics().Mean })
	for i := range all {
		over := timing.Span{FromNs: ask[0] + described[0].StartNs, ToNs: ask[1] + described[0].StartNs}
		out.Signals = append(out.Signals, newEnvelope(&all[i], over, int(ask[2])))
	}
	return out, nil
}

// envelope is a signal as a picture shows it: the least and the greatest value of every pixel; null where it has none.
type envelope struct {
	Name     string     `json:"name"`
	Unit     string     `json:"unit"`
	Least    []*float64 `json:"least"`
	Greatest []*float64 `json:"greatest"`
}

// newEnvelope looks at a signal in a window.
func newEnvelope(one *timing.Named, over timing.Span, pixels int) envelope {
	e := envelope{Name: one.Name, Unit: one.Unit, Least: make([]*float64, pixels), Greatest: make([]*float64, pixels)}
	least, greatest := timing.Envelope(&one.Signal, over, pixels)
	for i := range pixels {
		if least[i] <= greatest[i] {
			e.Least[i], e.Greatest[i] = &least[i], &greatest[i]
		}
	}
	return e
}
