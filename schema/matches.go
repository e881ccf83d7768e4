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
	Fragment       string `parquet:"fragment,id(2),dict" key:"yes" doc:"the fragment; of one that moved: its name in the baseline"`
	CandFragment   string `parquet:"cand_fragment,id(3),optional,dict" doc:"of a fragment that moved: its name in the candidate"`
	Level          string `parquet:"level,id(4),dict" key:"yes" doc:"what was matched: fragment or transition"`
	BaseTransition *int64 `parquet:"base_transition,id(5),optional" key:"yes" unit:"-" doc:"transition in the first run of the baseline that takes it"`
	CandTransition *int64 `parquet:"cand_transition,id(6),optional" key:"yes" unit:"-" doc:"transition in the first run of the candidate that takes it"`
	BaseSource     *int64 `parquet:"base_source,id(7),optional" unit:"-" doc:"state before, in the baseline"`
	CandSource     *int64 `parquet:"cand_source,id(8),optional" unit:"-" doc:"state before, in the candidate"`
	BaseTarget     *int64 `parquet:"base_target,id(9),optional" unit:"-" doc:"state after, in the baseline"`
	CandTarget     *int64 `parquet:"cand_target,id(10),optional" unit:"-" doc:"state after, in the candidate"`
	Function       string `parquet:"function,id(11),dict" doc:"function of the event; of a fragment: of its first event, as the next three"`
	Kind           string `parquet:"kind,id(12),dict" doc:"kind of the event"`
	Direction      string `parquet:"direction,id(13),optional,dict" doc:"send or receive"`
	Peer           string `parquet:"peer,id(14),optional,dict" doc:"component at the other end of the message"`
	// InBoth, InBase or InCand
	Status string `parquet:"status,id(15),dict" doc:"both, base (vanished) or cand (appeared)"`
}

var _ = declare[Match](TableDoc{
	Name: "matches", Follows: "summaries", Doc: "The parts of the baseline's automata and their counterparts in the candidate's.",
	Grain: "one pair, or one unmatched part", Partition: "comparison",
})
