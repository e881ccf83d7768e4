// Package spec reads specifications of requirements in temporal logic: what must hold of a run, and of its signals.
//
// The language is that of TRACE4CPS (Hendriks et al. 2024, section 4.2, figures 6 to 9) as far as files and recordings
// confirm it, and beyond that our own. Comments begin with //, items stand in any order, and what the paper or recordings
// confirm has a star:
//
//	spec    = { def* | signal* | check* }
//	def     = "def" ID [ "(" ID { "," ID } ")" ] ":" F
//	check   = "check" ID ":" { forall } F
//	forall  = "forall" "(" ID ":" ( INT "..." INT | "values" "of" text [ "in" filter ] ) ")"
//	signal  = "signal" ID ":" ( filter* | derived )
//	derived = ( "throughput" | "latency" | "wip" ) "of" what [ "per" UNIT ] [ "over" NUM UNIT ]
//	        | ( "resource-amount" | "resource-clients" ) "of" filter [ "over" NUM UNIT ]
//	what    = ID | "root" | "message" | ap
//	F       = ID [ "(" text { "," text } ")" ] | "true" | ap*
//	        | sig ( ">=" | "<=" | "==" | ">" | "<" ) NUM*
//	        | "not" F* | "if" F "then" F* | "(" F { ( "and" | "or" ) F } ")"*
//	        | ( "globally" | "finally" ) F* | "during" bound F | "within" bound F
//	        | "until" F [ "within" bound ] "we" "have" "that" F*
//	sig     = ID | "derivative" "of" ID
//	bound   = ( "[" | "(" ) NUM "," ( NUM | "inf" ) ( "]" | ")" ) UNIT | NUM UNIT
//	ap      = [ "start" | "end" ] filter
//	filter  = "{" text "=" text { "," text "=" text } "}"
//	text    = ( STRING | ID | INT ) { "+" ( STRING | ID ) }
//	UNIT    = "ns" | "us" | "ms" | "s" | "min" | "hr"
//
// "until A we have that B" is A until B: B is what must happen. "during" is a bounded globally, "within" a bounded finally,
// and 50 ms is the bound [0, 50] ms. An ID in a text that is a parameter is its value, else it is itself. The source of
// TRACE4CPS could not be had, so that agreement with it is known for what has a star only.
//
// Parse finds all errors of a file at once, each with its place, what was expected there, and what to do. A Spec is data:
// Instances gives the formulas of a check without definitions and parameters, one for each value of its forall.
// Numbers are decimal and exact; times are turned into whole nanoseconds, since states have no others.
package spec
