package live

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tracelake/tracelake/stages/timing/controlchart"
	"github.com/tracelake/tracelake/stages/timing/hotness"
)

// Against is what a page compares with.
type Against struct {
	Baseline *Baseline
	Cause    string // why there is none yet
	Run      string
	Chart    *Named // the function of the control chart; nil: there is none
	Judge    bool   // candidates and the chart are made, which takes longer than the rest
}

// Comparison is what a window has beside a baseline. It is no verdict: one run says nothing about how much runs of the same program differ.
type Comparison struct {
	Run        string       `json:"run"`
	Cause      string       `json:"cause,omitempty"`
	Uncompared string       `json:"uncompared,omitempty"` // why all differences are 0, though the metric may differ
	Difference []int        `json:"difference,omitempty"` // hotness of the difference, by component, from -100 to 100
	Colour     []int        `json:"colour,omitempty"`     // the value of that without its sign
	Judged     *Judgement   `json:"judged,omitempty"`
	Chart      *ChartPoints `json:"chart,omitempty"`
}

// Judgement are the functions that strike in a window.
type Judgement struct {
	Cause      string      `json:"cause,omitempty"` // why there is none
	Functions  int         `json:"functions"`       // that ran in the window and that the baseline knows well enough
	Typical    float64     `json:"typical"`         // how many times as long as in the baseline half of these take at least; 0 of none
	Candidates []Candidate `json:"candidates"`
	More       int         `json:"more"`    // candidates that are not listed
	Missing    []string    `json:"missing"` // components that the baseline has and that did not run yet
}

// Candidate is a function whose real time in a window is unlike that in the baseline, or which the baseline does not have.
type Candidate struct {
	Component int   `json:"component"`
	Function  int   `json:"function"` // place in Functions
	Calls     int64 `json:"calls"`    // that ended in the window
	MeanNs    int64 `json:"mean_ns"`  // of their real times
	BaseNs    int64 `json:"base_ns"`
	LowerNs   int64 `json:"lower_ns"` // limits of the mean of so many calls
	UpperNs   int64 `json:"upper_ns"`
	SinceNs   int64 `json:"since_ns"` // where the first window ended from which on it strikes in all that have enough calls of it
	New       bool  `json:"new"`      // the baseline does not have it
}

// ChartPoints is the control chart of a function: means of calls in the order of their ends, each with its limits.
type ChartPoints struct {
	Component string  `json:"component"`
	Function  string  `json:"function"`
	Cause     string  `json:"cause,omitempty"` // why there are no points, or no limits
	Calls     int64   `json:"calls"`
	Beyond    int     `json:"beyond"` // points outside of their limits
	BaseNs    int64   `json:"base_ns"`
	AtNs      []int64 `json:"at_ns"`
	N         []int64 `json:"n"` // calls of a point
	MeanNs    []int64 `json:"mean_ns"`
	LowerNs   []int64 `json:"lower_ns"`
	UpperNs   []int64 `json:"upper_ns"`
}

const (
	mostCandidates = 50
	fewestCalls    = 4   // of a function in a window which is judged
	mostAlone      = 200 // calls that are points of their own
	chartColumns   = 100 // points of which each is the mean of the calls of a time
)

// against compares a window with a baseline.
func (w *Watcher) against(f *Frame, a Ask, loads []hotness.Load, firstNs int64) (*Comparison, error) {
	c := &Comparison{Run: a.Against.Run, Cause: a.Against.Cause}
	b := a.Against.Baseline
	if b == nil {
		return c, nil
	}
	components, _, keys := w.look.Names()
	c.Difference = a.Metric.Difference(hotness.Side{Loads: loads, LengthNs: f.ToNs - f.FromNs}, b.side(components, f.ToNs-f.FromNs), a.Real)
	c.Difference = c.Difference[:min(len(c.Difference), len(loads))]
	for _, h := range c.Difference {
		c.Colour = append(c.Colour, int(a.Colour(max(h, -h))))
	}
	if a.Metric.Paths {
		c.Uncompared = b.paths.cause
		if f.Critical.AllNs == 0 {
			c.Uncompared = cmp.Or(f.Critical.Cause, "no critical path lies in the window")
		}
	}
	if !a.Against.Judge {
		return c, nil
	}
	var err error
	if c.Judged, err = w.judge(f, a, firstNs, components, keys); err != nil || a.Against.Chart == nil {
		return c, err
	}
	c.Chart, err = w.chart(f, a, firstNs, components, keys)
	return c, err
}

// known returns the times that the baseline has of a key; nil if it has none.
func (w *Watcher) known(b *Baseline, key uint32, components []string, keys []Function) *times {
	if w.baseline != b {
		w.baseline, w.times = b, nil
	}
	for i := len(w.times); i <= int(key); i++ {
		w.times = append(w.times, b.functions[Named{components[keys[i].Component], keys[i].Name}])
	}
	return w.times[key]
}

// ended walks over the calls that end in a time; false where these are too many.
func (w *Watcher) ended(fromNs, toNs int64, take func(c hotness.Call, atNs int64)) (bool, error) {
	c := w.look.Cursor()
	if _, err := c.To(fromNs); err != nil {
		return false, err
	}
	if w.look.bytesBetween(c.next, toNs) > mostBoxBytes {
		return false, nil
	}
	c.Each = func(m *hotness.Machine, r hotness.Row) {
		if call, is := m.Ended(r); is {
			take(call, r.TimeNs)
		}
	}
	_, err := c.To(toNs)
	return true, err
}

// judge finds the functions that strike in the window. One that strikes does so until a window has enough calls of it and it does not.
func (w *Watcher) judge(f *Frame, a Ask, firstNs int64, components []string, keys []Function) (*Judgement, error) {
	b := a.Against.Baseline
	of := stretchOf{w.look.dir, firstNs, a.IntervalNs}
	if w.baseline != b || w.sinceOf != of {
		w.since, w.sinceOf = b.strikes.resume(of, f.ToNs), of
	}
	type sum struct{ n, ownNs int64 }
	sums := make([]sum, len(keys))
	few, err := w.ended(firstNs+f.FromNs, firstNs+f.ToNs, func(c hotness.Call, _ int64) {
		for len(sums) <= int(c.Key) { // a name that came meanwhile
			sums = append(sums, sum{})
		}
		sums[c.Key].n++
		sums[c.Key].ownNs += c.OwnNs
	})
	if err != nil {
		return nil, err
	}
	missing := b.missing(components)
	j := &Judgement{Candidates: []Candidate{}, Missing: append([]string{}, missing[:min(len(missing), mostCandidates)]...)}
	if !few {
		j.Cause = tooMany("the window", f.ToNs-f.FromNs, "shorter interval")
		return j, nil
	}
	components, _, keys = w.look.Names()
	var ratios []float64
	for i, s := range sums {
		key := uint32(i)
		if s.n == 0 {
			continue
		}
		named := Named{components[keys[key].Component], keys[key].Name}
		mean, t := float64(s.ownNs)/float64(s.n), w.known(b, key, components, keys)
		candidate := Candidate{Component: int(keys[key].Component), Calls: s.n, MeanNs: int64(math.Round(mean)), New: t == nil}
		if t != nil {
			lower, upper, are := t.own.Limits(s.n)
			if !are || s.n < fewestCalls {
				continue
			}
			j.Functions++
			if t.own.MeanNs() > 0 {
				ratios = append(ratios, mean/t.own.MeanNs())
			}
			if !t.own.Strikes(mean, s.n) {
				delete(w.since, named)
				continue
			}
			candidate.BaseNs, candidate.LowerNs, candidate.UpperNs = limitsOf(t.own.MeanNs(), lower, upper)
		}
		if at, is := w.since[named]; !is || at > f.ToNs { // a page may go back
			w.since[named] = f.ToNs
		}
		candidate.Function, candidate.SinceNs = w.function(key, keys), w.since[named]
		j.Candidates = append(j.Candidates, candidate)
	}
	b.strikes.keep(of, f.ToNs, w.since)
	if len(ratios) > 0 {
		slices.Sort(ratios)
		j.Typical = ratios[len(ratios)/2]
	}
	effect := func(c Candidate) int64 { return max(c.MeanNs-c.BaseNs, c.BaseNs-c.MeanNs) * c.Calls }
	slices.SortStableFunc(j.Candidates, func(a, b Candidate) int { return cmp.Compare(effect(b), effect(a)) })
	j.More = max(0, len(j.Candidates)-mostCandidates)
	j.Candidates = j.Candidates[:len(j.Candidates)-j.More]
	return j, nil
}

// tooMany says why nothing is made of a time.
func tooMany(what string, ns int64, ask string) string {
	return fmt.Sprintf("%s of %v holds too many calls to be compared one by one: ask for a %s", what, time.Duration(ns).Round(time.Millisecond), ask)
}

// limitsOf are centre and limits in whole ns. No time is below 0.
func limitsOf(mean, lower, upper float64) (meanNs, lowerNs, upperNs int64) {
	return int64(math.Round(mean)), int64(math.Round(max(0, lower))), int64(math.Round(upper))
}

// chart makes the control chart of a function, of the time that the scale shows.
func (w *Watcher) chart(f *Frame, a Ask, firstNs int64, components []string, keys []Function) (*ChartPoints, error) {
	of := *a.Against.Chart
	p := &ChartPoints{Component: of.Component, Function: of.Function}
	at := slices.IndexFunc(keys, func(k Function) bool { return k.Name == of.Function && components[k.Component] == of.Component })
	if at < 0 {
		p.Cause = "it did not run yet"
		return p, nil
	}
	key := uint32(at)
	from, to := max(0, a.BoxesFromNs), min(a.BoxesToNs, f.NowNs)
	var ends, ns []int64
	few, err := w.ended(firstNs+from, firstNs+to, func(c hotness.Call, atNs int64) {
		if c.Key != key {
			return
		}
		ends = append(ends, atNs-firstNs)
		if a.Real {
			ns = append(ns, c.OwnNs)
		} else {
			ns = append(ns, c.DurationNs)
		}
	})
	if err != nil {
		return nil, err
	}
	if !few {
		p.Cause = tooMany("the scale", to-from, "shorter scale")
		return p, nil
	}
	var baseline *controlchart.Baseline
	if t := w.known(a.Against.Baseline, key, components, keys); t != nil {
		baseline = t.of(a.Real)
		p.BaseNs = int64(math.Round(baseline.MeanNs()))
	} else {
		p.Cause = "the baseline does not have it"
	}
	p.Calls = int64(len(ends))
	if len(ends) <= mostAlone {
		for i := range ends {
			p.add(ends[i], 1, ns[i], baseline)
		}
		return p, nil
	}
	// Columns lie where they do, wherever the scale begins, so that a point stays what it is while the time goes on.
	wide := max(1, (a.BoxesToNs-a.BoxesFromNs)/chartColumns)
	for i := 0; i < len(ends); {
		column, n, sum := ends[i]/wide, int64(0), int64(0)
		for ; i < len(ends) && ends[i]/wide <= column; i++ { // a lane may be late
			n++
			sum += ns[i]
		}
		p.add(column*wide+wide/2, n, sum, baseline)
	}
	return p, nil
}

// add adds a point.
func (p *ChartPoints) add(atNs, n, sumNs int64, baseline *controlchart.Baseline) {
	mean := float64(sumNs) / float64(n)
	p.AtNs, p.N, p.MeanNs = append(p.AtNs, atNs), append(p.N, n), append(p.MeanNs, int64(math.Round(mean)))
	if baseline == nil {
		return
	}
	lower, upper, are := baseline.Limits(n)
	if !are {
		p.Cause = fmt.Sprintf("the baseline has %d calls of it, which are too few for limits", baseline.Count())
		return
	}
	_, lowerNs, upperNs := limitsOf(0, lower, upper)
	p.LowerNs, p.UpperNs = append(p.LowerNs, lowerNs), append(p.UpperNs, upperNs)
	if mean < lower || mean > upper {
		p.Beyond++
	}
}
