// Package extsort brings records into order: the room that readers share whose traces are not one sequence of
// events in the order of time.
//
// A trace that is several ordered streams is merged. Tournament says which stream comes next, and how long it may
// go on before another one does, so that runs of one stream cost one comparison an event.
//
// Records that come in any order are sorted. Sorter holds them in memory up to a bound and puts sorted runs of them
// into a scratch file beyond it, so that memory does not follow the trace; it merges the runs at the end (external
// merge sort, Knuth, The Art of Computer Programming 3, section 5.4). In memory it leaves long ordered runs where they are
// and merges them too: what comes in order, or a request after the other, is hardly moved. Both are stable: streams by their number,
// records by the order in which they came.
package extsort
