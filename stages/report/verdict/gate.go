package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Gate says when a comparison fails.
type Gate struct {
	Words    []string // as ParseGate returns them; none: the comparison never fails
	ExitCode int      // the exit code of a comparison that fails; others have 0
}

// The words of a gate. For runs compared with runs, metrics and messages do not count, because they follow from steps.
//
//	regressed     a finding regressed or made what contains it regress; or a fragment, a part of critical paths, or the
//	              own time of a step regressed and no finding explains it
//	improved      the same for improved
//	changed       regressed, improved, or a finding, step or fragment that appeared, vanished or moved, or whose number
//	              or distribution changed, a function that fails more or less often, or a lifetime that is longer or shorter
//	errors        a function fails in a greater share of its calls
//	undetermined  the run time of an initial fragment is undetermined
//	candidate     a finding or a change is a candidate
const (
	gateRegressed    = "regressed"
	gateImproved     = "improved"
	gateChanged      = "changed"
	gateErrors       = "errors"
	gateUndetermined = "undetermined"
	gateCandidate    = "candidate"
)

var gateWords = []string{gateRegressed, gateImproved, gateChanged, gateErrors, gateUndetermined, gateCandidate}

// GateVerdicts returns the verdicts that a word of a gate means for a method, and whether the method knows the word.
// The word undetermined means no verdict of any subject, but only that of run times of initial fragments.
func GateVerdicts(word, method string) (verdicts []string, known bool) {
	// Runs compared with runs know all words; two of them mean no verdict of a subject.
	if method == MethodRuns {
		switch word {
		case gateRegressed:
			return []string{schema.Regressed}, true
		case gateImproved:
			return []string{schema.Improved}, true
		case gateCandidate:
			return []string{schema.Candidate}, true
		case gateChanged:
			return []string{
				schema.Regressed, schema.Improved, schema.Appeared, schema.Vanished, schema.Moved, schema.CountChanged, schema.ShapeChanged, schema.MovedCost,
			}, true
		}
		return nil, word == gateUndetermined || word == gateErrors
	}
	// A test on pooled samples has three words, and verdicts of its own.
	switch word {
	case gateRegressed:
		return []string{schema.Slower}, true
	case gateImproved:
		return []string{schema.Faster}, true
	case gateChanged:
		return []string{schema.Slower, schema.Faster, schema.Changed, schema.Appeared, schema.Vanished, schema.Moved}, true
	}
	return nil, false
}

// ParseGate splits a list of words with commas between them and checks that the method gives such verdicts. An empty list
// is no gate. Errors name the words, but not the flag that a caller reads the list from.
func ParseGate(list, method string) ([]string, error) {
	if list == "" {
		return nil, nil
	}
	// Each word is checked by itself, so that the error names the one that is wrong.
	words := strings.Split(list, ",")
	for i, word := range words {
		words[i] = strings.TrimSpace(word)
		if !slices.Contains(gateWords, words[i]) {
			return nil, fmt.Errorf("%q is none of %s; separate several with commas", word, strings.Join(gateWords, ", "))
		}
		if _, known := GateVerdicts(words[i], method); !known {
			return nil, fmt.Errorf("only method %s gives the verdict %s", MethodRuns, words[i])
		}
	}
	return words, nil
}

// gateHit is a word of the gate that something meets.
type gateHit struct {
	Word    string `json:"word"`
	Because string `json:"because"` // what meets the word, in words
}

// gateHits returns the words of the gate that something meets, in their order. The first is the one that the exit line
// explains.
func (r *Report) gateHits() (hits []gateHit) {
	for _, word := range r.Gate.Words {
		if because := r.gateEvidence(word); because != "" {
			hits = append(hits, gateHit{word, because})
		}
	}
	return hits
}

// gateEvidence says what meets a word of the gate; "" is nothing.
func (r *Report) gateEvidence(word string) string {
	// 1. Errors are a family of their own: shares of calls, not times.
	switch word {
	case gateErrors:
		return r.failing(schema.FailsMore)
	case gateCandidate:
		if because := r.failing(schema.Candidate); because != "" {
			return because
		}
	case gateChanged:
		if because := cmp.Or(r.failing(schema.FailsMore), r.failing(schema.FailsLess)); because != "" {
			return because
		}
	}
	// 2. Findings and changes, in the order in which the word means verdicts.
	verdicts, _ := GateVerdicts(word, MethodRuns)
	for _, verdict := range verdicts {
		if because := r.evidence(verdict, Words(verdict)); because != "" {
			return because
		}
	}
	// A root execution is a question of its own: it meets the gate where what carries its difference is a candidate only.
	for i := range r.roots {
		if slices.Contains(verdicts, r.roots[i].Verdict) && (r.roots[i].Verdict == schema.Regressed || r.roots[i].Verdict == schema.Improved) {
			return "the run time of " + r.roots[i].Fragment + " " + Words(r.roots[i].Verdict)
		}
	}
	for i := range r.roots {
		if word == gateUndetermined && r.roots[i].Verdict == schema.Undetermined {
			return "the run time of " + r.roots[i].Fragment + " is undetermined"
		}
	}
	if word == gateChanged {
		return r.lifetimesChanged()
	}
	return ""
}

// evidence names the first finding that has a verdict or gives it to what contains it, else the first change that no
// finding explains, and counts the others. words say the verdict in the sentence. "" is no evidence.
//
//	finding 1, lib.f, regressed, and 2 more
//	a step regressed: exit f in lib.work from app
func (r *Report) evidence(verdict, words string) string {
	// A finding may meet the word by what it does to its caller; then both verdicts are said.
	if causes := r.causesOf(verdict); len(causes) > 0 {
		f := &causes[0]
		if f.Verdict != verdict {
			words = Words(f.Verdict) + ", and what contains it " + words
		}
		return fmt.Sprintf("finding %d, %s, %s", f.Finding, place(f), words) + andMore(len(causes)-1)
	}
	var first *schema.Change
	n := 0
	for i := range r.changes {
		if r.isUnexplained(&r.changes[i], verdict) {
			if n++; first == nil {
				first = &r.changes[i]
			}
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s: %s", levelNouns[first.Level], words, subjectText(first)) + andMore(n-1)
}

// andMore counts those that a sentence does not name.
func andMore(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", and %s more", texttab.Count(n))
}

// meansFailure reports whether the gate means a verdict. Only cases of JUnit ask: the gate itself also weighs causes.
// JUnit has to fail something, so without a gate it fails what regressed.
func (r *Report) meansFailure(verdict string) bool {
	// JUnit's cases have verdicts of single subjects, so a word means those that GateVerdicts lists.
	words := r.Gate.Words
	if len(words) == 0 {
		words = []string{gateRegressed}
	}
	return slices.ContainsFunc(words, func(word string) bool {
		verdicts, _ := GateVerdicts(word, MethodRuns)
		return slices.Contains(verdicts, verdict)
	})
}

// ExitLine says with which exit code a command ends and why; "" if there is no gate. Without enough runs, a gate that
// finds nothing must say that it could not: a release engineer would take silence for a pass.
//
//	exit code 3: --fail-on regressed: finding 1, lib.f, regressed, and 2 more
//	exit code 0: --fail-on regressed: a verdict needs three runs per side
func (r *Report) ExitLine() string {
	words := strings.Join(r.Gate.Words, ",")
	switch {
	case words == "":
		return ""
	case len(r.hits) > 0:
		return fmt.Sprintf("exit code %d: --fail-on %s: %s", r.Gate.ExitCode, r.hits[0].Word, r.hits[0].Because)
	case !r.enough && words != gateCandidate:
		return fmt.Sprintf("exit code 0: --fail-on %s: a verdict needs three runs per side", words)
	}
	return fmt.Sprintf("exit code 0: --fail-on %s: nothing found", words)
}
