package timebase

import (
	"math"
	"slices"
)

// programme is a linear programme: the greatest c x under rows a x <= b, and |x| <= box for every unknown. Rows are sparse and
// many, unknowns few, so that a vertex is kept by its active rows: as many as there are unknowns, with the inverse of their
// matrix. Both ways of walking from vertex to vertex are needed: the dual simplex method (Lemke 1954) repairs rows that are
// violated and keeps the vertex optimal, the primal one (Dantzig 1951) improves a vertex that violates nothing. Rows take part
// once they were violated.
type programme struct {
	n     int // unknowns
	start []int32
	col   []int32
	val   []float64
	b     []float64
	box   float64

	active  []int32     // rows that hold with equality; row -1-2j is x_j <= box, row -2-2j is -x_j <= box
	inverse [][]float64 // inverse[i]: how x changes with the right side of active[i]
	x       []float64
	price   []float64 // by active row: how much of c its right side is worth
	work    []int32   // rows that take part
	working []bool    // by row
	basic   []bool    // by row: it is active
	alpha   []float64
	pivots  int // since the inverse was computed afresh
}

// newProgramme returns a programme without rows.
func newProgramme(unknowns int) *programme { return &programme{n: unknowns, start: []int32{0}} }

// addRow adds a row, given as columns and coefficients.
func (p *programme) addRow(b float64, terms ...term) {
	for _, t := range terms {
		if t.value != 0 && t.column >= 0 {
			p.col, p.val = append(p.col, t.column), append(p.val, t.value)
		}
	}
	p.start, p.b = append(p.start, int32(len(p.col))), append(p.b, b)
}

// term is a coefficient of a row. A negative column is a constant 0.
type term struct {
	column int32
	value  float64
}

// begin goes to the corner of the box where c x is greatest.
func (p *programme) begin(c []float64) {
	scale := 1.0
	for _, b := range p.b {
		scale = max(scale, math.Abs(b))
	}
	p.box = 16 * scale
	p.active, p.inverse, p.x = make([]int32, p.n), make([][]float64, p.n), make([]float64, p.n)
	p.price, p.alpha = make([]float64, p.n), make([]float64, p.n)
	p.work, p.working, p.basic = nil, make([]bool, len(p.b)), make([]bool, len(p.b))
	for j := range p.n {
		p.inverse[j] = make([]float64, p.n)
		p.inverse[j][j], p.x[j], p.active[j] = 1, p.box, int32(-1-2*j)
		if c[j] < 0 {
			p.inverse[j][j], p.x[j], p.active[j] = -1, -p.box, int32(-2-2*j)
		}
	}
	p.setPrices(c)
}

// setPrices computes the prices of the active rows.
func (p *programme) setPrices(c []float64) {
	for i, column := range p.inverse {
		p.price[i] = dot(c, column)
	}
}

func dot(a, b []float64) (sum float64) {
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// along returns a d for a row.
func (p *programme) along(row int32, d []float64) (sum float64) {
	if row < 0 {
		j := -1 - row
		if v := d[j/2]; j%2 == 0 {
			return v
		} else {
			return -v
		}
	}
	for k := p.start[row]; k < p.start[row+1]; k++ {
		sum += p.val[k] * d[p.col[k]]
	}
	return sum
}

// right returns the right side of a row.
func (p *programme) right(row int32) float64 {
	if row < 0 {
		return p.box
	}
	return p.b[row]
}

// mostPivots bounds the walks, so that rounding cannot make them endless.
func (p *programme) mostPivots() int { return 2000 + 60*p.n }

// freshPivots is after how many steps the inverse is computed afresh.
const freshPivots = 150

// repair walks by the dual method until no row is violated. It returns false if that cannot be.
func (p *programme) repair(c []float64) bool {
	for range p.mostPivots() {
		row, by := p.mostViolated()
		if by <= p.tolerance() {
			return true
		}
		for i, column := range p.inverse {
			p.alpha[i] = p.along(row, column)
		}
		leaving, least := -1, math.Inf(1)
		for i, alpha := range p.alpha {
			if alpha <= 1e-9 {
				continue
			}
			if ratio := max(p.price[i], 0) / alpha; ratio < least-1e-13 || ratio <= least+1e-13 && alpha > p.alpha[leaving] {
				leaving, least = i, min(ratio, least)
			}
		}
		if leaving < 0 {
			return false
		}
		p.exchange(leaving, row, c)
	}
	return false
}

// tolerance is by how much a row may be violated: what rounding makes of unknowns of such a size.
func (p *programme) tolerance() float64 {
	most := 0.0
	for _, v := range p.x {
		most = max(most, math.Abs(v))
	}
	return max(1e-3, 1e-14*most)
}

// mostViolated returns the row that is violated most: of those that take part, or, if these hold, of all.
func (p *programme) mostViolated() (worst int32, by float64) {
	by = math.Inf(-1)
	look := func(row int32) {
		if over := p.along(row, p.x) - p.right(row); over > by {
			worst, by = row, over
		}
	}
	for _, row := range p.work {
		look(row)
	}
	for j := range p.n {
		look(int32(-1 - 2*j))
		look(int32(-2 - 2*j))
	}
	tolerance := p.tolerance()
	if by > tolerance {
		return worst, by
	}
	// Of all others those that are violated most take part from now on.
	type violated struct {
		row int32
		by  float64
	}
	var more []violated
	for row := range p.b {
		if over := p.along(int32(row), p.x) - p.b[row]; over > tolerance && !p.working[row] {
			more = append(more, violated{int32(row), over})
		}
	}
	slices.SortStableFunc(more, func(a, b violated) int {
		switch {
		case a.by > b.by:
			return -1
		case a.by < b.by:
			return 1
		}
		return 0
	})
	for _, v := range more[:min(len(more), max(8, p.n/4))] {
		p.work, p.working[v.row] = append(p.work, v.row), true
	}
	if len(more) > 0 {
		return more[0].row, more[0].by
	}
	return worst, by
}

// improve walks by the primal method, from a vertex that violates nothing, to where c x is greatest.
func (p *programme) improve(c []float64) bool {
	p.setPrices(c)
	direction := make([]float64, p.n)
	for step := range p.mostPivots() {
		leaving, worst := -1, -1e-9
		for i, price := range p.price {
			if price < worst {
				leaving, worst = i, price
				if step > p.mostPivots()/2 { // against cycles: the first, not the best
					break
				}
			}
		}
		if leaving < 0 {
			return true
		}
		for j, v := range p.inverse[leaving] {
			direction[j] = -v
		}
		entering, far, steep := int32(0), math.Inf(1), 0.0
		look := func(row int32) {
			slope := p.along(row, direction)
			if slope <= 1e-9 || row >= 0 && p.basic[row] {
				return
			}
			if s := max(0, (p.right(row)-p.along(row, p.x))/slope); s < far-1e-12 || s <= far+1e-12 && slope > steep {
				entering, far, steep = row, min(s, far), slope
			}
		}
		for _, row := range p.work {
			look(row)
		}
		for j := range p.n {
			look(int32(-1 - 2*j))
			look(int32(-2 - 2*j))
		}
		if math.IsInf(far, 1) {
			return false
		}
		for i, column := range p.inverse {
			p.alpha[i] = p.along(entering, column)
		}
		p.exchange(leaving, entering, c)
	}
	return false
}

// maximize goes to the vertex where c x is greatest, from any vertex that was optimal for something.
func (p *programme) maximize(c []float64) bool {
	if p.active == nil {
		p.begin(c)
		if !p.repair(c) {
			return false
		}
	}
	// What improves over the rows that take part may violate others, which the dual method then repairs.
	return p.improve(c) && p.repair(c) && p.isOptimal(c)
}

// isOptimal reports whether no active row has a price below 0.
func (p *programme) isOptimal(c []float64) bool {
	p.setPrices(c)
	return slices.Min(p.price) > -1e-6
}

// exchange makes a row active for another one, of which alpha holds the dependence on the active ones.
func (p *programme) exchange(leaving int, row int32, c []float64) {
	column, by := p.inverse[leaving], p.alpha[leaving]
	for j := range column {
		column[j] /= by
	}
	move := p.right(row) - p.along(row, p.x)
	for j := range column {
		p.x[j] += column[j] * move
	}
	price := p.price[leaving] / by
	for i, alpha := range p.alpha {
		if i == leaving || alpha == 0 {
			continue
		}
		other := p.inverse[i]
		for j, v := range column {
			other[j] -= alpha * v
		}
		p.price[i] -= alpha * price
	}
	p.price[leaving] = price
	if old := p.active[leaving]; old >= 0 {
		p.basic[old] = false
	}
	p.active[leaving] = row
	if row >= 0 {
		p.basic[row] = true
		if !p.working[row] {
			p.work, p.working[row] = append(p.work, row), true
		}
	}
	if p.pivots++; p.pivots >= freshPivots {
		p.refresh(c)
	}
}

// refresh computes the inverse, the vertex and the prices from the active rows alone, so that rounding does not add up:
// Gauss and Jordan's elimination with row pivots.
func (p *programme) refresh(c []float64) {
	p.pivots = 0
	n := p.n
	matrix := make([][]float64, n) // the active rows, with the unit matrix beside them
	for i, row := range p.active {
		matrix[i] = make([]float64, 2*n)
		matrix[i][n+i] = 1
		if row < 0 {
			matrix[i][(-1-row)/2] = 1 - 2*float64((-1-row)%2)
			continue
		}
		for k := p.start[row]; k < p.start[row+1]; k++ {
			matrix[i][p.col[k]] += p.val[k]
		}
	}
	for j := range n {
		best := j
		for i := j; i < n; i++ {
			if math.Abs(matrix[i][j]) > math.Abs(matrix[best][j]) {
				best = i
			}
		}
		matrix[j], matrix[best] = matrix[best], matrix[j]
		pivot := matrix[j][j]
		if pivot == 0 {
			return // rounding made the rows depend on each other: the inverse at hand is better than none
		}
		for k := range matrix[j] {
			matrix[j][k] /= pivot
		}
		for i := range n {
			if f := matrix[i][j]; i != j && f != 0 {
				for k := j; k < 2*n; k++ {
					matrix[i][k] -= f * matrix[j][k]
				}
			}
		}
	}
	for i := range n {
		for j := range n {
			p.inverse[i][j] = matrix[j][n+i]
		}
	}
	for j := range p.x {
		p.x[j] = 0
	}
	for i, row := range p.active {
		r := p.right(row)
		for j, v := range p.inverse[i] {
			p.x[j] += v * r
		}
	}
	p.setPrices(c)
}

// settle computes the vertex afresh and walks on until it holds, so that the result has the least rounding.
func (p *programme) settle(c []float64) bool {
	p.refresh(c)
	return p.repair(c)
}

// boxed reports whether the box, and no row, bounds the optimum.
func (p *programme) boxed(c []float64) bool {
	p.setPrices(c)
	for i, row := range p.active {
		if row < 0 && p.price[i] > 1e-9 {
			return true
		}
	}
	return false
}
