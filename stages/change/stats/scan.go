package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// RankScan looks for one change of level in a series: the split, with at least minSegment values on either
// side, whose rank sum is furthest from its mean in standard deviations (Pettitt 1979, Applied Statistics 28,
// 126-135, standardised, which corrects for ties). It returns the probability of such a split if the order of the values
// means nothing, by permutation: exact up to permutations distinct orders, else from that many random ones. Values are one a
// release, never the runs of a release: runs of one release are not exchangeable with those of another.
// Short series reach no small p: the minimum is 1/3 with five values, 0.1 with six and 0.029 with eight. A NaN,
// or fewer values than two segments hold, gives P 1.
func RankScan(values []float64, minSegment, permutations int, seed uint64) float64 {
	shortest := max(1, minSegment)
	ranks := centredRanks(values)
	if ranks == nil || len(values) < 2*shortest {
		return 1
	}
	return permuted(ranks, permutations, seed, func(order []float64) cut { return rankCut(order, shortest) })
}

// rankCut returns the first split with the greatest D^2/(k(n-k)) for the sum D of the first k centred ranks:
// the squared standard score up to a factor that all orders share. D is whole, so equal scores of different
// k are equal numbers.
func rankCut(ranks []float64, shortest int) cut {
	best, sum, n := cut{statistic: -1}, 0.0, len(ranks)
	for i, r := range ranks[:n-shortest] {
		sum += r
		k := i + 1
		if score := sum * sum / float64(k*(n-k)); k >= shortest && score > best.statistic {
			best = cut{k, score}
		}
	}
	return best
}

// centredRanks returns twice the midranks less their mean, which are whole numbers, or nil with a NaN.
func centredRanks(values []float64) []float64 {
	order := Ascending(values)
	ranks := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		if to == from {
			return nil // only a NaN differs from itself
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from + to - len(order))
		}
		from = to
	}
	return ranks
}

// cut is the best place of one order.
type cut struct {
	at        int
	statistic float64
}

// permuted returns the p-value of the statistic of values over their orders: all
// distinct orders if they are at most permutations, else that many drawn from the seed. The best place is
// searched again in every order, so the search costs no level. Statistics that differ by rounding count as
// equal. A p from drawn orders is at least 1/(1+permutations), and so 1 without permutations.
func permuted(values []float64, permutations int, seed uint64, best func(order []float64) cut) float64 {
	found := best(values)
	if found.at == 0 || math.IsNaN(found.statistic) || math.IsInf(found.statistic, 0) {
		return 1
	}
	enough := found.statistic - 1e-9*math.Abs(found.statistic)
	extreme, visited := 0, 0
	all := eachOrder(values, permutations, seed, func(order []float64) {
		visited++
		if best(order).statistic >= enough {
			extreme++
		}
	})
	return shareAtLeast(extreme, visited, all)
}

// eachOrder visits the distinct orders of values if they are at most most, which it reports, else most
// orders drawn at random. The order is visit's until it returns.
func eachOrder(values []float64, most int, seed uint64, visit func(order []float64)) (all bool) {
	order := slices.Clone(values)
	slices.Sort(order)
	if distinctOrders(order) <= float64(most) {
		for visit(order); nextOrder(order); visit(order) {
		}
		return true
	}
	draw := rand.New(rand.NewPCG(seed, uint64(len(values))))
	for range most {
		draw.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		visit(order)
	}
	return false
}

// distinctOrders returns n! over the factorials of the sizes of the groups of equal values.
func distinctOrders(sorted []float64) float64 {
	orders, equal := 1.0, 0
	for i, v := range sorted {
		if i > 0 && v != sorted[i-1] {
			equal = 0
		}
		equal++
		orders = orders * float64(i+1) / float64(equal)
	}
	return orders
}

// nextOrder moves to the next order in lexicographic order, or returns false after the last (Knuth, The Art
// of Computer Programming 4A, 7.2.1.2, algorithm L).
func nextOrder(v []float64) bool {
	j := len(v) - 2
	for j >= 0 && v[j] >= v[j+1] {
		j--
	}
	if j < 0 {
		return false
	}
	l := len(v) - 1
	for v[j] >= v[l] {
		l--
	}
	v[j], v[l] = v[l], v[j]
	slices.Reverse(v[j+1:])
	return true
}

// shareAtLeast returns the p-value of a count of arrangements at least as extreme as the observed one. Drawn
// at random, the observed one is added to them, so that p is never 0 (Phipson and Smyth 2010, Statistical
// Applications in Genetics and Molecular Biology 9(1), article 39).
func shareAtLeast(extreme, visited int, all bool) float64 {
	if all {
		return float64(extreme) / float64(visited)
	}
	return float64(1+extreme) / float64(1+visited)
}
