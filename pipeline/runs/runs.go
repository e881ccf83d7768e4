// Package runs reads what commands need of single runs of a lake: which runs there are and which of them selectors and
// baselines name, the timed automaton of a service fragment, and the executions and messages within a window of time.
//
// Nothing here is computed: rows go to the stages and reports as the lake holds them. Whatever a name on the command
// line asks for in vain is a NameError, so that the caller can tell wrong usage from a damaged lake.
package runs

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// NameError says that the lake has nothing of a name that the user gave, and where possible which names it has.
type NameError struct{ message string }

// Error implements error.
func (e *NameError) Error() string { return e.message }

// nameErrorf returns a *NameError, which commands report as wrong usage.
func nameErrorf(format string, args ...any) error {
	return &NameError{fmt.Sprintf(format, args...)}
}

// Names returns the names of all runs in ascending order. It lists a folder and opens nothing.
func Names(l *lake.Lake) ([]string, error) {
	partitions, err := l.Partitions("run")
	names := make([]string, len(partitions))
	for i, p := range partitions {
		names[i] = p.Name
	}
	return names, err
}

// Described returns the descriptions of runs by their names. It reads two small files for every run, so commands on a few
// runs of a large lake ask for these only. A run that is dropped meanwhile is left out.
func Described(l *lake.Lake, names []string) (map[string]schema.Run, error) {
	described := make(map[string]schema.Run)
	for _, name := range names {
		// The table has exactly one row in a partition.
		rows, err := lake.Read[schema.Run](l, "runs", lake.Run(name))
		if errors.As(err, new(lake.UnknownRunError)) {
			continue
		}
		if err != nil {
			return nil, err
		}
		described[name] = rows[0]
	}
	return described, nil
}

// Named returns the description of the run with a name. Unlike Select it takes neither labels nor baselines.
// An unknown name is a NameError that lists some of the names that exist.
func Named(l *lake.Lake, name string) (schema.Run, error) {
	described, err := Described(l, []string{name})
	if err != nil {
		return schema.Run{}, err
	}
	run, found := described[name]
	if !found {
		names, err := Names(l)
		if err != nil {
			return run, err
		}
		return run, nameErrorf("no run is named %s; the lake has %s", name, FirstNames(names))
	}
	return run, nil
}

// Analyzed returns the name of the one run that a selector means, and checks that the run has its timing constraints.
// Questions about one run need them, so a run without them is a *lake.NotAnalyzedError. A selector of several runs is a
// NameError.
func Analyzed(l *lake.Lake, selector string) (string, error) {
	names, err := Select(l, []string{selector})
	if err != nil {
		return "", err
	}
	if len(names) > 1 {
		return "", nameErrorf("%s are the runs %s: name one", selector, FirstNames(names))
	}
	_, err = l.Table("constraints", lake.Run(names[0]))
	return names[0], err
}

// mostNames bounds the names that an error message lists.
const mostNames = 8

// FirstNames lists names for a message, with dots in the place of those beyond the eighth.
// A lake may have hundreds of runs, and a message stays a sentence.
func FirstNames(names []string) string {
	if len(names) > mostNames {
		return strings.Join(names[:mostNames], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// MatchesPattern reports whether a name is equal to a pattern or matches it as file names match in a shell: * stands for
// any characters and ? for one.
// A name that contains special characters still matches itself. A malformed pattern matches only the name that is
// equal to it.
func MatchesPattern(name, pattern string) bool {
	match, _ := path.Match(pattern, name)
	return match || name == pattern
}
