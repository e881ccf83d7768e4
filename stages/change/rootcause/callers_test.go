package rootcause

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// calls adds the calls that a component makes of a function: costs in ms, and how many.
func (s *sheet) calls(component, function, caller string, base, cand Run) {
	fragment := schema.FragmentName(component, function, schema.Receive, caller)
	base.CostNs, cand.CostNs = base.CostNs*ms, cand.CostNs*ms
	c := &schema.Change{Level: schema.LevelFragment, Component: component, Fragment: fragment, Subject: fragment, Function: function, Peer: caller}
	*s = append(*s, judged(Subject{Change: c}, &base, &cand))
	c = &schema.Change{Level: schema.LevelTransition, Component: component, Fragment: fragment, Subject: "exit " + function}
	*s = append(*s, judged(Subject{Change: c, Function: function}, &base, &cand))
}

// called adds a function as a whole with its calls on both sides.
func (s *sheet) called(component, function string, base, cand Run) *schema.Change {
	c := &schema.Change{Level: schema.LevelFunction, Component: component, Subject: function, Function: function}
	base.CostNs, cand.CostNs = base.CostNs*ms, cand.CostNs*ms
	*s = append(*s, judged(Subject{Change: c, Function: function}, &base, &cand))
	return (*s)[len(*s)-1].Change
}

// A caller of many short calls stops, and the few long ones of another one stay as they are. The mean of a call rises from 2.25 to 6 ms, and
// none is slower: what is less is what the short ones took, and the finding names who made them.
func TestShortCallsThatStop(t *testing.T) {
	var s sheet
	s.calls("lib", "print", "options", Run{60, 40}, Run{})
	s.calls("lib", "print", "version", Run{60, 10}, Run{60, 10})
	s.called("lib", "print", Run{120, 50}, Run{60, 10})
	f := Find(s, defaults())
	expect.Equal(t, len(f), 1, "findings")
	expect.Equal(t, f[0].SlowerNs, int64(0), "by the time of a call")
	expect.Equal(t, f[0].CalledNs, int64(-60*ms), "by the number of calls")
	expect.Equal(t, f[0].Kind, schema.KindCalled, "kind")
	expect.Equal(t, f[0].CallsFrom, "options", "whose calls are fewer")
	expect.Equal(t, *f[0].CallsFromBase, 40, "its calls before")
	expect.Equal(t, *f[0].CallsFromCand, 0, "its calls after")
}

// Calls from several components may change in both directions. The parts add up to the effect of the function, whose typical run and
// common factor are not those of the means; where no caller makes most of the difference, none is named.
func TestCallersAddUp(t *testing.T) {
	var s sheet
	s.calls("lib", "print", "a", Run{10, 10}, Run{33, 30})
	s.calls("lib", "print", "b", Run{10, 10}, Run{44, 30})
	s.calls("lib", "print", "c", Run{20, 10}, Run{10, 5})
	s.called("lib", "print", Run{80, 30}, Run{174, 65}) // twice the means
	f := Find(s, defaults())[0]
	// a: 20 calls of (2+2.2)/2 = 42, b: 20 of (2+2.9333)/2 = 49.3333, c: -5 of (4+4)/2 = -20.
	expect.Equal(t, f.CalledNs, int64(71_333_333), "by the number of calls")
	expect.Equal(t, f.SlowerNs+f.CalledNs, int64(94*ms), "both")
	expect.Equal(t, f.CallsFrom, "b", "who makes more than half of it")
	s = nil
	s.calls("lib", "print", "a", Run{10, 10}, Run{30, 30})
	s.calls("lib", "print", "b", Run{10, 10}, Run{30, 30})
	s.called("lib", "print", Run{20, 20}, Run{60, 60})
	f = Find(s, defaults())[0]
	expect.Equal(t, f.CallsFrom, "", "nobody makes more than half")
	expect.Equal(t, f.CalledNs, int64(40*ms), "by the number of calls")
}

// Where the calls by component are not all calls, the function is divided as a whole.
func TestCallersThatAreNotAll(t *testing.T) {
	var s sheet
	s.calls("lib", "print", "options", Run{60, 40}, Run{})
	s.calls("lib", "print", "version", Run{60, 10}, Run{60, 10})
	s.called("lib", "print", Run{120, 60}, Run{60, 10})
	f := Find(s, defaults())[0]
	expect.Equal(t, f.CalledNs, int64(-50*4*ms), "by the number of calls: 50 of (2 + 6) / 2 ms")
	expect.Equal(t, f.CallsFrom, "", "whose calls are fewer")
}

// A function that is called less may be called unseen by what is new beside it, if that is called as often as calls are missing.
func TestCallsWithinTheComponent(t *testing.T) {
	find := func(base, cand Run) schema.Finding {
		var s sheet
		s.called("sig", "ignore", base, cand)
		for _, other := range []struct {
			component, function string
			times               float64
		}{{"sig", "apply", 9}, {"sig", "first", 8}, {"sig", "rare", 7}, {"lib", "elsewhere", 9}} {
			s.called(other.component, other.function, Run{}, Run{20, other.times})
		}
		s.called("sig", "old", Run{20, 9}, Run{})
		for _, f := range Find(s, defaults()) {
			if f.Function == "ignore" {
				return f
			}
		}
		t.Fatal("no finding")
		return schema.Finding{}
	}
	expect.Equal(t, find(Run{90, 9}, Run{10, 1}).CallsWithin, "apply and first", "called less")
	expect.Equal(t, find(Run{10, 1}, Run{90, 9}).CallsWithin, "old", "called more")
	expect.Equal(t, find(Run{90, 9}, Run{40, 9}).CallsWithin, "", "called as often")
}

// A function that is gone may be in the place of one that is new beside it, if these two alone are called as often for as long.
func TestCounterparts(t *testing.T) {
	type other struct {
		component, function string
		base, cand          Run
	}
	find := func(others ...other) *schema.Finding {
		var s sheet
		s.called("lib", "sendrecv", Run{}, Run{60, 9})
		for _, o := range others {
			s.called(o.component, o.function, o.base, o.cand)
		}
		found := Find(s, defaults())
		for i := range found {
			if found[i].Function == "sendrecv" {
				return &found[i]
			}
		}
		t.Fatal("no finding")
		return nil
	}
	gone := other{"lib", "readwrite", Run{41, 8}, Run{}}
	f := find(gone, other{"lib", "rare", Run{41, 1}, Run{}}, other{"lib", "cheap", Run{20, 8}, Run{}}, other{"sig", "elsewhere", Run{41, 8}, Run{}}, other{"lib", "stays", Run{41, 8}, Run{80, 8}})
	expect.Equal(t, f.Counterpart, "readwrite", "counterpart")
	expect.Equal(t, *f.CounterpartNetNs, int64(19*ms), "net")
	expect.Equal(t, find(gone, other{"lib", "second", Run{50, 9}, Run{}}).Counterpart, "", "of two")
	expect.Equal(t, find(gone, other{"lib", "third", Run{}, Run{40, 8}}).Counterpart, "", "for two")
	expect.Equal(t, find(other{"lib", "new", Run{}, Run{40, 8}}).Counterpart, "", "also new")
}

// Calls that took no time on one side have no time that could be shared out among their callers: none is named, and the parts add up all the same.
func TestCallsOfNoTime(t *testing.T) {
	for _, c := range []struct {
		base, cand Run
		effect     int64
	}{{Run{0, 10}, Run{20, 30}, 40 * ms}, {Run{20, 30}, Run{0, 10}, -40 * ms}} {
		var s sheet
		s.calls("lib", "print", "a", c.base, c.cand)
		s.calls("lib", "print", "b", c.base, c.cand)
		s.called("lib", "print", Run{2 * c.base.CostNs, 2 * c.base.Count}, Run{2 * c.cand.CostNs, 2 * c.cand.Count})
		f := Find(s, defaults())
		expect.Equal(expect.Must(t), len(f), 1, "findings")
		expect.Equal(t, f[0].SlowerNs+f[0].CalledNs, c.effect, "both parts")
		expect.Equal(t, f[0].CallsFrom, "", "whose calls they are")
	}
}

// The caller that is named makes more than half of what the number of calls makes of the difference, in its direction.
func TestMostCalls(t *testing.T) {
	of := func(component string, calls float64) caller { // of 1 ms each, beside 100 that stay
		return caller{component, Run{100 * ms, 100}, Run{(100 + calls) * ms, 100 + calls}}
	}
	for _, c := range []struct {
		name    string
		callers []caller
		want    string
	}{
		{"half of it", []caller{of("a", 20), of("b", 10), of("c", 10)}, ""},
		{"more than half", []caller{of("a", 10), of("b", 21), of("c", 10)}, "b"},
		{"less than half, and more than others", []caller{of("a", 20), of("b", 15), of("c", 15)}, ""},
		{"of fewer calls", []caller{of("a", 10), of("b", -41), of("c", -10)}, "b"},
		{"nothing in sum", []caller{of("a", 20), of("b", -20)}, ""},
		{"nothing", []caller{of("a", 0), of("b", 0)}, ""},
		{"nobody knows whose", []caller{of("", 20), of("b", 1)}, ""},
		{"not known", nil, ""},
	} {
		one := &cause{callers: c.callers, whole: &costChange{}}
		got := ""
		if most := one.mostCalls(); most != nil {
			got = most.component
		}
		expect.Equal(t, got, c.want, "%s", c.name)
	}
}
