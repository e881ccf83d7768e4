package runs

import (
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/strata"
)

// DoubtTorn finds those of some runs whose traces end in the middle of a record, and says so among what is to be known about a comparison: what such
// runs did after that is not known.
func DoubtTorn(l *lake.Lake, names []string, of *strata.Strata) error {
	var torn []string
	for _, name := range names {
		m, err := l.Manifest("runs", lake.Run(name))
		if err != nil {
			return err
		}
		if m != nil && slices.ContainsFunc(m.Losses, func(loss schema.Loss) bool {
			return loss.Reason == schema.TornLine.Name || loss.Reason == schema.TornRecord.Name
		}) {
			torn = append(torn, name)
		}
	}
	of.DoubtTorn(torn)
	return nil
}
