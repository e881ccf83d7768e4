package schema

// ConstraintKind says what makes the target of a timing constraint wait for its source.
type ConstraintKind = uint8

const (
	OnLifeline    ConstraintKind = iota // consecutive events of a lifeline
	ByMessage                           // the message of the source is received by the target
	ByCollective                        // the source is the last process to come to a collective operation that the target ends
	ByLink                              // the target is the start of a span that is linked to that of the source
	ByPrecedence                        // a clock constraint puts the source before the target
	ByCoincidence                       // a clock constraint makes both one
	ByReply                             // as ByMessage: the message is the reply of a call
	ByWakeup                            // as ByMessage: the source wakes or starts the thread of the target, or ends the one that it waits for
	ByCallback                          // as ByMessage: nobody saw the message, it was inferred
)

// ConstraintKindWords are the names of the kinds.
var ConstraintKindWords = []string{"component", "message", "collective", "link", "precedence", "coincidence", "reply", "wakeup", "callback"}

// Constraints are the timing constraints source -d-> target of a TMSC: the target does not occur earlier than
// d after the source (Jonk et al. 2019, Definition 1). Rows of a partition, which is that of the target, are in
// the order of their targets; those of one target are in the order lifeline first, then the others by source.
//
// The bound d is DurationNs - SlackNs. A constraint is critical when its slack is 0 (Definition 4), or less, where the target was recorded
// before its source.
type Constraints struct {
	Names *Names

	Target     []int64          `parquet:"target_seq,id(2)" key:"yes" unit:"-" doc:"the event that waits"`
	Source     []int64          `parquet:"source_seq,id(3)" key:"yes" unit:"-" doc:"the event that it waits for"`
	Kind       []ConstraintKind `parquet:"kind,id(4)" key:"yes" doc:"component: consecutive events of a lifeline; message: the source sends what the target receives; reply, wakeup, callback: a message that is the reply of a call, that wakes, starts or joins a thread, or that was inferred; collective, link, precedence, coincidence: see couplings"`
	Component  []Code           `parquet:"component,id(5)" names:"Components" doc:"component of the target"`
	Function   []Code           `parquet:"function,id(6),optional" names:"Functions" doc:"component: the innermost execution open in between, null where the lifeline is idle; else: that of the target"`
	Sender     []Code           `parquet:"sender,id(7),optional" names:"Components" doc:"but on a lifeline: the component of the source"`
	Label      []Code           `parquet:"message,id(8),optional" names:"Messages" doc:"label of the message or coupling"`
	TargetNs   []int64          `parquet:"target_ns,id(9)" doc:"time of the target"`
	DurationNs []int64          `parquet:"duration_ns,id(10)" doc:"from source to target"`
	SlackNs    []int64          `parquet:"slack_ns,id(11),optional" doc:"duration_ns less the bound; null where no bound is known"`
	Critical   []bool           `parquet:"critical,id(12)" doc:"the bound is met exactly, or broken by times that disagree: a later source would delay the target"`
}

var constraintsTable = declareColumns[Constraints, Names](TableDoc{
	Name: "constraints", Follows: "metrics", Doc: "The timing constraints of the TMSC: the target does not occur earlier than bound_ns after the source.",
	Grain: "one constraint", Partition: "run, bucket",
}, enums{"kind": ConstraintKindWords})

// Columns binds the columns to their slices, in the order of the file.
func (c *Constraints) Columns() []Column { return constraintsTable.bind(c, c.Names) }

// NewConstraints returns an empty table whose codes are those of names.
func NewConstraints(names *Names) *Constraints { return &Constraints{Names: names} }

// A coupling lets an event wait for one of another lifeline although no message goes from there to here: the end of a
// collective operation waits for the last of its processes, a span for what it is linked to, an occurrence for those that a
// specification puts before it.
//
// A reader tells of it with rows that are no events: each is about the last enter or exit of its lifeline before it, and has a
// mark with one of these directions. The kind of the coupling stands in the mark, the words for people in its label, and
// what belongs together has the same series and, for the first two, the same number.
const (
	Opens Direction = Receive + 1 + iota // the event lets the one go on that waits for this number; the last one before it counts
	Waits                                // the event waits for the one that opened this number
	Meets                                // the call that the event ends is of a collective operation: its start lets others go on, its end waits for the last of them
	Gives                                // likewise, but its end waits for nobody: a process that only sends to a root, or a root that only sends
	Takes                                // likewise, but its start lets nobody go on: a process that only receives from a root
	Scans                                // likewise, but its end waits only for processes of lower ranks: a prefix sum
)

// Couples reports whether a row of this direction is about a coupling, and is no event.
func Couples(d Direction) bool { return d > Receive }

// Seat is the number of a row of a collective operation: the rank of the process in the communicator, and how many it has; 0
// where that is not known. The operations of a communicator are counted by rank, which MPI requires to be the same for all.
func Seat(rank, size uint32) int64 { return int64(rank)<<32 | int64(size) }

// SeatOf takes a number of Seat apart.
func SeatOf(id int64) (rank, size uint32) { return uint32(id >> 32), uint32(id) }

// Couplings are the couplings of a run but messages, in the bucket of the event that waits, in the order in which they were
// complete. A run that has none lacks the table.
type Couplings struct {
	Names *Names

	Kind           []ConstraintKind `parquet:"kind,id(2)" key:"yes" doc:"collective: the end of a collective operation waits for the last process; link: a span for one that it is linked to; precedence, coincidence: an occurrence for another one by a clock constraint"`
	Label          []Code           `parquet:"label,id(3),optional" names:"Messages" doc:"the operation and its communicator, or the constraint"`
	SourceSeq      []int64          `parquet:"source_seq,id(4)" key:"yes" unit:"-" doc:"the event that is waited for"`
	TargetSeq      []int64          `parquet:"target_seq,id(5)" key:"yes" unit:"-" doc:"the event that waits"`
	Source         []Code           `parquet:"source,id(6)" names:"Components" doc:"component that is waited for"`
	Target         []Code           `parquet:"target,id(7)" names:"Components" doc:"component that waits"`
	SourceLifeline []Code           `parquet:"source_lifeline,id(8)" names:"Lifelines" doc:"lifeline that is waited for"`
	TargetLifeline []Code           `parquet:"target_lifeline,id(9)" names:"Lifelines" doc:"lifeline that waits"`
	SourceNs       []int64          `parquet:"source_ns,id(10)" doc:"time of the event that is waited for"`
	TargetNs       []int64          `parquet:"target_ns,id(11)" doc:"time of the event that waits"`
}

var couplingsTable = declareColumns[Couplings, Names](TableDoc{
	Name: "couplings", Follows: "arrivals", Doc: "What lets an event wait for one of another lifeline, beside messages: collective operations, links, clock constraints.",
	Grain: "one coupling of two events", Partition: "run, bucket",
}, enums{"kind": ConstraintKindWords})

// Columns binds the columns to their slices, in the order of the file.
func (c *Couplings) Columns() []Column { return couplingsTable.bind(c, c.Names) }

// NewCouplings returns an empty table whose codes are those of names.
func NewCouplings(names *Names) *Couplings { return &Couplings{Names: names} }
