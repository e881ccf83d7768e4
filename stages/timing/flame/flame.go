// Package flame sums up the time of critical paths by call path, as flame graphs show it: a frame for every execution that is open
// where the path passes, from the occurrence on towards which it leads. A root execution stands on top of the execution that sent the
// message that started it, so call paths lead through components. Time between a message and its receipt lies in a frame of its own on
// top of who receives it, and the rest of a lifeline in one at the bottom.
//
// A step of a path states only the innermost function. Its execution follows from the event at which the step ends: it finishes there,
// or calls the execution that begins there. Call paths are known when the walk down the windows has come to the start of the
// occurrence; until then, time is kept by execution.
package flame

import (
	"cmp"
	"slices"
)

// Frame is a place in call paths.
type Frame struct {
	Parent int    // position of the frame below, which comes first; 0 of the lowest ones
	Name   string // COMPONENT.FUNCTION, or in brackets what a path does outside of functions
	Ns     int64  // time in this frame and in none above it, over all paths
}

// Graph is the time of paths by call path. Frame 0 stands for all.
type Graph struct {
	Frames []Frame
	Paths  int // how many were summed up

	above map[place]int // positions of frames
}

// place says which frame is meant.
type place struct {
	parent int
	name   string
}

// New returns a graph without paths.
func New(name string) *Graph {
	return &Graph{Frames: []Frame{{Name: name}}, above: make(map[place]int)}
}

// Over returns the position of the frame with a name on top of another one, a new one if there is none.
func (g *Graph) Over(parent int, name string) int {
	p := place{parent, name}
	i, known := g.above[p]
	if !known {
		i = len(g.Frames)
		g.above[p] = i
		g.Frames = append(g.Frames, Frame{Parent: parent, Name: name})
	}
	return i
}

// Add adds the paths of another graph: frames of the same call path are one.
func (g *Graph) Add(other *Graph) {
	at := make([]int, len(other.Frames))
	for i, f := range other.Frames {
		if i > 0 {
			at[i] = g.Over(at[f.Parent], f.Name)
		}
		g.Frames[at[i]].Ns += f.Ns
	}
	g.Paths += other.Paths
}

// Find returns the position of the frame with a name on top of another one, or -1.
func (g *Graph) Find(parent int, name string) int {
	if i, known := g.above[place{parent, name}]; known {
		return i
	}
	return -1
}

// Totals returns the time of every frame with all frames above it.
func (g *Graph) Totals() []int64 {
	sums := make([]int64, len(g.Frames))
	for i := len(sums) - 1; i >= 0; i-- {
		if sums[i] += g.Frames[i].Ns; i > 0 {
			sums[g.Frames[i].Parent] += sums[i]
		}
	}
	return sums
}

// Sorted returns the frames in the order of their call paths: each before those on top of it, and these by name.
func (g *Graph) Sorted() []int {
	over := make([][]int, len(g.Frames))
	for i := 1; i < len(g.Frames); i++ {
		over[g.Frames[i].Parent] = append(over[g.Frames[i].Parent], i)
	}
	var order []int
	var visit func(i int)
	visit = func(i int) {
		order = append(order, i)
		slices.SortFunc(over[i], func(a, b int) int { return cmp.Compare(g.Frames[a].Name, g.Frames[b].Name) })
		for _, j := range over[i] {
			visit(j)
		}
	}
	visit(0)
	return order
}
