// Package tmsct reads the textual TMSC language of TNO's Platform Performance Suite (PPS), in which charts
// are written by hand: declarations, settings and events, in any order and with no meaning in line ends.
//
//	event    = [time] ["+" bound] executor [component] (">" | "<") function ["(" arg ":" value {"," ...} ")"]
//	           {"!" sent | "?" name} ["{" settings "}"]
//	sent     = [type] name ["(" bound ")" | "(" setting {"," setting} ")"]
//	type     = message | request | reply | domain-dependency | lifeline-segment | message-control
//	setting  = "time-bound" ":" seconds | "scheduled" ":" (true | false) | "request" ":" name | "message" ":" name
//	           | property ":" value
//	declared = interface | component | function | host | executor, as declare.go has them
//	settings = type "settings" "{" ... "}" | "tmsc" "settings" "{" ... "}" | "tmsc" "analyses" "{" ... "}"
//
// A name is an identifier, with "^" before it where it would be a keyword, or a string in single or double
// quotes. Times and bounds are seconds, with decimals and an exponent (200e-3); a time may be ISO 8601. What
// is finer than a nanosecond is cut off. Comments are those of C.
//
// # Time
//
// An event without a time happens as soon as possible: at the latest time of what it waits for, each plus its
// bound, or 0 when it waits for nothing. It waits for the event before it on its lifeline and for the events
// that send what it receives. Events are given out by time, after what they wait for, and otherwise as they
// stand in the text. Events that wait for each other in a circle are no chart, which is an error.
//
// # Names
//
// The lifeline is the executor. An event without a component has the executor for its component. Components,
// functions and executors are called by their description ("Switch S" as S), as PPS shows them, but by their
// identifier where another of their kind has the same description, or has it for its identifier: names in the
// text that differ stay different. Every message of an event after its first is a row of its own of kind
// schema.Message, right after the event. A message's label is its name without the digits at its end. The
// execution type is the property execType of the function.
//
// # Annotations
//
// Notes say what else the text has: of every segment of a lifeline its bound and whether it is scheduled, where
// the text gives them, of every message sent its type as well, what it controls or replies to, and its
// properties; the properties and arguments of events; the properties and analyses of the chart; the interface
// and the operation of every function that implements one, and which executors and hosts are untraced. Bounds and
// scheduled are inherited as in PPS (inherit.go). A dependency of type lifeline-segment between neighbours on
// a lifeline is that segment and no message.
//
// # Faults
//
// A statement that is not of the language, declares a name again, or sends or receives what another event
// sends or receives is counted in Block.Bad; reading goes on at the next line.
package tmsct
