package tmsct

import (
	"strings"
	"testing"
)

// shows reads a text and sees that its listing has each of the lines.
func shows(t *testing.T, text string, want ...string) {
	t.Helper()
	got := listing(good(t, text))
	for _, w := range want {
		if !strings.Contains("\n"+got, "\n"+w+"\n") {
			t.Errorf("%s\nhas no line %s:\n%s", text, w, got)
		}
	}
}

// TestNames sees that what the text tells apart stays apart.
func TestNames(t *testing.T) {
	shows(t, "executor \"E\" as a component \"C\" as c function \"F\" as f a c > f", "0.000000000 E | C > F")
	shows(t, "component \"C\" as c component \"C\" as d 1 a c > f 2 a d > f", "1.000000000 a | c > f", "2.000000000 a | d > f")
	shows(t, "component \"d\" as c component d 1 a c > f 2 a d > f", "1.000000000 a | c > f", "2.000000000 a | d > f")
	shows(t, "executor \"C\" as a component \"C\" as c 1 a > f 2 a c > f", "1.000000000 C | a > f", "2.000000000 C | c > f")
	shows(t, "component \"c\" as c 1 a c > f 2 a > f", "1.000000000 a | c > f", "2.000000000 a | a > f")
	shows(t, "host H { executor \"S\" as x executor y } 1 H.x > f 2 H.y > f 3 'H.y' > g 4 ^executor > f", "1.000000000 S | S > f", "2.000000000 H.y | H.y > f",
		"3.000000000 H.y | H.y > g", "4.000000000 executor | executor > f")
	shows(t, `1 a > "f \"g\" \\ ö" ?"12" !"a b7"`, `1.000000000 a | a > f "g" \ ö ?12  12`, `1.000000000 a | a = f "g" \ ö !a b a b 7 {message: type message}`)
	shows(t, "function f {execType: sync} 1 a > f ! RQB01 ?x", "1.000000000 a | a > f (sync) !RQB RQB0 1 {message: type message}", "1.000000000 a | a = f (sync) ?x x")
}

// TestInheritance gives a bound at every place that has one, the nearest last, and sees that the nearest counts.
func TestInheritance(t *testing.T) {
	text := "host H { %4 executor e { %5 } } component c { %6 } function f { %7 }\ntmsc settings { %2 } lifeline-segment settings { %3 }\n" +
		"H.e c > f !lifeline-segment s(x: 1%9)\nH.e c > g ?s { %8 }\n"
	for n := '2'; n <= '9'; n++ {
		full := text
		for k := '2'; k <= '9'; k++ {
			setting := ""
			if k <= n {
				setting = map[bool]string{true: ", "}[k == '9'] + "time-bound: " + string(k)
			}
			full = strings.Replace(full, "%"+string(k), setting, 1)
		}
		shows(t, full, string(n)+".000000000 H.e | c > g {segment: bound_ns "+string(n)+"000000000} {segment: x 1}")
	}
}

// TestActive sees which execution counts in a segment: the innermost, one that began before the trace, or none.
func TestActive(t *testing.T) {
	const bounds = "function f { time-bound: 1 } function g { time-bound: 2 } function h { time-bound: 4 }\n"
	shows(t, bounds+"a > f a > g a < g a < f a > f",
		"1.000000000 a | a > g {segment: bound_ns 1000000000}", "3.000000000 a | a < g {segment: bound_ns 2000000000}",
		"4.000000000 a | a < f {segment: bound_ns 1000000000}", "4.000000000 a | a > f")
	shows(t, bounds+"a > g a < h a < f a > g", "0.000000000 a | a > g", "2.000000000 a | a < h {segment: bound_ns 2000000000}",
		"3.000000000 a | a < f {segment: bound_ns 1000000000}", "3.000000000 a | a > g")
	shows(t, bounds+"a > g a < g a < h a > g a < g a < f", "2.000000000 a | a < g {segment: bound_ns 2000000000}",
		"6.000000000 a | a < h {segment: bound_ns 4000000000}", "7.000000000 a | a > g {segment: bound_ns 1000000000}")
	shows(t, bounds+"a > g a < g a > g a < g a < h a > g",
		"2.000000000 a | a < g {segment: bound_ns 2000000000}", "6.000000000 a | a > g {segment: bound_ns 4000000000}",
		"12.000000000 a | a < h {segment: bound_ns 4000000000}", "12.000000000 a | a > g")
}

// TestTypes sees how types are found, and what they bring with them.
func TestTypes(t *testing.T) {
	const settings = "request settings {prefix: R time-bound: 1 scheduled: false} reply settings {prefix: RP} message-control settings {prefix: \"C\"} tmsc settings {time-bound: 7}\n"
	shows(t, settings+"1 a > f !R1 !RP1(request: R1) !C1(message: R1, scheduled: true) !domain-dependency R2 !x\n",
		"1.000000000 a | a > f !R R 1 {message: type request} {message: bound_ns 1000000000} {message: scheduled false}",
		"1.000000000 a | a = f !RP RP 1 {message: type reply} {message: bound_ns 7000000000} {message: request R1}",
		"1.000000000 a | a = f !C C 1 {message: type message-control} {message: bound_ns 7000000000} {message: scheduled true} {message: controls R1}",
		"1.000000000 a | a = f !R R 2 {message: type domain-dependency} {message: bound_ns 7000000000}",
		"1.000000000 a | a = f !x x {message: type message} {message: bound_ns 7000000000}")
}

// TestPrefixes sees that the longest prefix counts, whatever the order of the types.
func TestPrefixes(t *testing.T) {
	shows(t, "message settings {prefix: RQX} request settings {prefix: RQ} reply settings {prefix: R} 1 a > f !RQX !RQ !R !x", "1.000000000 a | a > f !RQX RQX {message: type message}",
		"1.000000000 a | a = f !RQ RQ {message: type request}", "1.000000000 a | a = f !R R {message: type reply}", "1.000000000 a | a = f !x x {message: type message}")
}

// TestChartSettings sees that settings of the chart add to each other, and which of two properties counts.
func TestChartSettings(t *testing.T) {
	shows(t, "tmsc settings {time-bound: 3 p: 1} a > f a < f tmsc settings {scheduled: true p: 2}", "{trace: p 1}",
		"3.000000000 a | a < f {segment: bound_ns 3000000000} {segment: scheduled true}")
	if got := listing(good(t, "tmsc settings {p: 1 p: 2} tmsc analyses {time-bound-analysis} 1 a > f")); got != "{trace: defaultTimeBound 0}\n{trace: p 1}\n1.000000000 a | a > f\n" {
		t.Error(got)
	}
}

// TestSegments sees that a dependency of that type is no message between neighbours, and one elsewhere.
func TestSegments(t *testing.T) {
	shows(t, "a > f !lifeline-segment s(2, p: q)\na < f ?s", "0.000000000 a | a > f", "2.000000000 a | a < f {segment: bound_ns 2000000000} {segment: p q}")
	shows(t, "a > f !lifeline-segment s(2)\na > g\na < g ?s", "0.000000000 a | a > f !s s {message: type lifeline-segment} {message: bound_ns 2000000000}",
		"2.000000000 a | a < g ?s s")
	shows(t, "a > f !lifeline-segment s(2) !lifeline-segment u(3)\na < f ?s ?u", "0.000000000 a | a > f !u u {message: type lifeline-segment} {message: bound_ns 3000000000}",
		"3.000000000 a | a < f ?u u {segment: bound_ns 2000000000}")
}
