package automaton

import (
	"strconv"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// Distances on the page.
const (
	margin     = 16 * px
	entry      = 24 * px // of the arrow into the initial state
	arrowSpace = 8 * px  // before a state, where lines run straight
	track      = 7 * px  // between lines that lead to the next row
	trackSpace = 10 * px // between them and the columns
	rowGap     = 26 * px // between two rows of the page, without tracks
	headHeight = 84 * px // of title, subtitle and legend
)

// Picture is an automaton with a place for everything.
type Picture struct {
	*drawing
	Width, Height Length     // of the whole picture, in its margins
	x             []Length   // by column: its left edge
	columnWidth   []Length   // by column: that of its widest node
	top           []Length   // by row: what to add to the heights of its nodes
	lines         [][]corner // by transition
	rows          []pageRow
}

// pageRow is a row of the page.
type pageRow struct {
	first, end int     // columns
	right      Length  // where its last column ends
	bottom     Length  // where its lowest node ends
	leaving    []piece // lines to the next row, from top to bottom
}

// piece is the part of a transition's line from one node to the next.
type piece struct{ transition, from, to int32 }

// stateWidth is that of a circle, or of more for long numbers.
func (d *drawing) stateWidth(s int32) Length {
	return max(2*stateRadius, canvas.TextWidth(strconv.FormatInt(d.states[s].Number, 10), smallSize)+12*px)
}

// place gives columns and rows their places and makes the lines.
func (d *drawing) place() *Picture {
	p := &Picture{
		drawing: d, x: make([]Length, len(d.columns)), columnWidth: make([]Length, len(d.columns)),
		lines: make([][]corner, len(d.transitions)),
	}
	// 1. A column is as wide as its widest node, so that no label covers another.
	for c, column := range d.columns {
		for _, n := range column {
			p.columnWidth[c] = max(p.columnWidth[c], d.nodes[n].width)
		}
	}
	// 2. Rows before columns: where lines leave a row decides how much space the left edge needs.
	p.splitRows()
	p.placeColumns()
	p.placeRows()
	// 3. Lines last: they follow the places of nodes.
	for t := range d.transitions {
		p.lines[t] = p.line(int32(t))
	}
	return p
}

// splitRows finds the columns of every row and the lines that leave it.
func (p *Picture) splitRows() {
	// Layers are in order, so a row begins with its first layer and ends with the last one that has it.
	for layer, row := range p.row {
		if row == len(p.rows) {
			p.rows = append(p.rows, pageRow{first: 2 * layer})
		}
		p.rows[row].end = 2*layer + 2
	}
	leaving := make(map[int32][]piece) // by the node left
	for t, route := range p.route {
		for i := 1; i < len(route); i++ {
			if p.rowOf(route[i-1]) != p.rowOf(route[i]) {
				leaving[route[i-1]] = append(leaving[route[i-1]], piece{int32(t), route[i-1], route[i]})
			}
		}
	}
	// Lines leave from the last column of a row, in the order of its nodes from top to bottom.
	for r := range p.rows {
		for _, n := range p.columns[p.rows[r].end-1] {
			p.rows[r].leaving = append(p.rows[r].leaving, leaving[n]...)
		}
	}
}

// placeColumns sets the columns of every row side by side. All rows begin at the same place.
func (p *Picture) placeColumns() {
	// The left edge has room for the arrow into the initial state and, if more, for the tracks of lines from the row before.
	start := margin + entry
	for _, row := range p.rows {
		start = max(start, margin+trackSpace+arrowSpace+track*Length(len(row.leaving)))
	}
	p.Width = 480 * px // even a small picture has room for its legend
	for r := range p.rows {
		row := &p.rows[r]
		x := start
		for c := row.first; c < row.end; c++ {
			if c > row.first {
				x += p.gap(c)
			}
			p.x[c] = x
			x += p.columnWidth[c]
		}
		row.right = x
		p.Width = max(p.Width, x+trackSpace+track*Length(len(row.leaving))+margin)
	}
}

// gap is the space before a column: more where lines are steep.
func (p *Picture) gap(column int) Length {
	steepest := Length(0)
	for _, n := range p.columns[column] {
		for _, m := range p.left[n] {
			steepest = max(steepest, p.nodes[n].y-p.nodes[m].y, p.nodes[m].y-p.nodes[n].y)
		}
	}
	gap := columnGap + min(steepest/4, steepGap)
	if p.columnWidth[column] > 0 || column%2 == 0 {
		gap += arrowSpace
	}
	return gap
}

// placeRows sets the rows one below the other, with space for the lines between them.
func (p *Picture) placeRows() {
	y := headHeight
	for r := range p.rows {
		row := &p.rows[r]
		var high, low Length
		// The extent of a row's nodes, whose heights have no fixed origin and may be negative.
		first := true
		for c := row.first; c < row.end; c++ {
			for _, n := range p.columns[c] {
				node := &p.nodes[n]
				if first {
					high, low, first = node.y-node.above, node.y+node.below, false
				}
				high, low = min(high, node.y-node.above), max(low, node.y+node.below)
			}
		}
		// top brings the highest node of the row to y; the next row begins below its tracks.
		p.top = append(p.top, y-high)
		row.bottom = y + low - high
		y = row.bottom + rowGap + track*Length(len(row.leaving))
	}
	p.Height = y
}

// at is where the line of a node begins and ends, and its height.
func (p *Picture) at(n int32) (left, right, y Length) {
	c := p.nodes[n].column
	return p.x[c], p.x[c] + p.columnWidth[c], p.nodes[n].y + p.top[p.rowOf(n)]
}

// circle is the place of a state: its left and right edge, and its middle.
func (p *Picture) circle(state int32) (left, right, y Length) {
	left, right, y = p.at(state)
	middle, half := (left+right)/2, p.nodes[state].width/2
	return middle - half, middle + half, y
}
