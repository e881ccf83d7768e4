package criticalpath

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/numbering"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Composition sums up the shares of many paths by the group of their targets.
type Composition struct {
	groups []sumTable // by number
	ranks  []uint32   // by part: its place in the order of names, which equal names share
}

// Sum is what all paths of a group together spend on one key.
type Sum struct {
	Key
	Occurrences, Steps, TotalNs, MaxNs int64 // paths that have it; Steps: constraints; TotalNs, MaxNs: over the paths
}

// sumTable finds the sums of a group by their keys.
type sumTable struct {
	plain   numbering.Numbers // of the sums without contention, by part and category
	plainAt []uint32          // where such a sum stands, by its number
	pairs   numbering.Numbers // of part and busy component
	busy    numbering.Numbers // of the sums with contention, by the number of both and the category
	busyAt  []uint32          // where such a sum stands, by its number
	sums    []Sum
	after   []uint32 // by sum: where the one stood that came behind it on the last path
}

// Add takes the shares of one path.
func (c *Composition) Add(group uint32, shares []Share) {
	c.groups = schema.GrowTo(c.groups, int(group)+1)
	// Groups are numbered from 0 without gaps, so that a list serves.
	l := &c.groups[group]
	// Paths of a group mostly lead over the same parts in the same order: the sum that came behind the one at hand the last time is
	// tried before the table is asked.
	at, last := uint32(0), uint32(0)
	for i := range shares {
		s := &shares[i]
		if int(at) >= len(l.sums) || l.sums[at].Key != s.Key {
			at = l.position(s.Key)
			if i > 0 {
				l.after[last] = at
			}
		}
		sum := &l.sums[at]
		sum.Occurrences++
		sum.Steps += s.Steps
		sum.TotalNs += s.Ns
		sum.MaxNs = max(sum.MaxNs, s.Ns)
		last, at = at, l.after[at]
	}
}

// position returns where the sum of a key stands, a new one if there is none. Contention is rare, so that nearly all keys cost one look-up.
func (l *sumTable) position(k Key) uint32 {
	if k.Busy == schema.NoCode {
		n, isNew := l.plain.Of(numbering.Pack(k.Part, uint32(k.Category)))
		if isNew {
			l.plainAt = append(l.plainAt, l.appendSum(k))
		}
		return l.plainAt[n]
	}
	pair, _ := l.pairs.Of(numbering.Pack(k.Part, k.Busy))
	n, isNew := l.busy.Of(numbering.Pack(pair, uint32(k.Category)))
	if isNew {
		l.busyAt = append(l.busyAt, l.appendSum(k))
	}
	return l.busyAt[n]
}

// appendSum adds the sum of a new key. The next new one is expected behind it.
func (l *sumTable) appendSum(k Key) (at uint32) {
	at = uint32(len(l.sums))
	l.sums, l.after = append(l.sums, Sum{Key: k}), append(l.after, at+1)
	return at
}

// Sums returns the sums of a group in the order of Compare.
func (c *Composition) Sums(group uint32, names *schema.Names, parts []window.Part) []Sum {
	if int(group) >= len(c.groups) {
		return nil
	}
	if len(c.ranks) != len(parts) {
		c.rank(names, parts)
	}
	sums := slices.Clone(c.groups[group].sums)
	// Groups share most of their parts, whose names are compared once. Keys of the same names are left to Compare.
	slices.SortFunc(sums, func(a, b Sum) int {
		if order := cmp.Or(cmp.Compare(a.Category, b.Category), cmp.Compare(c.ranks[a.Part], c.ranks[b.Part])); order != 0 {
			return order
		}
		return Compare(names, parts, a.Key, b.Key)
	})
	return sums
}

// rank gives the parts their places in the order of names.
func (c *Composition) rank(names *schema.Names, parts []window.Part) {
	order := make([]uint32, len(parts))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return compareNames(names, parts[a], parts[b]) })
	c.ranks = make([]uint32, len(parts))
	for i, part := range order {
		if c.ranks[part] = uint32(i); i > 0 && compareNames(names, parts[order[i-1]], parts[part]) == 0 {
			c.ranks[part] = c.ranks[order[i-1]]
		}
	}
}

// Compare orders keys by category and names, which do not depend on the order in which parts were numbered.
func Compare(names *schema.Names, parts []window.Part, a, b Key) int {
	p, q := parts[a.Part], parts[b.Part]
	return cmp.Or(
		cmp.Compare(a.Category, b.Category),
		compareNames(names, p, q),
		cmp.Compare(names.Components.Name(a.Busy), names.Components.Name(b.Busy)),
		cmp.Compare(p.Function, q.Function), // and a null against an empty name
		cmp.Compare(p.Sender, q.Sender),
		cmp.Compare(p.Label, q.Label),
		cmp.Compare(a.Busy, b.Busy),
	)
}

// compareNames orders parts by the names of their component, function, sender and label.
func compareNames(names *schema.Names, p, q window.Part) int {
	return cmp.Or(
		cmp.Compare(names.Components.Name(p.Component), names.Components.Name(q.Component)),
		cmp.Compare(names.Functions.Name(p.Function), names.Functions.Name(q.Function)),
		cmp.Compare(names.Components.Name(p.Sender), names.Components.Name(q.Sender)),
		cmp.Compare(names.Messages.Name(p.Label), names.Messages.Name(q.Label)),
	)
}

// AppendTo adds the sums of a group to a table whose codes are those of the chart.
func (c *Composition) AppendTo(out *schema.Compositions, group uint32, fragment schema.Code, initial bool, parts []window.Part) {
	for _, s := range c.Sums(group, out.Names, parts) {
		p := parts[s.Part]
		out.Fragment = append(out.Fragment, fragment)
		out.Initial = append(out.Initial, initial)
		out.Category = append(out.Category, s.Category)
		out.Component = append(out.Component, p.Component)
		out.Function = append(out.Function, p.Function)
		out.Sender = append(out.Sender, p.Sender)
		out.Label = append(out.Label, p.Label)
		out.Busy = append(out.Busy, s.Busy)
		out.Occurrences = append(out.Occurrences, s.Occurrences)
		out.Steps = append(out.Steps, s.Steps)
		out.TotalNs = append(out.TotalNs, s.TotalNs)
		out.MaxNs = append(out.MaxNs, s.MaxNs)
	}
}
