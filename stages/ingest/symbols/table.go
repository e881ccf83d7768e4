package symbols

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

var _ schema.Symbols = (*Table)(nil)

// lastReach is the assumed size of the last function in bytes when the table does not state it.
const lastReach = 1 << 16

// Table holds the functions of one program. It does not change, so readers may share it.
type Table struct {
	starts    []uint64   // rising
	functions []function // by position in starts
}

// function is the code from start up to end.
type function struct {
	start, end uint64 // end is start where the size is not known
	name, unit string // unit is "" where it is not known
	rank       int    // of several at one address the least is taken
}

// newTable takes over the functions, in any order.
func newTable(functions []function) *Table {
	slices.SortStableFunc(functions, func(a, b function) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.rank, b.rank))
	})
	// Of several functions at one address, the first by rank stays.
	functions = slices.CompactFunc(functions, func(a, b function) bool { return a.start == b.start })
	t := &Table{functions: functions, starts: make([]uint64, len(functions))}
	for i := range functions {
		f := &functions[i]
		t.starts[i] = f.start
		if f.end > f.start {
			continue
		}
		// A function of unknown size reaches to the next one.
		if i+1 < len(functions) {
			f.end = functions[i+1].start
		} else {
			f.end = f.start + min(lastReach, ^uint64(0)-f.start)
		}
	}
	return t
}

// Len returns the number of functions.
func (t *Table) Len() int { return len(t.functions) }

// Lookup implements schema.Symbols.
func (t *Table) Lookup(address uint64) (name, unit string, found bool) {
	i, exact := slices.BinarySearch(t.starts, address)
	if !exact {
		i--
	}
	if i < 0 || address >= t.functions[i].end {
		return "", "", false
	}
	return t.functions[i].name, t.functions[i].unit, true
}

// Component is the name that the recordings in the thesis dialect give a unit: every character but letters and
// digits of ASCII is an underscore, so lib/asyn-thread.c is lib_asyn_thread_c. What is in no unit is "ext".
func Component(unit string) string {
	if unit == "" {
		return "ext"
	}
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			return r
		}
		return '_'
	}, unit)
}
