// Package machine simulates a lithography scanner and writes its execution trace, of any size, for
// benchmarks and for tests that need to know what was planted.
//
// The shape is that of the case study of Jonk et al. 2019, section V: a wafer exposure control loop
// with a queue depth of 2 (Fig. 8: before C(i) and Q(i) the result R(i-2) of Scan(i-2) is retrieved)
// over 396 components, with events, executions and messages in the ratio 48.7 : 24.3 : 11.7. Calls
// follow the three patterns of Fig. 6: trigger, blocking call and non-blocking call with a later wait.
// How often service fragments run is spread as in Hilbig 2023, Fig. 3.6: many run 1 to 100 times, few
// more than 1000 times.
//
// A Machine is drawn from one seed: components in layers, services that call only services of lower
// layers (so nothing can deadlock), and for each service a few variants, each a fixed sequence of
// events. The number of components, fragments and words is therefore bounded, whatever the length of
// the trace. A run draws from another seed which variant runs and how long everything takes: two runs
// of one machine are two runs of one release.
//
// The simulation is a discrete one: a component serves one request at a time, first come first
// served, and a heap holds the next event of each. Service times are integers, close to lognormal.
package machine
