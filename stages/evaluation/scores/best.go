package scores

import "math"

// Trial is the score of every method in one setting.
type Trial struct {
	Setting string             // its name
	Score   map[string]float64 // by method; NaN, or none: not known
}

// Loss is a setting in which a method is not the best.
type Loss struct {
	Setting, Best   string  // the best method; the first by name where several are
	Own, BestsScore float64 // scores of the method that is asked for, and of the best one
}

// Beaten lists the settings in which another method scores higher than own. Scores that are equal in two digits
// are: a difference below that is one of no single experiment.
func Beaten(own string, trials []Trial) (all []Loss) {
	for _, t := range trials {
		mine, known := t.Score[own]
		if !known || math.IsNaN(mine) {
			continue
		}
		l := Loss{Setting: t.Setting, Own: mine, BestsScore: mine}
		for method, score := range t.Score {
			if score > l.BestsScore || score == l.BestsScore && l.Best != "" && method < l.Best {
				l.Best, l.BestsScore = method, score
			}
		}
		if hundredths(l.BestsScore) > hundredths(mine) {
			all = append(all, l)
		}
	}
	return all
}

// hundredths rounds to the two digits that reports print, so that what reads equal ties.
func hundredths(x float64) float64 { return math.Round(100 * x) }
