package machine

import "github.com/tracelake/tracelake/schema"

// Key is what an event has in common with others: all but its time and its message.
type Key struct {
	Component int         // position in Machine.Components
	Function  string      // without its component
	Callee    string      // the service that its messages are about; "" for local functions
	Kind      schema.Kind // whether it enters or exits, sends or receives
}

// Mark says what an event does with its message.
type Mark uint8

const (
	NoMessage Mark = iota
	SendCall
	SendTrigger
	SendReply
	ReceiveCall
	ReceiveTrigger
	ReceiveReply
)

// Event is one record of the trace.
type Event struct {
	TimeNs int64  // since the start of the run
	ID     int64  // of the message
	Key    uint32 // position in Machine.Keys
	Mark   Mark   // what it does with its message
}

// Machine is the structure that runs share.
type Machine struct {
	Components []string // names, by position
	Keys       []Key    // what events have in common, by position; the same in all runs of the machine

	components []component
	services   []service
	activities []activity
	loop       loopServices
	links      int // pairs of a service and a component that calls it
}

// component is a place where one request is served at a time.
type component struct {
	layer  int // calls go to higher layers only
	parent int // who initialises it
}

// service is a function that a component offers to others, or that it starts by itself.
type service struct {
	component int
	function  string
	activity  int
	replies   bool
	calls     []call
	body      []*node
	gapNs     int64    // before its finish
	shares    []uint32 // of its variants: upper ends, in 1/2^32; the last variant takes the rest
	course    []int    // position in programs, by variant: two variants may run the same
	programs  [][]op
	link      int32 // for executions that it starts by itself
}

// call is an edge of the call graph.
type call struct {
	target              int // service
	blocking            bool
	optional, repeating bool
	planted             bool // the trigger that runs into contention
}

// activity is a reason to do something every now and then.
type activity struct {
	root   int // service that starts it
	period int // exposures between two starts, on average
}

// loopServices are the services of the wafer exposure loop.
type loopServices struct {
	boot, startWafer, exposeFirst, expose, finishWafer int
	scan                                               int
	trigger                                            int
}

// Layers of components. Controllers and schedulers start things; utilities are called by all.
const (
	controllers   = 0
	utilityLayer  = 5
	innerLayers   = 4
	minComponents = 24
	fieldsOnWafer = 100
)

// Activities with a fixed place; sporadic ones follow.
const (
	exposing = iota
	wafer
	booting
	serving // utilities, called from every activity
	sporadic
	sporadicKinds = 36
)
