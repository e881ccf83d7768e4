package functionchanges

import "math"

// ballot is a value with its weight.
type ballot struct{ value, weight float64 }

// halfTolerance is the share of all weights within which the weights below a value count as half of all. Weights that are equal
// but for rounding would otherwise choose now the lower and now the upper middle value.
const halfTolerance = 1e-9

// weightedMedian returns the value at which the weights of the smaller ones reach half of all, or the mean of two values between
// which exactly half of the weights lie on either side. It selects instead of sorting, in linear time on average, and leaves
// the votes in another order.
func weightedMedian(votes []ballot) float64 {
	total := weightOf(votes)
	light, heavy := (.5-halfTolerance)*total, (.5+halfTolerance)*total
	// Votes are left out that are known to lie on one side: below is the weight of the lesser ones, and lower and upper are the values
	// next to the votes in question.
	below, lower, upper := 0.0, math.NaN(), math.NaN()
	for len(votes) > 0 {
		pivot := middleOf(votes[0].value, votes[len(votes)/2].value, votes[len(votes)-1].value)
		less, equal, more := partition(votes, pivot)
		beneath := below + weightOf(less)
		upTo := beneath + weightOf(equal)
		switch {
		case beneath > heavy:
			votes, upper = less, pivot
		case upTo < light:
			votes, below, lower = more, upTo, pivot
		case beneath >= light && beneath > 0:
			for _, v := range less {
				lower = max(v.value, fallback(lower, v.value))
			}
			return (lower + pivot) / 2
		case upTo <= heavy:
			for _, v := range more {
				upper = min(v.value, fallback(upper, v.value))
			}
			return (pivot + fallback(upper, pivot)) / 2
		default:
			return pivot
		}
	}
	return 0
}

// fallback is a value, or another one where there is none.
func fallback(value, other float64) float64 {
	if math.IsNaN(value) {
		return other
	}
	return value
}

func weightOf(votes []ballot) (sum float64) {
	for _, v := range votes {
		sum += v.weight
	}
	return sum
}

// middleOf is the median of three values.
func middleOf(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

// partition puts the votes below a value first and those above it last.
func partition(votes []ballot, value float64) (less, equal, more []ballot) {
	at, end := 0, len(votes)
	for i := 0; i < end; {
		switch v := votes[i]; {
		case v.value < value:
			votes[at], votes[i] = v, votes[at]
			at, i = at+1, i+1
		case v.value > value:
			end--
			votes[i], votes[end] = votes[end], v
		default:
			i++
		}
	}
	return votes[:at], votes[at:end], votes[end:]
}

// medianWithError returns the weighted median of votes and its standard error: 1.2533 sigma over the root of the effective number of
// votes, with sigma from the weighted median absolute deviation. Values of the votes are gone afterwards.
func medianWithError(votes []ballot) (median, se float64) {
	sum, squares := 0.0, 0.0
	for _, v := range votes {
		sum += v.weight
		squares += v.weight * v.weight
	}
	median = weightedMedian(votes)
	if sum == 0 {
		return median, math.Inf(1)
	}
	for i := range votes {
		votes[i].value = math.Abs(votes[i].value - median)
	}
	sigma := 1.4826 * weightedMedian(votes)
	return median, math.Sqrt(math.Pi/2) * sigma * math.Sqrt(squares) / sum
}
