// Package etf reads the Execution Trace Format of TRACE4CPS (Hendriks et al. 2024), a text of one line a statement:
// resources are claimed for a while.
//
//	# ...                                     a comment
//	TU unit                                   NANOSECONDS to HOURS, of all times; SECONDS without it
//	O ms                                      what to add to all times: their distance to the Unix epoch
//	T attributes                              of the trace
//	R id capacity places ; attributes         a resource; places is true or false
//	C id from to resource [place] amount ; attributes
//	E id time ; attributes                    an event
//	D id type from to ; attributes            a dependency between two claims, or events
//	S id ; attributes                         a signal
//	F signal from to c b a                    a fragment of it: c + b x + a x^2, x since from
//	TS, TSS, TSP, TSR ...                     time series
//
// Attributes are k=v, parted by commas, with any blanks around them. Of a name that a thing has twice the last value holds. The
// semicolon may touch the number before it.
// Lines stand in any order; a unit or an offset behind times makes the text be read twice.
//
// # Mapping
//
// A claim is a call: an enter at its start and an exit at its end. Times are ns, rounded down, since the zero of the
// trace or, with O, since the epoch.
//
// The lifeline is the resource: its attribute name, else all its attributes (k=v,...), else "resource <id>"; where
// several are called alike the later ones get #2, #3. Claims of a resource that overlap and do not lie in one another
// go to lifelines of their own in the same way, and are counted as crossing_call; from the 65th lifeline of a resource
// on they do so even if they lie in one another. Of claims that start together the
// longest is the outermost.
//
// The component is the lifeline's resource, unless ReadingOptions.Component is the name of an attribute: then its
// value in the claim, else in the resource.
//
// The function is the claim's attribute name, else activity, action, task, function or operation (the best that it
// has), else all its attributes but id and color, else "claim".
//
// An event is one event, of kind schema.Regular, on the lifeline "events" of the component of this name, named as claims
// are. At one time claims end first, then come events, then claims start; one without length ends as soon as it has started. What
// still is equal keeps the order of the text, as TRACE4CPS's checks have it. On a lifeline claims lie in one another, which comes
// before the order of the text: of two that start together the longer one starts first, and what a claim holds ends before it.
//
// A dependency of type 0 start to start, 1 start to end, 2 end to start, 3 end to end, of which only 2 is confirmed by files of
// others, ties two claims, and is a message, too, of series d and the number of the dependency among all of the text. Its
// label is its attribute label, else its name, else its type in words (end-start). It is kept whatever the times of its ends.
// Types above 3 tie events, but it is not known which number means which ends: an end is at the event of its number, else at
// the claim, which it leaves at its end and reaches at its start.
//
// Attributes of everything, capacities, places, amounts, dependencies and signals are passed on beside the events: see
// schema.AttributeReader. Numbers of signals are not converted; the unit of time of their slopes is that of the text. Time
// series are counted by the kind of their lines, as the spelling of their points is not known: skipped_record.
//
// # Defects
//
// A line that is not of the format, and a claim that ends before it starts, is a bad_line; a line of one to three
// capitals that is of no known type an unknown_record. A claim of an identifier that another has is read, and
// dependencies are of the last one (duplicate_definition). A resource that is not declared is called by its number;
// a dependency of a claim that is not there keeps its other end as a message, and is none otherwise (undefined_token).
//
// # Memory
//
// Claims and ends of dependencies go through two sorters within the memory of the reading (80 % of it), and fragments through
// one (10 %); in memory are resources, names, labels (the first 65,536), sets of attributes, of which those that begin alike
// share their beginnings, 8 bytes a dependency, and the claims that are open, or start, at a time.
package etf
