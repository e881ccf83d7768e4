package criticalpath_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// aRoute is the path of a root of a fragment, by the names of what executes on it.
type aRoute struct {
	fragment string
	steps    []pathShare
}

// gainRows sums routes with numbers of parts of their own, and makes a table with the codes of names.
func gainRows(routes []aRoute, names *schema.Names) *schema.Gains {
	var gains criticalpath.Gains
	var parts []window.Part
	numbers := make(map[window.Part]uint32)
	for _, r := range routes {
		var route criticalpath.Route
		for _, s := range r.steps {
			part := window.Part{Component: names.Components.Code(s.component), Function: names.Functions.Code(s.function), Sender: schema.NoCode, Label: schema.NoCode}
			if _, known := numbers[part]; !known {
				numbers[part] = uint32(len(parts))
				parts = append(parts, part)
			}
			route.Steps = append(route.Steps, criticalpath.RouteStep{Part: numbers[part], Ns: s.ns})
		}
		gains.Add(names.Fragments.Code(r.fragment), &route)
	}
	rows := schema.NewGains(names)
	for _, f := range names.Fragments.Sorted() {
		gains.AppendTo(rows, f, f, names.Fragments.Name(f) == "f1", parts)
	}
	return rows
}

// gainLines is a line for every row: by definition of the routes, where these are given.
func gainLines(rows *schema.Gains) (lines []string) {
	n := rows.Names
	for i := range rows.TotalNs {
		lines = append(lines, fmt.Sprint(n.Fragments.Name(rows.Fragment[i]), rows.Initial[i], " ", n.Components.Name(rows.Component[i]), ".", n.Functions.Name(rows.Function[i]),
			" ", rows.Occurrences[i], rows.TotalNs[i], rows.Gain10Ns[i], rows.Gain50Ns[i], rows.Gain100Ns[i]))
	}
	return lines
}

// TestGainMerger compares the gains of routes without detours with their definition, and the gains of divided routes, merged, with those of all:
// a function that is p percent faster gains p percent of what it executes. Every row says how many roots there are of its fragment once merged,
// also where all of those in a share execute nothing.
func TestGainMerger(t *testing.T) {
	for seed := range int64(60) {
		rng := rand.New(rand.NewSource(seed))
		var all []aRoute
		divided := make([][]aRoute, 1+rng.Intn(4))
		roots := make(map[string]int64)
		type key struct{ fragment, part string }
		type sum struct{ occurrences, total, ten, half int64 }
		want, executes := make(map[key]sum), make(map[string]bool)
		for range rng.Intn(60) {
			p := randomPath(rng)
			r := aRoute{p.fragment, p.shares}
			all = append(all, r)
			share := rng.Intn(len(divided))
			divided[share] = append(divided[share], r)
			roots[r.fragment]++
			on := make(map[string]int64)
			for _, s := range r.steps {
				on[s.component+"."+s.function] += s.ns
			}
			for part, ns := range on {
				if ns > 0 {
					executes[r.fragment] = true
					w := want[key{r.fragment, part}]
					want[key{r.fragment, part}] = sum{w.occurrences + 1, w.total + ns, w.ten + ns/10, w.half + ns/2}
				}
			}
		}
		var wanted []string
		for fragment := range roots {
			if !executes[fragment] { // its roots have a row without a function
				wanted = append(wanted, fmt.Sprint(fragment, fragment == "f1", " . ", 0, 0, 0, 0, 0))
			}
		}
		for k, w := range want {
			wanted = append(wanted, fmt.Sprint(k.fragment, k.fragment == "f1", " ", k.part, " ", w.occurrences, w.total, w.ten, w.half, w.total))
		}
		slices.Sort(wanted)
		whole := gainRows(all, new(schema.Names))
		expect.Slice(t, gainLines(whole), wanted, "seed %d: gains", seed)
		told := make(map[string]int64) // roots, which one row of a fragment has
		for i, f := range whole.Fragment {
			told[whole.Names.Fragments.Name(f)] += whole.Roots[i]
		}
		names := new(schema.Names)
		merger := criticalpath.NewGainMerger(names)
		for _, share := range divided {
			merger.Add(gainRows(share, names))
		}
		merged := merger.Rows()
		expect.Slice(t, gainLines(merged), wanted, "seed %d: merged gains", seed)
		for i, f := range merged.Fragment {
			name := merged.Names.Fragments.Name(f)
			if merged.Roots[i] != told[name] || told[name] != roots[name] {
				t.Errorf("seed %d: row %d says %d roots of %s; the whole says %d, there are %d", seed, i, merged.Roots[i], name, told[name], roots[name])
			}
		}
	}
}
