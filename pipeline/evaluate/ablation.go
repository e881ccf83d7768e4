package evaluate

import (
	"context"
	"slices"

	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// Rival is what one method says of the transitions of comparisons in which nothing changed.
type Rival struct {
	Cell    string
	Runs    int // of each side
	Method  string
	Alarmed scores.Share // comparisons in which it detects something
	Alarms  scores.Share // transitions of which it says so
}

// ablate has all methods judge some of the splits.
func (j *Job) ablate(ctx context.Context, t *traces, runs int, splits []scores.Split) ([]Rival, error) {
	var some []scores.Split
	for i := 0; i < len(splits); i += everyAblation {
		some = append(some, splits[i])
	}
	found, err := each(ctx, j, len(some), func(i int) (map[string][]bool, error) {
		defer j.Progress.Advance(1)
		c := j.contestOf(t, some[i])
		all := c.detected()
		for method, by := range all {
			var judged []bool
			for step, is := range by {
				if c.judged[step] {
					judged = append(judged, is)
				}
			}
			all[method] = judged
		}
		return all, nil
	})
	var out []Rival
	for _, m := range Methods() {
		r := Rival{Cell: t.Name, Runs: runs, Method: m}
		for _, by := range found {
			r.Alarmed.Add(slices.Contains(by[m], true))
			for _, is := range by[m] {
				r.Alarms.Add(is)
			}
		}
		out = append(out, r)
	}
	return out, err
}

// RivalsTogether joins rivals by the number of runs and the method, over all cells.
func RivalsTogether(all []Rival) (out []Rival) {
	for _, r := range all {
		at := slices.IndexFunc(out, func(o Rival) bool { return o.Runs == r.Runs && o.Method == r.Method })
		if at < 0 {
			out, at = append(out, Rival{Cell: "all", Runs: r.Runs, Method: r.Method}), len(out)
		}
		out[at].Alarmed.Join(r.Alarmed)
		out[at].Alarms.Join(r.Alarms)
	}
	return out
}
