package ltsdiff

// regionLimit is how many states may be reached from R without L: beyond it, nothing is folded. gLTSdiff
// has no limit and walks through the whole automaton for every pattern.
const regionLimit = 4096

// region is the states between R and L of a skip pattern.
type region struct {
	r, l, s       int32
	search        int32
	ahead, behind []int32 // by state: the search that last met it on the way from R, and also back from L
	queue         []int32 // the states met last
}

// skippable says whether there is something to skip from r to l: transitions between the two, or states
// on the ways from r to l which avoid s, if those states are entered only from r or each other and left only to l or
// each other.
func (w *rewriter) skippable(v view, r, l, s int32) bool {
	g := &w.region
	for len(g.ahead) < len(w.states) {
		g.ahead, g.behind = append(g.ahead, 0), append(g.behind, 0)
	}
	g.r, g.l, g.s = r, l, s
	g.search++
	if !w.explore(v, g.ahead, r, l) || g.ahead[l] != g.search {
		return false
	}
	w.explore(1-v, g.behind, l, r)
	between := 0
	for _, x := range g.queue {
		if g.between(x) {
			between++
			if !w.enclosed(v, x, l) || !w.enclosed(1-v, x, r) {
				return false
			}
		}
	}
	return between > 0 || len(g.queue) == 2
}

// explore meets the states that can be reached from one, but goes on neither from s nor from another end.
// On the way back it meets only what was met on the way ahead. It returns false if there are too many.
func (w *rewriter) explore(v view, met []int32, from, end int32) bool {
	g := &w.region
	g.queue = append(g.queue[:0], from)
	met[from] = g.search
	for i := 0; i < len(g.queue); i++ {
		x := g.queue[i]
		if x == end || x == g.s {
			continue
		}
		for _, n := range w.at[v][x] {
			y := v.far(&w.steps[n])
			if met[y] != g.search && (from == g.r || g.ahead[y] == g.search) {
				met[y] = g.search
				g.queue = append(g.queue, y)
			}
		}
		if len(g.queue) > regionLimit {
			return false
		}
	}
	return true
}

// between says whether a state lies between r and l.
func (g *region) between(x int32) bool {
	return g.ahead[x] == g.search && g.behind[x] == g.search && x != g.r && x != g.l && x != g.s
}

// enclosed says whether all steps of a state go to states between r and l or to an end.
func (w *rewriter) enclosed(v view, x, end int32) bool {
	for _, n := range w.at[v][x] {
		if y := v.far(&w.steps[n]); y != end && !w.region.between(y) {
			return false
		}
	}
	return true
}
