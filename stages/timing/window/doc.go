// Package window is a timed message sequence chart as the analyses walk over it: the timing constraints of a window
// of the trace, in memory, found by their target. It is a room of mathematics that stages share.
//
// Events are known by their sequence numbers. A constraint leads from an event to a later one, so that going
// through windows downwards meets every constraint after all those that start at its target, and going upwards
// after all those that end at its source. Neither needs more of the chart in memory than one window.
package window
