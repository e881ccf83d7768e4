package claimorder

// targets are claims to which edges lead, by key and, of one key, in the order of their starts. The edges come from a stretch of the
// claims in the order of their ends.
type targets struct {
	first     []int32 // by key, in the columns below
	claim     []int32 // claims of the key that have equal stretches are one row where edges are not named: the first of them
	count     []int32 // how many claims a row is
	low, high []int32 // the stretch
}

// targetsOf sorts the claims by their keys. Where edges are not named, claims of one key that start in one block are counted together.
func (o *order) targetsOf(c *Claims, keys int, named bool) *targets {
	t := &targets{first: make([]int32, keys+1)}
	// A counting sort: rows are counted by key, then filled in. last is the block in which a key was seen last.
	last := make([]int32, keys)
	block := int32(0)
	rows := func(found func(s int32, low, high int, isNew bool)) {
		o.blocks(c, false, func(low, high int, starts []int32) {
			block++
			for _, s := range starts {
				isNew := named || last[c.Key[s]] != block
				last[c.Key[s]] = block
				found(s, low, high, isNew)
			}
		})
	}
	rows(func(s int32, _, _ int, isNew bool) {
		if isNew {
			t.first[c.Key[s]+1]++
		}
	})
	for k := range keys {
		t.first[k+1] += t.first[k]
	}
	n := t.first[keys]
	t.claim, t.count, t.low, t.high = make([]int32, n), make([]int32, n), make([]int32, n), make([]int32, n)
	next := append([]int32(nil), t.first[:keys]...)
	rows(func(s int32, low, high int, isNew bool) {
		k := c.Key[s]
		if isNew {
			t.claim[next[k]], t.low[next[k]], t.high[next[k]] = s, int32(low), int32(high)
			next[k]++
		}
		t.count[next[k]-1]++
	})
	return t
}

// steps is how many edges are looked at, where those of claims that are counted together are looked at once.
func (t *targets) steps() (n int64) {
	for i, high := range t.high {
		n += int64(high - t.low[i])
	}
	return n
}

// reduced compares the edges of the transitive reductions, key by key of the claims that they lead to: those from each key are counted in
// a row of counters. Edges to a key that only one run has are all its own.
func (d *Distance) reduced(runs [2]*Claims, orders *[2]order) error {
	keys := keysOf([2][]uint32{runs[0].Key, runs[1].Key})
	named := d.Claims[0] != nil
	x := reduction{distance: d, named: named, left: make([]int64, keys)}
	for run, c := range runs {
		x.to[run] = orders[run].targetsOf(c, keys, named)
		if steps := x.to[run].steps(); steps > mostSteps {
			return &TooLargeError{false, steps}
		}
		x.byEnd[run] = orders[run].byEnd
		x.ofEnds[run] = make([]uint32, len(x.byEnd[run]))
		for i, e := range x.byEnd[run] {
			x.ofEnds[run][i] = c.Key[e]
		}
		x.alone[run] = make([]int32, len(x.byEnd[run])+1)
	}
	for key := range keys {
		x.key(key)
	}
	if named {
		x.nameAlone()
	}
	return nil
}

// reduction is a comparison of reduced orders.
type reduction struct {
	distance *Distance
	named    bool
	to       [2]*targets
	byEnd    [2][]int32
	ofEnds   [2][]uint32 // keys of byEnd
	left     []int64     // by key: edges of the second run that no edge of the first one has matched yet; 0 between two keys
	alone    [2][]int32  // by position in byEnd, as differences: how many edges lead to keys that only this run has
}

// key compares the edges that lead to a key. (1) Those of the second run are counted; (2) each of the first run takes one of them away, or
// has no match; (3) of the second run those are left that come last.
func (x *reduction) key(key int) {
	a, b := x.to[0], x.to[1]
	fromA, toA, fromB, toB := a.first[key], a.first[key+1], b.first[key], b.first[key+1]
	switch {
	case fromA == toA:
		x.only(1, fromB, toB)
		return
	case fromB == toB:
		x.only(0, fromA, toA)
		return
	}
	for i := fromB; i < toB; i++ { // (1)
		n := int64(b.count[i])
		for _, k := range x.ofEnds[1][b.low[i]:b.high[i]] {
			x.left[k] += n
		}
	}
	d := x.distance
	for i := fromA; i < toA; i++ { // (2)
		n := int64(a.count[i])
		for at := a.low[i]; at < a.high[i]; at++ {
			k := x.ofEnds[0][at]
			matched := min(n, x.left[k])
			x.left[k] -= matched
			d.Common += matched
			x.unmatched(0, a.claim[i], at, n-matched)
		}
	}
	for i := toB - 1; i >= fromB; i-- { // (3)
		n := int64(b.count[i])
		for at := b.high[i] - 1; at >= b.low[i]; at-- {
			k := x.ofEnds[1][at]
			alone := min(n, x.left[k])
			x.left[k] -= alone
			x.unmatched(1, b.claim[i], at, alone)
		}
	}
}

// unmatched takes edges to a claim that the other run lacks: 1 or none where they are named.
func (x *reduction) unmatched(run int, claim, at int32, n int64) {
	if n == 0 {
		return
	}
	x.distance.Edges += n
	if x.named {
		x.distance.Claims[run][x.byEnd[run][at]].From++
		x.distance.Claims[run][claim].To++
	}
}

// only takes the edges to a key that only one run has.
func (x *reduction) only(run int, from, to int32) {
	t := x.to[run]
	for i := from; i < to; i++ {
		low, high := t.low[i], t.high[i]
		x.distance.Edges += int64(high-low) * int64(t.count[i])
		if x.named {
			x.distance.Claims[run][t.claim[i]].To += high - low
			x.alone[run][low]++
			x.alone[run][high]--
		}
	}
}

// nameAlone gives the claims from which edges lead to keys that only their run has these edges.
func (x *reduction) nameAlone() {
	for run, alone := range x.alone {
		n := int32(0)
		for i, e := range x.byEnd[run] {
			n += alone[i]
			x.distance.Claims[run][e].From += n
		}
	}
}
