package definitions_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/definitions"
	"github.com/tracelake/tracelake/testdata/expect"
)

// whole has every kind of definition and every word.
const whole = `# what matters to us
metric answered = enter client.fetch -> exit server.lookup within 5s   # a comment
metric handover = exit stage.move to lens -> enter "lens.expose all" from st* in order per lifeline

normalisation since-request = since enter client.fetch
detector careful = (ks or mwu) and abs > 0.1ms
thresholds lens_*: margin 10%, floor 50us, abs 2ms, guard 0s, rel 1.5, p 0.01
thresholds "a b" : margin 0.2
`

func TestRead(t *testing.T) {
	s := expect.Value(definitions.Read("own.txt", []byte(whole)))(t)
	expect.Deep(t, s.Metrics, []definitions.Metric{
		{Name: "answered", From: definitions.Event{Kind: schema.Enter, Name: "client.fetch"}, To: definitions.Event{Kind: schema.Exit, Name: "server.lookup"}, WithinNs: 5e9},
		{Name: "handover", From: definitions.Event{Kind: schema.Exit, Name: "stage.move", Direction: schema.Send, Peer: "lens"},
			To: definitions.Event{Kind: schema.Enter, Name: "lens.expose all", Direction: schema.Receive, Peer: "st*"}, InOrder: true, PerLifeline: true},
	}, "metrics")
	expect.Equal(t, s.Normalisation("since-request").Since.Name, "client.fetch", "reference")
	if s.Detector("careful") == nil || s.Detector("other") != nil || s.Normalisation("other") != nil {
		t.Error("a name that is there is not found, or one that is not is")
	}
	// Its JSON, which stands in manifests, says all of it.
	text := expect.Value(json.Marshal(s))(t)
	again := new(definitions.Set)
	expect.OK(t, json.Unmarshal(text, again))
	expect.Equal(t, string(expect.Value(json.Marshal(again))(t)), string(text), "JSON of JSON")
	// So do the texts of thresholds.
	texts := s.ThresholdTexts()
	expect.Slice(t, texts, []string{"lens_*: margin 10%, floor 50us, abs 2ms, guard 0s, rel 1.5, p 0.01", "a b: margin 20%"}, "thresholds")
	of := s.Of("lens_ctrl")
	expect.Equal(t, fmt.Sprint(*of.Margin, *of.FloorNs, *of.AbsNs, *of.GuardNs, *of.Rel, *of.P), "0.1 50000 2000000 0 1.5 0.01", "of a component")
	if of := s.Of("other"); of != (definitions.Thresholds{}) {
		t.Errorf("a component that no line names has %+v", of)
	}
}

// Errors stand at the place where a definition goes wrong (✗, which is cut out before reading), and say what to do.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"✗metrics a = enter a.f -> exit a.f", `"metrics" begins no definition: a line is a metric, a normalisation, a detector, or thresholds; did you mean metric?`},
		{"metric ✗= enter a.f -> exit a.f", "the metric has no name: write metric NAME = ..."},
		{"metric ✗runtime = enter a.f -> exit a.f", "there is a metric runtime already: choose another name"},
		{"metric ✗a/b = enter a.f -> exit a.f", `"a/b" cannot name a metric: use letters, digits, and _ - .`},
		{"metric a ✗enter a.f -> exit a.f", "a = is missing: write metric a = ..."},
		{"metric a = ✗entre a.f -> exit a.f", `"entre": an event is enter COMPONENT.FUNCTION or exit COMPONENT.FUNCTION; did you mean enter?`},
		{"metric a = enter ✗f -> exit a.f", `"f" is no COMPONENT.FUNCTION: the component and the function with a point between`},
		{"metric a = enter a.f✗", "-> and a second event are missing: write metric a = enter A.f -> exit B.g"},
		{"metric a = enter a.f -> exit a.f within ✗5", `"5" is no duration above 0: write within 5s`},
		{"metric a = enter a.f -> exit a.f ✗withn 5s", `"withn": behind the events of a metric may stand within DURATION, per lifeline, in order; did you mean within?`},
		{"metric a = enter a.f to✗", "the component at the other end of the message is missing"},
		{"metric a = enter ✗\"a.f -> exit a.f", "the quote is not closed"},
		{"\n\nmetric a = enter a.f -> exit a.f\nmetric ✗a = enter a.f -> exit a.f", "the metric a is defined in line 3 already"},
		{"normalisation n = ✗enter a.f", `"enter": write normalisation n = since enter COMPONENT.FUNCTION`},
		{"normalisation n = since enter a.f ✗per lifeline", `"per": nothing stands behind the event of a normalisation`},
		{"detector ✗ks = mwu", "there is a detector ks already: choose another name"},
		{"detector d = ks or ✗mw", `"mw" is no test: one of abs, delta, dyn, faster, ks, ks.d, ks.p, mwu, mwu.p, n, rel, shift, slower, typical; did you mean mwu?`},
		{"detector d = ks and ✗(mwu or rel", "this parenthesis is not closed"},
		{"detector d = abs > ✗5", "abs is a time: compare it with a duration, as in abs > 0.1ms"},
		{"detector d = ✗delta", "delta is a number: compare it, as in delta > 0.5"},
		{"detector d = ✗mwu < 0.01", "mwu is a test and no number that can be compared"},
		{"detector d = ks ✗mwu", `"mwu" stands where "and", "or" or the end is expected`},
		{"detector d = ks and✗", "the expression ends where a test is expected"},
		{"thresholds ✗a margin 5%", "write thresholds COMPONENT: margin 10%, floor 50us; * in the component stands for any characters"},
		{"thresholds a:✗", "no threshold: one or several of margin, floor, abs, guard, rel, p, with commas between"},
		{"thresholds a: ✗marign 5%", `"marign" is no threshold: one of margin, floor, abs, guard, rel, p; did you mean margin?`},
		{"thresholds a: margin ✗-5%", `"-5%": margin is a share such as 5% or 0.05`},
		{"thresholds a: margin 5%, floor ✗5", `"5": floor is a duration such as 50us`},
		{"thresholds a: rel ✗0.5", `"0.5": rel is a ratio of 1 or more`},
		{"thresholds a: p ✗1", `"1": p is a level of significance between 0 and 1`},
		{"thresholds a: margin 5%, ✗margin 6%", "margin stands twice"},
		{"thresholds a: margin 5%✗ floor 1us", "thresholds stand with one comma between two of them"},
		{"thresholds a: margin 5%✗,", "thresholds stand with one comma between two of them"},
		{"✗\xff", "the line is no text in UTF-8"},
	} {
		before, after, _ := strings.Cut(c.text, "✗")
		line := 1 + strings.Count(before, "\n")
		want := fmt.Sprintf("own.txt:%d:%d: %s", line, len(before)-strings.LastIndex(before, "\n"), c.want)
		_, err := definitions.Read("own.txt", []byte(before+after))
		if err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", c.text, err, want)
		}
	}
}

// FuzzRead reads any text: it is refused at a place that is there, or what it defines survives its JSON.
func FuzzRead(f *testing.F) {
	for line := range strings.Lines(whole) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := definitions.Read("f", []byte(text))
		if at := (*schema.SyntaxError)(nil); errors.As(err, &at) {
			lines := strings.Split(text, "\n")
			if at.Line < 1 || at.Line > int64(len(lines)) || at.Col < 1 || at.Col > int64(len(lines[at.Line-1]))+1 {
				t.Fatalf("%q: the error is at %d:%d: %v", text, at.Line, at.Col, err)
			}
		}
		if err != nil {
			return
		}
		once := expect.Value(json.Marshal(s))(t)
		again := new(definitions.Set)
		expect.OK(t, json.Unmarshal(once, again))
		expect.Equal(t, string(expect.Value(json.Marshal(again))(t)), string(once), "JSON of JSON")
		s.Of("a")
		s.ThresholdTexts()
	})
}

// A pattern matches what a regular expression with .* for every star does.
func TestMatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	word := func(letters string) (text string) {
		for range rng.IntN(7) {
			text += string(letters[rng.IntN(len(letters))])
		}
		return text
	}
	for range 20_000 {
		pattern, name := word("ab*."), word("ab.")
		of := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$")
		expect.Equal(t, definitions.Matches(pattern, name), of.MatchString(name), "%q of %q", pattern, name)
	}
}

// The samples of a metric are those that its words say, found by looking back from every event that may end one.
func TestSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		m := definitions.Metric{PerLifeline: rng.IntN(2) == 0, InOrder: rng.IntN(2) == 0, WithinNs: []int64{0, 0, 9}[rng.IntN(3)]}
		hits, now := make([]definitions.Hit, rng.IntN(12)), int64(0)
		for i := range hits {
			now += rng.Int64N(6)
			kind := rng.IntN(5)
			hits[i] = definitions.Hit{TimeNs: now, Lifeline: uint32(rng.IntN(2)), From: kind != 0 && kind != 1, To: kind < 2 || kind == 4}
		}
		if got, want := m.Samples(hits), lookedBack(&m, hits); !slices.Equal(got, want) {
			t.Fatalf("%+v of %+v: got %d, want %d", m, hits, got, want)
		}
	}
}

// lookedBack finds the samples by the letter: the event that begins one is free, is not too long ago, is of the same lifeline where
// that is asked, and is the first of these or the last of all.
func lookedBack(m *definitions.Metric, hits []definitions.Hit) (values []int64) {
	used := make([]bool, len(hits))
	for i, end := range hits {
		if !end.To {
			continue
		}
		var free []int // before the end, in order
		for k, h := range hits[:i] {
			if h.From && (!m.PerLifeline || h.Lifeline == end.Lifeline) {
				free = append(free, k)
			}
		}
		if !m.InOrder && len(free) > 0 {
			free = free[len(free)-1:] // the others were begun anew
		}
		for _, k := range free {
			took := end.TimeNs - hits[k].TimeNs
			if used[k] {
				continue
			}
			if m.WithinNs > 0 && took > m.WithinNs {
				continue
			}
			used[k], values = true, append(values, took)
			break
		}
	}
	return values
}
