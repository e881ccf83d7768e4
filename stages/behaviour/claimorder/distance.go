package claimorder

import (
	"fmt"

	"github.com/tracelake/tracelake/stages/timing/timesort"
)

// Distance is how far a run is from another one.
type Distance struct {
	Vertices, Edges int64    // that one run has and the other lacks
	Common          int64    // vertices and edges that both have
	Size            [2]Sizes // of the graphs of both runs
	// Claims is by position, for each run: the vertices and edges of this claim that the other run lacks. Of equal ones those that come
	// last are the surplus. An edge counts at both of its claims. nil where there are too many edges to name them.
	Claims [2][]Share
	Events [2][]bool // regular events that the other run lacks, by position
}

// Sizes are those of a graph.
type Sizes struct{ Vertices, Edges int64 }

// Share is what a claim has that the other run lacks.
type Share struct {
	Vertices int32
	From, To int32 // edges from its end, and to its start
}

// Weight is how much a claim adds to a distance. An edge adds to both its claims.
func (s Share) Weight() int32 { return s.Vertices + s.From + s.To }

// D is the graph edit distance.
func (d *Distance) D() int64 { return d.Vertices + d.Edges }

// F is the F-measure: 1 for equal graphs, 0 for those that have nothing in common. Two empty graphs are equal.
func (d *Distance) F() float64 {
	all := d.Common*2 + d.D()
	if all == 0 {
		return 1
	}
	return float64(2*d.Common) / float64(all)
}

// TooLargeError says that the order of many claims with many different attributes takes too long.
type TooLargeError struct {
	Full  bool
	Steps int64
}

// Error implements error.
func (e *TooLargeError) Error() string {
	if e.Full {
		return fmt.Sprintf("the full order takes %d steps, and at most %d are taken: compare by fewer attributes, or the reduced order", e.Steps, mostSteps)
	}
	return fmt.Sprintf("the order has %d edges between claims of different attributes, and at most %d are compared: compare by fewer attributes", e.Steps, mostSteps)
}

// mostSteps bounds the work on an order, about two minutes, and mostNamed the edges that are looked at one by one.
const mostSteps, mostNamed = 1 << 36, 1 << 30

// Compare gives the distance of two runs, whose keys mean the same.
func Compare(a, b *Claims, full bool) (*Distance, error) { return compare(a, b, full, mostNamed) }

// compare does so, and names at most so many edges.
func compare(a, b *Claims, full bool, mostNamed int64) (*Distance, error) {
	d := new(Distance)
	runs := [2]*Claims{a, b}
	var orders [2]order
	for i, c := range runs {
		orders[i].sort(c, timesort.Everything(len(c.Key)))
		d.Size[i].Vertices = 2*int64(len(c.Key)) + int64(len(c.Events))
		orders[i].blocks(c, full, func(low, high int, starts []int32) {
			d.Size[i].Edges += int64(high-low) * int64(len(starts))
		})
	}
	if d.Size[0].Edges+d.Size[1].Edges <= mostNamed {
		d.Claims = [2][]Share{make([]Share, len(a.Key)), make([]Share, len(b.Key))}
	}
	d.vertices(runs)
	if !full {
		return d, d.reduced(runs, &orders)
	}
	return d, d.full(runs, &orders)
}

// vertices compares the starts and ends of claims, and the regular events.
func (d *Distance) vertices(runs [2]*Claims) {
	surplus := func(keys [2][]uint32, weight int64, found func(run, at int)) {
		counts := tally(keys)
		for run := range keys {
			seen := make([]int64, len(counts))
			for i, k := range keys[run] {
				if seen[k]++; seen[k] > min(counts[k][0], counts[k][1]) {
					d.Vertices += weight
					found(run, i)
				} else if run == 0 {
					d.Common += weight
				}
			}
		}
	}
	surplus([2][]uint32{runs[0].Key, runs[1].Key}, 2, func(run, at int) {
		if d.Claims[run] != nil {
			d.Claims[run][at].Vertices = 2
		}
	})
	d.Events = [2][]bool{make([]bool, len(runs[0].Events)), make([]bool, len(runs[1].Events))}
	surplus([2][]uint32{runs[0].Events, runs[1].Events}, 1, func(run, at int) { d.Events[run][at] = true })
}

// tally counts each key in both runs.
func tally(keys [2][]uint32) [][2]int64 {
	counts := make([][2]int64, keysOf(keys))
	for run := range keys {
		for _, k := range keys[run] {
			counts[k][run]++
		}
	}
	return counts
}

// keysOf is how many keys there are: all are below.
func keysOf(keys [2][]uint32) (n int) {
	for _, of := range keys {
		for _, k := range of {
			n = max(n, int(k)+1)
		}
	}
	return n
}

// edges takes the edges between two keys in both runs.
func (d *Distance) edges(a, b int64) {
	d.Edges += max(a, b) - min(a, b)
	d.Common += min(a, b)
}

// full compares the edges of the full orders key by key of the claims that they lead to: edges from each key are counted in a row.
func (d *Distance) full(runs [2]*Claims, orders *[2]order) error {
	keys := keysOf([2][]uint32{runs[0].Key, runs[1].Key})
	if steps := int64(keys) * int64(len(runs[0].Key)+len(runs[1].Key)); steps > mostSteps {
		return &TooLargeError{true, steps}
	}
	var starts [2][][]int32 // by key, in the order of time
	for run, c := range runs {
		starts[run] = make([][]int32, keys)
		for _, s := range orders[run].byStart {
			starts[run][c.Key[s]] = append(starts[run][c.Key[s]], s)
		}
	}
	rows := [2][]int64{make([]int64, keys), make([]int64, keys)}
	for key := range keys {
		for run, c := range runs {
			clear(rows[run])
			of := starts[run][key]
			behind := 0 // starts before the end
			for _, e := range orders[run].byEnd {
				for behind < len(of) && c.StartNs[of[behind]] < c.EndNs[e] {
					behind++
				}
				if behind == len(of) {
					break
				}
				rows[run][c.Key[e]] += int64(len(of) - behind)
			}
		}
		before := d.Edges
		for k := range rows[0] {
			d.edges(rows[0][k], rows[1][k])
		}
		if d.Claims[0] != nil && d.Edges > before {
			for run, c := range runs {
				d.surplus(run, c, orders[run].byEnd, starts[run][key], rows)
			}
		}
	}
	return nil
}

// surplus names the edges to the claims of a key that the other run lacks.
func (d *Distance) surplus(run int, c *Claims, byEnd, starts []int32, rows [2][]int64) {
	seen := make(map[uint32]int64)
	for _, s := range starts {
		for _, e := range byEnd {
			if c.EndNs[e] > c.StartNs[s] {
				break
			}
			k := c.Key[e]
			if rows[0][k] == rows[1][k] {
				continue
			}
			if seen[k]++; seen[k] > min(rows[0][k], rows[1][k]) {
				d.Claims[run][e].From++
				d.Claims[run][s].To++
			}
		}
	}
}
