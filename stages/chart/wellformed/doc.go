// Package wellformed makes the raw records of a trace a well-formed chart: it pairs enters with exits and
// sends with receives, in trace order and in one pass, and handles unmatched events by the
// heuristics of Jonk et al. 2019.
//
//	section IV-B, missing events:       Complete invents the counterpart at the start or the end of the
//	                                    trace, Discard leaves the unpaired record out.
//	section IV-C, untraced components:  Ignore leaves the message without a peer, Insert invents a
//	                                    placeholder execution of no duration at the other end. A reply to the
//	                                    execution that sent the request answers it; of others the first request is
//	                                    answered first. Placeholder executions that overlap have lifelines of their own.
//
// It also finds the call pattern of every message (Fig. 6). A reply is a message sent by the exit of the
// execution that its request started, or received by the exit of the execution that sent the request;
// identifiers play no part in this, since traces give requests and replies different ones.
//
// A message that is sent or received in the middle of a call becomes a call of its own that takes no time, named send
// or receive, so that every message belongs to the start or the end of an execution.
//
// Where the paper is silent: an exit closes the innermost open call of its function even when others are
// open above it (package callstack); a second send of an identifier under way replaces the first. A message whose receive comes
// before its send, since the clocks of its units are apart, is one where one send and one receive have its identifier: a
// pass finds such messages, and another over the same trace pairs them (Outcome.Early, Builder.Expect). With Options.ReorderNs a
// receive that stands a little before its send, whatever identifiers are used again, is put behind it.
//
// Memory is proportional to what is open at one time (calls, messages) plus the rows that wait in their
// partition for the peer of a message that was sent and not yet received.
package wellformed
