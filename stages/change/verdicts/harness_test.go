package verdicts_test

import (
	"math"
	"math/rand/v2"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// sides returns sides of the given numbers of runs.
func sides(base, cand int) verdicts.Sides {
	var s verdicts.Sides
	for i := range base + cand {
		if i < base {
			s.Base = append(s.Base, i)
		} else {
			s.Cand = append(s.Cand, i)
		}
	}
	return s
}

// once is a step that every run takes once, for the time given for the run.
func once(ns ...float64) verdicts.Observed { return times(1, ns...) }

// times is a step that every run takes n times, each time for the time given for the run.
func times(n float64, ns ...float64) verdicts.Observed {
	o := verdicts.Observed{Level: schema.LevelTransition, Component: "c"}
	for _, v := range ns {
		o.Runs = append(o.Runs, run(n, v))
	}
	return o
}

func run(n, each float64) verdicts.Run {
	r := verdicts.Run{Count: n, N: n, TotalNs: n * each, Quantiles: new([len(verdicts.Quantiles)]float64)}
	for i := range r.Quantiles {
		r.Quantiles[i] = each
	}
	return r
}

// noisy is a step around ns whose runs differ by a log-normal factor; the candidate's runs are as many times longer.
func noisy(r *rand.Rand, s verdicts.Sides, ns, deviation, factor float64) verdicts.Observed {
	o := verdicts.Observed{Level: schema.LevelTransition, Component: "c"}
	for i := range len(s.Base) + len(s.Cand) + len(s.Noise) {
		v := ns * math.Exp(deviation*r.NormFloat64())
		if i >= len(s.Base) && i < len(s.Base)+len(s.Cand) {
			v *= factor
		}
		o.Runs = append(o.Runs, run(1, v))
	}
	return o
}

// crowd are subjects that do not change, so that there is something to learn the noise from.
func crowd(r *rand.Rand, s verdicts.Sides, n int, deviation float64) (all []verdicts.Observed) {
	for range n {
		all = append(all, noisy(r, s, 1e5*math.Exp(2*r.NormFloat64()), deviation, 1))
	}
	return all
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func judge(s verdicts.Sides, subjects ...verdicts.Observed) []verdicts.Judgement {
	return verdicts.Judge(subjects, s, verdicts.Defaults())
}

func words(all []verdicts.Judgement) (out []string) {
	for _, j := range all {
		out = append(out, j.Verdict)
	}
	return out
}
