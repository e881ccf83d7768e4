package claimorder

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/stages/numbering"
)

// NoItem is the item of a claim or an event that belongs to none.
const NoItem = ^uint32(0)

// Items says which item each claim and each event belongs to, or NoItem.
type Items struct{ OfClaims, OfEvents []uint32 }

// Classes numbers behaviours of items. One Classes serves several runs whose keys mean the same: equal behaviours get equal numbers.
type Classes struct {
	Full bool // the full order instead of its reduction; it gives the same classes where no keys of an item are equal

	edges, words numbering.Numbers
	codes        []uint32
	order        order
}

// terminal ends a part of the text of a graph. No key, and no number of an edge, is as great.
const terminal = ^uint32(0)

// Of returns the class of every item: equal numbers are given to items whose vertices and edges are equal (Hendriks et al. 2024,
// Definition 23), whatever their times are. items is how many there are.
func (k *Classes) Of(c *Claims, of Items, items int) []uint32 {
	claims, events := grouped(of.OfClaims, items), grouped(of.OfEvents, items)
	classes := make([]uint32, items)
	for i := range classes {
		classes[i] = k.class(c, claims.of(i), events.of(i))
	}
	return classes
}

// class is the number of a graph, written as the sorted keys of its claims, of its events and of its edges.
func (k *Classes) class(c *Claims, claims, events []int32) uint32 {
	number := terminal
	add := func(codes []uint32) {
		slices.Sort(codes)
		for _, code := range append(codes, terminal) {
			number, _ = k.words.Of(numbering.Pack(number, code))
		}
	}
	k.codes = k.codes[:0]
	for _, i := range claims {
		k.codes = append(k.codes, c.Key[i])
	}
	add(k.codes)
	k.codes = k.codes[:0]
	for _, i := range events {
		k.codes = append(k.codes, c.Events[i])
	}
	add(k.codes)
	k.codes = k.codes[:0]
	k.order.edges(c, claims, k.Full, func(from, to int32) {
		code, _ := k.edges.Of(numbering.Pack(c.Key[from], c.Key[to]))
		k.codes = append(k.codes, code)
	})
	add(k.codes)
	return number
}

// Edges visits the edges between some claims, which are named by their positions.
func Edges(c *Claims, members []int32, full bool, visit func(from, to int32)) {
	new(order).edges(c, members, full, visit)
}

// groups are positions by group.
type groups struct{ first, members []int32 }

func (g *groups) of(i int) []int32 { return g.members[g.first[i]:g.first[i+1]] }

// grouped sorts positions by their groups, in their order within each.
func grouped(of []uint32, count int) *groups {
	g := &groups{first: make([]int32, count+1)}
	for _, i := range of {
		if i != NoItem {
			g.first[i+1]++
		}
	}
	for i := range count {
		g.first[i+1] += g.first[i]
	}
	g.members = make([]int32, g.first[count])
	next := slices.Clone(g.first)
	for at, i := range of {
		if i != NoItem {
			g.members[next[i]] = int32(at)
			next[i]++
		}
	}
	return g
}

// Behaviour is a class of items.
type Behaviour struct {
	Class uint32
	Items []int32 // in their order; the first one is the representative
}

// Behaviours lists the classes of items, the most frequent first, then by their first items.
func Behaviours(classes []uint32) []Behaviour {
	var all []Behaviour
	at := make(map[uint32]int)
	for i, class := range classes {
		n, known := at[class]
		if !known {
			n = len(all)
			at[class] = n
			all = append(all, Behaviour{Class: class})
		}
		all[n].Items = append(all[n].Items, int32(i))
	}
	slices.SortStableFunc(all, func(a, b Behaviour) int { return cmp.Compare(len(b.Items), len(a.Items)) })
	return all
}
