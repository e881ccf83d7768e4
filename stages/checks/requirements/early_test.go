package requirements

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestEarly sees that checks which the beginning of a run decides are known before its end, and never otherwise than the whole run says.
func TestEarly(t *testing.T) {
	for text, early := range map[string]bool{
		"check a : finally {'function'='f7'}":                                                true,
		"check a : within 2 us {'function'='f9999'}":                                         true, // it comes later
		"check a : not finally {'function'='f7'} check b : during [1, 5] us true":            true,
		"check a : finally {'function'='f7'} check b : finally {'function'='g'}":             false,
		"check a : until not {'function'='f9'} we have that {'function'='f5'}":               true,
		"check a : globally not {'function'='f7'}":                                           false, // all failures are counted
		"check a : forall (f : values of function) finally {'function'=f}":                   false,
		"check a : forall (i : 3 ... 5) finally {'function'='f'+i}":                          true,
		"check a : during 90 us not {'function'='g'} check b : within 1 ms {'function'='g'}": false, // b is open as far as the run goes
	} {
		s := expect.Value(spec.Parse("f", text))(t)
		ev := schema.NewEvents()
		states := NewStates(s, ev.Names, true)
		e := NewEarly(states, s)
		const rows, chunks = 1 << 12, 12
		ended := 0
		for chunk := range chunks {
			schema.Reset(ev)
			schema.Extend(ev, rows)
			for i := range rows {
				n := int64(chunk*rows + i)
				ev.Seq[i], ev.TimeNs[i], ev.Kind[i] = n, n, schema.Regular
				ev.Component[i] = ev.Names.Components.Code("c")
				ev.Function[i] = ev.Names.Functions.Code("f" + string(rune('0'+n%10)))
			}
			states.Add(ev)
			if ended++; e != nil && e.Decided() {
				break
			}
		}
		expect.Equal(t, ended < chunks, early, "%s: ended early", text)
		states.Tape.Close()
		for i := range s.Checks {
			for _, o := range expect.Value(states.Judge(s, &s.Checks[i], Four, mtl.Keep{}))(t) {
				if early && o.Verdict != mtl.Good && o.Verdict != mtl.Bad {
					t.Errorf("%s: %s", text, Four.Word(o.Verdict))
				}
			}
		}
	}
}
