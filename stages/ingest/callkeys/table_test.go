package callkeys

import (
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// TestCall checks that the keys of a call lie in a row, and that a call which is known keeps its numbers.
func TestCall(t *testing.T) {
	f := schema.EventKey{Component: "c", Lifeline: "c/1", Function: "f"}
	g := schema.EventKey{Component: "c", Lifeline: "c/1", Function: "g", Kind: schema.Exit}
	for _, messages := range []bool{false, true} {
		table := Table{Messages: messages}
		width := uint32(2)
		if messages {
			width = 3
		}
		if table.Keys() != nil {
			t.Error("an empty table has keys")
		}
		got := []uint32{table.Call(f), table.Call(g), table.Call(f), table.Append(f)}
		if want := []uint32{0, width, 0, 2 * width}; !slices.Equal(got, want) {
			t.Errorf("messages %v: enters %d, want %d", messages, got, want)
		}
		for i, key := range table.Keys() {
			want := f
			if i/int(width) == 1 {
				want = g
			}
			if want.Kind = schema.Kind(i % int(width)); key != want {
				t.Errorf("messages %v: key %d is %+v, want %+v", messages, i, key, want)
			}
		}
		if n := len(table.Keys()); n != 3*int(width) {
			t.Errorf("messages %v: %d keys", messages, n)
		}
	}
}
