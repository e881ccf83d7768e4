package verdict

import (
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestTotals compares how many calls of each kind recorders counted: alike in all runs, or new, gone and more frequent in those of a side.
func TestTotals(t *testing.T) {
	one, two := map[string]int64{"parse": 3, "fold": 40}, map[string]int64{"parse": 3, "inline": 7, "fold": 41}
	expect.Equal(t, NewTotals([]map[string]int64{one, one}, []map[string]int64{one}).text(),
		"By the totals of the recorder every run makes the same 43 calls, as many of each of 2 kinds.", "the same calls")
	expect.Equal(t, NewTotals([]map[string]int64{one, one}, []map[string]int64{two}).text(),
		"By the totals of the recorder, which count the short calls too, 1 kind of calls appeared (inline), no kind of calls vanished, and 1 of 3 kinds is called more or less often.", "other calls")
	varying := NewTotals([]map[string]int64{one, two}, []map[string]int64{two})
	if varying.same() {
		t.Error("runs that differ within a side are the same")
	}
	if NewTotals([]map[string]int64{one, nil}, []map[string]int64{one}) != nil {
		t.Error("a run without totals is compared by them")
	}
}
