package evaluate

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/summaries"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// measure takes the samples of every step at the times of the trace, and summarises them.
func (tr *trace) measure(steps int) {
	tr.events = make([][]int32, steps)
	for e, s := range tr.subject {
		if s != schema.NoCode {
			tr.events[s] = append(tr.events[s], int32(e))
		}
	}
	all := make([]uint32, steps)
	for s := range all {
		all[s] = uint32(s)
	}
	for norm := range tr.since {
		tr.since[norm] = make([][]int64, steps)
		for s := range tr.since[norm] {
			tr.since[norm][s] = tr.values(uint32(s), norm, tr.timeNs)
		}
	}
	tr.summary = tr.summaries(all, tr.timeNs)
}

// time returns the sample of an event in ns, given times of all events: since the event before it in its word, or since the
// first event of the word; NoValue where it has none.
func (tr *trace) time(e int32, norm int, timeNs []int64) int64 {
	from := tr.start[e]
	if norm == sincePrevious {
		from = tr.previous[e]
	}
	if from < 0 {
		return schema.NoValue
	}
	return timeNs[e] - timeNs[from]
}

// values returns the samples of a step in trace order, given times of all events.
func (tr *trace) values(step uint32, norm int, timeNs []int64) (out []int64) {
	for _, e := range tr.events[step] {
		if v := tr.time(e, norm, timeNs); v != schema.NoValue {
			out = append(out, v)
		}
	}
	return out
}

// differ returns the steps that have another sample at these times than in the trace, ascending.
func (tr *trace) differ(norm int, timeNs []int64) (steps []uint32) {
	for e, s := range tr.subject {
		if s != schema.NoCode && tr.time(int32(e), norm, timeNs) != tr.time(int32(e), norm, tr.timeNs) {
			steps = append(steps, s)
		}
	}
	slices.Sort(steps)
	return slices.Compact(steps)
}

// summaries summarises the samples of steps at these times with the code of package summaries, so that figures are those of a
// comparison. All steps stand as transitions of one fragment, since only their numbers matter. Package summaries returns rows by
// ascending number, and so are the steps given; a step without events has no row and stays zero.
func (tr *trace) summaries(steps []uint32, timeNs []int64) []verdicts.Run {
	names := new(schema.Names)
	rows := schema.NewSamples(names)
	for _, s := range steps {
		for _, e := range tr.events[s] {
			rows.Fragment, rows.Transition = append(rows.Fragment, names.Fragments.Code("all")), append(rows.Transition, int64(s))
			rows.SincePreviousNs = append(rows.SincePreviousNs, tr.time(e, sincePrevious, timeNs))
			rows.SinceStartNs = append(rows.SinceStartNs, tr.time(e, sinceStart, timeNs))
		}
	}
	b := summaries.NewTransitions(names, nil, new(stats.Estimator))
	b.Add(rows)
	summarised := b.Rows()
	out, next := make([]verdicts.Run, len(steps)), 0
	for i, s := range steps {
		if len(tr.events[s]) > 0 {
			out[i] = verdicts.RunOf(&summarised[next])
			next++
		}
	}
	return out
}
