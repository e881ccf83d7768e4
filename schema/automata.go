package schema

// Fragment is one service fragment of a component in a run: the timed automaton of all its occurrences.
// Its name is that of its first event.
type Fragment struct {
	Fragment    string `parquet:"fragment,dict"`
	Component   string `parquet:"component,dict"`
	Function    string `parquet:"function,dict"` // of the first event
	Peer        string `parquet:"peer,optional,dict"`
	Occurrences int64  `parquet:"occurrences"`
	Words       int64  `parquet:"words"` // distinct event sequences
	Events      int64  `parquet:"events"`
	States      int64  `parquet:"states"`
	Transitions int64  `parquet:"transitions"`
}

// State is a state of a fragment's automaton; 0 is the initial state.
type State struct {
	Fragment  string `parquet:"fragment,dict"`
	State     int64  `parquet:"state"`
	Initial   bool   `parquet:"initial"`
	Accepting bool   `parquet:"accepting"`
}

// Transition is a transition of a fragment's automaton. Its symbol is the event
// (function, kind, direction, peer).
type Transition struct {
	Fragment   string `parquet:"fragment,dict"`
	Transition int64  `parquet:"transition"`
	Component  string `parquet:"component,dict"`
	Source     int64  `parquet:"source"`
	Target     int64  `parquet:"target"`
	Function   string `parquet:"function,dict"`
	Kind       string `parquet:"kind,dict"`
	Direction  string `parquet:"direction,optional,dict"`
	Peer       string `parquet:"peer,optional,dict"`
	Count      int64  `parquet:"count"` // how often it was taken
}

// FragmentName is the stable name of the service fragment whose first event enters function on component,
// receiving from peer or sending to it; peer is "" where that event has no message with a traced end.
func FragmentName(component, function string, direction Direction, peer string) string {
	switch {
	case peer == "" || direction == NoMessage:
		return component + "." + function
	case direction == Send:
		return component + "." + function + " to " + peer
	}
	return component + "." + function + " from " + peer
}
