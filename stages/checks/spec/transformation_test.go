package spec

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestTransformations reads all that a transformation may say.
func TestTransformations(t *testing.T) {
	all := expect.Value(ParseTransformations("f", `
transformation a { // a comment
  interval : [-10.5, 0] s; event-filter : {'n'='p'}, {'n'='q'}; claim-filter : {id=3}; signal-filter : {name=x};
  def up(c) : {'color'=c};
  signal pos : {'name'='pos'};
  event-spec e : up(red), {'name'='e'};
  claim-spec c : (up(red) and pos >= 1), not up(red), {'name'='c', 'id'='1'};
  signal-spec s : min(sum(pos, pos), max(pos, product(pos, pos))), {'name'='s'};
  trim : c[0] to e[49]; shift : -1.5 ms; strategy : augment;
}
transformation b { shift : to-zero; strategy : replace; }`))(t)
	a, b := all[0], all[1]
	expect.Deep(t, []string{a.From.String(), a.To.String(), a.ShiftNs.String()}, []string{"-10500000000/1", "0/1", "-1500000/1"}, "times")
	expect.Deep(t, []int{len(a.Events), len(a.Claims), len(a.SignalsKept), len(b.Claims)}, []int{2, 1, 1, 0}, "filters")
	expect.Deep(t, *a.Trim, Trim{"c", "e", 0, 49}, "trim")
	expect.Deep(t, a.EventSpecs[0].At.Filter, Filter{Pairs: []Pair{{"color", "red"}}}, "a definition is put in")
	expect.Deep(t, a.ClaimSpecs[0].Attributes, []Pair{{"name", "c"}, {"id", "1"}}, "attributes")
	expect.Equal(t, a.SignalSpecs[0].Value.Args[1].Args[1].Operation, "product", "expression")
	expect.Deep(t, []bool{a.Augment, a.ToZero, b.Augment, b.ToZero}, []bool{true, false, false, true}, "words")
	if b.From != nil || b.Claims != nil || len(b.Spec.Signals) != 0 {
		t.Error("the second transformation has what is of the first")
	}
	for text, want := range map[string]string{
		"": "f:1:1: there is no transformation", "check c : true": "f:1:1: expected \"transformation\"",
		"transformation a { interval : [2, 1] s; }": "the interval ends before it starts", "transformation a { strategy : maybe; }": "expected augment or replace",
		"transformation a { event-spec x : true, {a=b}; claim-spec x : true, true, {a=b}; }": "spec x is there twice",
		"transformation a { signal-spec x : y, {a=b}; }":                                     "no signal is called y",
		"transformation a { shift : soon; }":                                                 "expected a number", "transformation a { shift : 1 s": "end each statement with a semicolon",
		"transformation a { signal-spec x : " + strings.Repeat("sum(", 200): "nest deeper than 100",
	} {
		_, err := ParseTransformations("f", text)
		expect.Refused(t, err, want, "%s", text)
	}
}

// FuzzTransformations sees that every text is read or refused with places that are in it.
func FuzzTransformations(f *testing.F) {
	f.Add("transformation a { interval : [0, 1] s; def d(x) : {n=x}; signal s : {n=s}; event-spec e : d(1), {n=e}; }")
	f.Add("transformation a { claim-spec c : true, until true we have that s >= 1, {n=e}; trim : c[0] to c[9]; shift : to-zero; }")
	f.Add("transformation transformation { ; } transformation")
	f.Add("transformation a { signal-spec s : sum(min(a, b), c), {n=e}; signal a : throughput of id per s over 1 s; strategy : augment; }")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParseTransformations("f", text)
		if (len(all) > 0) == (err != nil) {
			t.Fatalf("%d transformations, and the error is %v", len(all), err)
		}
	})
}
