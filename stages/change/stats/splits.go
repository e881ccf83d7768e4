package stats

import "math/rand/v2"

// eachSplit visits the ways to choose k of n positions: all of them if they are at most most, which it
// reports, else most ways drawn at random from a fixed seed. The positions are visit's until it returns.
func eachSplit(n, k, most int, visit func(chosen []int)) (all bool) {
	if binomial(n, k) <= float64(most) {
		everySplit(n, k, visit)
		return true
	}
	draw := rand.New(rand.NewPCG(uint64(n), uint64(k)))
	order := identity(n)
	for range most {
		for i := range k { // the first k of a Fisher-Yates shuffle
			j := i + draw.IntN(n-i)
			order[i], order[j] = order[j], order[i]
		}
		visit(order[:k])
	}
	return false
}

// everySplit visits all ways in lexicographic order.
func everySplit(n, k int, visit func(chosen []int)) {
	chosen := identity(k)
	for {
		visit(chosen)
		i := k - 1
		for i >= 0 && chosen[i] == n-k+i {
			i--
		}
		if i < 0 {
			return
		}
		chosen[i]++
		for j := i + 1; j < k; j++ {
			chosen[j] = chosen[j-1] + 1
		}
	}
}

// binomial returns n over k.
func binomial(n, k int) float64 {
	ways := 1.0
	for i := range min(k, n-k) {
		ways = ways * float64(n-i) / float64(i+1) // every step is a whole number
	}
	return ways
}

func identity(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
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
