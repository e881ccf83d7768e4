package samplechanges_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/testdata/expect"
)

// The traces of Hilbig 2023, Fig. 3.2; its units are nanoseconds here.
const (
	trace1 = "11 component > f\n12 component > g\n13 component < g\n14 component < f\n"
	trace2 = "81 component > f\n83 component > g\n84 component < g\n85 component < f\n"
	trace3 = "81 component > f\n82 component > h\n84 component < h\n85 component < f\n"
)

// Figures 3.3 and 3.4: the colours of the transitions of the difference automata, with T_L and T_R, by normalisation. RELATIVE shows the delay in Fig. 3.3
// where it is, and none in Fig. 3.4, where it is on a step that only one side takes. STACK-BASED has times of exits alone, and shows it at the exit of f. With
// SERVICE-FRAGMENT ABSOLUTE it is carried on from g to the exit of f, in Fig. 3.4 to where both traces match again. ABSOLUTE shows that all is later.
var figures = []struct {
	name, left, right, normalisation string
	want                             []string
}{
	{"Fig. 3.3, traces 1 and 2", trace1, trace2, schema.NormAbsolute, []string{
		"enter f: purple 11 81", "enter g: purple 12 83", "exit g: purple 13 84", "exit f: purple 14 85",
	}},
	{"Fig. 3.3, traces 1 and 2", trace1, trace2, schema.NormRelative, []string{
		"enter f: black - -", "enter g: purple 1 2", "exit g: black 1 1", "exit f: black 1 1",
	}},
	{"Fig. 3.3, traces 1 and 2", trace1, trace2, schema.NormStackBased, []string{
		"enter f: black - -", "enter g: black - -", "exit g: black 1 1", "exit f: purple 3 4",
	}},
	{"Fig. 3.3, traces 1 and 2", trace1, trace2, schema.NormFragmentAbsolute, []string{
		"enter f: black 0 0", "enter g: purple 1 2", "exit g: purple 2 3", "exit f: purple 3 4",
	}},
	{"Fig. 3.4, traces 1 and 3", trace1, trace3, schema.NormAbsolute, []string{
		"enter f: purple 11 81", "enter g: red 12 -", "enter h: green - 82", "exit g: red 13 -", "exit h: green - 84", "exit f: purple 14 85",
	}},
	{"Fig. 3.4, traces 1 and 3", trace1, trace3, schema.NormRelative, []string{
		"enter f: black - -", "enter g: red 1 -", "enter h: green - 1", "exit g: red 1 -", "exit h: green - 2", "exit f: black 1 1",
	}},
	{"Fig. 3.4, traces 1 and 3", trace1, trace3, schema.NormStackBased, []string{
		"enter f: black - -", "enter g: black - -", "enter h: black - -", "exit g: red 1 -", "exit h: green - 2", "exit f: purple 3 4",
	}},
	{"Fig. 3.4, traces 1 and 3", trace1, trace3, schema.NormFragmentAbsolute, []string{
		"enter f: black 0 0", "enter g: red 1 -", "enter h: green - 1", "exit g: red 2 -", "exit h: green - 3", "exit f: purple 3 4",
	}},
	{"Fig. 3.4 the other way round", trace3, trace1, schema.NormFragmentAbsolute, []string{
		"enter f: black 0 0", "enter g: green - 1", "enter h: red 1 -", "exit g: green - 2", "exit h: red 3 -", "exit f: purple 4 3",
	}},
}

// colour is a verdict as the paper draws it.
func colour(verdict string) string {
	switch verdict {
	case schema.Unchanged:
		return "black"
	case schema.Vanished:
		return "red"
	case schema.Appeared:
		return "green"
	}
	return "purple"
}

func units(ns *int64) string {
	if ns == nil {
		return "-"
	}
	return fmt.Sprint(*ns)
}

func TestDifferenceAutomataOfThePaper(t *testing.T) {
	defer func(before samplechanges.Options) { options = before }(options)
	options.Method, options.Thresholds.Rel = "rel", 1.25 // one sample per side: only the ratio of the sums can show a change
	for _, f := range figures {
		options.Normalisation = f.normalisation
		var got []string
		for _, c := range compare([]*run{learn(t, f.left)}, []*run{learn(t, f.right)}) {
			got = append(got, fmt.Sprintf("%s: %s %s %s", c.Subject, colour(c.Verdict), units(c.MedianBaseNs), units(c.MedianCandNs)))
		}
		slices.Sort(got)
		want := slices.Sorted(slices.Values(f.want))
		expect.Slice(t, got, want, "%s, %s", f.name, f.normalisation)
	}
}

// Right behind a functional change the time since the event before is not the step's own on both sides.
func TestRightBehindAFunctionalChange(t *testing.T) {
	base, slow := side(many(40, ms)), side(many(40, 3*ms))
	slow.Behind = true
	for _, c := range []struct{ awaited, want string }{{"", samplechanges.OtherSteps}, {"d.g", samplechanges.WaitsFor + "d.g"}} {
		expect.Equal(t, samplechanges.NewJudge(options).Compare(step, base, slow, c.awaited).RootCause, c.want, "behind on one side")
		expect.Equal(t, samplechanges.NewJudge(options).Compare(step, slow, base, c.awaited).RootCause, c.want, "behind on the other side")
	}
}
