package verdict

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// What a difference comes from, in numbers.
func TestReason(t *testing.T) {
	thirtySix, none, net := 36., 0., int64(19_500)
	for _, c := range []struct {
		f    schema.Finding
		want string
	}{
		{schema.Finding{Kind: schema.KindBoth, SlowerNs: 18_100_000, CalledNs: 2_000_000, CountBase: 4, CountCand: 5}, "+18.1 ms by slower calls, +2.00 ms by more calls (4 -> 5 calls)"},
		{schema.Finding{Kind: schema.KindSlower, SlowerNs: 1_000_000, CalledNs: 9_999, CountBase: 1, CountCand: 1}, "+1.00 ms by slower calls (1 call)"},
		{schema.Finding{Kind: schema.KindCalled, CalledNs: -4_000, CountBase: 2.5, CountCand: 2}, "-4.00 us by fewer calls (2.5 -> 2 calls)"},
		{schema.Finding{Kind: schema.KindSlower, SlowerNs: -23_000, CountBase: 1000, CountCand: 1000}, "-23.0 us by faster calls (1,000 calls)"},
		{schema.Finding{Kind: schema.KindCalled, CalledNs: -4_000, CountBase: 51, CountCand: 11, CallsFrom: "opts", CallsFromBase: &thirtySix, CallsFromCand: &none},
			"-4.00 us by fewer calls (51 -> 11 calls, from opts 36 -> 0)"},
		{schema.Finding{Kind: schema.KindCalled, EffectNs: -4_000, CalledNs: -4_000, CountBase: 9, CountCand: 1, CallsWithin: "apply and init"},
			"-4.00 us by fewer calls (9 -> 1 calls); apply and init, which only the candidate has in the same component, may call it unseen"},
		{schema.Finding{Kind: schema.KindCalled, EffectNs: 4_000, CalledNs: 4_000, CountBase: 1, CountCand: 9, CallsWithin: "old"},
			"+4.00 us by more calls (1 -> 9 calls); old, which only the baseline has in the same component, may call it unseen"},
		{schema.Finding{Kind: schema.KindSlower, EffectNs: -4_000, SlowerNs: -3_100, CalledNs: -900, CountBase: 9, CountCand: 8, CallsWithin: "apply"},
			"-3.10 us by faster calls, -900 ns by fewer calls (9 -> 8 calls)"},
		// Calls that are gone are not said to be by slower calls, and those that some callers make no more were the short ones.
		{schema.Finding{Kind: schema.KindCalled, Statement: schema.EachCall, EffectNs: -53_800, BaseNs: 117_000, CandNs: 63_200, SlowerNs: 9_200, CalledNs: -63_000, CountBase: 51, CountCand: 11},
			"its short calls are gone, so that a call takes 2.29 us -> 5.75 us on average: -63.0 us by fewer calls (51 -> 11 calls), +9.20 us by the others"},
		{schema.Finding{Kind: schema.KindCalled, EffectNs: 53_800, BaseNs: 63_200, CandNs: 117_000, SlowerNs: -9_200, CalledNs: 63_000, CountBase: 11, CountCand: 51},
			"its short calls are new, so that a call takes 5.75 us -> 2.29 us on average: +63.0 us by more calls (11 -> 51 calls), -9.20 us by the others"},
		{schema.Finding{Kind: schema.KindCalled, EffectNs: -600_000, BaseNs: 1_200_000, CandNs: 600_000, CalledNs: -600_000, CountBase: 1_200, CountCand: 300},
			"its short calls are gone, so that a call takes 1.00 us -> 2.00 us on average: -600 us by fewer calls (1,200 -> 300 calls)"},
		{schema.Finding{Kind: schema.KindCalled, EffectNs: -3_000, BaseNs: 4_000, CandNs: 1_000, CalledNs: -3_000, CountBase: 40, CountCand: 10}, "-3.00 us by fewer calls (40 -> 10 calls)"},
		{schema.Finding{Kind: schema.KindCalled, EffectNs: -2_000, BaseNs: 40_000, CandNs: 38_000, SlowerNs: 43_500, CalledNs: -45_500, CountBase: 40, CountCand: 20},
			"-45.5 us by fewer calls (40 -> 20 calls), +43.5 us by the others"},
		{schema.Finding{Kind: schema.KindSlower, Statement: schema.SomeCalls, EffectNs: 4_000, SlowerNs: 5_000, CalledNs: -1_000, CountBase: 84, CountCand: 77},
			"+5.00 us by slower calls, -1.00 us by fewer calls (84 -> 77 calls)"},
		{schema.Finding{Kind: schema.KindDivided, Verdict: schema.MovedCost, BaseNs: 9_000, CandNs: 8_000, CountCand: 4, MovedFrom: "lib.f"},
			"4 calls that only the candidate shows: in the baseline they are a part of lib.f, since calls within a component may not be traced; all of them together 9.00 us -> 8.00 us, which does not show a difference"},
		{schema.Finding{Verdict: schema.Appeared, Level: schema.LevelFunction, CountCand: 9, Counterpart: "readwrite", CounterpartNetNs: &net},
			"only the candidate has it: 9 calls; readwrite, which only the baseline has in the same component, is called as often and may do the same: net +19.5 us"},
		{schema.Finding{Verdict: schema.Appeared, CountCand: 1}, "only the candidate does it, once"},
		{schema.Finding{Verdict: schema.Vanished, CountBase: 432}, "only the baseline does it, 432 times"},
		{schema.Finding{Verdict: schema.MovedCost, MovedFrom: "lib.g", EffectNs: 5}, "moved here from lib.g: their caller is unchanged"},
		{schema.Finding{Verdict: schema.MovedCost, MovedFrom: "lib.g", EffectNs: -5}, "moved from here to lib.g: their caller is unchanged"},
		{schema.Finding{Kind: schema.KindShape}, "its distribution changed and its level did not"},
		{schema.Finding{Kind: schema.KindTransit, SlowerNs: 5000, CountBase: 2, CountCand: 2}, "latency of messages: +5.00 us by slower calls (2 calls)"},
		{schema.Finding{Kind: schema.KindLateness, EffectNs: 5000, SlowerNs: 5000, CountBase: 2, CountCand: 2}, "the receiver is ready later because of its own work: +5.00 us by slower calls (2 calls)"},
		{schema.Finding{Kind: schema.KindDiffuse}, "the fragment as a whole; no single step of it is shown to have changed"},
	} {
		expect.Equal(t, reason(&c.f), c.want, "reason")
	}
}

// A chain of callers begins with the finding's own fragment, and is told by its ends.
func TestInherited(t *testing.T) {
	for _, c := range []struct {
		n    int64
		at   string
		want string
	}{
		{0, "", "no other change follows from it"},
		{0, "a.f < b.g", "no other change follows from it; called by b.g"},
		{1, "a.f", "1 change follows from it"},
		{2, "a.f < b.g", "2 changes follow from it: b.g"},
		{9, "a.f < b.g < c.h < d.i", "9 changes follow from it: b.g < c.h < d.i"},
		{9, "a.f < b.g < c.h < d.i < e.j", "9 changes follow from it: b.g < c.h < ... < e.j"},
		{9, "a.f < b.g < c.h < d.i < ...", "9 changes follow from it: b.g < c.h < ..."},
	} {
		expect.Equal(t, inheritedText(&schema.Finding{Inherited: c.n, InheritedAt: c.at}), c.want, "%d at %q", c.n, c.at)
	}
}

func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{"lib_a.f": "lib_a.f", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "a;rm -rf": "'a;rm -rf'", "$(x)": "'$(x)'",
		"a\u202eb": `$'a\u202eb'`, "it's\x1b\\": `$'it\'s\u001b\\'`} {
		expect.Equal(t, shellWord(word), want, "%q", word)
	}
}

// Findings are told by their numbers, which are given by effect, so that rows are numbered from 1; small ones come last.
func TestToldInOrder(t *testing.T) {
	list := []schema.Finding{
		cause(1, schema.Vanished, "a", -90), cause(2, schema.Improved, "b", -60), cause(3, schema.Regressed, "c", 40), cause(4, schema.Improved, "d", -30),
		cause(5, schema.Regressed, "e", 20),
	}
	list[2].Minor = true
	o := New(sides(3, 3), nil, list)
	var got []int64
	for _, f := range o.ordered {
		got = append(got, f.Finding)
	}
	expect.Slice(t, got, []int64{1, 2, 4, 5, 3}, "order")
	if next := o.nextSteps(); !strings.Contains(next[0], "function=a") {
		t.Errorf("the next command is %s", next[0])
	}
}

// Critical paths are told by the time that a run spends on them.
func TestOnCriticalPaths(t *testing.T) {
	zero, ns := int64(0), int64(250_000)
	for _, c := range []struct {
		base, cand *int64
		want       string
	}{
		{&ns, &ns, "on critical paths 250 us per run"}, {&zero, &ns, "on critical paths never -> 250 us per run"}, {&ns, &zero, "on critical paths 250 us per run -> never"},
		{&zero, &zero, "never on a critical path"}, {nil, nil, "whether it is on critical paths is unknown"},
	} {
		expect.Equal(t, criticalText(&schema.Finding{CriticalBaseNs: c.base, CriticalCandNs: c.cand}), c.want, "critical")
	}
}

// TestHappening checks that events are said as what a call does, also where the function's name has blanks, and that all else stays.
func TestHappening(t *testing.T) {
	for subject, want := range map[string]string{
		"exit Curl_poll send to lib_multi_c":              "Curl_poll returns to lib_multi_c in f",
		"exit lookup receive from server":                 "lookup gets its answer from server in f",
		"enter lookup send to server":                     "lookup calls server in f",
		"enter operator new(int) receive from the_client": "operator new(int) is called by the_client in f",
		"exit search":   "exit search in f",
		"enter send to": "enter send to in f",
	} {
		expect.Equal(t, new(Report).happening(&schema.Finding{Level: schema.LevelTransition, Subject: subject, Fragment: "f"}), want, "%s", subject)
	}
}

// A cost that grows while there are fewer calls is not said to be called more.
func TestBreakdownAgreesWithCalls(t *testing.T) {
	f := schema.Finding{EffectNs: 711_000, SlowerNs: 98_000, CalledNs: 613_000, CountBase: 1, CountCand: .9625}
	expect.Equal(t, breakdown(&f), "+711 us by other calls (1 -> 0.963 calls)", "fewer calls that take more")
	f.CountCand = 1.1
	expect.Equal(t, breakdown(&f), "+98.0 us by slower calls, +613 us by more calls (1 -> 1.1 calls)", "more calls")
}

// What a function hands to one that only one side has stands with both findings, and with the net.
func TestHandedText(t *testing.T) {
	net := int64(-13_600)
	for _, c := range []struct {
		f    schema.Finding
		want string
	}{
		{schema.Finding{}, ""},
		{schema.Finding{Verdict: schema.Improved, EffectNs: -22, Handed: "config.options", HandedNetNs: &net}, "; config.options, which only the candidate has, makes calls there that it makes itself in the baseline: net of both -13.6 us"},
		{schema.Finding{Verdict: schema.Regressed, EffectNs: 22, Handed: "config.options", HandedNetNs: &net}, "; config.options, which only the baseline has, makes calls there that it makes itself in the candidate: net of both -13.6 us"},
		{schema.Finding{Verdict: schema.Appeared, EffectNs: 22, Handed: "tool.operate", HandedNetNs: &net}, "; it makes calls that tool.operate makes itself in the baseline: net of both -13.6 us"},
		{schema.Finding{Verdict: schema.Vanished, EffectNs: -22, Handed: "tool.operate", HandedNetNs: &net}, "; it makes calls that tool.operate makes itself in the candidate: net of both -13.6 us"},
		{schema.Finding{Verdict: schema.Appeared, EffectNs: 22, Handed: "ignore", HandedBy: schema.HandedByUnseen, HandedNetNs: &net}, "; ignore of the same component is called less often instead, and may be called unseen by what is new there: it and all that is new there together -13.6 us"},
		{schema.Finding{Verdict: schema.Vanished, EffectNs: -22, Handed: "ignore", HandedBy: schema.HandedByUnseen, HandedNetNs: &net}, "; ignore of the same component is called more often instead, and may have been called unseen by what is gone there: it and all that is gone there together -13.6 us"},
	} {
		expect.Equal(t, handedText(&c.f), c.want, "%+v", c.f)
	}
}
