// Package results has the results of an evaluation of change detectors as reports take them: false alarms on runs that are
// repetitions of the same (alike.go), scores on injected faults (trials.go), power and false discoveries among true ones
// (power.go). It joins them over cells and numbers of runs, and computes nothing else: package scores has the definitions,
// and a driver counts.
package results

// Result is what an evaluation found, cell by cell. Parts that were not evaluated are empty.
type Result struct {
	AA       []AA    // false alarms among equal runs
	Ablation []Rival // the same of rivals of the verdict, each without a part of it
	Trials   []Trial // precision and recall of injected faults
	Power    []Power // how often planted effects are found
	FDR      []FDR   // how many calls are wrong where something changed
	Damage   Damage  // what the traces lack
}

// Damage counts what the traces of a cell lack.
type Damage struct {
	Events   int // of all traces
	Messages int // not received after they were sent, and left out of the graphs for that
	Swapped  int // events earlier than the one before them on their lifeline
}
