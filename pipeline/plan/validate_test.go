package plan

import (
	"errors"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/validate"
)

// Every event is given to the builder once, in steps, and the end stays the end.
func TestEventFeed(t *testing.T) {
	ev := schema.NewEvents()
	groups := []int{validateStep + 1, 0, 3}
	seq := int64(0)
	torn := errors.New("torn")
	f := eventFeed{builder: validate.NewBuilder(ev.Names), events: ev, next: func() (error, bool) {
		schema.Reset(ev)
		if len(groups) == 0 {
			return nil, false
		}
		schema.Extend(ev, groups[0])
		for i := range ev.Seq {
			ev.Seq[i], ev.Kind[i] = seq, schema.Kind(seq%2)
			ev.Component[i], ev.Lifeline[i], ev.Function[i], ev.TimeNs[i] = 0, 0, 0, 0
			seq++
		}
		groups = groups[1:]
		return nil, true
	}}
	steps := 0
	for f.more() {
		steps++
	}
	if last := seq - 1; steps != 3 || f.more() || !f.builder.Reaches(last) || f.builder.Reaches(last+1) || f.err != nil {
		t.Errorf("%d steps, reaches the last: %v, beyond: %v, error %v", steps, f.builder.Reaches(last), f.builder.Reaches(last+1), f.err)
	}
	f.next = func() (error, bool) { return torn, true }
	if f.more() || f.err != torn {
		t.Errorf("an error came back as %v", f.err)
	}
}
