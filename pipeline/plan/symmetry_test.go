package plan

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// recording is how a run of a small program is written: how many times as long a tick of its clock is, and how many components it has.
type recording struct{ tick, components int }

// noisyRun is a run in which every component calls a function that computes for 2 ms, more or less; in slow runs that of component 3
// takes 40 % longer, and that of component 5 30 % less.
func noisyRun(seed uint64, slow bool, r recording) string {
	var trace strings.Builder
	rng, now := rand.New(rand.NewPCG(seed, 17)), 0
	common := 1 + .05*rng.NormFloat64()
	for range 6 {
		for c := range r.components {
			// Every call draws from a source of its own, so that another component changes nothing for the others.
			own := rand.New(rand.NewPCG(rng.Uint64(), uint64(c)))
			us := 2000 * common * (1 + .02*own.NormFloat64())
			switch {
			case slow && c == 3:
				us *= 1.4
			case slow && c == 5:
				us *= .7
			}
			for _, event := range []struct {
				sign, function string
				us             int
			}{{">", "f", 50}, {">", "g", 100}, {"<", "g", int(us)}, {"<", "f", 100}} {
				now += event.us * r.tick
				fmt.Fprintf(&trace, "%d.%06d c%02d %s %s\n", now/1e6, now%1e6, c, event.sign, event.function)
			}
		}
	}
	return trace.String()
}

// ingestSides ingests four runs of each side, and analyses them as far as a comparison needs it.
func ingestSides(t *testing.T, e *pipeline.Engine, prefix string, r recording) {
	t.Helper()
	var partitions []lake.Partition
	for i := range 8 {
		name := fmt.Sprint(prefix, i)
		ingestText(t, e.Lake, name, noisyRun(uint64(i), i >= 4, r))
		partitions = append(partitions, lake.Run(name))
	}
	expect.Value(e.Run(t.Context(), partitions))(t)
}

// verdictsOf compares four runs with four, and returns what is said of every subject. Subjects of components beyond the ninth are left out.
func verdictsOf(t *testing.T, e *pipeline.Engine, id string, base, cand []string, tick int) map[string]string {
	t.Helper()
	rules := verdicts.Defaults()
	rules.FloorNs *= float64(tick)
	found, _, err := compare.Run(t.Context(), compare.Job{Engine: e, ID: id, Spec: compare.Spec{
		Base: base, Cand: cand, Matching: matching.ByDifference, Verdicts: rules, ByRuns: true,
		Options: samplechanges.Options{Method: sampletests.DYN, Normalisation: schema.NormFragmentAbsolute, Thresholds: sampletests.Defaults()},
	}})
	expect.OK(t, err)
	said := make(map[string]string)
	for _, c := range found.Changes {
		if c.Component < "c09" {
			said[fmt.Sprintf("%s %s %s %s %s", c.Level, c.Component, c.Fragment, c.Subject, c.Metric)] = c.Verdict
		}
	}
	return said
}

// TestSymmetriesOfAComparison compares the same program recorded in other ways: with the sides swapped every verdict turns round, and with
// slower clocks, another order of the runs and components that did not change it stays.
func TestSymmetriesOfAComparison(t *testing.T) {
	stages := slices.DeleteFunc(Stages(Options{Constraints: constraints.Defaults()}), func(s pipeline.Stage) bool {
		return s.Name == "validate" || s.Name == "slack" || s.Name == "components" || s.Name == "compositions"
	})
	e := &pipeline.Engine{Lake: expect.Value(lake.Open(t.TempDir(), true))(t), Jobs: 2, Stages: expect.Value(pipeline.Order(stages, Given...))(t)}
	ingestSides(t, e, "plain", recording{1, 9})
	ingestSides(t, e, "slow", recording{7, 9})
	ingestSides(t, e, "more", recording{1, 11})
	side := func(prefix string, order ...int) (names []string) {
		for _, i := range order {
			names = append(names, fmt.Sprint(prefix, i))
		}
		return names
	}
	want := verdictsOf(t, e, "plain", side("plain", 0, 1, 2, 3), side("plain", 4, 5, 6, 7), 1)
	expect.Equal(t, want["function c03  g "], schema.Regressed, "the function that was made slower")
	expect.Equal(t, want["function c05  g "], schema.Improved, "the function that was made faster")
	turned := maps.Clone(want)
	for subject, verdict := range turned {
		switch verdict {
		case schema.Regressed:
			turned[subject] = schema.Improved
		case schema.Improved:
			turned[subject] = schema.Regressed
		case schema.Later:
			turned[subject] = schema.Sooner
		case schema.Sooner:
			turned[subject] = schema.Later
		}
	}
	for _, c := range []struct {
		name       string
		base, cand []string
		tick       int
		want       map[string]string
	}{
		{"swapped", side("plain", 4, 5, 6, 7), side("plain", 0, 1, 2, 3), 1, turned},
		{"order", side("plain", 2, 0, 3, 1), side("plain", 6, 7, 4, 5), 1, want},
		{"clocks", side("slow", 0, 1, 2, 3), side("slow", 4, 5, 6, 7), 7, want},
		{"components", side("more", 0, 1, 2, 3), side("more", 4, 5, 6, 7), 1, want},
	} {
		got := verdictsOf(t, e, c.name, c.base, c.cand, c.tick)
		expect.Equal(t, len(got), len(c.want), "%s: subjects", c.name)
		for _, subject := range slices.Sorted(maps.Keys(c.want)) {
			expect.Equal(t, got[subject], c.want[subject], "%s: %s", c.name, subject)
		}
	}
}
