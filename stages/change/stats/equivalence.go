package stats

// Equivalence is the result of two one-sided tests.
type Equivalence struct {
	Lower float64 // p of: y - x <= -margin
	Upper float64 // p of: y - x >= margin
}

// P returns the p-value of "not equivalent": the greater of the two.
func (e Equivalence) P() float64 { return max(e.Lower, e.Upper) }

// MannWhitneyEquivalence tests that the shift from x to y lies within +-margin, by two one-sided
// normal Mann-Whitney tests with corrections (Schuirmann 1987 applied to ranks, Wellek 2010).
func MannWhitneyEquivalence[T Number](x, y []T, margin T) Equivalence {
	moved := make([]T, len(y))
	for i, v := range y {
		moved[i] = v + margin
	}
	lower := Rank(x, moved).Normal(Less, true)
	for i, v := range y {
		moved[i] = v - margin
	}
	return Equivalence{Lower: lower, Upper: Rank(x, moved).Normal(Greater, true)}
}
