package pages

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/report/automaton"
	"github.com/tracelake/tracelake/stages/report/distribution"
)

// pageWidth is the width of an automaton in pixels: what is longer goes on in the next row.
const pageWidth = 1180

// mostUnfolded is the number of transitions beyond which an automaton is shown folded at first, as analyze automaton draws it.
const mostUnfolded = 60

// fragmentJSON is a fragment of a comparison, or of a run.
type fragmentJSON struct {
	Fragment    string               `json:"fragment"` // in the baseline
	MovedTo     string               `json:"moved_to,omitempty"`
	Subtitle    string               `json:"subtitle"`
	Occurrences [2]int64             `json:"occurrences"` // baseline and candidate, all runs together
	Folded      bool                 `json:"folded"`      // which layout is shown at first
	Whole       *automaton.Positions `json:"whole"`       // null where it is too large to be looked at
	Short       *automaton.Positions `json:"short"`       // with chains folded; null where nothing is
	TooLarge    string               `json:"too_large,omitempty"`
	Steps       []stepJSON           `json:"steps"` // of a comparison; positions are Step - 1 of transitions
}

// stepJSON is a step that runs take: corresponding transitions of their automata.
type stepJSON struct {
	Event     string                       `json:"event"` // such as "exit Curl_poll"
	Function  string                       `json:"function"`
	Peer      string                       `json:"peer,omitempty"`      // at the other end of its message
	Direction string                       `json:"direction,omitempty"` // send or receive
	Rank      int64                        `json:"rank,omitempty"`      // of its row of the table changes; 0: none
	Verdict   string                       `json:"verdict,omitempty"`
	Runs      [2]int                       `json:"runs"`  // that take it, by side
	Times     map[string]*distributionJSON `json:"times"` // by normalisation
}

// distributionJSON is the distribution of the times of a step.
type distributionJSON = distribution.Distribution

// Fragment returns the page of a fragment. Times are the samples of further normalisations, by run as c.Automata.
func Fragment(c *automaton.Comparison, times map[string][]*samples.TimedAutomaton) (any, error) {
	drawn := automaton.OfComparison(c)
	f := &fragmentJSON{Fragment: c.Fragment, MovedTo: c.MovedTo, Subtitle: drawn.Subtitle, Steps: []stepJSON{}}
	for run, t := range c.Automata {
		f.Occurrences[sideOf(c, run)] += t.Occurrences
	}
	if err := f.layOut(drawn); err != nil {
		return nil, err
	}
	for i := range c.Steps {
		f.Steps = append(f.Steps, stepOf(c, i, times))
	}
	return f, nil
}

// layOut makes the layouts of an automaton. One that is too large is said to be, as even its folded picture may be.
func (f *fragmentJSON) layOut(drawn *automaton.Automaton) error {
	f.Folded = len(drawn.Transitions) > mostUnfolded
	whole, err := automaton.Layout(drawn, automaton.Length(pageWidth)*100)
	if err != nil {
		f.TooLarge = err.Error()
	} else {
		f.Whole = whole.Positions()
	}
	folded, err := automaton.Fold(drawn)
	if err != nil {
		return err
	}
	if len(folded.Transitions) == len(drawn.Transitions) {
		f.Folded = false
		return nil
	}
	short, err := automaton.Layout(folded, automaton.Length(pageWidth)*100)
	if err != nil {
		f.TooLarge, f.Folded = err.Error(), false
		return nil
	}
	f.Short = short.Positions()
	return nil
}

// stepOf is a step with the distributions of its times.
func stepOf(c *automaton.Comparison, i int, times map[string][]*samples.TimedAutomaton) stepJSON {
	step := &c.Steps[i]
	s := stepJSON{Times: make(map[string]*distributionJSON)}
	for run, n := range step.Taken {
		if n == matching.None {
			continue
		}
		s.Runs[sideOf(c, run)]++
		if t := &c.Automata[run].Transitions[n]; s.Event == "" {
			s.Event, s.Function, s.Peer, s.Direction = t.Kind+" "+t.Function, t.Function, t.Peer, t.Direction
		}
	}
	isNotable := false
	if row := c.ChangeOf(i); row != nil {
		s.Rank, s.Verdict, isNotable = row.Rank, row.Verdict, isChange(row)
	}
	isEnd := ends(c, step)
	add := func(normalisation string, automata []*samples.TimedAutomaton) {
		reduce := distribution.Brief // of what did not change, the control chart of every run says nothing
		if isNotable || isEnd && normalisation == schema.NormFragmentAbsolute {
			reduce = distribution.Of
		}
		s.Times[normalisation] = distributionOf(c, step, automata, reduce)
	}
	add(c.Normalisation, c.Automata)
	for normalisation, automata := range times {
		if isNotable || isEnd && normalisation == schema.NormFragmentAbsolute || normalisation == schema.NormRelative {
			add(normalisation, automata)
		}
	}
	return s
}

// ends reports whether a step ends the fragment in a run that takes it. Its times since the start of the fragment are run times of it.
func ends(c *automaton.Comparison, step *matching.Step) bool {
	for run, n := range step.Taken {
		if n == matching.None {
			continue
		}
		t := c.Automata[run]
		target := t.Transitions[n].Target
		if slices.ContainsFunc(t.States, func(s schema.State) bool { return s.State == target && s.Accepting }) {
			return true
		}
	}
	return false
}

// distributionOf is the distribution of the times of a step in some normalisation.
func distributionOf(c *automaton.Comparison, step *matching.Step, automata []*samples.TimedAutomaton, reduce func(base, cand []distribution.Run) *distributionJSON) *distributionJSON {
	var sides [2][]distribution.Run
	for run, n := range step.Taken {
		if n != matching.None && int(n) < len(automata[run].SamplesNs) {
			side := sideOf(c, run)
			sides[side] = append(sides[side], distribution.Run{Name: runName(c, run), SamplesNs: automata[run].SamplesNs[n]})
		}
	}
	return reduce(sides[0], sides[1])
}

// sideOf is 0 for a run of the baseline and 1 for one of the candidate.
func sideOf(c *automaton.Comparison, run int) int {
	if run < len(c.Base) {
		return 0
	}
	return 1
}

// runName names a run by its position.
func runName(c *automaton.Comparison, run int) string {
	if run < len(c.Base) {
		return c.Base[run]
	}
	return c.Cand[run-len(c.Base)]
}

// Normalisations are those whose distributions a page has (Hilbig 2023, section 3.2): that which the comparison tested samples of, then the
// time of the step itself, by which runs are compared, then all others, which only steps that changed have.
func Normalisations(compared string) []string {
	all := []string{compared}
	for _, norm := range []string{schema.NormRelative, schema.NormFragmentAbsolute, schema.NormStackBased, schema.NormAbsolute} {
		if norm != compared {
			all = append(all, norm)
		}
	}
	return all
}

// FragmentResource names the resource of a fragment.
func FragmentResource(number int) string { return fmt.Sprintf("fragment/%d", number) }
