package automaton

// relaxations is how often all columns are set by their neighbours.
const relaxations = 16

// heights sets the height of every node's line within its row of the page: each column stands as near to where its
// neighbours want it as the order and the distances of its nodes let it, by least squares (the pool-adjacent-violators
// algorithm, which is exact). Long lines weigh more, so they are straight.
func (d *drawing) heights() {
	for _, column := range d.columns {
		d.stack(column)
	}
	for i := range relaxations {
		switch i % 3 {
		case 0:
			for _, column := range d.columns {
				d.relax(column, true, i > relaxations/2)
			}
		default:
			for c := len(d.columns) - 1; c >= 0; c-- {
				d.relax(d.columns[c], i > relaxations/2, true)
			}
		}
	}
	for _, column := range d.columns {
		d.relax(column, true, true)
	}
	d.straighten()
}

// stack sets a column one below the other, around 0.
func (d *drawing) stack(column []int32) {
	y := Length(0)
	for i, n := range column {
		if i > 0 {
			y += d.distance(column[i-1], n)
		}
		d.nodes[n].y = y
	}
	for _, n := range column {
		d.nodes[n].y -= y / 2
	}
}

// distance is how far the lines of two nodes are apart that stand one below the other.
func (d *drawing) distance(upper, lower int32) Length {
	u, l := &d.nodes[upper], &d.nodes[lower]
	gap := 14 * px
	if u.kind == bendNode && l.kind == bendNode {
		gap = 4 * px
	}
	return u.below + gap + l.above
}

// block is a run of nodes that stand at their least distances.
type block struct {
	first  int
	sum    int64 // weights times the wishes for the first node
	weight int64
}

func (b *block) at() Length { return Length(b.sum / b.weight) }

// relax sets the heights of one column by the neighbours on the sides asked for.
func (d *drawing) relax(column []int32, left, right bool) {
	offsets := make([]Length, len(column)+1) // of each node below the first
	blocks := make([]block, 0, len(column))
	for i, n := range column {
		if i > 0 {
			offsets[i] = offsets[i-1] + d.distance(column[i-1], n)
		}
		wish, weight := d.wish(n, left, right)
		b := block{i, int64(wish-offsets[i]) * weight, weight}
		for len(blocks) > 0 && blocks[len(blocks)-1].at() > b.at() {
			above := blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			b = block{above.first, above.sum + b.sum, above.weight + b.weight}
		}
		blocks = append(blocks, b)
	}
	for i, b := range blocks {
		end := len(column)
		if i+1 < len(blocks) {
			end = blocks[i+1].first
		}
		for k := b.first; k < end; k++ {
			d.nodes[column[k]].y = b.at() + offsets[k]
		}
	}
}

// wish is where a node would stand, and how much that counts. Neighbours in another row of the page have no say.
func (d *drawing) wish(n int32, left, right bool) (Length, int64) {
	var sum, weight int64
	count := func(neighbours []int32) {
		for _, m := range neighbours {
			if d.rowOf(m) == d.rowOf(n) {
				w := d.pull(n, m)
				sum, weight = sum+int64(d.nodes[m].y)*w, weight+w
			}
		}
	}
	if left {
		count(d.left[n])
	}
	if right {
		count(d.right[n])
	}
	if weight == 0 {
		return d.nodes[n].y, 1
	}
	return Length(sum / weight), weight
}

// pull is the weight of a piece of a line: 8 between bends, 2 at a label, 1 between others (after Gansner et al., IEEE
// TSE 19(3), 1993, section 4).
func (d *drawing) pull(n, m int32) int64 {
	switch a, b := d.nodes[n].kind, d.nodes[m].kind; {
	case a == bendNode && b == bendNode:
		return 8
	case a == bendNode || b == bendNode:
		return 2
	}
	return 1
}

func (d *drawing) rowOf(n int32) int { return d.row[d.nodes[n].column/2] }
