// Package definitions reads what users define for themselves (the outlook of Hilbig 2023, section 6.1: "engineers can define new
// metrics, set detection thresholds"): metrics between two events, normalisations, detectors, and thresholds of components. A file
// has one definition a line; what stands behind a # is a comment.
//
//	# from the request of a client until the server has the answer
//	metric answered = enter client.fetch -> exit server.lookup within 5s
//	metric handover = exit stage.move -> enter lens.expose in order
//	metric turnaround = exit client.fetch -> enter client.fetch per lifeline
//
//	normalisation since-request = since enter client.fetch
//
//	detector careful = (ks or mwu) and abs > 0.1ms
//
//	thresholds lens_*: margin 10%, floor 50us, abs 2ms, p 0.01
//
// An event is "enter" or "exit" with COMPONENT.FUNCTION, where * stands for any characters, and names with spaces stand in double
// quotes; "to PEER" or "from PEER" behind it wants a message to or from that component, so that a transition of an automaton can
// be meant. A sample of a metric is the time from its first event to the next one of its second kind. A further event of the first
// kind begins anew, so that what was never answered does not count; with "in order" the first ones are answered first instead, as
// in a queue. With "per lifeline" both events are on one lifeline, and with "within" what takes longer is no sample.
//
// A normalisation takes the time of every step since the latest event of a kind before it, in place of the four of the thesis
// (section 3.2). A detector is an expression over the tests on samples (package sampletests). Thresholds hold for the components
// that a pattern matches; of several lines the last one holds.
package definitions
