package automaton

// Sizes of columns.
const (
	stateRadius = 13 * px
	columnGap   = 16 * px // between the nodes of two columns, where lines bend
	steepGap    = 34 * px // more, at most, where lines lead far up or down
)

// rows says for every layer in which row of the page it stands, so that no row is wider than the page, where that is
// possible. In the last third of a row the break is where the fewest transitions lead over it.
func (d *drawing) rows(width Length) []int {
	n := 0
	for _, l := range d.layer {
		n = max(n, l+1)
	}
	widths, over := d.layerWidths(n), d.crossings(n)
	row := make([]int, n)
	for from, number := 0, 0; from < n; number++ {
		to, used := from, Length(0)
		for to < n && (to == from || used+widths[to] <= width) {
			used += widths[to]
			to++
		}
		if to < n {
			best := to
			for k := to - 1; k > from+(to-from)*2/3; k-- {
				if over[k] < over[best] {
					best = k
				}
			}
			to = best
		}
		for ; from < to; from++ {
			row[from] = number
		}
	}
	return row
}

// layerWidths is how wide each layer is together with the labels to its right.
func (d *drawing) layerWidths(n int) []Length {
	widths := make([]Length, n)
	for t := range d.transitions {
		for _, layer := range []int{d.labelLayer(t), d.layer[d.ends[t][0]]} {
			widths[layer] = max(widths[layer], d.captions[t].width)
		}
	}
	for i := range widths {
		widths[i] += 2*stateRadius + 2*columnGap + steepGap/2
	}
	return widths
}

// labelLayer is the layer to whose right the label of a transition stands: next to its source.
func (d *drawing) labelLayer(t int) int {
	layer := d.layer[d.ends[t][0]]
	if d.back[t] {
		layer--
	}
	return layer
}

// crossings counts for every layer the transitions that lead from before it to it or beyond.
func (d *drawing) crossings(n int) []int {
	over := make([]int, n+1)
	for t, e := range d.ends {
		if from, to := d.layer[e[0]], d.layer[e[1]]; !d.back[t] && from < to {
			over[from+1]++
			over[to+1]--
		}
	}
	for i := 1; i < n; i++ {
		over[i] += over[i-1]
	}
	return over
}

// Returns that are drawn as lines, and not as tags with the number of their target.
const (
	longestReturn = 4 // layers
	mostReturns   = 2 // to one state
)

// chooseTags finds the transitions whose line does not lead to their target, but ends in a tag that names it: those
// that lead to another row but the next, and back edges that are long or many.
func (d *drawing) chooseTags() {
	returns := make([]int, len(d.states))
	for t, e := range d.ends {
		from, to := d.layer[e[0]], d.layer[e[1]]
		if d.back[t] {
			d.tagged[t] = d.row[from] != d.row[to] || from-to > longestReturn
			returns[e[1]]++
		} else {
			d.tagged[t] = d.row[to] > d.row[from]+1
		}
	}
	for t, e := range d.ends {
		if d.back[t] && returns[e[1]] > mostReturns {
			d.tagged[t] = true
		}
		if d.tagged[t] {
			d.back[t] = false
			d.captions[t].addTag(d.states[e[1]].Number)
		}
	}
}
