package tmsct

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// TestFaults has a fault at every ✗, which is cut out, and says what was expected there. Good events stand
// around it.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1 A ✗- f", `a component, '>' or '<' after the executor, found "-"`},
		{"1 A B ✗f", `'>' or '<' after the component, found "f"`},
		{"1 A > ✗", "a function after '>' or '<', found "},
		{"1 A > f ! ✗(2)", `a name after '!', found "("`},
		{"1 A > f ? ✗2", `a name after '?', found "2"`},
		{"1 A > f !request ✗", "a name after '!', found "},
		{"1 A > f !m(✗)", `a property, found ")"`},
		{"1 A > f !m(time-bound: ✗x)", "a number of seconds"},
		{"1 A > f !m(time-bound: 1 ✗2)", "',' or ')'"},
		{"1 A > f !m(scheduled: ✗maybe)", "true or false"},
		{"1 A > f !m(1) !✗m(2)", "a name that no event above sends"},
		{"1 A > f ?m ?✗m", "a name that no event above receives"},
		{"1 A > f {a: ✗}", "a string, a number, true, false or a list"},
		{"1 A > f {a: [1, 2✗}", "',' or ']' in the list"},
		{"1 A > f(x ✗1)", "':' after the parameter"},
		{"1 A > ✗\"f", "a quotation mark at the end of this string"},
		{`1 A > ✗"f\x"`, `'\' followed by`},
		{"1 A > ✗\"\"", "a function after"},
		{"1 A > ✗\"a\tb\"", "a name in UTF-8 without control characters"},
		{"✗}", "a declaration, settings or an event"},
		{"+✗1e+99 A > f", "a time bound within 64 bits of nanoseconds"},
		{"✗2021-13-16T14:00:00Z A > f", "a month from 01 to 12"},
		{"✗/* never closed", "'*/' at the end of this comment"},
		{"request ✗{}", "settings after request"},
		{"tmsc ✗A > f", "settings or analyses after tmsc"},
		{"tmsc settings { architecture: ✗other }", "internal or external"},
		{"tmsc analyses { ✗x }", "time-bound-analysis"},
		{"component \"C\" ✗{}", "'as' and an identifier after a description"},
		{"component C as ✗\"D\"", "an identifier after 'as'"},
		{"component C provides ✗3", "an interface"},
		{"ipc-client ✗component C", "function"},
		{"function f(✗x)", "in, out, inout or return before a parameter"},
		{"function f implements I.✗3", "an identifier after '.'"},
		{"untraced ✗component C", "host or executor"},
		{"host H { untraced ✗x: 1 }", "executor after untraced"},
		{"executor E { executor ✗F }", "':' after the property"},
		{"executor Z executor ✗Z", "an identifier that is not declared above"},
		{"request settings {} request ✗settings {}", "no second settings of request"},
		{"1 A > f {a: " + strings.Repeat("[", 100) + "✗[", "a string, a number, true, false or a list"},
		{"1 " + strings.Repeat("a.", 2048) + "a✗.a > f", "a name of at most 4096 bytes"},
		{"✗^ A", "an identifier after '^'"},
	} {
		at := strings.Index(c.text, "✗")
		text := "0 A > e\n" + strings.Replace(c.text, "✗", "", 1) + "\n3 A < e\n"
		if strings.HasPrefix(c.text[at:], "✗^") || strings.HasPrefix(c.text, "+✗") {
			at = 0 // the fault is the token
		}
		var b schema.Block
		p := Format().NewParser()
		p.Parse([]byte(text), &b)
		if b.Bad.Count == 0 {
			t.Errorf("%q: no fault", c.text)
			continue
		}
		got := b.Bad.First.Error()
		place := fmt.Sprintf(":1:%d: ", at+1)
		if strings.HasSuffix(c.text, "✗") { // it shows in the next line
			place = ":2:1: "
		}
		if !strings.HasPrefix(got, place) || !strings.Contains(got, c.want) {
			t.Errorf("%.60q: %s, want %s...%s", c.text, got, place, c.want)
		}
		if len(b.Key) < 2 {
			t.Errorf("%q: reading did not go on: %s", c.text, listing(&b, p))
		}
	}
}

// TestPlaces sees that lines are counted in comments and strings.
func TestPlaces(t *testing.T) {
	for text, line := range map[string]int64{"/* a\n\n b */ }": 2, "// a\n}": 1, "1 A > f {p: \"a\nb\"}\n}": 2, "\r\n\r\n}": 2} {
		var b schema.Block
		read(text, &b)
		if b.Bad.Count != 1 || b.Bad.First.Line != line || b.Bad.First.Col != int64(len(text)-strings.LastIndexByte(text, '\n')-1) {
			t.Errorf("%q: %d faults, the first is %v; want line %d", text, b.Bad.Count, &b.Bad.First, line)
		}
	}
}

// TestRecovery sees which statements are left out, and that nothing of them stays.
func TestRecovery(t *testing.T) {
	for _, c := range []struct {
		text     string
		bad      int64
		overflow int64
		want     string
	}{
		{"1 A >\n2 A > f\n3 A < f\n", 1, 0, "2.000000000 A | A > f\n3.000000000 A | A < f\n"},
		{"1 A > f !m !\n2 A > g !m\n", 1, 0, "2.000000000 A | A > g !m m {message: type message}\n"},
		{"1 A > f ?m ?m\n2 A > g ?m\n", 1, 0, "2.000000000 A | A > g ?m m\n"},
		{"1 A > f !m\n2 A > g !m\n3 A > h", 1, 0, "1.000000000 A | A > f !m m {message: type message}\n3.000000000 A | A > h\n"},
		{"1e+99 A > f !m\n2 A > g !m\n", 0, 1, "2.000000000 A | A > g !m m {message: type message}\n"},
		{"component \"X\" as A {\n  a: ,\n  b: 1\n}\n1 A A > f\n", 3, 0, "1.000000000 A | A > f\n"},
	} {
		var b schema.Block
		p := Format().NewParser()
		p.Parse([]byte(c.text), &b)
		if got := listing(&b, p); got != c.want || b.Bad.Count != c.bad || b.Overflow.Count != c.overflow {
			t.Errorf("%q: %d bad, %d overflow\n%swant %d, %d\n%s", c.text, b.Bad.Count, b.Overflow.Count, got, c.bad, c.overflow, c.want)
		}
	}
}
