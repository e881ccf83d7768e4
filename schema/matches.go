package schema

// The statuses of a match.
const (
	InBoth = "both"
	InBase = "base" // it vanished
	InCand = "cand" // it appeared
)

// Match pairs a service fragment of the baseline, or a transition of its automaton, with its counterpart in the
// candidate. A transition has the number that it has in the first run of the side that takes it.
type Match struct {
	Fragment       string `parquet:"fragment,dict" key:"yes" doc:"the fragment; of one that moved: its name in the baseline"`
	CandFragment   string `parquet:"cand_fragment,optional,dict" doc:"of a fragment that moved: its name in the candidate"`
	Level          string `parquet:"level,dict" key:"yes" doc:"what was matched: fragment or transition"`
	BaseTransition *int64 `parquet:"base_transition,optional" key:"yes" unit:"-" doc:"transition in the first run of the baseline that takes it"`
	CandTransition *int64 `parquet:"cand_transition,optional" key:"yes" unit:"-" doc:"transition in the first run of the candidate that takes it"`
	BaseSource     *int64 `parquet:"base_source,optional" unit:"-" doc:"state before, in the baseline"`
	CandSource     *int64 `parquet:"cand_source,optional" unit:"-" doc:"state before, in the candidate"`
	BaseTarget     *int64 `parquet:"base_target,optional" unit:"-" doc:"state after, in the baseline"`
	CandTarget     *int64 `parquet:"cand_target,optional" unit:"-" doc:"state after, in the candidate"`
	Function       string `parquet:"function,dict" doc:"function of the event; of a fragment: of its first event, as the next three"`
	Kind           string `parquet:"kind,dict" doc:"kind of the event"`
	Direction      string `parquet:"direction,optional,dict" doc:"send or receive"`
	Peer           string `parquet:"peer,optional,dict" doc:"component at the other end of the message"`
	// InBoth, InBase or InCand
	Status string `parquet:"status,dict" doc:"both, base (vanished) or cand (appeared)"`
}

var _ = declare[Match](TableDoc{
	Name: "matches", Follows: "summaries", Doc: "The parts of the baseline's automata and their counterparts in the candidate's.",
	Grain: "one pair, or one unmatched part", Partition: "comparison",
})
