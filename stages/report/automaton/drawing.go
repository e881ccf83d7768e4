package automaton

import (
	"fmt"

	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// MostStates is the maximum of states in a picture. Larger automata cannot be read, and are better folded.
const MostStates = 2000

// node is whatever takes a place: a state, the label of a transition, or a bend of its line.
type node struct {
	kind         nodeKind
	of           int32  // a position in states or transitions
	column       int    // layer l of the states is column 2l; labels stand between them
	width        Length // of what it shows; 0 for a bend
	above, below Length // its extent from its line
	y            Length // of its line, from the top of its row
}

// nodeKind distinguishes what a node stands for.
type nodeKind uint8

const (
	stateNode nodeKind = iota
	labelNode          // has a node of its own, so that no line or other label covers it
	bendNode           // keeps a long line straight through the columns between its ends
)

// drawing is an automaton while it is laid out. The nodes of states come first, in their order.
type drawing struct {
	*arranged
	layer    []int     // by state
	back     []bool    // by transition: its line is drawn from right to left
	tagged   []bool    // by transition: its line ends in a tag
	captions []caption // by transition
	row      []int     // by layer: the row of the page that it stands in

	nodes       []node
	label       []int32   // by transition: its node
	route       [][]int32 // by transition: its nodes from left to right, states included
	left, right [][]int32 // by node: its neighbours
	columns     [][]int32 // nodes, from top to bottom
}

// Layout lays out an automaton on a page of about a width, in the order of the package comment. It refuses automata that are
// too large to be looked at.
func Layout(a *Automaton, width Length) (*Picture, error) {
	// Several transitions may connect two states, so twice as many transitions as states are still a picture.
	if len(a.States) > MostStates || len(a.Transitions) > 2*MostStates {
		return nil, fmt.Errorf("%s has %s and %s, too many for a picture of at most %s states: fold the unchanged steps, or write DOT",
			a.Title, texttab.Plural(len(a.States), "state"), texttab.Plural(len(a.Transitions), "transition"), texttab.Count(MostStates))
	}
	r, err := arrange(a)
	if err != nil {
		return nil, err
	}
	// The order matters: layers need back edges, rows need the widths of captions, and tags need rows. Tags are decided before
	// nodes are made, since a line that ends in a tag has no bends.
	d := &drawing{arranged: r, back: r.backEdges(), tagged: make([]bool, len(r.transitions))}
	d.layer = r.layers(d.back)
	for t := range r.transitions {
		d.captions = append(d.captions, captionOf(&r.transitions[t], a))
	}
	d.row = d.rows(width - 2*margin)
	d.chooseTags()
	d.makeNodes()
	d.order()
	d.heights()
	return d.place(), nil
}

// makeNodes makes the nodes of all states and transitions, and connects neighbours.
func (d *drawing) makeNodes() {
	// 1. States first: the node of state s has position s, which routes, circles and sides rely on.
	d.columns = make([][]int32, 2*len(d.row))
	d.label, d.route = make([]int32, len(d.transitions)), make([][]int32, len(d.transitions))
	for s := range d.states {
		d.add(node{kind: stateNode, of: int32(s), column: 2 * d.layer[s], width: d.stateWidth(int32(s)), above: stateRadius, below: stateRadius})
	}
	// 2. Labels and bends, transition by transition.
	for t := range d.transitions {
		d.makeRoute(int32(t))
	}
	// 3. Neighbours along each route: the order of columns and the heights both follow them.
	d.left, d.right = make([][]int32, len(d.nodes)), make([][]int32, len(d.nodes))
	for _, route := range d.route {
		for i := 1; i < len(route); i++ {
			d.right[route[i-1]] = append(d.right[route[i-1]], route[i])
			d.left[route[i]] = append(d.left[route[i]], route[i-1])
		}
	}
}

// add adds a node and returns its position.
func (d *drawing) add(n node) int32 {
	d.nodes = append(d.nodes, n)
	return int32(len(d.nodes) - 1)
}

// makeRoute makes the nodes of a transition from left to right: its label, and a bend in every other column between its ends.
// A self loop and a line that ends in a tag have a label alone.
func (d *drawing) makeRoute(t int32) {
	from, to := d.ends[t][0], d.ends[t][1]
	// A route leads from left to right, also where the transition leads back.
	if d.back[t] {
		from, to = to, from
	}
	c := &d.captions[t]
	label := node{kind: labelNode, of: t, column: 2*d.labelLayer(int(t)) + 1, width: c.width, above: c.above, below: c.below}
	// Self loops and tagged lines end at their labels; nothing needs to be kept straight behind those.
	route := []int32{from}
	if from == to || d.tagged[t] {
		if from == to {
			// The line of a loop passes above its text, which must leave room for that.
			label.above += hairpin
		}
		d.label[t] = d.add(label)
		d.route[t] = append(route, d.label[t])
		return
	}
	for column := 2*d.layer[from] + 1; column < 2*d.layer[to]; column++ {
		if column == label.column {
			d.label[t] = d.add(label)
			route = append(route, d.label[t])
			continue
		}
		route = append(route, d.add(node{kind: bendNode, of: t, column: column, above: 5 * px, below: 5 * px}))
	}
	d.route[t] = append(route, to)
}

// Length is a length or a coordinate of a picture.
type Length = canvas.Length

// A px is a pixel of the picture, in units of canvas.Length.
const px = canvas.Px
