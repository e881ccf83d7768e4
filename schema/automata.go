package schema

import "strings"

// Fragment is one service fragment of a component in a run: the timed automaton of all its occurrences.
// Its name is that of its first event.
type Fragment struct {
	Fragment    string `parquet:"fragment,id(2),dict" key:"yes" doc:"stable name, that of its first event: component.function from peer"`
	Component   string `parquet:"component,id(3),dict" doc:"where it runs"`
	Function    string `parquet:"function,id(4),dict" doc:"function of its first event"`
	Peer        string `parquet:"peer,id(5),optional,dict" doc:"component that called it; null where none was traced"`
	Occurrences int64  `parquet:"occurrences,id(6)" unit:"count" doc:"how often it ran"`
	Words       int64  `parquet:"words,id(7)" unit:"count" doc:"distinct event sequences"`
	Events      int64  `parquet:"events,id(8)" unit:"count" doc:"events in all occurrences"`
	States      int64  `parquet:"states,id(9)" unit:"count" doc:"states of its automaton"`
	Transitions int64  `parquet:"transitions,id(10)" unit:"count" doc:"transitions of its automaton"`
}

var _ = declare[Fragment](TableDoc{
	Name: "fragments", Follows: "executions", Doc: "Service fragments: the timed automaton of all occurrences of a component's reaction to one event.",
	Grain: "one fragment of a run", Partition: "run, bucket",
})

// State is a state of a fragment's automaton; 0 is the initial state.
type State struct {
	Fragment  string `parquet:"fragment,id(2),dict" key:"yes" doc:"the fragment"`
	State     int64  `parquet:"state,id(3)" key:"yes" unit:"-" doc:"number within the fragment; 0 is the initial state"`
	Initial   bool   `parquet:"initial,id(4)" doc:"where an occurrence begins"`
	Accepting bool   `parquet:"accepting,id(5)" doc:"where an occurrence may end"`
}

var _ = declare[State](TableDoc{
	Name: "states", Follows: "fragments", Doc: "States of the automata of the service fragments.",
	Grain: "one state of a fragment", Partition: "run, bucket",
})

// Transition is a transition of a fragment's automaton. Its symbol is the event
// (function, kind, direction, peer).
type Transition struct {
	Fragment   string `parquet:"fragment,id(2),dict" key:"yes" doc:"the fragment"`
	Transition int64  `parquet:"transition,id(3)" key:"yes" unit:"-" doc:"number within the fragment"`
	Component  string `parquet:"component,id(4),dict" doc:"where it runs"`
	Source     int64  `parquet:"source,id(5)" unit:"-" doc:"state before"`
	Target     int64  `parquet:"target,id(6)" unit:"-" doc:"state after"`
	Function   string `parquet:"function,id(7),dict" doc:"function of its event"`
	Kind       string `parquet:"kind,id(8),dict" doc:"kind of its event: enter, exit or message"`
	Direction  string `parquet:"direction,id(9),optional,dict" doc:"send or receive"`
	Peer       string `parquet:"peer,id(10),optional,dict" doc:"component at the other end of the message"`
	Count      int64  `parquet:"count,id(11)" unit:"count" doc:"how often it was taken"`
}

var _ = declare[Transition](TableDoc{
	Name: "transitions", Follows: "states", Doc: "Transitions of the automata of the service fragments.",
	Grain: "one transition of a fragment", Partition: "run, bucket",
})

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

// between stands between names that one column lists.
const between = " and "

// JoinNames writes several names as one column lists them: "lib.f and lib.g".
func JoinNames(names []string) string { return strings.Join(names, between) }

// SplitNames returns the names that JoinNames has written, and the text itself where it is more than one: a name may hold the word. Of "" it
// returns none.
func SplitNames(text string) []string {
	if text == "" {
		return nil
	}
	names := strings.Split(text, between)
	if len(names) > 1 {
		names = append(names, text)
	}
	return names
}
