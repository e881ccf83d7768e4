// Package requirements holds a run against a specification in temporal logic: states go in, and a judgement of every check
// comes out, for each value of its forall.
//
// States are the enters and exits of a run in the order of their sequence numbers; a further message of an event is none.
// An enter is a start and an exit an end. Every state has the attributes component, lifeline, function, name (the function),
// message, series, id_series, message_id (the series with its number), direction, peer, and execution_type, as far as the
// event has them. What the trace says itself of a claim holds at its start and at its end, what it says of an event there; it goes
// before what is built in (Own).
//
// What atoms see of a state is a tuple of codes, and a run has few tuples, so that an atom is evaluated once for each of them.
package requirements
