package checks

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestConditions checks that breaches of one name are summed up and keep the first event, whatever the order of the rows.
func TestConditions(t *testing.T) {
	at := int64(1500)
	c := NewConditions("r", 500, []schema.Violation{
		{Condition: 2, Name: "b", Meaning: "means b", Count: 2, FirstSeq: 9, Component: "x", Function: "late"},
		{Condition: 2, Name: "a", Meaning: "means a", Count: 1, FirstSeq: 4, Component: "x"},
		{Condition: 2, Name: "b", Meaning: "means b", Count: 3, FirstSeq: 7, FirstNs: &at, Lifeline: "l", Function: "early"},
	})
	if c.Holds || c.Conditions[1].Violations != 6 || c.Conditions[0].Violations != 0 {
		t.Errorf("%+v", c)
	}
	var out strings.Builder
	expect.OK(t, c.WriteText(&out))
	for _, part := range []string{
		"run r: 1 of 6 conditions are violated\n", "  1  a      event 4, on x\n", "  5  b      event 7 at 1.00 us on l.early\n", "\na  means a\nb  means b\n",
	} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not in\n%s", part, out.String())
		}
	}
	if all := NewConditions("r", 0, nil); !all.Holds || all.sentence() != "all conditions hold" {
		t.Errorf("%+v", all)
	}
}

// TestAssertions checks the lines of what does not hold, and the sum.
func TestAssertions(t *testing.T) {
	step, seq, ns := int64(3), int64(8), int64(2500)
	all := []Assertion{
		{Name: "c0", Word: "Precedes", At: "f:1:2", Outcome: Holds},
		{Name: "c1", Word: "Precedes", At: "f:2:2", Outcome: Violated, Step: &step, Reason: "too early"},
		{Name: "messages", Outcome: Violated, Seq: &seq, TimeNs: &ns, Reason: "too late"},
		{Name: "c2", Word: "Union", At: "f:3:2", Outcome: Unchecked, Reason: "no clock"},
	}
	var out strings.Builder
	expect.OK(t, WriteAssertions(&out, all, 500))
	want := "violated: c1 [Precedes] at f:2:2, step 3: too early\nviolated: messages, event 8 at 2 us: too late\n" +
		"unchecked: c2 [Union] at f:3:2: no clock\n4 constraints: 1 hold, 2 violated, 1 unchecked\n"
	expect.Equal(t, out.String(), want, "assertions")
	if !AnyViolated(all) || AnyViolated(all[3:]) {
		t.Error("a violated constraint is overlooked, or an unchecked one counts")
	}
}

// TestInterval checks intervals with and without ends.
func TestInterval(t *testing.T) {
	low, high := int64(-5), int64(1234)
	for want, got := range map[string]string{
		"any": interval(nil, nil, nanoseconds), "up to 1,234 ns": interval(nil, &high, nanoseconds),
		"from -5 ns": interval(&low, nil, nanoseconds), "-5 ns to 1,234 ns": interval(&low, &high, nanoseconds),
	} {
		expect.Equal(t, got, want, "interval")
	}
}
