package callkeys

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
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
		if table.Keys().Len() > 0 {
			t.Error("an empty table has keys")
		}
		got := []uint32{table.Call(f), table.Call(g), table.Call(f), table.Append(f)}
		expect.Slice(t, got, []uint32{0, width, 0, 2 * width}, "messages %v: enters", messages)
		for i, key := range schema.KeysSince(table.Keys(), 0) {
			want := f
			if i/width == 1 {
				want = g
			}
			if want.Kind = schema.Kind(i % width); key != want {
				t.Errorf("messages %v: key %d is %+v, want %+v", messages, i, key, want)
			}
		}
		expect.Equal(t, table.Keys().Len(), 3*int(width), "messages %v: keys", messages)
	}
}
