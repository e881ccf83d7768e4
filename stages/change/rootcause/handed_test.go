package rootcause

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// waits adds what the only fragment of a function waits for, with the numbers of calls on both sides.
func (s *sheet) waits(component, function, caller, awaitedComponent, awaited string, base, cand float64) {
	c := &schema.Change{Level: schema.LevelTransition, Component: component, Fragment: schema.FragmentName(component, function, schema.Receive, caller), Subject: "exit " + awaited}
	*s = append(*s, judged(Subject{Change: c, Awaited: awaitedComponent + "." + awaited, Function: function}, &Run{base * ms, base}, &Run{cand * ms, cand}))
}

// handed returns what describeHanded says of a function.
func handed(s sheet, component, function string) (out schema.Finding) {
	f := &finder{}
	f.Options = defaults()
	f.readSubjects(s)
	f.describeHanded(f.functions[place{component: component, function: function}], &out)
	return out
}

// finding returns the finding of a function.
func finding(t *testing.T, s sheet, function string) *schema.Finding {
	t.Helper()
	found := Find(s, defaults())
	for i := range found {
		if found[i].Function == function {
			return &found[i]
		}
	}
	t.Fatalf("no finding of %s", function)
	return nil
}

// A function hands the calls that it made to a new one, which it calls: what it saves the new one takes, and both findings say so. A new
// function that makes other calls has nothing of it.
func TestCallsHandedToANewFunction(t *testing.T) {
	for _, c := range []struct {
		before, after float64 // calls of setopt that operate makes
		want          string
	}{{40, 2, "config.options"}, {40, 40, ""}} {
		var s sheet
		s.calls("tool", "operate", "main", Run{44, 1}, Run{22, 1})
		s.called("tool", "operate", Run{44, 1}, Run{22, 1})
		s.calls("config", "options", "tool", Run{}, Run{18, 1})
		s.called("config", "options", Run{}, Run{18, 1})
		s.waits("tool", "operate", "main", "config", "options", 0, 1)
		s.waits("tool", "operate", "main", "setopt", "set", c.before, c.after)
		s.waits("config", "options", "tool", "setopt", "set", 0, 38)
		f := handed(s, "tool", "operate")
		expect.Equal(t, f.Handed, c.want, "with %v calls after %v", c.after, c.before)
		if c.want == "" {
			continue
		}
		expect.Equal(t, *f.HandedNetNs, int64(-4*ms), "net")
		expect.Equal(t, f.HandedBy, schema.HandedByCalls, "its calls are seen")
		f = handed(s, "config", "options")
		expect.Equal(t, f.Handed, "tool.operate", "whose calls they were")
		expect.Equal(t, *f.HandedNetNs, int64(-4*ms), "net")
	}
}

// A function that is gone leaves its calls to the one that called it.
func TestCallsOfAFunctionThatIsGone(t *testing.T) {
	var s sheet
	s.calls("tool", "operate", "main", Run{22, 1}, Run{44, 1})
	s.called("tool", "operate", Run{22, 1}, Run{44, 1})
	s.calls("config", "options", "tool", Run{18, 1}, Run{})
	s.called("config", "options", Run{18, 1}, Run{})
	s.waits("tool", "operate", "main", "config", "options", 1, 0)
	s.waits("tool", "operate", "main", "setopt", "set", 2, 40)
	s.waits("config", "options", "tool", "setopt", "set", 38, 0)
	expect.Equal(t, handed(s, "tool", "operate").Handed, "config.options", "who made the calls")
	expect.Equal(t, handed(s, "config", "options").Handed, "tool.operate", "who makes them now")
}

// Calls within a component are not seen: where one is called less often by as much as new ones are called, their changes are told
// together. Where two are called less often, it is not known which one.
func TestCallsThatMayBeUnseen(t *testing.T) {
	sheetOf := func() (s sheet) {
		s.called("sig", "ignore", Run{90, 9}, Run{10, 1})
		s.called("sig", "apply", Run{}, Run{70, 11})
		s.called("sig", "first", Run{}, Run{20, 8})
		return s
	}
	f := finding(t, sheetOf(), "apply")
	expect.Equal(t, f.Handed, "ignore", "called less")
	expect.Equal(t, f.HandedBy, schema.HandedByUnseen, "unseen")
	expect.Equal(t, *f.HandedNetNs, int64(10*ms), "net of all three")
	s := sheetOf()
	s.called("sig", "restore", Run{90, 9}, Run{10, 1})
	expect.Equal(t, finding(t, s, "apply").Handed, "", "of two")
	s = sheetOf()
	s.called("sig", "rare", Run{}, Run{30, 2})
	expect.Equal(t, finding(t, s, "rare").Handed, "", "called too seldom to make them")
}

// Findings that are small beside the greatest one are numbered behind all others, so that those of a table are numbered without a gap.
func TestMinorFindingsComeLast(t *testing.T) {
	var s sheet
	s.called("lib", "great", Run{10_000, 1}, Run{20_000, 1})
	s.called("lib", "small", Run{10, 1}, Run{90, 1})
	s.called("lib", "wide", Run{10, 1}, Run{2010, 1})
	// What is sure of the second greatest effect is less than all of the small one.
	for i := range s {
		if c := s[i].Change; c.Function == "wide" {
			lo, hi := int64(1*ms), int64(4000*ms)
			c.EffectLoNs, c.EffectHiNs = &lo, &hi
		}
	}
	found := Find(s, defaults())
	var names []string
	for i := range found {
		names = append(names, found[i].Function)
	}
	expect.Slice(t, names, []string{"great", "wide", "small"}, "order")
	expect.Equal(t, found[2].Minor, true, "the last one is minor")
}

// The neighbours of a function that both sides have are those that it calls, and of one that only one side has those that call it.
func TestNeighbours(t *testing.T) {
	var s sheet
	s.called("tool", "main", Run{9, 1}, Run{9, 1})
	s.waits("tool", "main", "sys", "lib", "operate", 1, 1)
	s.calls("lib", "operate", "tool", Run{44, 1}, Run{22, 1})
	s.called("lib", "operate", Run{44, 1}, Run{22, 1})
	s.calls("config", "options", "lib", Run{}, Run{18, 1})
	s.called("config", "options", Run{}, Run{18, 1})
	s.waits("lib", "operate", "tool", "config", "options", 0, 1)
	f := &finder{}
	f.Options = defaults()
	f.readSubjects(s)
	for at, want := range map[place]string{
		{component: "lib", function: "operate"}:    "options",
		{component: "config", function: "options"}: "operate",
		{component: "tool", function: "main"}:      "operate",
	} {
		var got string
		for _, g := range f.neighbours(f.functions[at]) {
			got += g.Change.Function
		}
		expect.Equal(t, got, want, "neighbours of %s", at.function)
	}
}
