package results

// Injection says what was injected into a run, and what followed from it.
type Injection struct {
	Run        string   `json:"run"`         // name of the run that was made
	Of         string   `json:"of"`          // name of the run that it was made from
	Events     int64    `json:"events"`      // of the trace, without those that an ingest invented
	Injected   int64    `json:"injected"`    // events with a fault
	Moved      int64    `json:"moved"`       // events with another time than before, because of a fault of theirs or of another event
	FarthestNs int64    `json:"farthest_ns"` // by how much the farthest moved
	Functions  []Faulty `json:"functions"`   // those whose events have a fault, by component and name
}

// Faulty counts the faults of a function.
type Faulty struct {
	Component string `json:"component"` // in which it runs
	Function  string `json:"function"`  // its name
	Injected  int64  `json:"injected"`  // its enters and exits with a fault
}
