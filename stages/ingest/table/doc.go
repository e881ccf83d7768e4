// Package table reads traces in the tabular form of Jonk et al. 2019 (Fig. 3 and section IV-A): a header
// line and a line for each event, as CSV with ',' or ';' or as TSV.
//
//	#,Time,Comp.,Func.,Start/Finish,Message,ID,Type
//	1,0.0,C_1,l,start,,,
//	2,0.2,C_1,f_1,start,g_1^call,id1,send
//	3,0.3,C_2,g_1,start,g_1^call,id1,receive
//
// The columns may come in any order and are found by their names in the header, letter case and
// punctuation aside; columns.go lists the names. Options.Columns names others. Columns of other names,
// such as the number of the row, are ignored.
//
//	time            see below
//	component       EventKey.Component
//	function        EventKey.Function
//	kind            start, enter, begin or > and finish, exit, end or <
//	id              the message's identifier: Series and the number at its end, as in package text
//	type            send or !, receive or ?; empty where there is no message
//	message         MessageMark.Label; the series where it is empty
//	thread          the lifeline is component/thread where it is not empty, and otherwise the component
//	execution_type  EventKey.ExecutionType, any word: blk, req, wait, fcn, fcncb, trig, trigh, evt, evtcb, ...
//
// The first four must be there. Id and type come together, and a message needs both. Fields that may be
// empty may be left out at the end of a line; more fields than the header has are a fault.
//
// A time is a number in the unit of Options.TimeUnit, or else in that of the header (time_us, "Time [ms]").
// With neither, a number with a decimal point is in seconds, and so is one without when one of the
// first hundred rows has a point; otherwise it is in nanoseconds, as in package text. An ISO 8601 date and time
// with "Z" or an offset may stand instead of a number. What is finer than a nanosecond is cut off.
//
// Fields are quoted as in RFC 4180: a field that begins with a quotation mark ends with one, may hold
// the separator, and doubles quotation marks. A quoted field may not hold a line break, since traces
// are cut at line ends: such a record is two bad lines. Blanks around a field that is not quoted are
// no part of it. Names are valid UTF-8 without control characters and at most 4096 bytes long.
package table
