// Package reconciliation makes one order of what happened in several units, each of which has a trace in order and a
// clock of its own, after
//
//	Garcés, Deantoni, Mallet: A Model-Based Approach for Reconciliation of Polychronous Execution Traces, SEAA 2011.
//
// A unit is a sequential trace (section V). What orders events of different units is a specification of clock
// constraints (package ccsl), messages that one unit sends and another receives, or both. Where the paper builds the
// partial order of two traces (Algorithm 1, BPO) and names cycles as future work, this package goes on:
//
//	Pair       finds the messages between units               exchange.go
//	Specify    derives relations between occurrences from     specify.go; relations.go, expressions in derive.go
//	           the constraints (Algorithm 1); resolve.go
//	Arrange    finds what coincides and in which order, or    arrange.go
//	           why there is no order at all                   contradiction.go
//	Relate     finds how the clocks of the units relate       relate.go (with package timebase)
//	Correct    finds the smallest change of the times that    correct.go
//	           respects the order
//	Couple     finds which events wait for each other, for the   couple.go
//	           chart of the run that is made
//	Exclude    counts what exclusions leave open, or why       exclude.go
//	           one of them cannot be
//	Judge      says whether relations that order nothing       judge.go
//	           hold in all, some or no linearisation
//	Assert     checks a run that is in one order already      unit.go
//
// # Relations
//
// An instant is an event of a trace that matters. The k-th occurrence of a clock is an instant. Constraints that go by
// numbers give relations between instants: a Precedes b gives a[k] before b[k]. Expressions over clocks of one unit are
// evaluated exactly, in the order of its trace. Of expressions over several units those that go by numbers (filters,
// delays counted on the clock itself) are relations too, and the later or the earlier of two k-th ticks (Sup, Inf) is an
// instant of no trace that is bounded by both. The others need an order. What goes by numbers is closed first (resolve.go): where
// it, the traces and messages order all ticks of the operands, one strictly after the other or both at once, these are a run
// of the expression; where they say which of two k-th ticks is later, Sup is that one. What is found may order more, so that
// this is repeated. Where nothing orders the ticks, a Union of clocks of different units has no meaningful order, as the paper says
// in section VI, and the expression is reported as unresolved.
//
// The paper prints the receipt as the cause in (1b); its text means that the sending causes the receipt, which is also done
// here. A trace ends somewhere: an occurrence whose cause or partner would come after the end of a trace has no
// relation; a cause that is lacking is counted.
//
// # No order
//
// Coincident instants are merged; a strongly connected component of what is left, found by Tarjan's algorithm (SIAM
// Journal on Computing 1, 1972), is a set of instants each of which is before each other or with it. If it holds a
// strict relation, which the order of a trace is between events of different times, then there is no order, and a cycle of few relations through it
// says why. If not, its instants are one. All of this is linear.
//
// # Times
//
// Let T be the times that offset and drift of the units give. Relations that T still violates are repaired with the
// smallest possible largest change: isotone regression under the supremum norm (Ubhaya, Isotone optimization, Journal of
// Approximation Theory 12, 1974), with distances w to keep,
//
//	fwd(f) = max(T(f), fwd(e) + w)    bwd(e) = min(T(e), bwd(f) - w)    over all e -> f
//	T'     = floor((fwd + bwd) / 2)
//
// where w is 1 ns between units, so that the order is seen, and 0 along a trace. Why this is the smallest: T' respects e -> f,
// since fwd and bwd both do. On a path from e to f of weight w any times that respect it change T(e) or T(f) by at least
// half of T(e) + w - T(f); the greatest such half is C, so that fwd - T and T - bwd are at most 2 C and |T' - T| <= C
// (rounded up to whole ns). An event that is no instant keeps T unless that is out of the times T' of the instants around
// it, and then has the nearer one of these: on an even clock it changes by no more than that instant.
package reconciliation
