package schema

// Category says where a step of a critical path spends its time.
type Category = uint8

const (
	Executing     Category = iota // in a function
	Communicating                 // between sending a message and receiving it
	Idling                        // between two root executions, without a message that waits
	Contending                    // whatever a component did while a message for it waited (Jonk et al. 2019, Fig. 2)
)

// CategoryWords are the names of the categories.
var CategoryWords = []string{"execution", "communication", "idle", "contention"}

// Compositions state where the critical paths of root executions, from their start to their finish, spend their
// time: one row for every part of any path of a service fragment, summed over all occurrences.
type Compositions struct {
	Names *Names

	Fragment    []Code     `parquet:"fragment,id(2)" names:"Fragments" key:"yes" doc:"service fragment whose occurrences the paths lead through"`
	Initial     []bool     `parquet:"initial,id(3)" doc:"no message starts the fragment: it is an end in itself"`
	Category    []Category `parquet:"category,id(4)" key:"yes" doc:"execution, communication, idle, or contention: what a component did while a message for it waited"`
	Component   []Code     `parquet:"component,id(5)" names:"Components" key:"yes" doc:"component that executed, was idle, or received the message"`
	Function    []Code     `parquet:"function,id(6),optional" names:"Functions" key:"yes" doc:"function that executed or received"`
	Sender      []Code     `parquet:"sender,id(7),optional" names:"Components" key:"yes" doc:"of a message: the component that sent it"`
	Label       []Code     `parquet:"message,id(8),optional" names:"Messages" key:"yes" doc:"of a message: its label"`
	Busy        []Code     `parquet:"busy_component,id(9),optional" names:"Components" key:"yes" doc:"of contention: the component for which a message waited"`
	Occurrences []int64    `parquet:"occurrences,id(10)" unit:"count" doc:"paths that have this part"`
	Steps       []int64    `parquet:"steps,id(11)" unit:"count" doc:"constraints on these paths"`
	TotalNs     []int64    `parquet:"total_ns,id(12)" doc:"time of these paths in this part"`
	MaxNs       []int64    `parquet:"max_ns,id(13)" doc:"maximum over the paths"`
}

var compositionsTable = declareColumns[Compositions, Names](TableDoc{
	Name: "compositions", Follows: "slack", Doc: "Where the critical paths of root executions, from their start to their finish, spend their time.",
	Grain: "one part of the paths of a fragment", Partition: "run",
}, enums{"category": CategoryWords})

// Columns binds the columns to their slices, in the order of the file.
func (c *Compositions) Columns() []Column { return compositionsTable.bind(c, c.Names) }

// NewCompositions returns an empty table whose codes are those of names.
func NewCompositions(names *Names) *Compositions { return &Compositions{Names: names} }

// Gains state how much earlier the root executions of a service fragment would finish if a function executed faster on their
// critical paths: one row for every function on any path of a fragment, summed over all occurrences. A fragment on whose paths no
// function takes time has one row without a function, so that its occurrences count.
type Gains struct {
	Names *Names

	Fragment    []Code  `parquet:"fragment,id(2)" names:"Fragments" key:"yes" doc:"service fragment whose occurrences would finish earlier"`
	Initial     []bool  `parquet:"initial,id(3)" doc:"no message starts the fragment: it is an end in itself"`
	Component   []Code  `parquet:"component,id(4),optional" names:"Components" key:"yes" doc:"component of the function"`
	Function    []Code  `parquet:"function,id(5),optional" names:"Functions" key:"yes" doc:"function that would be faster; null, as the component, where no function takes time on any path of the fragment"`
	Roots       []int64 `parquet:"roots,id(6)" unit:"count" doc:"occurrences of the fragment"`
	Occurrences []int64 `parquet:"occurrences,id(7)" unit:"count" doc:"of these, those on whose critical path the function executes"`
	TotalNs     []int64 `parquet:"total_ns,id(8)" doc:"own time of the function on these paths: what could be gained at most"`
	Gain10Ns    []int64 `parquet:"gain_10_ns,id(9)" doc:"how much earlier all occurrences together would finish if the function took 10 % less time"`
	Gain50Ns    []int64 `parquet:"gain_50_ns,id(10)" doc:"the same for 50 %"`
	Gain100Ns   []int64 `parquet:"gain_100_ns,id(11)" doc:"the same for 100 %: if it took no time"`
}

var gainsTable = declareColumns[Gains, Names](TableDoc{
	Name: "gains", Follows: "compositions", Doc: "How much earlier root executions would finish if functions were faster (only where asked for, with --stage gains).",
	Grain: "one function on the paths of a fragment", Partition: "run",
}, nil)

// Columns binds the columns to their slices, in the order of the file.
func (g *Gains) Columns() []Column { return gainsTable.bind(g, g.Names) }

// NewGains returns an empty table whose codes are those of names.
func NewGains(names *Names) *Gains { return &Gains{Names: names} }

// CriticalSteps are the steps of the critical paths of root executions, each path from the finish of its root back to its start.
// What compositions sums up: steps and times of a fragment are the same in both.
type CriticalSteps struct {
	Names *Names

	Root       []int64    `parquet:"root,id(2)" key:"yes" unit:"-" doc:"root execution that the path leads through: seq of its enter event"`
	Step       []int64    `parquet:"step,id(3)" key:"yes" unit:"-" doc:"number of the step on the path, from 1, counted back from the finish"`
	Category   []Category `parquet:"category,id(4)" doc:"execution, communication, idle, or contention: what a component did while a message for it waited"`
	Component  []Code     `parquet:"component,id(5)" names:"Components" doc:"component that executed, was idle, or received the message"`
	Function   []Code     `parquet:"function,id(6),optional" names:"Functions" doc:"function that executed or received"`
	Sender     []Code     `parquet:"sender,id(7),optional" names:"Components" doc:"of a message: the component that sent it"`
	Label      []Code     `parquet:"message,id(8),optional" names:"Messages" doc:"of a message: its label"`
	Busy       []Code     `parquet:"busy_component,id(9),optional" names:"Components" doc:"of contention: the component for which a message waited"`
	CallPath   []Code     `parquet:"call_path,id(10),optional" names:"CallPaths" doc:"what was open, see the table call_paths; null where nothing was"`
	StartNs    []int64    `parquet:"start_ns,id(11)" doc:"time at which the step begins"`
	DurationNs []int64    `parquet:"duration_ns,id(12)" doc:"how long it takes; the steps of a path follow each other without gaps"`
}

var criticalStepsTable = declareColumns[CriticalSteps, Names](TableDoc{
	Name: "critical_steps", Follows: "gains", Doc: "The steps of the critical paths of root executions (only where asked for, with --stage critical_steps).",
	Grain: "one step of one path", Partition: "run",
}, enums{"category": CategoryWords})

// Columns binds the columns to their slices, in the order of the file.
func (c *CriticalSteps) Columns() []Column { return criticalStepsTable.bind(c, c.Names) }

// NewCriticalSteps returns an empty table whose codes are those of names.
func NewCriticalSteps(names *Names) *CriticalSteps { return &CriticalSteps{Names: names} }

// CallPaths are the call paths of critical steps, as a tree: the functions that are open on a lifeline, on top of the blocking call that
// waits for the reply of the lowest one.
type CallPaths struct {
	Names *Names

	CallPath  []Code  `parquet:"call_path,id(2)" names:"CallPaths" key:"yes" doc:"number of the path: a hash of its functions, the same in every run"`
	Caller    []Code  `parquet:"caller,id(3),optional" names:"CallPaths" doc:"call path of the caller, on the same lifeline or in a blocking call of another one; null where nobody waits for the function"`
	Depth     []int64 `parquet:"depth,id(4)" unit:"-" doc:"0 for one without a caller"`
	Component []Code  `parquet:"component,id(5)" names:"Components" doc:"component of the innermost function"`
	Function  []Code  `parquet:"function,id(6)" names:"Functions" doc:"the innermost function"`
}

var callPathsTable = declareColumns[CallPaths, Names](TableDoc{
	Name: "call_paths", Follows: "critical_steps", Doc: "The call paths of critical steps, as a tree (only where asked for, with --stage critical_steps).",
	Grain: "one call path", Partition: "run",
}, nil)

// Columns binds the columns to their slices, in the order of the file.
func (c *CallPaths) Columns() []Column { return callPathsTable.bind(c, c.Names) }

// NewCallPaths returns an empty table whose codes are those of names.
func NewCallPaths(names *Names) *CallPaths { return &CallPaths{Names: names} }
