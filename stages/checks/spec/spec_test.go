package spec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestErrors sees that each error is at the mark ✗, which is cut out before reading, and says what is wrong and what to do.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"check a : ✗p", "no definition is called p; write it with def p : FORMULA"},
		{"def start_A(i) : {'id'=i} check a : ✗start_B(1)", "no definition is called start_B; did you mean start_A?"},
		{"signal temp : {'name'='t'} check a : ✗tenp >= 1", "no signal is called tenp; did you mean temp?"},
		{"signal temp : {'name'='t'} check a : ✗temp", "temp is a signal, not a definition; compare it with a number"},
		{"def a(i) : {'id'=i} check c : ✗a", "definition a has 1 parameter, and 0 given; write a(i)"},
		{"def a : {'id'='1'} check c : ✗a(1, 2)", "definition a has 0 parameters, and 2 given; write a"},
		{"check a : finally globally✗", "expected a formula, found the end of the file; write behind globally what must hold"},
		{"check a : not ✗check b : {p=q}", "expected a formula, found \"check\"; write behind not what must hold"},
		{"check a : during ✗[5, 2] ms {p=q}", "the bound [5, 2] ms ends before it starts; exchange its ends"},
		{"check a : during ✗[0, 0) ms {p=q}", "no time lies in the bound [0, 0) ms"},
		{"check a : during ✗(1, 2) ns {p=q}", "no time lies in the bound (1, 2) ns"},
		{"check a : within [1, 2] ✗{p=q}", "expected a unit of time, found \"{\"; write one of ns, us, ms, s, min, hr"},
		{"check a : within 50 ✗{p=q}", "expected a unit of time"},
		{"check a : within [✗-1, 2] s {p=q}", "a bound is negative: -1"},
		{"check a : within ✗[0, 10000000000000] hr {p=q}", "longer than 292 years"},
		{"check ✗: {p=q}", "expected the name of a check, found \":\"; write check NAME : FORMULA"},
		{"check a : {p=q} check ✗a : {p=q}", "check a is there twice; the first is in line 1"},
		{"def a : {p=q} def ✗a : {p=q}", "definition a is there twice"},
		{"signal s : {p=q} signal ✗s : wip of id", "signal s is there twice"},
		{"def a : not ✗a check c : a", "a definition is in terms of itself: a -> a"},
		{"def a : b\ndef b : (c and c)\ndef c : ✗a", "a definition is in terms of itself: a -> b -> c -> a"},
		{"check a : forall (i : ✗5 ... 2) {p=i}", "no value is in this range"},
		{"check a : forall (i : ✗0 ... 9000000) {p=i}", "more than 100000 values"},
		{"check a : forall (i : 0 ... 2) ✗forall (i : 0 ... 2) {p=i}", "parameter i is there twice"},
		{"check a : ({p=q} and {p=q} ✗or {p=q})", `"and" and "or" stand side by side; put parentheses`},
		{"check a : ({p=q} ✗{p=q})", `expected ")"`},
		{"check a : {p=q} ✗{p=q}", "expected def, signal or check"},
		{"check a : {p ✗q}", `expected "="`},
		{"check a : {p=✗}", "expected a text"},
		{"check a : {p=✗'q}", "found a quote that does not end on its line"},
		{"check a : ✗§", `found the character "§"`},
		{"check a : ✗globaly {p=q}", `"globaly" is neither defined nor a word of the language; did you mean globally?`},
		{"check a : ✗Globally if a then b", "did you mean globally?"},
		{"check a : ✗always ({p=q} and {p=r})", "did you mean globally?"},
		{"check a : ✗always (p and q)", "did you mean globally?"},
		{"check a : globally ✗F [0, 5] ms {p=q}", "did you mean finally?"},
		{"def g(x) : {p=x} check a : ✗globaly(1)", "no definition is called globaly; known are g"},
		{"check a : f(✗check b : {p=q}", `expected a text, found "check"`},
		{"check a : {p=q}✗)", "leave it out, or open a parenthesis for it"},
		{"def always : {p=q} check a : always ✗{p=q}", "expected def, signal or check"},
		{"✗Check a : {p=q}", `found "Check"; did you mean check?`},
		{"check a : {p=q} ✗and {p=r}", "put parentheses around all that it joins, as in (A and B)"},
		{"check a : {p=q} ✗-> {p=r}", "write if A then B for A -> B"},
		{"check a : {p=q} ✗=> {p=r}", "write if A then B for A => B"},
		{"check a : ✗!{p=q}", "write not A for !A"},
		{"check a : ({p=q} ✗&& {p=r})", "write (A and B) for A && B"},
		{"✗# a comment\ncheck a : {p=q}", "begin comments with //"},
		{"check a : ✗/* a comment */ {p=q}", "begin comments with //"},
		{"check a : {p ✗== q}", `found "=="; write one =`},
		{"check a : within 5 ✗sec {p=q}", "did you mean s? Units are ns, us, ms, s, min, hr"},
		{"check a : within 5 ✗Seconds {p=q}", "did you mean s?"},
		{"check a : within 5 ✗MS {p=q}", "did you mean ms?"},
		{"check a : within 5 ✗m {p=q}", "did you mean min?"},
		{"check a : within 5 ✗foo {p=q}", "write one of ns, us, ms, s, min, hr"},
		{"signal s : {p=q} check a : s ✗=> 1", "s >= 1 for s => 1"},
		{"signal s : ✗troughput of id", "did you mean throughput?"},
		{"signal s : throughput of ✗signal t : wip of id", `found "signal"; write throughput of id`},
		{"signal s : throughput of id over ✗-1 ms", "the window is negative: -1; write how long"},
		{"def f(x) : {p=x} check a : f(✗check b : {p=q}", `expected a text, found "check"`},
		{"check a : if {p=q} ✗{p=q}", `expected "then"`},
		{"check a : until {p=q} ✗have that {p=q}", `expected "we"`},
		{"signal s : {p=q} check a : s >= ✗t", "expected a number"},
		{"signal s : {p=q} check a : s ✗= 1", "write == for equality"},
		{"signal s : latency of ✗end {p=q}", "expected an attribute, root or message"},
		{"signal s : ✗foo of id", "expected a filter or one of"},
		{"signal s : throughput of id over 10 ✗check", "expected a unit of time"},
		{"check a : " + strings.Repeat("not ", maxDepth) + "✗{p=q}", "nested deeper than"},
	} {
		before, after, marked := strings.Cut(c.text, "✗")
		if !marked {
			t.Fatalf("%s: no mark", c.text)
		}
		_, err := Parse("f.etl", before+after)
		line := 1 + strings.Count(before, "\n")
		at := fmt.Sprintf("f.etl:%d:%d: ", line, len(before)-strings.LastIndex("\n"+before, "\n")+1)
		if err == nil || !strings.Contains(err.Error(), at) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s\ngot  %.300v\nwant %s... %s", c.text, err, at, c.want)
		}
	}
}

// TestAllErrors sees that one reading tells all errors, in the order of the file.
func TestAllErrors(t *testing.T) {
	_, err := Parse("f.etl", "check a : globally\ncheck b : during [2, 1] s {p=q}\ndef start_p : {p=q}\ndef c : start_q\nsignal d : wip of end {p=q}\ncheck e : {p=q}\n")
	_, marked := Parse("f.etl", "\ufeffcheck a : p\r\n\tcheck b :\tq")
	expect.Equal(t, marked.Error(), "f.etl:1:11: no definition is called p; write it with def p : FORMULA\nf.etl:2:12: no definition is called q; write it with def q : FORMULA", "columns behind a byte order mark and tabs")
	expect.Equal(t, err.Error(), `f.etl:2:1: expected a formula, found "check"; write behind globally what must hold, for example {'name'='q'}
f.etl:2:18: the bound [2, 1] s ends before it starts; exchange its ends
f.etl:4:9: no definition is called start_q; did you mean start_p?
f.etl:5:19: expected an attribute, root or message, found "end"; latency and wip are of items; only throughput is also of events`, "errors")
}

// TestSentences sees every operator said in words, and what parameters and definitions stand for.
func TestSentences(t *testing.T) {
	s := expect.Value(Parse("f.etl", `
// Example 9 of the paper.
def start_A(i) : start {'name'='A', 'id'=i}
def end_G(i) : end {name=G, 'id'=i}
signal temp : {'name'='temp' + 'erature'}
check latency : forall (i : 0 ... 199) globally if start_A(i) then within [0.0, 50] ms end_G(i)
check spread : forall (c : values of component in start {'name'='A'}) during (0, inf) s not {'component'=c + '-x'}
check hot : (finally temp >= -1.5 or derivative of temp < 2 or true)
check long : until (temp < 2 or {'name'='p'}) we have that {'name'='q'}
check goal : until not {'name'='p'} within 3 min we have that {'name'='q'}
`))(t)
	var all []string
	for i := range s.Checks {
		all = append(all, s.Sentence(&s.Checks[i]))
	}
	expect.Equal(t, strings.Join(all, "\n"), `latency: for every i from 0 to 199, always if there is a start with name A and id i, then within [0.0, 50] ms from then there is an end with name G and id i.
spread: for every c among the values of component at a start with name A, throughout (0, inf) s from then there is no state with component c-x.
hot: (eventually signal temp is at least -1.5) or the derivative of signal temp is below 2 or anything holds.
long: (signal temp is below 2 or there is a state with name p) holds until there is a state with name q.
goal: there is no state with name p until within 3 min there is a state with name q.`, "sentences")
}

// TestInstances sees values put in, the values that occur, nested foralls, and what is refused.
func TestInstances(t *testing.T) {
	s := expect.Value(Parse("f.etl", `def d(x, y) : {'k'+x=y, z=x}
check a : forall (i : 1 ... 2) forall (c : values of 'n') d(i, c)
check none : forall (c : values of 'absent') d(c, c)`))(t)
	occurring := func(name string, _ *Filter) []string {
		if name == "n" {
			return []string{"u", "v"}
		}
		return nil
	}
	all := expect.Value(s.Instances(&s.Checks[0], occurring))(t)
	var got []string
	for _, one := range all {
		got = append(got, fmt.Sprint(one.Values, one.Formula.Filter.Pairs, " ", one.Formula.Meaning))
	}
	expect.Equal(t, strings.Join(got, "\n"), "[1 u] [{k1 u} {z 1}] d(1, u)\n[1 v] [{k1 v} {z 1}] d(1, v)\n[2 u] [{k2 u} {z 2}] d(2, u)\n[2 v] [{k2 v} {z 2}] d(2, v)", "instances")
	_, err := s.Instances(&s.Checks[1], occurring)
	expect.Refused(t, err, "f.etl:3:14: the run has no value for c", "a forall over nothing")

	var b strings.Builder
	b.WriteString("def d0 : {p=q}\n")
	for i := range 30 {
		fmt.Fprintf(&b, "def d%d : (d%d and d%d)\n", i+1, i, i)
	}
	large := expect.Value(Parse("f.etl", b.String()+"check a : d30"))(t)
	_, err = large.Instances(&large.Checks[0], occurring)
	expect.Refused(t, err, "more than 100000 parts", "definitions that double")
	// Values that double are told apart, and would never end.
	for _, step := range []string{"x+a), d(x+b", "x+x), d(x+x"} {
		b.Reset()
		b.WriteString("def d0(x) : {p=x}\n")
		for i := range 40 {
			fmt.Fprintf(&b, "def d%d(x) : (d%d(%s))\n", i+1, i, strings.ReplaceAll(strings.ReplaceAll(step, "), ", ") and "), "d(", fmt.Sprintf("d%d(", i)))
		}
		doubling := expect.Value(Parse("f.etl", b.String()+"check a : d40(y)"))(t)
		_, err = doubling.Instances(&doubling.Checks[0], occurring)
		expect.Refused(t, err, "more than 100000 parts", "values that double")
	}
	expect.Equal(t, large.Sentence(&large.Checks[0]), "a: a formula of more than 200 parts holds.", "sentence of a large formula")
}

// TestBounds sees what whole nanoseconds lie in a bound, whatever its ends.
func TestBounds(t *testing.T) {
	for text, want := range map[string][2]int64{
		"50 ms": {0, 50e6}, "[1, 2] us": {1000, 2000}, "(1, 2) us": {1001, 1999}, "(0.5, 2.5) ns": {1, 2}, "[0, inf) hr": {0, Unbounded},
		"[0.1, 0.3) min": {6e9, 18e9 - 1}, "[0.25, 0.75] us": {250, 750},
	} {
		s := expect.Value(Parse("f", "check a : within "+text+" {p=q}"))(t)
		f := expect.Value(s.Instances(&s.Checks[0], nil))(t)[0].Formula
		expect.Equal(t, [2]int64{f.Within.FromNs, f.Within.ToNs}, want, "%s", text)
		expect.Equal(t, f.Within.text, text, "as written")
	}
}

// FuzzParse sees that no text makes the parser panic, and that a text is either read or has errors within it.
func FuzzParse(f *testing.F) {
	f.Add("def a(i) : start {'name'='A', 'id'=i}\nsignal s : throughput of id per s over 20.0 ms\ncheck c : forall (i : 0 ... 2) globally if a(i) then until s >= -1.5 within (0, inf) ms we have that not a(3)")
	f.Add("signal m : resource-amount of {'name'='M2'} check r : finally derivative of m == 0 // end")
	f.Add("check x : forall (v : values of 'a'+b in end {c=d}) (true and {e=v} and during 3 min {f=1})")
	f.Add("def a : b def b : a check c : (a or 'x §")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("f", text)
		if err != nil {
			lines := strings.Count(text, "\n") + 1
			for _, p := range err.(Problems) {
				if p.Line < 1 || p.Line > lines || p.Col < 1 || p.Col > len(text)+1 || p.What == "" || p.Do == "" {
					t.Fatalf("%q: %+v", text, p)
				}
			}
			return
		}
		for i := range s.Checks {
			if s.Sentence(&s.Checks[i]) == "" {
				t.Fatal("a check without a sentence")
			}
			if len(s.Checks[i].ranges) == 0 {
				_, _ = s.Instances(&s.Checks[i], nil)
			}
		}
	})
}
