package ccsl

import "slices"

// dues are the numbers of ticks at which something is due, in order and each once. There are never more than the
// greatest delay, since all lie within it.
type dues struct {
	at   []int64
	head int // those before it are over
}

func (d *dues) empty() bool { return d.head == len(d.at) }

// first is the next one.
func (d *dues) first() (int64, bool) {
	if d.empty() {
		return 0, false
	}
	return d.at[d.head], true
}

// pass drops the first if it is n.
func (d *dues) pass(n int64) {
	if !d.empty() && d.at[d.head] == n {
		d.head++
	}
}

// add enters n, if it is not there.
func (d *dues) add(n int64) {
	if d.head > len(d.at)/2 {
		d.at = d.at[:copy(d.at, d.at[d.head:])]
		d.head = 0
	}
	if d.empty() || d.at[len(d.at)-1] < n {
		d.at = append(d.at, n)
		return
	}
	waiting := d.at[d.head:]
	if i, found := slices.BinarySearch(waiting, n); !found {
		d.at = slices.Insert(d.at, d.head+i, n)
	}
}

func (d *dues) reset() { d.at, d.head = d.at[:0], 0 }
