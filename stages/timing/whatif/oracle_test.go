package whatif_test

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/whatif"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// chart is a whole chart, as the oracle sees it.
type chart struct {
	events   []int64 // in order
	lifeline map[int64]int
	into     map[int64][]window.Edge
	timeNs   map[int64]int64
}

// parts is how many parts a random chart has; those of messages come first.
const parts = 6

// random makes a chart of n events on a few lifelines, with gaps of sequence numbers, which start below 0, times that go back,
// bounds that are met, missed or not known, and now and then a constraint that does not lead forward.
func random(rng *rand.Rand, n int) *chart {
	c := &chart{lifeline: map[int64]int{}, into: map[int64][]window.Edge{}, timeNs: map[int64]int64{}}
	last := make(map[int]int64)
	seq, ns, lifelines, backwards := -rng.Int63n(90), int64(1000), 1+rng.Intn(5), rng.Intn(4) == 0
	for range n {
		seq += 1 + rng.Int63n(3)*rng.Int63n(2)*rng.Int63n(20)
		if ns += rng.Int63n(40); backwards {
			ns -= rng.Int63n(9)
		}
		l := rng.Intn(lifelines)
		c.events, c.timeNs[seq], c.lifeline[seq] = append(c.events, seq), ns, l
		if before, known := last[l]; known {
			c.edge(rng, before, seq, window.Idle*window.Flags(rng.Intn(2)))
		}
		last[l] = seq
		for range rng.Intn(3) * rng.Intn(2) {
			if source := c.events[max(0, len(c.events)-1-rng.Intn(12))]; source < seq || rng.Intn(9) == 0 {
				c.edge(rng, source, seq, window.Message)
			}
		}
	}
	return c
}

func (c *chart) edge(rng *rand.Rand, source, target int64, flags window.Flags) {
	d := c.timeNs[target] - c.timeNs[source]
	bound := []int64{max(d, 0), max(d, 0), max(d-1, 0), max(d/2, 0), 0, schema.NoValue}[rng.Intn(6)]
	if bound == d {
		flags |= window.Critical
	}
	part := uint32(0) // of messages
	if flags&window.Message == 0 {
		part = 1 + uint32(rng.Intn(parts-1))
	}
	c.into[target] = append(c.into[target], window.Edge{
		Source: source, TargetNs: c.timeNs[target], DurationNs: d, BoundNs: bound, Flags: flags, Part: part,
	})
}

// spans are some executions to remove: parts of lifelines without a rest.
func (c *chart) spans(rng *rand.Rand, n int) (spans []whatif.Span) {
	for range n {
		from := c.events[rng.Intn(len(c.events))]
		s := whatif.Span{From: from, To: from}
		for _, e := range c.events {
			if e <= from || c.lifeline[e] != c.lifeline[from] {
				continue
			}
			if in := c.segment(e); in == nil || in.Flags&window.Idle != 0 || rng.Intn(5) == 0 {
				break
			}
			s.To = e
		}
		// Executions of one lifeline nest.
		if !slices.ContainsFunc(spans, func(o whatif.Span) bool {
			return c.lifeline[o.From] == c.lifeline[from] && o.From <= s.To && s.From <= o.To
		}) {
			spans = append(spans, s)
		}
	}
	slices.SortFunc(spans, func(a, b whatif.Span) int { return cmp.Compare(a.From, b.From) })
	return spans
}

// segment is the constraint from the event before on the lifeline, nil if there is none.
func (c *chart) segment(event int64) *window.Edge {
	for i := range c.into[event] {
		if e := &c.into[event][i]; e.Flags&window.Message == 0 {
			return e
		}
	}
	return nil
}

// oracle is the schedule as the definitions have it: over a whole graph, by recursion.
type oracle struct {
	*chart
	factors []float64
	restNs  int64
	paces   []int64
	group   map[int64]int   // of removed events: the number of the execution
	times   map[int64]int64 // found so far
	// Of root executions: whether they overtake others, and when they would start if none did.
	mixed    map[int64]bool
	unplaced map[int64]int64
	placed   map[int64]bool // whether their constraints do not say all that they wait for
}

// removeAll finds the removed events and numbers their executions: spans, then root executions that only messages of removed events
// start, up to the next rest of the lifeline.
func (o *oracle) removeAll(spans []whatif.Span) {
	o.group = map[int64]int{}
	for i, s := range spans {
		for _, e := range o.events {
			if o.lifeline[e] == o.lifeline[s.From] && e >= s.From && e <= s.To {
				o.group[e] = i + 1
			}
		}
	}
	roots := len(spans)
	for _, event := range o.events {
		messages, lost := 0, 0
		for _, e := range o.into[event] {
			if e.Flags&window.Message != 0 && e.Source < event {
				messages++
				if o.group[e.Source] > 0 {
					lost++
				}
			}
		}
		in := o.segment(event)
		if in != nil && in.Flags&window.Idle == 0 || messages == 0 || lost < messages {
			continue
		}
		roots++
		for _, e := range o.events {
			if e < event || o.lifeline[e] != o.lifeline[event] {
				continue
			}
			if next := o.segment(e); e > event && next.Flags&window.Idle != 0 {
				break
			}
			o.group[e] = roots
		}
	}
}

// bound is the new bound of a constraint; gone where nobody waits for it any more.
func (o *oracle) bound(e *window.Edge, target int64) (ns int64, gone bool) {
	from, to := o.group[e.Source], o.group[target]
	if e.Flags&window.Message != 0 {
		return max(e.BoundNs, 0), from > 0 || to > 0
	}
	if to > 0 && (from == to || e.Flags&window.Idle != 0) {
		return 0, false
	}
	return int64(float64(max(e.BoundNs, 0))*o.factors[e.Part] + 0.5), false
}

// time is the new time of an event.
func (o *oracle) time(event int64) int64 {
	if ns, known := o.times[event]; known {
		return ns
	}
	var planned, recorded []int64
	var all []window.Edge
	for _, e := range o.into[event] {
		if e.Source < event {
			all = append(all, e)
		}
	}
	for i := range all {
		e := &all[i]
		recorded = append(recorded, o.timeNs[e.Source]+max(e.BoundNs, 0))
		if ns, gone := o.bound(e, event); !gone {
			planned = append(planned, o.time(e.Source)+ns)
		}
	}
	ns := o.timeNs[event]
	alone := len(o.into[event]) == 1 && len(all) == 1 && all[0].Flags&window.Idle != 0 && all[0].DurationNs > o.restNs
	switch {
	case len(all) == 0:
	case len(planned) == 0: // the first event of a lifeline in a removed execution: it starts when its messages come
		for i := range all {
			planned = append(planned, o.time(all[i].Source)+max(all[i].BoundNs, 0))
		}
		ns = slices.Max(planned) + ns - slices.Max(recorded)
	case o.group[event] > 0:
		ns = slices.Max(planned)
	case alone:
		ns = max(ns+o.pace(event), o.time(all[0].Source)+o.restNs)
	default:
		ns = slices.Max(planned) + ns - slices.Max(recorded)
	}
	o.unplaced[event] = ns
	ns = o.place(event, ns, all)
	o.times[event] = ns
	return ns
}

// pace is how much later the last event before an event takes place that sets the pace and has constraints into it.
func (o *oracle) pace(event int64) (ns int64) {
	for _, p := range o.paces {
		if p < event && len(o.into[p]) > 0 {
			ns = o.time(p) - o.timeNs[p]
		}
	}
	return ns
}

// windows cuts a chart at random; the lowest window comes first.
func (c *chart) windows(rng *rand.Rand) (all []*window.Window) {
	lo, hi := c.events[0], c.events[len(c.events)-1]+1
	cuts := []int64{lo, hi}
	for range rng.Intn(12) {
		cuts = append(cuts, lo+rng.Int63n(hi-lo))
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for i := range len(cuts) - 1 {
		w := &window.Window{Lo: cuts[i], Hi: cuts[i+1], First: []uint32{0}}
		for target := w.Lo; target < w.Hi; target++ {
			w.Edges = append(w.Edges, c.into[target]...)
			w.First = append(w.First, uint32(len(w.Edges)))
		}
		all = append(all, w)
	}
	return all
}

// crossings are the events from which constraints lead into a later window.
func (c *chart) crossings(windows []*window.Window) (all []window.Crossing) {
	for _, source := range c.events {
		last := schema.NoValue
		for _, w := range windows {
			for target := w.Lo; target < w.Hi && source < w.Lo; target++ {
				for _, e := range w.Into(target) {
					if e.Source == source {
						last = target
					}
				}
			}
		}
		if last != schema.NoValue {
			all = append(all, window.Crossing{Event: source, Last: last})
		}
	}
	return all
}

// TestOracle compares schedules of random charts, changes and windows with the definitions, upwards and rewritten downwards.
func TestOracle(t *testing.T) {
	overtaking := int64(0)
	for seed := range 3000 {
		rng := rand.New(rand.NewSource(int64(seed)))
		c := random(rng, 2+rng.Intn(60))
		rules := whatif.Rules{RestNs: rng.Int63n(40), Removed: c.spans(rng, rng.Intn(3)*rng.Intn(3))}
		for _, event := range c.events {
			if rng.Intn(12) == 0 {
				rules.Paces = append(rules.Paces, event)
			}
		}
		o := &oracle{chart: c, restNs: rules.RestNs, paces: rules.Paces, times: map[int64]int64{}, mixed: map[int64]bool{}, placed: map[int64]bool{}, unplaced: map[int64]int64{}}
		o.factors = append(o.factors, 1)
		for range parts - 1 {
			o.factors = append(o.factors, []float64{1, 1, 0.5, 0, 1.75}[rng.Intn(5)])
		}
		o.removeAll(rules.Removed)
		windows := c.windows(rng)
		s := whatif.New(rules, c.crossings(windows))
		var fronts []whatif.Front
		for _, w := range windows {
			fronts = append(fronts, s.Front())
			s.Up(w, o.factors)
			if err := o.check(s, w); err != nil {
				t.Fatalf("seed %d, up: %v", seed, err)
			}
		}
		overtaking += s.Overtaking
		for i, w := range slices.Backward(windows) {
			s.Rewrite(w, o.factors, fronts[i])
			if err := cmp.Or(o.check(s, w), o.checkRewritten(w)); err != nil {
				t.Fatalf("seed %d, rewritten: %v", seed, err)
			}
		}
	}
	if overtaking < 20 {
		t.Errorf("%d requests overtake", overtaking)
	}
}

// served is a root execution of a lifeline, as request or by itself.
type served struct{ askedNs, recordedNs, startNs, endNs int64 }

// root reports whether an event starts an execution on an idle lifeline, and by which request: the last of its messages.
func (o *oracle) root(event int64) (isRoot, isRequest bool, x served) {
	x = served{schema.NoValue, schema.NoValue, schema.NoValue, schema.NoValue}
	for _, e := range o.into[event] {
		if e.Source >= event {
			return false, false, x
		}
		if e.Flags&window.Message != 0 {
			x.askedNs, x.recordedNs = max(x.askedNs, o.time(e.Source)), max(x.recordedNs, e.SourceNs())
		}
	}
	in := o.segment(event)
	return len(o.into[event]) > 0 && (in == nil || in.Flags&window.Idle != 0), x.recordedNs != schema.NoValue, x
}

// place returns when a root execution starts, given when it would do so in the recorded order: if it overtakes some of the last 32, or
// an execution before it has, once those that it does not overtake have ended, and when none of the others is under way.
func (o *oracle) place(event, ns int64, in []window.Edge) int64 {
	isRoot, isRequest, x := o.root(event)
	if !isRoot || o.group[event] > 0 {
		return ns
	}
	turns, mixed := o.before(event)
	free, overtakes := schema.NoValue, false
	for i, t := range turns {
		if i >= len(turns)-32 && t.recordedNs != schema.NoValue && x.askedNs < t.askedNs && x.recordedNs >= t.recordedNs && isRequest {
			overtakes = true
		} else {
			free = max(free, t.endNs)
		}
	}
	if overtakes {
		o.mixed[event] = true
	}
	segment := o.segment(event)
	late := mixed && segment != nil && free > o.time(segment.Source)
	if !isRequest {
		if late {
			o.placed[event] = true
			return max(ns, free)
		}
		return ns
	}
	if !overtakes && !late {
		return ns
	}
	o.placed[event] = true
	planned, recorded := schema.NoValue, schema.NoValue
	for i := range in {
		e := &in[i]
		bound, gone := o.bound(e, event)
		from := o.time(e.Source)
		if e.Flags&window.Message == 0 {
			from = free
		}
		if from != schema.NoValue && !gone {
			planned = max(planned, from+bound)
		}
		recorded = max(recorded, e.SourceNs()+max(e.BoundNs, 0))
	}
	planned += o.timeNs[event] - recorded
	for again := true; again; {
		again = false
		for _, t := range turns[max(0, len(turns)-32):] {
			if planned >= t.startNs && planned < t.endNs {
				planned, again = t.endNs, true
			}
		}
	}
	return planned
}

// before returns the root executions of a lifeline before one, and whether any of them has overtaken another.
func (o *oracle) before(event int64) (turns []served, mixed bool) {
	last := schema.NoValue
	for _, e := range o.events {
		if o.lifeline[e] != o.lifeline[event] {
			continue
		}
		isRoot, isRequest, x := o.root(e)
		if isRoot || e == event {
			if n := len(turns); n > 0 {
				turns[n-1].endNs = last
			} else if last != schema.NoValue {
				turns = append(turns, served{schema.NoValue, schema.NoValue, schema.NoValue, last})
			}
		}
		if e == event {
			return turns, mixed
		}
		if last = o.time(e); isRoot {
			if !isRequest {
				x.askedNs, x.recordedNs = o.unplaced[e], o.timeNs[e]
			}
			x.startNs = last
			turns, mixed = append(turns, x), mixed || o.mixed[e]
		}
	}
	return turns, mixed
}

// check compares the times of a window.
func (o *oracle) check(s *whatif.Schedule, w *window.Window) error {
	for event := w.Lo; event < w.Hi; event++ {
		if got := s.Times[event-w.Lo]; len(w.Into(event)) > 0 && got != o.time(event) {
			return fmt.Errorf("event %d at %d, want %d (recorded %d, removed %t)", event, got, o.time(event), o.timeNs[event], o.group[event] > 0)
		}
	}
	return nil
}

// checkRewritten compares the constraints of a window: their times are those of their ends, and critical are those whose new bound
// is met (Definition 4), and what a lifeline does alone after a rest, as before.
func (o *oracle) checkRewritten(w *window.Window) error {
	for event := w.Lo; event < w.Hi; event++ {
		for i, e := range w.Into(event) {
			if e.Source >= event {
				continue
			}
			was := o.into[event][i]
			d := o.time(event) - o.time(e.Source)
			ns, gone := o.bound(&was, event)
			critical := !gone && ns == d
			if o.isReleased(event) {
				critical = was.Flags&window.Critical != 0
			}
			if o.placed[event] && !critical && i == o.leads(event) {
				critical = true
			}
			if e.TargetNs != o.time(event) || e.DurationNs != d || e.Flags&window.Critical != 0 != critical {
				return fmt.Errorf("constraint %d of event %d is %+v, want duration %d, critical %t", i, event, e, d, critical)
			}
		}
	}
	return nil
}

// isReleased reports whether a long rest is all that comes before an execution.
func (o *oracle) isReleased(event int64) bool {
	in := o.into[event]
	return len(in) == 1 && in[0].Flags&window.Idle != 0 && in[0].DurationNs > o.restNs
}

// leads is the position of the message that leads on from an event that none of its constraints holds back, the one that is sent last; -1
// where one does.
func (o *oracle) leads(event int64) int {
	last, all := 0, o.into[event]
	for i := range all {
		ns, gone := o.bound(&all[i], event)
		if !o.isReleased(event) && !gone && ns == o.time(event)-o.time(all[i].Source) {
			return -1
		}
		if all[i].Flags&window.Message != 0 && (all[last].Flags&window.Message == 0 || o.time(all[i].Source) > o.time(all[last].Source)) {
			last = i
		}
	}
	return last
}

// TestNothingChanges sees that without a change every event keeps its time, and every constraint what it is.
func TestNothingChanges(t *testing.T) {
	for seed := range 200 {
		rng := rand.New(rand.NewSource(int64(seed)))
		c := random(rng, 2+rng.Intn(60))
		for _, in := range c.into {
			for i := range in { // the rest may not be shorter than what is allowed
				in[i].Flags &^= window.Idle
			}
		}
		windows := c.windows(rng)
		s := whatif.New(whatif.Rules{}, c.crossings(windows))
		for _, w := range windows {
			before, front := slices.Clone(w.Edges), s.Front()
			s.Up(w, slices.Repeat([]float64{1}, parts))
			s.Rewrite(w, slices.Repeat([]float64{1}, parts), front)
			for i := range before {
				if e := before[i]; w.Edges[i] != e && e.BoundNs != schema.NoValue {
					t.Fatalf("seed %d: %+v became %+v", seed, e, w.Edges[i])
				}
			}
		}
	}
}

// TestParseChange sees what may stand behind a flag.
func TestParseChange(t *testing.T) {
	for text, want := range map[string]whatif.Change{
		"C.f=20%": {Name: "C.f", Factor: 0.8}, "a=b.g=100%": {Name: "a=b.g", Factor: 0}, "C.f=2.5 %": {Name: "C.f", Factor: 0.975},
	} {
		if got, err := whatif.ParseChange(text, -1); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "C.f", "=20%", "C.f=20", "C.f=-3%", "C.f=101%", "C.f=NaN%", "C.f=Inf%", "C.f=0%"} {
		if c, err := whatif.ParseChange(text, -1); err == nil {
			t.Errorf("%q is %+v", text, c)
		}
	}
	if c, err := whatif.ParseChange("C.f=150%", 1); err != nil || c.Factor != 2.5 {
		t.Errorf("%+v, %v", c, err)
	}
}
