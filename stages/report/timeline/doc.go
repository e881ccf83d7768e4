// Package timeline draws a window of a run: as a picture (SVG), and as a Chrome trace for the Perfetto UI.
//
// The picture is the schematic view of a timed message sequence chart (Jonk et al. 2019, Fig. 1): time runs to the
// right, every lifeline has a lane, an execution is a box on top of the box of its caller, and a message is an
// arrow from its send event to its receive event, broken for a callback that is inferred and dotted for a coupling that is no message,
// such as a relation of clocks. Functions that are chosen have strong colours, also beside the path. The critical path is red (Fig. 2 and Fig. 10): within a lifeline
// it follows the upper edge of the innermost open execution, between lifelines it is the arrow of the message.
//
// Below the lanes stand signals, as curves over the same time, and checks with their definitions: green and high where one holds, red and
// low where it does not (Hendriks et al. 2024, Fig. 10). Instead of lifelines, lanes may be the values of attributes, and so may colours
// (Definition 8); regular events are diamonds. Several runs stand one above the other on one scale.
//
// A picture has an end, a trace has not. So that nothing is lost in silence, what does not fit is counted:
//
//	boxes narrower than half a pixel   become one hatched box with their number, within the box of their caller
//	more boxes than Options.Boxes      the same, from a width that is doubled until it suffices
//	arrows less than a pixel apart     become one arrow with their number; from a greater distance where they are too many
//	more lanes than Options.Lanes      those stay in which the path is longest, and then those busy longest; lines count the rest
//	calls nested deeper than 40        a line counts them
//	signals of more pieces than pixels become the stretch from the least to the greatest value of each pixel
//	checks that change within a pixel  are red there if they do not hold at any state of it, and green if they do at any
//
// # The Chrome trace
//
// WriteChrome writes the Trace Event Format (JSON object form), with these events:
//
//	M  process_name, process_sort_index, thread_name: a process is a component, a thread is a lifeline
//	X  an execution, whole even where the window cuts it: ts and dur in microseconds with three decimals, so in ns
//	s  the send event of a message, and f (with bp "e") its receive event, of the same id
//	B  the begin of a step of the critical path, and E its end, both with the step's name
//	i  the one end of a message whose other end is not in the file, and a regular event
//
// Events have no args unless Details asks for them: speedscope takes them for a part of the name, and then adds up no two executions of a
// function. With them an execution has its number and depth, and a step of the path its events.
//
// ts counts from the first event of the run. Slices end before what happens at their end, so an s or f at the
// finish of an execution is written 1 ns early, by which the Perfetto UI finds the execution. The critical path is
// a process of its own, the first, with a B and an E event for every step, since steps that touch would
// overlap where a reader adds a duration in floating point; steps that overlap are on threads of their own.
package timeline
