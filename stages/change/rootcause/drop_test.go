package rootcause

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// A cause that was folded into another is folded with it. The steps of a function as a whole are no parts of what they were folded into,
// and still have a cause that there is, or none.
func TestDropCauses(t *testing.T) {
	for _, c := range []struct {
		name string
		last bool // the last of the chain is dropped, too
		want int  // index of the cause of the step among those left; -1 for none
	}{
		{"folded twice", false, 0},
		{"folded into what is dropped", true, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			reg := &registry{places: make(map[place]*cause)}
			change := func() *costChange {
				g := &costChange{Subject: &Subject{Change: new(schema.Change)}}
				reg.changes = append(reg.changes, g)
				return g
			}
			first, other, last, kept := reg.newCause(change(), ""), reg.newCause(change(), ""), reg.newCause(change(), ""), reg.newCause(change(), "")
			step := change() // of the function that first is as a whole: no part of any cause
			step.cause = first
			reg.foldUnder(first, other)
			step.cause = other
			reg.foldUnder(other, last)
			reg.dropCauses(func(one *cause) bool { return one.into != nil || c.last && one == last })
			index := -1
			if step.cause != nil {
				index = step.cause.index
				expect.Equal(t, reg.causes[index] == step.cause, true, "the cause is one that there is")
			}
			expect.Equal(t, index, c.want, "index of the cause of the step")
			expect.Equal(t, kept.index, len(reg.causes)-1, "index of the last cause")
		})
	}
}
