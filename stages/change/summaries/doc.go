// Package summaries reduces the samples of a run to one row for every subject, because a run is the unit with which
// runs are compared: samples of one run are not independent of each other.
//
//	transition  the time since the event before it, in the same occurrence of its fragment
//	metric      the spans of a timing metric of a component or a service fragment
//	message     what messages of a sender take until a function of the receiver has them: transit and lateness
//
// A message waits for its receiver while that is still busy. With d_m from the send to the receive and d_l from the
// event before the receive, on the lifeline of the receiver, to the receive,
//
//	lateness = max(0, d_m - d_l)    from the send until the receiver was ready
//	transit  = d_m - lateness       from the send, or from when the receiver was ready, to the receive
//
// so that both together are the latency of the message. A receive without an event before it has no lateness.
//
// Quantiles are Harrell-Davis estimates (1982). The 95 % and 99 % quantiles are left out where fewer than ten values
// are expected to lie above them. Sums that an int64 cannot hold are the end of its range that they leave.
//
// The builders take their tables row group by row group. Those of transitions and of metrics hold the values of one
// subject at a time, that of messages holds two values of every message.
package summaries
