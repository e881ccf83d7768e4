package schema

import (
	"slices"
	"sync"
)

// The things that have attributes, as Attributes.About names them (Hendriks et al. 2024, Definitions 1 to 6).
type AttributeOf = uint8

const (
	OfTrace AttributeOf = iota
	OfResource
	OfClaim
	OfEvent
	OfDependency
	OfSignal
)

// AttributeOfWords are the names of the things.
var AttributeOfWords = []string{"trace", "resource", "claim", "event", "dependency", "signal"}

// AttributeNames are the dictionaries of a table of attributes.
type AttributeNames struct{ Names, Values *Dictionary }

// Attributes are what the trace says of its things beyond what columns hold: partial maps from names to values (Hendriks et
// al. 2024, Definition 1). A name occurs once a thing. Rows of one thing stand together, in the order of the trace.
type Attributes struct {
	Texts *AttributeNames

	About []AttributeOf `parquet:"about,id(2)" key:"yes" doc:"trace, resource, claim, event, dependency or signal"`
	Ref   []int64       `parquet:"ref,id(3),optional" key:"yes" unit:"-" doc:"the thing: resource, execution of a claim, seq of an event, dependency or signal; null for the trace"`
	Name  []Code        `parquet:"name,id(4)" names:"Names" key:"yes" doc:"name of the attribute"`
	Value []Code        `parquet:"value,id(5)" names:"Values" doc:"its value as text"`
}

var attributesTable = declareColumns[Attributes, AttributeNames](TableDoc{
	Name: "attributes", Follows: "annotations", Doc: "Attributes of the trace, its resources, claims, events, dependencies and signals.",
	Grain: "one attribute of a thing", Partition: "run",
}, enums{"about": AttributeOfWords})

// Columns binds the columns to their slices, in the order of the file.
func (a *Attributes) Columns() []Column { return attributesTable.bind(a, a.Texts) }

// NewAttributes returns an empty table whose codes are those of texts.
func NewAttributes(texts *AttributeNames) *Attributes { return &Attributes{Texts: texts} }

// Resource is what claims take an amount of (Hendriks et al. 2024, Definition 3).
type Resource struct {
	Resource int64   `parquet:"resource,id(2)" key:"yes" unit:"-" doc:"its number in the trace"`
	Name     string  `parquet:"name,id(3),dict" doc:"its attribute name, or else what describes it"`
	Capacity float64 `parquet:"capacity,id(4)" unit:"1" doc:"how much of it there is"`
	Places   bool    `parquet:"places,id(5)" doc:"a claim also says which part of it is taken"`
}

var _ = declare[Resource](TableDoc{
	Name: "resources", Follows: "attributes", Doc: "Resources that the trace declares.",
	Grain: "one resource", Partition: "run",
})

// Claims are what executions claim of resources (Hendriks et al. 2024, Definition 4). A claim lasts as long as its execution.
// Runs without this table claim 1 of their lifeline with every execution.
type Claims struct {
	Execution []int64   `parquet:"execution,id(2)" key:"yes" unit:"-" doc:"seq of the enter event"`
	ID        []int64   `parquet:"id,id(3)" unit:"-" doc:"its number in the trace"`
	Resource  []int64   `parquet:"resource,id(4)" unit:"-" doc:"the resource, also where the trace does not declare it"`
	Amount    []float64 `parquet:"amount,id(5),optional" unit:"1" doc:"how much of the resource it takes; null where the trace has no number there"`
	Place     []float64 `parquet:"place,id(6),optional" unit:"1" doc:"where on the resource that part begins; null where the resource has no places"`
}

var claimsTable = declareColumns[Claims, struct{}](TableDoc{
	Name: "claims", Follows: "resources", Doc: "What executions claim of resources.",
	Grain: "one execution", Partition: "run",
}, nil)

// Columns binds the columns to their slices, in the order of the file.
func (c *Claims) Columns() []Column { return claimsTable.bind(c, nil) }

// Dependencies are the dependencies between events of the trace, the ends of claims among them (Hendriks et al. 2024,
// Definition 2), in whatever order of time they stand.
type Dependencies struct {
	Dependency []int64   `parquet:"dependency,id(2)" key:"yes" unit:"-" doc:"which of the trace, from 0; the message_id of its message in the series d, where it has one"`
	Type       []int64   `parquet:"type,id(3)" unit:"-" doc:"as the trace has it: 0 start to start of claims, 1 start to end, 2 end to start, 3 end to end; above, an event is one of its ends"`
	Source     []int64   `parquet:"source,id(4)" unit:"-" doc:"seq of the event that it goes from: the enter or exit of a claim, or a regular event"`
	Target     []int64   `parquet:"target,id(5)" unit:"-" doc:"seq of the event that it goes to"`
	SourceNs   []int64   `parquet:"source_ns,id(6)" doc:"time of the source"`
	TargetNs   []int64   `parquet:"target_ns,id(7)" doc:"time of the target"`
	Weight     []float64 `parquet:"weight,id(8),optional" unit:"1" doc:"its attribute weight; null where it has none that is a number"`
}

var dependenciesTable = declareColumns[Dependencies, struct{}](TableDoc{
	Name: "dependencies", Follows: "claims", Doc: "Dependencies between events of the trace, in whatever order of time.",
	Grain: "one dependency", Partition: "run",
}, nil)

// Columns binds the columns to their slices, in the order of the file.
func (d *Dependencies) Columns() []Column { return dependenciesTable.bind(d, nil) }

// CriticalClaim is a claim on a critical path of a whole run (Hendriks et al. 2024, section 6.2).
type CriticalClaim struct {
	Graph     string `parquet:"graph,id(2),dict" key:"yes" doc:"what claims wait for: the claims that ended at most epsilon before, or the dependencies with their weights"`
	Filter    string `parquet:"filtered_by,id(3),optional,dict" key:"yes" doc:"the attributes of the claims that were looked at; null: all claims"`
	Execution int64  `parquet:"execution,id(4)" key:"yes" unit:"-" doc:"seq of the enter event of the claim"`
	ID        int64  `parquet:"id,id(5)" unit:"-" doc:"its number in the trace; execution, where it has none"`
	Name      string `parquet:"name,id(6),optional,dict" doc:"its attribute name, or the function"`
	Resource  string `parquet:"resource,id(7),optional,dict" doc:"name of the resource that it takes; of runs without resources, the lifeline"`
	StartNs   int64  `parquet:"start_ns,id(8)" doc:"when it starts"`
	EndNs     int64  `parquet:"end_ns,id(9)" doc:"when it has ended"`
	Wait      bool   `parquet:"without_application_predecessor,id(10)" doc:"it follows no critical claim by a dependency, so that it waited for a resource; false of the graph of dependencies, and of runs that have none"`
	Claim     string `parquet:"claim,id(11),optional" doc:"of one that waited: the claim with its attributes; null for others"`
	After     string `parquet:"waited_for,id(12),optional" doc:"of one that waited: the critical claims that ended then, three at most; null for others"`
}

var _ = declare[CriticalClaim](TableDoc{
	Name: "critical_claims", Follows: "check_intervals", Doc: "The claims on the critical paths of the whole run (where analyze critical-path --graph asked for them).",
	Grain: "one critical claim of a graph", Partition: "run",
})

// OrderDifference is what the order of the claims of a run and that of a reference have each alone, of one claim (Hendriks et al. 2024,
// section 6.4.2).
type OrderDifference struct {
	Reference string `parquet:"reference,id(2),dict" key:"yes" doc:"the run that it is compared with"`
	By        string `parquet:"by_attributes,id(3),dict" key:"yes" doc:"the attributes by which starts, ends and events are equal"`
	Order     string `parquet:"compared_order,id(4),dict" key:"yes" doc:"reduced: the transitive reduction; full: the whole order"`
	Filter    string `parquet:"filtered_by,id(5),optional,dict" key:"yes" doc:"the attributes of the claims that were looked at; null: all claims"`
	OnlyIn    string `parquet:"only_in,id(6),dict" key:"yes" doc:"which of the two has it alone: run or reference"`
	Execution int64  `parquet:"execution,id(7)" key:"yes" unit:"-" doc:"there, seq of the enter event of the claim, or of the regular event"`
	Claim     string `parquet:"claim,id(8),dict" doc:"the claim or event with its attributes"`
	StartNs   int64  `parquet:"start_ns,id(9)" doc:"when it starts there"`
	Vertices  int64  `parquet:"vertices,id(10)" unit:"count" doc:"of its start and end, those that the other lacks"`
	After     int64  `parquet:"edges_after,id(11)" unit:"count" doc:"edges from its end that the other lacks; each counts at both of its claims"`
	Before    int64  `parquet:"edges_before,id(12)" unit:"count" doc:"edges to its start that the other lacks"`

	ReferenceFile string `parquet:"reference_file,id(13),dict" doc:"the first file of executions of the reference as it was compared; SQL shows no rows whose reference has another one now"`
}

var _ = declare[OrderDifference](TableDoc{
	Name: "order_differences", Follows: "critical_claims", Doc: "What the order of the claims of a run and that of a reference have each alone (where analyze distance compared them), the 100,000 claims of a comparison at most that add most.",
	Grain: "one claim or event that adds to the distance of a run to a reference", Partition: "run",
})

// Behaviour is a class of items of a run that were treated alike (Hendriks et al. 2024, section 6.6).
type Behaviour struct {
	Item           string  `parquet:"item,id(2),dict" key:"yes" doc:"the attribute whose values are the items"`
	By             string  `parquet:"by_attributes,id(3),dict" key:"yes" doc:"the attributes by which claims and events of items are equal"`
	Order          string  `parquet:"compared_order,id(4),dict" key:"yes" doc:"reduced: the transitive reduction; full: the whole order"`
	Filter         string  `parquet:"filtered_by,id(5),optional,dict" key:"yes" doc:"the attributes of the claims that were looked at; null: all claims"`
	Behaviour      string  `parquet:"behaviour,id(6)" key:"yes" doc:"the first 128 bits of the SHA-256 of its claims, events and order: the same in every run and lake"`
	Items          int64   `parquet:"items,id(7)" unit:"count" doc:"items of the run that have it"`
	Share          float64 `parquet:"share,id(8)" unit:"1" doc:"of all items of the run"`
	Representative string  `parquet:"representative,id(9)" doc:"the first item of the run that has it"`
	LastsNs        int64   `parquet:"representative_ns,id(10)" doc:"from the first start of that item to its last end"`
	Claims         string  `parquet:"claims,id(11)" doc:"the claims of that item in the order of their starts, parted by blanks"`
}

var _ = declare[Behaviour](TableDoc{
	Name: "behaviours", Follows: "order_differences", Doc: "Which items of the run were treated alike (where analyze behaviours asked for it), the 100,000 most frequent behaviours of a run at most.",
	Grain: "one class of items of the run", Partition: "run",
})

// Signal is a quantity over time (Hendriks et al. 2024, Definition 6): the sum of its fragments.
type Signal struct {
	Signal int64   `parquet:"signal,id(2)" key:"yes" unit:"-" doc:"its number in the trace, or among the signals of its origin"`
	Name   string  `parquet:"name,id(3),dict" doc:"its attribute name, or else what describes it"`
	Origin string  `parquet:"origin,id(4),dict" key:"yes" doc:"trace: the trace has it; else what it was computed as: wip, usage, clients"`
	Unit   *string `parquet:"unit,id(5),optional,dict" doc:"unit of its values, where that is known"`
	StepNs int64   `parquet:"step_ns,id(6)" doc:"the unit of time in which b and a of its fragments count"`
}

var _ = declare[Signal](TableDoc{
	Name: "signals", Follows: "dependencies", Doc: "Signals: quantities over time.",
	Grain: "one signal", Partition: "run",
})

var _ = declare[Signal](TableDoc{
	Name: "derived_signals", Follows: "gains", Doc: "Signals that are summed up of executions and claims: usage and clients of resources, root executions under way (only where asked for, with --stage signals).",
	Grain: "one signal; of runs that declare no resources, lifelines have clients", Partition: "run",
})

var _ = declare[SignalFragments](TableDoc{
	Name: "fragments_of_derived_signals", Follows: "derived_signals", Doc: "The pieces of derived signals (only where asked for, with --stage signals).",
	Grain: "one piece of a signal", Partition: "run",
})

// OriginTrace is the origin of signals that the trace has.
const OriginTrace = "trace"

// SignalFragments are the pieces of signals (Hendriks et al. 2024, Definition 5): c + b x + a x^2 from from_ns until before
// to_ns, where x is the time since from_ns in units of the signal's step_ns. The numbers are those of the trace: a unit of
// time of its own keeps them exact.
type SignalFragments struct {
	Signal []int64   `parquet:"signal,id(2)" key:"yes" unit:"-" doc:"the signal"`
	FromNs []int64   `parquet:"from_ns,id(3)" key:"yes" doc:"where it begins"`
	ToNs   []int64   `parquet:"to_ns,id(4)" doc:"where it has ended"`
	C      []float64 `parquet:"c,id(5),optional" unit:"1" doc:"the value at its beginning"`
	B      []float64 `parquet:"b,id(6),optional" unit:"1" doc:"the slope at its beginning, by step_ns"`
	A      []float64 `parquet:"a,id(7),optional" unit:"1" doc:"the factor of the square"`
}

var signalFragmentsTable = declareColumns[SignalFragments, struct{}](TableDoc{
	Name: "fragments_of_signals", Follows: "signals", Doc: "The pieces of signals, polynomials of degree 2 at most.",
	Grain: "one piece of a signal; pieces that overlap add up", Partition: "run",
}, nil)

// Columns binds the columns to their slices, in the order of the file.
func (s *SignalFragments) Columns() []Column { return signalFragmentsTable.bind(s, nil) }

// Attribute is a name and a value in codes.
type Attribute struct{ Name, Value Code }

// TraceIDAttribute is the attribute by which the root of a trace of spans has the id of its trace, where the user asks for it by this name.
const TraceIDAttribute = "trace_id"

// AttributeSet is the position of a set of attributes in AttributeSets; NoAttributes is the empty set.
type AttributeSet = uint32

// NoAttributes is the empty set.
const NoAttributes AttributeSet = 0

// AttributeSets are the sets of attributes of a trace. Sets share their beginnings, equal ones not always: a set is another one with an
// attribute more, so a thing needs 4 bytes, and a set 8.
type AttributeSets struct {
	Parents []AttributeSet // the set without its last attribute; that of NoAttributes has no meaning
	Last    []uint32       // position in Pairs of the last attribute
	Pairs   []Attribute    // the attributes that occur, each once
}

// Append appends the attributes of a set, in their order.
func (s *AttributeSets) Append(to []Attribute, set AttributeSet) []Attribute {
	from := len(to)
	for ; set != NoAttributes; set = s.Parents[set] {
		to = append(to, s.Pairs[s.Last[set]])
	}
	slices.Reverse(to[from:])
	return to
}

// Attributed is what a trace says of its things beyond events and messages. It is complete before the first block of the
// reader: claims and dependencies come with the events of the blocks, see Block.Claims and Block.Ends.
type Attributed struct {
	Texts *AttributeNames
	Sets  *AttributeSets

	// Guard is held by whoever adds to the texts and sets, or reads them, while blocks are under way; nil where they are complete
	// before the first block.
	Guard *sync.Mutex

	Trace        AttributeSet
	Resources    []Resource
	OfResources  []AttributeSet // by position in Resources
	Claimed      []int64        // the resources that claims name, by ClaimRow.Resource
	Dependencies []DependencyKind
	Signals      []Signal       // complete when the reading ends
	OfSignals    []AttributeSet // by position in Signals

	// Fragments hands out the fragments of the signals by signal and time, some at a time; nil where there are none. It is
	// called once, after Reader.Read.
	Fragments func(func(*SignalFragments) error) error
}

// Reserved names of attributes that stand first in the set of a claim: what has a column in the table claims. No attribute of
// a trace has a name like these.
const (
	ClaimAmount = "\x00amount"
	ClaimPlace  = "\x00place"
)

// DependencyKind is what a dependency is beside its ends.
type DependencyKind struct {
	Set  AttributeSet
	Type uint16
}

// ClaimRow says that a row of a block is a claim's enter, or a regular event.
type ClaimRow struct {
	Row      int32 // position of the event in the block
	Set      AttributeSet
	Resource uint32 // position in Attributed.Claimed, or RegularEvent
	ID       int64  // of the trace
}

// RegularEvent stands for the resource of an event, which has none, and NoResource for that of an execution that claims none.
const (
	RegularEvent = ^uint32(0)
	NoResource   = ^uint32(1)
)

// DependencyEnd says that a row of a block is an end of a dependency.
type DependencyEnd struct {
	Row        int32 // position of the event, or of its message, in the block
	Target     bool  // it is the end that the dependency goes to
	Dependency int64 // position in Attributed.Dependencies
}

// AttributeReader is a Reader of a trace whose things have attributes.
type AttributeReader interface {
	// Attributed returns what the trace says of its things; nil where the user asked for nothing of it. It holds from the first
	// block on, and nothing of it changes then but signals and what Attributed.Guard guards.
	Attributed() *Attributed
}

// Things are the tables of what a run has beside events and messages. Those that it lacks are empty, and none is nil.
type Things struct {
	Attributes   *Attributes
	Resources    []Resource
	Claims       *Claims
	Dependencies *Dependencies
	Signals      []Signal
	Fragments    *SignalFragments
}

// Some reports whether the run has any of these things.
func (t *Things) Some() bool {
	return Rows(t.Attributes)+Rows(t.Claims)+Rows(t.Dependencies)+len(t.Resources)+len(t.Signals) > 0
}
