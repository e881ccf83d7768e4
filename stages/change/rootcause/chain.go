package rootcause

import "strings"

// mostLinks is how many fragments a chain names.
const mostLinks = 8

// chain names the fragments from a node up to an initial one. Above holds the next of each on the shortest way.
func chain(n *node, above map[*node]*node) string {
	var links []string
	for ; n != nil; n = above[n] {
		if len(links) == mostLinks {
			links = append(links, "...")
			break
		}
		links = append(links, n.component+"."+n.function)
	}
	return strings.Join(links, " < ")
}

// upward finds the shortest ways from fragments that pass to initial ones: breadth-first from these, callees by name.
func (f *finder) upward(pass func(*node) bool) map[*node]*node {
	above := make(map[*node]*node)
	var queue []*node
	for _, n := range f.byName() {
		if n.initial() == 1 && pass(n) {
			above[n] = nil
			queue = append(queue, n)
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, w := range n.waits {
			if _, known := above[w.callee]; w.callee != nil && !known && pass(w.callee) {
				above[w.callee] = n
				queue = append(queue, w.callee)
			}
		}
	}
	return above
}
