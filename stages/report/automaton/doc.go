// Package automaton draws an automaton, or the difference automaton of two, as SVG with a layout of its own, and as DOT
// for those who have Graphviz.
//
// It is the picture of Hilbig 2023, figure 3.16: removed behaviour is red, added behaviour green, unchanged behaviour
// black, changed timing purple. Counts and histograms of the time samples stand on the transitions, the baseline's
// above the candidate's on the same time axis. Removed transitions are dashed as well, added ones double, changed ones
// bold, so that the colours are not needed.
//
// The layout is that of Sugiyama, Tagawa and Toda, IEEE Trans. SMC 11(2), 1981, from left to right, where every
// label has a place of its own as a node on its edge:
//
//	layers.go   depth-first search reverses back edges; a state's layer is the length of the longest path to it; layers that
//	            are too many for the width of the page continue in the next row, like text
//	order.go    barycentres and swaps reduce crossings
//	heights.go  the nodes of a layer stand as near to their neighbours as their order lets them
//	place.go    columns, rows, and the lines that lead from one row to the next
//
// compared.go makes the automaton of a run or of a comparison drawable, fold.go shortens chains, svg.go and dot.go write.
//
// All of it is integer arithmetic on sorted input: the same automaton is the same bytes, in whatever order its
// states and transitions were given.
package automaton
