package verdict

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// A difference that all functions share is reported where it is shown and of a size that matters, with what to do.
func TestCommon(t *testing.T) {
	inTurns := map[string]schema.Run{
		"b1": {StartNs: 0, DurationNs: 10}, "b2": {StartNs: 40, DurationNs: 10},
		"c1": {StartNs: 20, DurationNs: 10}, "c2": {StartNs: 60, DurationNs: 10},
	}
	oneByOne := map[string]schema.Run{
		"b1": {StartNs: 0, DurationNs: 10}, "b2": {StartNs: 20, DurationNs: 10},
		"c1": {StartNs: 40, DurationNs: 10}, "c2": {StartNs: 60, DurationNs: 10},
	}
	ownClocks := map[string]schema.Run{
		"b1": {StartNs: 0, DurationNs: 10}, "b2": {StartNs: 0, DurationNs: 12},
		"c1": {StartNs: 1, DurationNs: 11}, "c2": {StartNs: 0, DurationNs: 9},
	}
	shown := &Common{Ratio: 1.091, Lo: 1.06, Hi: 1.123, P: .001}
	for _, c := range []struct {
		name   string
		common *Common
		runs   map[string]schema.Run
		want   []string // parts of the text; none where nothing is said
	}{
		{"functions were not compared", nil, inTurns, nil},
		{"not shown", &Common{Ratio: 1.091, Lo: .95, Hi: 1.25, P: .2}, inTurns, nil},
		{"unknown", &Common{Ratio: 1.091, Lo: .95, Hi: 1.25, P: nan()}, inTurns, nil},
		{"too small to matter", &Common{Ratio: 1.012, Lo: 1.01, Hi: 1.014, P: .001}, inTurns, nil},
		{"in turns", shown, inTurns, []string{"All functions alike +9.10 % (95 % interval +6.00 % to +12.3 %)", "sides overlap in time"}},
		{"one side after the other", shown, oneByOne, []string{"All functions alike +9.10 %", "do not overlap in time", "--pair-by"}},
		{"clocks that begin with each run", shown, ownClocks, []string{"All functions alike +9.10 %", "do not say when these were recorded", "--pair-by"}},
	} {
		r := New(sides(2, 2), nil, nil)
		r.Common, r.Runs = c.common, c.runs
		text := r.commonText()
		expect.Equal(t, text == "", c.want == nil, "%s: %q", c.name, text)
		for _, part := range c.want {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q lacks %q", c.name, text, part)
			}
		}
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

// The root execution changed and no function is shown to have: the sentence names the one that carries most of it, and says that it is
// not shown.
func TestCarrier(t *testing.T) {
	carrier := cause(1, schema.Candidate, "f", 480)
	for _, c := range []struct {
		findings []schema.Finding
		want     string
	}{
		{nil, "; no function is shown to have changed by itself"},
		{[]schema.Finding{carrier}, "; most of it is in lib.f, which is not shown to have changed by itself"},
	} {
		changed := root(schema.Regressed, 500)
		if len(c.findings) > 0 {
			changed = withFinding(changed, 1)
		}
		r := New(sides(3, 3), []schema.Change{changed}, c.findings)
		if r.whole != "REGRESSED" || !strings.HasSuffix(r.summary, c.want) {
			t.Errorf("%s: %q, want the end %q", r.whole, r.summary, c.want)
		}
		if got := r.gateEvidence(gateRegressed); len(c.findings) > 0 && got != "the run time of app.main regressed" {
			t.Errorf("the gate says %q of a root execution whose carrier is a candidate", got)
		}
	}
}

// TestTogether says that many functions differ together where a root execution changed, none is shown to have, and they differ without the
// one that differs most.
func TestTogether(t *testing.T) {
	of := func(verdict string, differences ...int64) (all []schema.Contribution) {
		for i, ns := range differences {
			c := schema.Contribution{Component: "lib", Function: string(rune('a' + i)), Verdict: schema.Undetermined, BaseNs: 1000, CandNs: 1000 + ns, DifferenceNs: ns}
			if i == 0 {
				c.Verdict = verdict
			}
			all = append(all, c)
		}
		return all
	}
	const want = "4 functions differ together, by +900 ns without the one that differs most"
	for _, c := range []struct {
		name          string
		root          string
		contributions []schema.Contribution
		want          string
	}{
		{"together", schema.Regressed, of(schema.Undetermined, 300, 400, 200, 400), want},
		{"one has most of it", schema.Regressed, of(schema.Undetermined, 900, 100, 100, 100), ""},
		{"one is shown", schema.Regressed, of(schema.Regressed, 300, 400, 200, 400), ""},
		{"the root is not shown to have changed", schema.Undetermined, of(schema.Undetermined, 300, 400, 200, 400), ""},
	} {
		r := New(sides(3, 3), []schema.Change{root(c.root, 500)}, nil)
		r.account = accountOf(c.contributions, nil)
		if got := r.togetherText(); !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestExchangedText(t *testing.T) {
	r := &Report{}
	for _, c := range []struct {
		exchanges int
		claims    float64
		want      string
	}{
		{0, 0, ""},
		{20, .05, "With runs exchanged between the sides, the same rule claims 0.1 findings (mean of 20 exchanges)."},
		{9, .4, "With runs exchanged between the sides, the same rule claims 0.4 findings (mean of 9 exchanges). These runs differ in ways that the rule does not expect: take single findings with care, and record more runs."},
	} {
		r.Exchanges, r.Claims = c.exchanges, c.claims
		if got := r.exchangedText(); got != c.want {
			t.Errorf("%d exchanges with %g claims: %q, want %q", c.exchanges, c.claims, got, c.want)
		}
	}
}

// What makes all findings doubtful stands above them, in few words; the notes below name the runs.
func TestTakeCare(t *testing.T) {
	r := New(sides(3, 3), nil, nil)
	expect.Equal(t, r.careText(), "", "nothing of the kind")
	r.Exchanges, r.Claims = 20, .1
	expect.Equal(t, r.careText(), "", "few claims")
	r.Claims = 4.2
	expect.Equal(t, r.careText(), "Take care: with runs exchanged between the sides, the same rule claims 4.2 findings; see the notes below.", "many claims")
	r.Claims, r.Strata.Doubts = 0, []string{"runs that differ in the label scenario are pooled"}
	want := "Take care: runs that differ in the label scenario are pooled; see the notes below."
	expect.Equal(t, r.careText(), want, "pooled")
	for _, format := range []string{Text, Markdown} {
		var out strings.Builder
		if err := r.Write(&out, format, 10); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s lacks %q:\n%s", format, want, out.String())
		}
	}
	r.Common = &Common{Ratio: 1.5, Lo: 1.4, Hi: 1.6, P: .001}
	var out strings.Builder
	if err := r.Write(&out, Markdown, 10); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "All functions alike +50.0 %") {
		t.Errorf("Markdown says nothing of what all functions share:\n%s", out.String())
	}
}
