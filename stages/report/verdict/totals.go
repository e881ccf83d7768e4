package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Totals are what recorders counted that keep only calls of some length: by kind of call, how many calls each run of a side has.
type Totals struct {
	kinds []totalKind // by name
}

// totalKind is a kind of call: the least and the most calls of a run of each side.
type totalKind struct {
	name         string
	base, cand   [2]int64
	inOne, inTwo bool // some run of the baseline has it; some run of the candidate
}

// NewTotals brings the totals of runs together, which each side has by kind. It returns nil where a run has none.
func NewTotals(base, cand []map[string]int64) *Totals {
	at := make(map[string]*totalKind)
	for side, runs := range [][]map[string]int64{base, cand} {
		for _, run := range runs {
			if len(run) == 0 {
				return nil
			}
			for kind := range run {
				if at[kind] == nil {
					at[kind] = &totalKind{name: kind}
				}
				at[kind].inOne, at[kind].inTwo = at[kind].inOne || side == 0, at[kind].inTwo || side == 1
			}
		}
	}
	t := new(Totals)
	for _, k := range at {
		k.base, k.cand = extent(base, k.name), extent(cand, k.name)
		t.kinds = append(t.kinds, *k)
	}
	slices.SortFunc(t.kinds, func(a, b totalKind) int { return strings.Compare(a.name, b.name) })
	return t
}

// extent is the least and the most calls of a kind in a run.
func extent(runs []map[string]int64, kind string) (of [2]int64) {
	for i, run := range runs {
		if n := run[kind]; i == 0 {
			of = [2]int64{n, n}
		} else {
			of = [2]int64{min(of[0], n), max(of[1], n)}
		}
	}
	return of
}

// same reports whether every run has as many calls of each kind as all others.
func (t *Totals) same() bool {
	return t != nil && !slices.ContainsFunc(t.kinds, func(k totalKind) bool { return k.base != k.cand || k.base[0] != k.base[1] })
}

// calls is how many calls a run has, where all have as many.
func (t *Totals) calls() (n int64) {
	for i := range t.kinds {
		n += t.kinds[i].base[0]
	}
	return n
}

// sameText says that all runs have the same calls.
func (t *Totals) sameText() string {
	return fmt.Sprintf("by the totals of the recorder every run makes the same %s calls, as many of each of %s", texttab.Count(int(t.calls())),
		texttab.Plural(len(t.kinds), "kind"))
}

// mostTotals is how many kinds of calls are named one by one.
const mostTotals = 3

// text says what the totals of the sides have in common and what not; "" where there are none.
//
//	By the totals of the recorder, 9 kinds of calls of calls appeared (JumpThreadingPass, GVNPass, DSEPass, 6 more), no kind of
//	calls vanished, and 44 of 94 kinds are called more or less often.
func (t *Totals) text() string {
	if t == nil {
		return ""
	}
	if t.same() {
		return "B" + t.sameText()[1:] + "."
	}
	var appeared, vanished []totalKind
	often := 0
	for _, k := range t.kinds {
		switch {
		case !k.inOne:
			appeared = append(appeared, k)
		case !k.inTwo:
			vanished = append(vanished, k)
		case k.base[1] < k.cand[0] || k.cand[1] < k.base[0]:
			often++
		}
	}
	number, are := "none", "are"
	if often > 0 {
		number = texttab.Count(often)
	}
	if often == 1 {
		are = "is"
	}
	return fmt.Sprintf("By the totals of the recorder, which count the short calls too, %s, %s, and %s of %s kinds %s called more or less often.",
		kindsText(appeared, "appeared"), kindsText(vanished, "vanished"), number, texttab.Count(len(t.kinds)), are)
}

// kindsText counts kinds of calls and names those with most calls.
func kindsText(kinds []totalKind, what string) string {
	if len(kinds) == 0 {
		return "no kind of calls " + what
	}
	slices.SortStableFunc(kinds, func(a, b totalKind) int { return cmp.Compare(b.base[1]+b.cand[1], a.base[1]+a.cand[1]) })
	var names []string
	for i, k := range kinds {
		if i == mostTotals && len(kinds) > mostTotals+1 {
			names = append(names, fmt.Sprintf("%d more", len(kinds)-i))
			break
		}
		names = append(names, k.name)
	}
	return fmt.Sprintf("%s of calls %s (%s)", texttab.Plural(len(kinds), "kind"), what, strings.Join(names, ", "))
}
