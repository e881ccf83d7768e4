package reconciliation

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/timebase"
)

// Times are the times of instants, by the reference clock.
type Times struct {
	model    *Model
	fwd, bwd []int64 // by instant, ns: see the package comment
}

// Correct finds the smallest change, under the supremum norm, of the times that the curves give such that
// the order is respected: the formulas of the package comment, one pass forwards and one backwards over
// the groups. It is linear in instants and relations.
func (a *Arrangement) Correct(curves []timebase.Curve) *Times {
	m := a.model
	// Half of the range, so that adding the distance of a relation cannot overflow.
	fwd, bwd := slices.Repeat([]int64{math.MinInt64 / 2}, a.groups), slices.Repeat([]int64{math.MaxInt64 / 2}, a.groups)
	// 1. A group begins with the latest and the earliest of its members' times.
	for u, unit := range m.Units {
		for e, t := range unit.TimeNs {
			g, at := a.group[m.first[u]+int32(e)], curves[u].At(t)
			fwd[g], bwd[g] = max(fwd[g], at), min(bwd[g], at)
		}
	}
	// 2. Forwards: causes push effects later. The highest group comes first in time.
	order, last := a.byGroup(), m.blockEnds()
	for i := len(order) - 1; i >= 0; i-- {
		a.eachSuccessor(order[i], last, func(to int32, w int64) {
			g, h := a.group[order[i]], a.group[to]
			fwd[h] = max(fwd[h], fwd[g]+w)
		})
	}
	// 3. Backwards: effects pull causes earlier.
	for _, from := range order {
		a.eachSuccessor(from, last, func(to int32, w int64) {
			g, h := a.group[from], a.group[to]
			bwd[g] = min(bwd[g], bwd[h]-w)
		})
	}
	t := &Times{m, make([]int64, m.Instants()), make([]int64, m.Instants())}
	for i, g := range a.group {
		t.fwd[i], t.bwd[i] = fwd[g], bwd[g]
	}
	return t
}

// byGroup lists the instants by group: every instant comes after those that it leads to. The order is a
// counting sort.
func (a *Arrangement) byGroup() []int32 {
	first := make([]int32, a.groups+1)
	for _, g := range a.group {
		first[g+1]++
	}
	for g := range a.groups {
		first[g+1] += first[g]
	}
	order := make([]int32, len(a.group))
	for i, g := range a.group {
		order[first[g]] = int32(i)
		first[g]++
	}
	return order
}

// eachSuccessor visits the instants of other groups that must come after one, and the ns by which they
// must.
func (a *Arrangement) eachSuccessor(from int32, last []bool, visit func(to int32, w int64)) {
	m := a.model
	if !last[from] {
		visit(from+1, 0)
	}
	for _, r := range a.relations.relation[a.relations.first[from]:a.relations.first[from+1]] {
		to := m.Relations[r].Right.Instant
		if a.group[from] == a.group[to] {
			continue
		}
		w := int64(1)
		if m.areInOneBlock(from, to) {
			w = 0
		}
		visit(to, w)
	}
}

// areInOneBlock reports whether two instants belong to one unit, or to one clock without events.
func (m *Model) areInOneBlock(a, b int32) bool { return m.blockOf(a) == m.blockOf(b) }

// midTime returns the time in the middle, rounded down, without overflow.
func midTime(fwd, bwd int64) int64 { return bwd + (fwd-bwd)>>1 }

// At returns the corrected time of an instant, in ns of the reference clock.
func (t *Times) At(instant int32) int64 { return midTime(t.fwd[instant], t.bwd[instant]) }

// Track gives the corrected times of all events of a unit, one after the other, in constant memory.
type Track struct {
	curve    timebase.Curve
	times    *Times
	position []int64 // of the unit's instants in its trace
	first    int32   // instant of the unit
	next     int32   // position of the next instant of the unit
	earliest int64   // corrected time of the event before, ns
}

// Track returns the times of a unit whose clock relates to the reference by a curve, that of Correct.
func (t *Times) Track(unit int, curve timebase.Curve) *Track {
	return &Track{curve: curve, times: t, position: t.model.Units[unit].Position, first: t.model.first[unit], earliest: math.MinInt64}
}

// Next returns what the curve makes of an event's time, and its corrected time; instant is its number among those of the
// unit, or NoInstant. Events are passed in their order. One that is no instant keeps its time unless it would be before
// the event before it, or after the next instant: so also where the clock of the unit runs back.
func (k *Track) Next(position, timeNs int64) (plain, corrected int64, instant int32) {
	plain, instant = k.curve.At(timeNs), NoInstant
	corrected = max(plain, k.earliest)
	if int(k.next) < len(k.position) {
		at := k.times.At(k.first + k.next)
		corrected = min(corrected, at)
		// The event is an instant: its time is that of the order.
		if k.position[k.next] == position {
			corrected, instant = at, k.next
			k.next++
		}
	}
	k.earliest = corrected
	return plain, corrected, instant
}

// NoInstant is the number of an event that is no instant, as Track.Next returns it.
const NoInstant = int32(-1)

// Holds reports whether a relation holds at the corrected times.
func (t *Times) Holds(r *Relation) bool {
	left, right := t.At(r.Left.Instant), t.At(r.Right.Instant)
	switch r.Kind {
	case schema.Precedes: // along one trace equal times are an order
		return left < right || left == right && t.model.areInOneBlock(r.Left.Instant, r.Right.Instant)
	case schema.Causes:
		return left <= right
	}
	return left == right
}
