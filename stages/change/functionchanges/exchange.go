package functionchanges

// Exchange returns ways to exchange runs between the sides, at most so many, as orders of the runs in which the first Base runs make
// the new baseline. Half of the runs of the smaller side change places with as many of the other one, so that whatever
// differs between the sides stands on both, and the same rule should claim next to nothing. With blocks, half of
// the pairs of runs that share a block change places. Ways are spread over all there are, and the same in every run
// of the program.
func (d Design) Exchange(runs, most int) (orders [][]int) {
	base, cand := d.exchangeable(runs)
	half := min(len(base), len(cand)) / 2
	left, right := choices(len(base), half), choices(len(cand), half)
	if d.Blocks != nil {
		right = [][]int{nil} // the partner of a run is the one of its block
	}
	all := len(left) * len(right)
	step := spreadingStep(all)
	for e := range min(all, most) {
		way := e * step % all
		chosen, partners := left[way/len(right)], right[way%len(right)]
		if d.Blocks != nil {
			partners = chosen
		}
		order := make([]int, runs)
		for i := range order {
			order[i] = i
		}
		for k := range chosen {
			b, c := base[chosen[k]], cand[partners[k]]
			order[b], order[c] = c, b
		}
		orders = append(orders, order)
	}
	return orders
}

// Exchanged judges the same functions with the runs in another order, in which they belong to other sides. It is Judge of the costs
// and blocks in that order; the logarithms of the costs are not taken again.
func (r *Result) Exchanged(order []int, o Options) Result {
	f := r.family
	if f == nil {
		return Result{Changes: make([]Change, len(r.Changes))}
	}
	runs := len(order)
	costs, all := make([][]Cost, len(f.costs)), make([]Cost, 0, len(f.costs)*runs)
	for i, row := range f.costs {
		for _, from := range order {
			all = append(all, row[from])
		}
		costs[i] = all[i*runs : (i+1)*runs]
	}
	d := Design{Base: f.design.Base, Blocks: Permuted(f.design.Blocks, order)}
	out, asked := beginAll(costs, d, o)
	if len(asked) == 0 {
		return out
	}
	out.family = newFamily(costs, asked, d, d.Pairs(runs), o)
	out.family.takeExchanged(f, order)
	out.decide(d.Pairs(runs))
	return out
}

// Permuted returns values in another order; nil stays nil.
func Permuted[T any](values []T, order []int) []T {
	if values == nil {
		return nil
	}
	out := make([]T, len(order))
	for i, from := range order {
		out[i] = values[from]
	}
	return out
}

// spreadingStep returns a number next to the golden section of n that has no factor in common with n: its multiples meet every number
// below n once, and the first ones of them lie far apart.
func spreadingStep(n int) int {
	step := max(1, int(.618*float64(n)))
	for a, b := n, step; ; a, b = n, step {
		for b != 0 {
			a, b = b, a%b
		}
		if a <= 1 {
			return step
		}
		step++
	}
}

// exchangeable lists the positions of the runs that may change places: all, or pairs of runs of one block.
func (d Design) exchangeable(runs int) (base, cand []int) {
	if d.Blocks == nil {
		for i := range runs {
			if i < d.Base {
				base = append(base, i)
			} else {
				cand = append(cand, i)
			}
		}
		return base, cand
	}
	taken := make([]bool, runs)
	for b := range d.Base {
		for c := d.Base; c < runs; c++ {
			if d.Blocks[b] == d.Blocks[c] && !taken[c] {
				taken[c] = true
				base, cand = append(base, b), append(cand, c)
				break
			}
		}
	}
	return base, cand
}

// mostChoices bounds the ways to choose that are listed: 8 of 16 runs are 12,870.
const mostChoices = 2000

// choices lists ways to choose k of n, in ascending order, all or the first ones.
func choices(n, k int) (all [][]int) {
	if k == 0 {
		return nil
	}
	chosen := make([]int, k)
	for i := range chosen {
		chosen[i] = i
	}
	for len(all) < mostChoices {
		all = append(all, append([]int(nil), chosen...))
		at := k - 1
		for at >= 0 && chosen[at] == n-k+at {
			at--
		}
		if at < 0 {
			break
		}
		chosen[at]++
		for i := at + 1; i < k; i++ {
			chosen[i] = chosen[i-1] + 1
		}
	}
	return all
}
