package components_test

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestNames names events of small charts.
func TestNames(t *testing.T) {
	for _, c := range []struct{ about, chart, want string }{
		{
			"a trace that says nothing of operations and types",
			"1 A > f !m1\n2 B > g ?m1\n3 B < g !m2\n4 A < f ?m2\n",
			"A.B__g__blk_sync__B B.B__g__sync_ret_blk_ret__A",
		}, {
			"one end says what both do",
			"function f { execType: blk }\nfunction g implements I.o { execType: sync }\n1 A > f !m1\n2 B > g ?m1\n3 B < g !m2\n4 A < f ?m2\n",
			"A.I__o__blk_sync__B B.I__o__sync_ret_blk_ret__A",
		}, {
			"signs that no name can have",
			"function \"f::g(int)\" as f implements I_.o_ { execType: lib }\n1 \"1 b\" > f\n2 \"1 b\" < f\n3 \"c__d\" > \"x<y>::z\"\n4 \"c__d\" < \"x<y>::z\"\n5 e > \"!\"\n6 e < \"!\"\n",
			"_1_b.I__o___lib _1_b.I__o___lib_ret c_d.c_d__x_y_z__unkn c_d.c_d__x_y_z__unkn_ret e.e___0__unkn e.e___0__unkn_ret",
		}, {
			"an order of the domain is no message",
			"function f implements I.o { execType: blk }\nfunction g implements I.o { execType: sync }\n" +
				"1 A > f !m1 !domain-dependency d1 !message-control c1(message: m1)\n2 B > g ?m1 ?d1 ?c1\n3 B < g !m2\n4 A < f ?m2\n",
			"A.I__o__blk_sync__B B.I__o__sync_ret_blk_ret__A",
		}, {
			"what starts an execution of a component that waits is inferred, and in no name",
			"1 A > f !m1\n2 B > g ?m1\n3 A > c\n4 A < c\n5 B < g !m2\n6 A < f ?m2\n",
			"A.A__c__unkn A.A__c__unkn_ret A.B__g__blk_sync__B B.B__g__sync_ret_blk_ret__A",
		}, {
			"a message to itself",
			"function f implements I.o { execType: trig }\nfunction g implements I.o { execType: trigh }\n1 A > f !m1\n2 A < f\n3 A > g ?m1\n4 A < g\n",
			"A.I__o__trig_ret A.I__o__trig_trigh__A A.I__o__trigh_ret",
		},
	} {
		set := ingest(t, c.chart).models(t, components.Options{})
		var names []string
		for l := range set.Alphabet.Len() {
			names = append(names, set.Alphabet.Name(uint32(l)))
		}
		expect.Equal(t, strings.Join(names, " "), c.want, "%s", c.about)
	}
}

// TestNoNames refuses charts in which an event cannot be named.
func TestNoNames(t *testing.T) {
	for _, c := range []struct{ chart, want string }{
		{"1 A > f !m1 !m2\n2 B > g ?m1\n3 B < g\n4 C > g ?m2\n5 C < g\n6 A < f\n", "event 0 has more than one message"},
		{"function f implements I.o\nfunction g implements I.p\n1 A > f !m1\n2 B > g ?m1\n3 B < g\n4 A < f\n", "implements o of I, the other p of I"},
		{"function f { execType: call_back }\n1 A > f\n2 A < f\n", `execution type "call_back" is none of`},
		{"1 \"a b\" > f\n2 \"a b\" < f\n3 \"a.b\" > f\n4 \"a.b\" < f\n", `"a b" and "a.b" are both called a_b`},
	} {
		_, err := ingest(t, c.chart).builder(t, components.Options{}).Set(new(schema.Ledger))
		expect.Refused(t, err, c.want, "%s", c.chart)
	}
}

// TestParseEvent takes names apart and puts them together again.
func TestParseEvent(t *testing.T) {
	for _, e := range []components.Event{
		{Component: "A", Interface: "I", Function: "f", Type: "blk"},
		{Component: "A_1_untraced", Interface: "I_j", Function: "_f_", Type: "evt", Return: true},
		{Component: "A", Direction: "s_", Interface: "I", Function: "f__", Type: "fcn", OtherType: "sync", OtherReturn: true, Other: "_1"},
		{Component: "A", Direction: "i_", Interface: "i_x", Function: "wait", Type: "wait", Return: true, OtherType: "arslt", Other: "ret_x"},
	} {
		if got, err := components.ParseEvent(e.String()); err != nil || got != e {
			t.Errorf("%s is %+v, %v", e, got, err)
		}
	}
	for _, bad := range []string{
		"", "A", "A.", "A.I__f", ".I__f__blk", "A.__f__blk", "A.I____blk", "A.I__f__nope", "A.I__f__blk__B", "A.I__f__blk_sync",
		"A.I__f__ret", "A.I__f__blk_ret_ret", "A.I__f__blk_sync_x__B",
	} {
		if e, err := components.ParseEvent(bad); err == nil {
			t.Errorf("%q is %+v", bad, e)
		}
	}
}

// TestCutWords learns a word that a lost exit cuts short: it ended, and the next one may follow it.
func TestCutWords(t *testing.T) {
	words := [][]act{
		{{function: 0}, {function: 1}, {function: 0, kind: schema.Exit}}, // the exit of 1 is lost
		{{function: 0}, {function: 1}, {function: 0, kind: schema.Exit}, {function: 1, kind: schema.Exit}},
		{{function: 2}, {function: 2, kind: schema.Exit}},
	}
	// the last exit is a stray
	tr := traceOf([]act{words[0][0], words[0][1], words[0][2], words[2][0], words[2][1], words[1][0], words[1][1], words[1][2], words[1][3], {function: 0, kind: schema.Exit}})
	b := expect.Value(components.NewBuilder(tr.events.Names, components.Options{}, tr.notes))(t)
	led := new(schema.Ledger)
	b.Survey(tr.events)
	b.Add(tr.events, led)
	set, err := b.Set(led)
	if err != nil || len(led.Losses("")) != 2 {
		t.Fatalf("%v, losses %+v", err, led.Losses(""))
	}
	short, long, other := labelledEvent(words, words[0], set), labelledEvent(words, words[1], set), labelledEvent(words, words[2], set)
	all := append(append(append(append([]uint32(nil), short...), other...), long...), short...)
	s := b.Compose(set, components.Buffers{})
	if s.Add(tr.events); !s.Verdict().Accepted {
		t.Errorf("%+v", s.Verdict())
	}
	if m := set.Models[0]; !m.Accepts(all...) || m.Accepts(append(other, short[:2]...)...) || m.Accepts(long[3:]...) || len(set.Models) != 1 {
		t.Errorf("%s", renderAll(set))
	}
}
