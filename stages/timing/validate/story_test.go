package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
)

// TestStories plays charts: events as SEQ TIME LIFELINE >|<|. FUNCTION [!ID|?ID], their constraints derived, then edits
// of the constraints: "drop TARGET SOURCE", "add TARGET SOURCE component|message COMPONENT DURATION SLACK|null".
func TestStories(t *testing.T) {
	storytest.Play(t, -1, func(t *testing.T, files []txtar.File, _ string) string {
		c := parse(t, files)
		return render(c.check(1 << 20))
	})
}

// parse makes the chart of the given files: events, whose constraints are derived, and edits of these.
func parse(t *testing.T, files []txtar.File) (c chart) {
	t.Helper()
	for _, f := range files {
		for line := range strings.Lines(string(f.Data)) {
			if f.Name == "events" {
				c.events = append(c.events, parseEvent(t, line))
			} else {
				c.edit(t, line)
			}
		}
		if f.Name == "events" {
			c.derive()
		}
	}
	return c
}

func parseEvent(t *testing.T, line string) (e event) {
	t.Helper()
	var sign string
	if n, err := fmt.Sscan(line, &e.seq, &e.timeNs, &e.lifeline, &sign, &e.function, &e.message); n < 5 {
		t.Fatalf("%q: %v", line, err)
	}
	e.kind = schema.Kind(strings.Index("><.", sign))
	return e
}

func (c *chart) edit(t *testing.T, line string) {
	t.Helper()
	var verb, kind, slack string
	var x constraint
	_, err := fmt.Sscan(line, &verb, &x.target, &x.source)
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	at := slices.IndexFunc(c.constraints, func(y constraint) bool { return y.target == x.target && y.source == x.source })
	if verb == "drop" {
		c.constraints = slices.Delete(c.constraints, at, at+1)
		return
	}
	if _, err := fmt.Sscan(line, &verb, &x.target, &x.source, &kind, &x.component, &x.durationNs, &slack); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	x.kind, x.slackNs = schema.ConstraintKind(slices.Index(schema.ConstraintKindWords, kind)), schema.NoValue
	if slack != "null" {
		fmt.Sscan(slack, &x.slackNs)
	}
	after := slices.IndexFunc(c.constraints, func(y constraint) bool { return y.target > x.target })
	if after < 0 {
		after = len(c.constraints)
	}
	c.constraints = slices.Insert(c.constraints, after, x)
}
