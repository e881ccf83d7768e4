// Package cpuprofile reads profiles of V8's sampling profiler: node --cpu-prof, and what Chrome's developer tools save.
//
//	profile = {"nodes": [node], "startTime": us, "endTime": us, "samples": [id], "timeDeltas": [us]}
//	node    = {"id", "callFrame": {"functionName", "url", "lineNumber"}, "children": [id], "parent": id}
//
// Members stand in any order, and others are ignored. Sample i was taken at startTime and the sum of the first i+1
// timeDeltas; where these run back, samples are sorted. Package sampled makes calls of them: all have the execution type
// "sampled" and are on the lifeline "main". A call that is open at the last sample ends with endTime.
//
// The component is what ReadingOptions.Component says: "process" for all, which is the default, or "script", the file of the
// function; native functions and the profiler's own words (program), (garbage collector) are of the script "native". (idle) is no call.
//
// # Faults
//
// A sample or child that names no node: schema.UndefinedToken, and the stack is empty. Samples without a timeDelta, and
// timeDeltas without a sample: schema.BadRecord. Times that do not fit: schema.UnsupportedTime, and what follows is left out. Ticks by line
// (positionTicks) have no place: schema.SkippedRecord. Anything behind the profile: schema.BadRecord. A file cut short is no profile, since the times stand at its end.
//
// # Limits
//
// A profile must fit in memory: 16 bytes a sample and about 200 a node.
package cpuprofile
