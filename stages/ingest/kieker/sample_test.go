package kieker

import (
	"os"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// samples says of each log of the samples what is in it, by an independent script that takes lines apart at semicolons
// and nests calls by their indexes.
// In the log of the GUI two methods have executions alone, each with one call.
var samples = []struct {
	log                                          string
	enters, exits, duplicates, pendingCall, made int
	durationNs, selfNs                           int64 // of all calls that end
	unitKnown                                    bool
}{
	{"kieker-20100830-082225522-UTC", 6540, 6540, 0, 0, 0, 61213070365, 37193268756, true},
	{"kieker-20141008-101258768-UTC", 5, 5, 0, 0, 0, 31667195, 19283646, true},
	{"kieker-20141008-101258768-UTC-repairEventBasedTraces", 5, 2, 0, 0, 0, 8117253, 8117253, true},
	{"kieker-20141009-160413833-UTC-operationExecutionsConstructors", 12, 12, 0, 0, 0, 80858185, 40303477, true},
	{"kieker-20141009-163010944-UTC-constructor-events", 12 + 8, 12 + 8, 4, 4, 4, 116958722, 88296093, true},
	{"kieker-20170805-132412153-UTC-Nogge-PC-KIEKER-SINGLETON", 52, 52, 0, 0, 0, 3667264, 1718857, true},
	{"kieker-20170805-132418-9229368724068-UTC--KIEKER", 1525 + 2, 1534 + 2, 1534, 0, 0, 52326153, 51035092, false},
}

func TestSamples(t *testing.T) {
	root := readertest.ThirdParty(t, "kieker")
	for _, s := range samples {
		fsys := os.DirFS(root)
		if got := DetectFolder(fsys, s.log); len(got) != 1 || got[0] != s.log {
			t.Errorf("%s: detected %v", s.log, got)
		}
		out := read(reading(fsys, s.log, ""))
		led := out.ledger
		if out.err != nil || out.count(schema.Enter) != s.enters || out.count(schema.Exit) != s.exits || (len(out.notes) == 0) != s.unitKnown ||
			led.Count(schema.DuplicateCall) != int64(s.duplicates) || led.Count(schema.MissingDuration) != int64(s.pendingCall) ||
			led.Count(schema.SkippedRecord) != int64(s.made) || led.Count(schema.BadRecord)+led.Count(schema.TornRecord)+led.Count(schema.UnknownRecord) > 0 {
			t.Errorf("%s: %v, %d enters, %d exits, notes %v, %+v", s.log, out.err, out.count(schema.Enter), out.count(schema.Exit), out.notes, led.Losses(""))
		}
		nested(t, s.log, out, s.exits-s.enters)
		duration, self := int64(0), int64(0)
		for ex, i := pair(out), 0; i < len(ex.Execution); i++ {
			duration, self = duration+ex.DurationNs[i], self+ex.SelfNs[i]
		}
		if duration != s.durationNs || self != s.selfNs {
			t.Errorf("%s: calls last %d ns, themselves %d", s.log, duration, self)
		}
	}
}

// nested checks that exits close the innermost open call of their lifeline, but for so many more than there are
// enters, or calls that stay open.
func nested(t *testing.T, log string, out result, more int) {
	t.Helper()
	stacks := map[string][]string{}
	loose, open := 0, 0
	for _, r := range out.rows {
		stack := stacks[r.key.Lifeline]
		switch n := len(stack); {
		case r.key.Kind == schema.Enter:
			stacks[r.key.Lifeline] = append(stack, r.key.Function)
		case n > 0 && stack[n-1] == r.key.Function:
			stacks[r.key.Lifeline] = stack[:n-1]
		default:
			loose++
		}
	}
	for _, s := range stacks {
		open += len(s)
	}
	if loose-open != more || loose > 0 && open > 0 {
		t.Errorf("%s: %d exits without a call, %d calls without an exit", log, loose, open)
	}
}

// TestSampleOptions sees what is taken for a component.
func TestSampleOptions(t *testing.T) {
	root := readertest.ThirdParty(t, "kieker")
	for option, want := range map[string]int{"": 3, "class": 3, "package": 1, "component": 3, "host": 2} {
		out := read(reading(os.DirFS(root), samples[0].log, option))
		found := map[string]bool{}
		for _, r := range out.rows {
			found[r.key.Component] = true
		}
		expect.Equal(t, len(found), want, "option %q: components %v", option, found)
	}
}
