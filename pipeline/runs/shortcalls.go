package runs

import (
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// OmitShortCalls reports whether the recorder of one of some runs left out calls that were too short for it, as its own totals show.
func OmitShortCalls(l *lake.Lake, names []string) (bool, error) {
	for _, name := range names {
		m, err := l.Manifest("runs", lake.Run(name))
		if err != nil {
			return false, err
		}
		if m != nil && slices.ContainsFunc(m.Losses, func(of schema.Loss) bool { return of.Reason == schema.ShortCall.Name }) {
			return true, nil
		}
	}
	return false, nil
}
