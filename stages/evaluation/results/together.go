package results

import "slices"

// allCells stands for the name of a cell in results over all cells.
const allCells = "all"

// key is what results are reported by. Those of one key are joined.
type key struct {
	cell   string
	runs   int    // of each side
	of     string // a method, a class of subjects or a change
	effect float64
}

// counts are results of comparisons: *AA, *Rival, *Power and *FDR.
type counts[T any] interface {
	*T
	Join(T)
	key() key
	forAllCells() // replaces the cell
}

// Add joins a result with the one of its key.
func Add[T any, P counts[T]](all []T, one T) []T {
	i := slices.IndexFunc(all, func(t T) bool { return P(&t).key() == P(&one).key() })
	if i < 0 {
		return append(all, one)
	}
	P(&all[i]).Join(one)
	return all
}

// Together joins results over all cells.
func Together[T any, P counts[T]](all []T) (out []T) {
	for _, one := range all {
		P(&one).forAllCells()
		out = Add[T, P](out, one)
	}
	return out
}
