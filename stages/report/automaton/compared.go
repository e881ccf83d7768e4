package automaton

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// OfRun makes the automaton of a service fragment in one run drawable. Its samples must be times since the event before.
func OfRun(run, fragment string, t *samples.TimedAutomaton) *Automaton {
	drawn := &Automaton{
		Title: fragment, Additive: true,
		Subtitle: fmt.Sprintf("run %s  ·  %s, %s, %s  ·  times since the event before", run, texttab.Plural(t.Occurrences, "occurrence"),
			texttab.Plural(len(t.States), "state"), texttab.Plural(len(t.Transitions), "transition")),
	}
	for _, s := range t.States {
		drawn.States = append(drawn.States, State{Number: s.State, Initial: s.Initial, Accepting: s.Accepting})
	}
	for i := range t.Transitions {
		from := &t.Transitions[i]
		// Label and note say the event; verdicts and the other side stay empty, so that nothing is coloured.
		label, note := eventText(from)
		drawn.Transitions = append(drawn.Transitions, Transition{
			Source: from.Source, Target: from.Target, Label: label, Note: note,
			Base: Times{Count: from.Count, MedianNs: lowerMedian(t.SamplesNs[i]), SamplesNs: t.SamplesNs[i]},
		})
	}
	return drawn
}

// Comparison is a service fragment in a comparison of runs: the automata of all runs, how their transitions are paired,
// and what the comparison found.
type Comparison struct {
	ID            string                    // of the comparison
	Fragment      string                    // its name in the baseline
	MovedTo       string                    // its name in the candidate; empty where it is the same
	Normalisation string                    // that of the samples, which the comparison judged
	Base, Cand    []string                  // names of the runs
	Automata      []*samples.TimedAutomaton // by run, those of Base first; empty where a run lacks the fragment
	Steps         []matching.Step           // over Automata
	Changes       []schema.Change           // those of the fragment's transitions
}

// OfComparison makes the difference automaton of a comparison drawable (Hilbig 2023, section 3.3). Where runs take a step
// between different states, the step is drawn once for each pair of states.
func OfComparison(c *Comparison) *Automaton {
	// The automata of runs name the same state by different numbers: steps, which pair transitions, tell which states are the same one.
	automata := make([]matching.Automaton, len(c.Automata))
	for i, t := range c.Automata {
		automata[i] = matching.Automaton{Fragment: c.Fragment, Transitions: t.Transitions}
	}
	united := matching.Unite(automata, c.Steps)
	drawn := &Automaton{Title: c.Fragment, Compared: true, Additive: c.Normalisation == schema.NormRelative, States: c.states(united)}
	for i := range united.Transitions {
		drawn.Transitions = append(drawn.Transitions, c.transition(&united.Transitions[i]))
	}
	// Where the candidate has the fragment under another name, the title has both.
	if c.MovedTo != "" {
		drawn.Title += " -> " + c.MovedTo
	}
	drawn.Subtitle = fmt.Sprintf("comparison %s: %s against %s  ·  %s, %s  ·  %s", c.ID, runsText(c.Base), runsText(c.Cand),
		texttab.Plural(len(drawn.States), "state"), texttab.Plural(len(drawn.Transitions), "transition"), normalisationText[c.Normalisation])
	return drawn
}

// states are those of the united automaton. A state accepts where that of any run does.
// 1. A state of a run is known by the run and its number there.
func (c *Comparison) states(united *matching.United) (states []State) {
	accepting := make(map[matching.RunState]bool)
	for run, t := range c.Automata {
		for _, s := range t.States {
			accepting[matching.RunState{Run: run, State: s.State}] = s.Accepting
		}
	}
	// 2. A united state is on the side of the runs that have it. The first one is where the fragment begins.
	for number, members := range united.States {
		var runs []int
		for _, s := range members {
			runs = append(runs, s.Run)
		}
		states = append(states, State{
			Number: int64(number), Side: c.sideOf(runs), Initial: number == 0,
			Accepting: slices.ContainsFunc(members, func(s matching.RunState) bool { return accepting[s] }),
		})
	}
	return states
}

// sideOf returns the side that some runs belong to, or Both. Runs are positions in Automata: those of the baseline come first.
func (c *Comparison) sideOf(runs []int) Side {
	base := slices.ContainsFunc(runs, func(r int) bool { return r < len(c.Base) })
	cand := slices.ContainsFunc(runs, func(r int) bool { return r >= len(c.Base) })
	switch {
	case base && !cand:
		return Base
	case cand && !base:
		return Cand
	}
	return Both
}

// transition adds up what the runs of a united transition have of its step. The comparison judged the samples of whole
// steps, so only a transition that has a whole step shows the verdict and the medians on it.
func (c *Comparison) transition(of *matching.UnitedTransition) Transition {
	s := &c.Steps[of.Step]
	t := Transition{Source: of.Source, Target: of.Target, Side: c.sideOf(of.Runs), Step: of.Step + 1}
	// 1. Counts and samples of all runs that take the step between these states.
	for _, run := range of.Runs {
		side := &t.Base
		if run >= len(c.Base) {
			side = &t.Cand
		}
		taken := &c.Automata[run].Transitions[s.Taken[run]]
		if t.Label == "" {
			t.Label, t.Note = eventText(taken)
		}
		side.Count += taken.Count
		side.SamplesNs = append(side.SamplesNs, c.Automata[run].SamplesNs[s.Taken[run]]...)
	}
	// 2. Their medians, unless the comparison judged more than these samples: those of the whole step.
	t.Base.MedianNs, t.Cand.MedianNs = lowerMedian(t.Base.SamplesNs), lowerMedian(t.Cand.SamplesNs)
	change := c.changeOf(s)
	if change == nil || len(of.Runs) < runsTaking(s) {
		return t
	}
	// 3. Of a whole step the medians are those that were judged, which may be times since another event than the samples.
	t.Base.MedianNs, t.Cand.MedianNs = valueOrNone(change.MedianBaseNs), valueOrNone(change.MedianCandNs)
	t.Changed = change.Detected && slices.Contains(timeVerdicts, change.Verdict)
	if t.Changed {
		t.Verdict = strings.ReplaceAll(change.Verdict, "_", " ")
		if change.RootCause != "" {
			t.Verdict += ": " + change.RootCause
		}
		// A step follows where something else than its own time is named as the cause, or where it only begins at another time.
		t.Follows = change.RootCause != "" && change.RootCause != samplechanges.OwnTime || change.Verdict == schema.Later || change.Verdict == schema.Sooner
		// Costs are written at causes alone: those of what follows would be counted twice.
		if change.CostBaseNs != nil && change.CostCandNs != nil && !t.Follows {
			t.PerRun = "per root execution " + texttab.Duration(*change.CostBaseNs) + " → " + texttab.Duration(*change.CostCandNs)
		}
	}
	return t
}

// timeVerdicts are the verdicts on the time of a step that both sides take.
var timeVerdicts = []string{
	schema.Slower, schema.Faster, schema.Changed, schema.Regressed, schema.Improved, schema.ShapeChanged, schema.Candidate, schema.Later, schema.Sooner,
}

// ChangeOf returns the row that the comparison has of a step, given by its position, or nil.
func (c *Comparison) ChangeOf(step int) *schema.Change { return c.changeOf(&c.Steps[step]) }

// changeOf returns the row that the comparison has of a step, or nil. A row names the transition of the first run of each
// side that takes the step. Two steps may have the same numbers in different runs; their numbers of samples differ.
// The numbers of a row and a step are compared by value: both may be missing on a side that does not take the step.
func (c *Comparison) changeOf(s *matching.Step) *schema.Change {
	base, cand := FirstTaken(s.Taken[:len(c.Base)]), FirstTaken(s.Taken[len(c.Base):])
	var samplesBase, samplesCand int64
	for run, n := range s.Taken {
		switch {
		case n == matching.None:
		case run < len(c.Base):
			samplesBase += int64(len(c.Automata[run].SamplesNs[n]))
		default:
			samplesCand += int64(len(c.Automata[run].SamplesNs[n]))
		}
	}
	// The numbers of samples tell steps apart whose first transitions have the same numbers.
	for i := range c.Changes {
		row := &c.Changes[i]
		if SameNumber(row.Transition, base) && SameNumber(row.CandTransition, cand) && row.NBase == samplesBase && row.NCand == samplesCand {
			return row
		}
	}
	return nil
}

// FirstTaken returns the transition of the first run that takes a step, as the tables of a comparison name it; nil where
// none does.
func FirstTaken(taken []int64) *int64 {
	for i := range taken {
		if taken[i] != matching.None {
			return &taken[i]
		}
	}
	return nil
}

// SameNumber reports whether two numbers are equal or both missing.
func SameNumber(a, b *int64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// runsTaking counts the runs that take a step.
func runsTaking(s *matching.Step) (n int) {
	for _, taken := range s.Taken {
		if taken != matching.None {
			n++
		}
	}
	return n
}

// valueOrNone returns a nullable time.
func valueOrNone(ns *int64) int64 {
	if ns == nil {
		return schema.NoValue
	}
	return *ns
}

// lowerMedian returns the lower of the middle samples, since tables hold whole nanoseconds; NoValue where there is none.
func lowerMedian(ns []int64) int64 {
	if len(ns) == 0 {
		return schema.NoValue
	}
	// Position (n-1)/2 of n sorted samples is the middle one or, of an even number, the lower of both.
	sorted := slices.Sorted(slices.Values(ns))
	return sorted[(len(sorted)-1)/2]
}

// eventText returns the event of a transition in words, and with whom it communicates.
func eventText(t *schema.Transition) (label, note string) {
	switch t.Direction {
	case schema.DirectionWords[schema.Send]:
		note = "sends to " + t.Peer
	case schema.DirectionWords[schema.Receive]:
		note = "receives from " + t.Peer
	}
	return t.Kind + " " + t.Function, note
}

// normalisationText says since when the times of a normalisation count.
var normalisationText = map[string]string{
	schema.NormAbsolute: "absolute times", schema.NormRelative: "times since the event before",
	schema.NormStackBased: "times since the enter of the call", schema.NormFragmentAbsolute: "times since the start of the fragment",
}

// runsText names one run, or how many there are.
func runsText(runs []string) string {
	if len(runs) == 1 {
		return "run " + runs[0]
	}
	return fmt.Sprintf("%d runs (%s ... %s)", len(runs), runs[0], runs[len(runs)-1])
}
