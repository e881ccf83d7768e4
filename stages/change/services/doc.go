// Package services ranks services by how likely they are at fault for what changed between two sets of requests. A request
// is a tree of executions: a root that no message starts, what it calls on its lifeline, and what its messages start
// elsewhere. In the trace of a distributed system it is one trace.
//
// The request is the unit, not a run or a slice of time: one run a side suffices, and a finding names a request that shows
// it. What is measured of a request (measure.go):
//
//	own      time of an operation of a service, less what it covers of the executions that it waits for
//	edge     time of a call from one service to another: the caller's execution less the callee's, both on their own
//	         clocks, so that clocks which are apart cancel out
//	calls    number of executions that an execution of an operation calls
//	errors   share of the executions of an operation that failed although nothing that they called did
//
// Each is compared on a logarithmic scale between requests of one kind (stratum.go): requests whose roots are the same
// operation and whose first call to another service goes to the same operation. So a change of the mix of requests is no
// change of speed.
//
// How much requests vary is known badly of an operation that few requests have. Its variance is drawn to those of all operations
// of the side, by what they say of each other (Smyth 2004, Statistical Applications in Genetics and Molecular Biology 3(1)).
//
// The rules by which a change is put down to a service (blame.go), one sentence each:
//
//  1. An operation that takes longer by itself is its service's.
//  2. A call that takes longer on the way is its callee's, but what all calls of a caller to two services or more have in
//     common is the caller's.
//  3. Who calls less or more is at fault, not who is not called; but where executions end early, the service that they
//     called last is.
//  4. An error belongs to the deepest execution that failed.
//  5. The services stand in the order of their greatest change: the logarithm of the ratio of the times, twice that of the
//     numbers of calls or errors.
//
// A change counts if it is significant at MaxP and greater than Floor of the mean duration of a request. It has the verdict
// regressed only if it is shown to be greater than Drift, over all that was asked at the rate FDR: the times of services
// drift by as much within minutes without any fault. Services of which nothing is significant at MaxP stand behind all others
// where something is at WeakP: of a fault that shows in few requests, a minute has no more evidence.
package services
