package runs

import (
	"fmt"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/strata"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// bentShare is the share of a run's events from which on times that go backwards, or messages that arrive early, are a doubt: single ones, as a recorder
// that starts late writes them, bend nothing that is seen.
const bentShare = .001

// Doubt says among what is to be known about a comparison which of some runs have recordings that make every finding doubtful, by what was lost when
// they were ingested: those that were cut short, whose times went backwards, whose clocks are apart, and those that alone end in the middle of calls.
func Doubt(l *lake.Lake, names []string, of *strata.Strata) error {
	var torn, backwards, apart []string
	open := make([]int64, len(names))
	described, err := Described(l, names)
	if err != nil {
		return err
	}
	for i, name := range names {
		m, err := l.Manifest("runs", lake.Run(name))
		if err != nil {
			return err
		}
		if m == nil {
			continue
		}
		if lostBy(m.Losses, schema.TornLine, schema.TornRecord, schema.MissingRecord) > 0 {
			torn = append(torn, name)
		}
		few := bentShare * float64(described[name].Events)
		if n := lostBy(m.Losses, schema.TimeBackwards, schema.NegativeDuration); float64(n) > few {
			backwards = append(backwards, fmt.Sprintf("%s (%s)", name, texttab.Plural(int(n), "event")))
		}
		if n := lostBy(m.Losses, schema.NegativeLatency, schema.ReceivedBeforeSent); float64(n) > few {
			apart = append(apart, fmt.Sprintf("%s (%s)", name, texttab.Plural(int(n), "message")))
		}
		open[i] = lostBy(m.Losses, schema.OpenAtEnd)
	}
	of.DoubtTorn(torn)
	of.DoubtBackwards(backwards)
	of.DoubtApart(apart)
	of.DoubtOpen(names, open)
	return nil
}

// lostBy counts the losses for some reasons.
func lostBy(losses []schema.Loss, reasons ...schema.Reason) (n int64) {
	for i := range losses {
		for _, r := range reasons {
			if losses[i].Reason == r.Name {
				n += losses[i].Count
			}
		}
	}
	return n
}
