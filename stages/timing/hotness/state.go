package hotness

import (
	"cmp"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
)

// AppendTo appends the machine as bytes: the same machine gives the same ones.
func (m *Machine) AppendTo(b []byte) []byte {
	b = binary.AppendVarint(b, m.TimeNs)
	b = binary.AppendVarint(b, m.Unmatched)
	b = binary.AppendUvarint(b, uint64(len(m.Components)))
	for _, c := range m.Components {
		for _, v := range []int64{c.busyNs, c.selfNs, c.running, c.inside, c.Starts, c.Ends} {
			b = binary.AppendVarint(b, v)
		}
		b = appendCounts(b, c.durations)
	}
	b = binary.AppendUvarint(b, uint64(len(m.Lanes)))
	for _, lane := range m.Lanes {
		b = binary.AppendUvarint(b, uint64(len(lane)))
		for _, f := range lane {
			flags := uint64(f.Of) << 2
			if f.Outer {
				flags |= 1
			}
			if f.Away {
				flags |= 2
			}
			b = binary.AppendUvarint(b, uint64(f.Key))
			b = binary.AppendVarint(b, f.StartNs)
			b = binary.AppendUvarint(b, flags)
			b = binary.AppendVarint(b, f.InnerNs)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(m.Connections)))
	for _, c := range m.sortedConnections() {
		b = binary.AppendUvarint(b, uint64(c[0]))
		b = binary.AppendUvarint(b, uint64(c[1]))
		b = binary.AppendVarint(b, m.Connections[c])
	}
	return b
}

// sortedConnections lists the connections in the order of their components.
func (m *Machine) sortedConnections() [][2]uint32 {
	return slices.SortedFunc(maps.Keys(m.Connections), func(a, b [2]uint32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
}

// appendCounts appends the counts that are not 0, each with how many places it lies behind the one before.
func appendCounts(b []byte, counts []uint32) []byte {
	some := 0
	for _, n := range counts {
		if n > 0 {
			some++
		}
	}
	b = binary.AppendUvarint(b, uint64(some))
	last := 0
	for i, n := range counts {
		if n > 0 {
			b = binary.AppendUvarint(b, uint64(i-last))
			b = binary.AppendUvarint(b, uint64(n))
			last = i
		}
	}
	return b
}

var errState = errors.New("the state of a machine is damaged")

// input takes numbers off bytes. After the first fault it gives zeros.
type input struct {
	b   []byte
	bad bool
}

func (in *input) signed() int64 {
	v, n := binary.Varint(in.b)
	if n <= 0 {
		in.bad, in.b = true, nil
		return 0
	}
	in.b = in.b[n:]
	return v
}

func (in *input) unsigned() uint64 {
	v, n := binary.Uvarint(in.b)
	if n <= 0 {
		in.bad, in.b = true, nil
		return 0
	}
	in.b = in.b[n:]
	return v
}

// count takes the number of things that follow, of which each takes a byte at least.
func (in *input) count() int {
	n := in.unsigned()
	if n > uint64(len(in.b)) {
		in.bad, in.b = true, nil
		return 0
	}
	return int(n)
}

// Restore makes a machine of the bytes that AppendTo gave.
func Restore(b []byte) (*Machine, error) {
	in := &input{b: b}
	m := &Machine{TimeNs: in.signed(), Unmatched: in.signed(), Connections: make(map[[2]uint32]int64)}
	m.Components = make([]Component, in.count())
	for i := range m.Components {
		c := &m.Components[i]
		for _, to := range []*int64{&c.busyNs, &c.selfNs, &c.running, &c.inside, &c.Starts, &c.Ends} {
			*to = in.signed()
		}
		c.durations = in.counts()
	}
	m.Lanes = make([][]Frame, in.count())
	for i := range m.Lanes {
		m.Lanes[i] = make([]Frame, in.count())
		for k := range m.Lanes[i] {
			f := &m.Lanes[i][k]
			f.Key, f.StartNs = uint32(in.unsigned()), in.signed()
			flags := in.unsigned()
			f.InnerNs = in.signed()
			f.Of, f.Outer, f.Away = uint32(flags>>2), flags&1 != 0, flags&2 != 0
			in.bad = in.bad || int(f.Of) >= len(m.Components)
		}
	}
	for range in.count() {
		pair := [2]uint32{uint32(in.unsigned()), uint32(in.unsigned())}
		m.Connections[pair] = in.signed()
	}
	if in.bad {
		return nil, errState
	}
	return m, nil
}

// counts takes what appendCounts appended.
func (in *input) counts() (counts []uint32) {
	at := uint64(0)
	for range in.count() {
		at += in.unsigned()
		n := in.unsigned()
		if at > uint64(bucketOf(1<<63-1)) || n == 0 || n > math.MaxUint32 { // appendCounts leaves out what is 0
			in.bad = true
			return nil
		}
		for uint64(len(counts)) <= at {
			counts = append(counts, 0)
		}
		counts[at] = uint32(n)
	}
	return counts
}
