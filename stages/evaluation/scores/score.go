package scores

import "math"

// Score is how well detected subjects meet those with a fault. With T the subjects into which faults were injected, C
// those that had to change as a consequence, and P those detected,
//
//	Precision = |T ∩ P| / |P \ C|        NaN where nothing outside C is detected
//	Recall    = |T ∩ P| / |T|
//	F1        = 2 Precision Recall / (Precision + Recall)
//
// Precision is the one that the paper calls Precision', which does not count what a fault brings about. The paper
// prints the reciprocal of F1; its figures show F1. With nothing detected F1 is 0.
type Score struct {
	Precision, Recall, F1 float64 // 0 to 1; NaN where there was nothing to find or nothing found
	Injected, Found       int     // |T|, |T ∩ P|
	Called                int     // |P \ C|
	Prevalence            float64 // |T| of all subjects outside C; F1 depends on it
}

// NewScore scores one experiment. All are by subject; what is injected is not consequential.
func NewScore(injected, consequential, detected []bool) Score {
	var s Score
	outside := 0
	for i, t := range injected {
		c := consequential[i] && !t
		if !c {
			outside++
		}
		if t {
			s.Injected++
		}
		if detected[i] && !c {
			s.Called++
			if t {
				s.Found++
			}
		}
	}
	s.Precision, s.Recall = ratio(s.Found, s.Called), ratio(s.Found, s.Injected)
	s.Prevalence = ratio(s.Injected, outside)
	if s.Found > 0 {
		s.F1 = 2 * s.Precision * s.Recall / (s.Precision + s.Recall)
	}
	return s
}

func ratio(part, of int) float64 {
	if of == 0 {
		return math.NaN()
	}
	return float64(part) / float64(of)
}

// Average is the mean of the scores of several experiments, each number over those in which it is known.
func Average(scores []Score) Score {
	var out Score
	out.Precision = mean(scores, func(s *Score) float64 { return s.Precision })
	out.Recall = mean(scores, func(s *Score) float64 { return s.Recall })
	out.F1 = mean(scores, func(s *Score) float64 { return s.F1 })
	out.Prevalence = mean(scores, func(s *Score) float64 { return s.Prevalence })
	for _, s := range scores {
		out.Injected, out.Found, out.Called = out.Injected+s.Injected, out.Found+s.Found, out.Called+s.Called
	}
	return out
}

func mean(scores []Score, of func(*Score) float64) float64 {
	sum, n := 0.0, 0
	for i := range scores {
		if v := of(&scores[i]); !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / float64(n)
}
