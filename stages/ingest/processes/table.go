package processes

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"

	"github.com/tracelake/tracelake/schema"
)

// MaxName is how many bytes of a name in a trace are used; longer ones are cut.
const MaxName = 4096

// Clean makes a valid name of bytes of a trace: what is no UTF-8 or a control character becomes U+FFFD.
func Clean(b []byte) string {
	s := strings.ToValidUTF8(string(b[:min(len(b), MaxName)]), "\uFFFD")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// ProcessKey identifies a process. Traces of one host share its processes.
type ProcessKey struct {
	Host uint32 // by number
	PID  uint64 // as the host numbers it
}

// ThreadKey identifies a thread, or a CPU that stands for the threads it runs.
type ThreadKey struct {
	ProcessKey
	TID uint64 // or the number of the CPU
	CPU bool   // it is a CPU, and TID its number
}

// Processes that the operating system does not number, or whose number a trace does not tell. Numbers of processes have 32 bits.
const (
	// KernelPID is the number of the process that stands for the kernel itself: what interrupts run.
	KernelPID = 1 << 62
	// LonePID, with the number of a thread added, is that of a process of this thread alone.
	LonePID = 1 << 61
)

// kernelName is the name of the process of number KernelPID.
const kernelName = "kernel"

// Process is what a trace has told of a process so far.
type Process struct {
	name    string // "" while no event has named it
	modules []Module
}

// Execution is the name of what runs between an enter and its exit. Without a component it belongs to its process.
type Execution struct{ Component, Function string }

// Table numbers the threads and the calls of a run. Thread and call numbers start at 0 and stay as they are.
type Table struct {
	keys

	symbols   schema.Symbols // of the program; may be nil
	component string         // schema.ReadingOptions.Component: "" or a word of Components

	processes map[ProcessKey]*Process    // kept to the end of the trace
	threadOf  map[ThreadKey]int32        // position in threads
	threads   threads                    // by number, in the order of their first events
	lifelines lifelines                  // names that are given out
	named     []Execution                // by the number that AddNamed gave
	resolved  map[schema.CodedKey]uint32 // keys of the enters of what lies at addresses
	calls     callCache                  // what EnterKey found out since the last module or name
	namedOf   callCache                  // the same of named executions that no thread has room for, whose keys stay
	lanes     map[laneKey]int32
	hosts     []string // whose names lifelines begin with, by number; nil where there is one
}

// NewTable returns a table without processes that uses the symbols and the component word of the options.
func NewTable(o schema.ReadingOptions) *Table {
	return &Table{
		lanes: make(map[laneKey]int32), symbols: o.Symbols, component: o.Component, processes: make(map[ProcessKey]*Process),
		threadOf: make(map[ThreadKey]int32), lifelines: newLifelines(), resolved: make(map[schema.CodedKey]uint32),
	}
}

// Lane returns a lifeline beside that of a thread, for what overlaps there, counted from 1; lane 0 is the thread itself.
func (t *Table) Lane(thread int32, lane int) int32 {
	if lane == 0 {
		return thread
	}
	key := laneKey{thread, lane}
	number, known := t.lanes[key]
	if !known {
		of := t.threads.at(thread)
		number = t.threads.add(Thread{lifeline: t.coded.AddName(t.coded.Names[of.lifeline] + "#" + strconv.Itoa(lane+1)), process: of.process, laneOf: thread + 1})
		t.lanes[key] = number
	}
	return number
}

// LaneOwner returns the thread that a lane is beside, which is a thread itself.
func (t *Table) LaneOwner(lane int32) int32 {
	if of := t.threads.at(lane).laneOf; of > 0 {
		return of - 1
	}
	return lane
}

// laneKey identifies a lane of a thread.
type laneKey struct {
	thread int32
	lane   int
}

// NameHosts makes lifelines begin with the names of their hosts, by number, for a trace of several. It is called before the first thread.
func (t *Table) NameHosts(names []string) { t.hosts = names }

// Process returns the process of a key, a new one without a name if there is none yet.
func (t *Table) Process(key ProcessKey) *Process {
	p := t.processes[key]
	if p == nil {
		p = new(Process)
		if key.PID == KernelPID {
			p.name = kernelName
		}
		t.processes[key] = p
	}
	return p
}

// Rename gives a process its name; "" leaves it as it is. Threads keep the lifelines that they have.
func (t *Table) Rename(p *Process, name string) {
	if name != "" {
		p.name = name
		t.calls.clear()
	}
}

// NameOnce gives a process its name unless it has one: the functions of open calls keep their component.
func (t *Table) NameOnce(p *Process, name string) {
	if p.name == "" {
		t.Rename(p, name)
	}
}

// ThreadNumber returns the number of a thread. name is asked for what a new one is called, and returns "" where the
// trace does not tell; it then has the name of its process.
func (t *Table) ThreadNumber(key ThreadKey, name func() string) int32 {
	if number, known := t.threadOf[key]; known {
		return number
	}
	p := t.Process(key.ProcessKey)
	called := name()
	p.name = cmp.Or(p.name, called)
	called = cmp.Or(called, p.name, unnamedProcess)
	if t.hosts != nil && t.hosts[key.Host] != "" {
		called = t.hosts[key.Host] + "/" + called
	}
	lifeline := ""
	if key.CPU {
		lifeline = t.lifelines.from(called, int(key.TID))
	} else {
		lifeline = t.lifelines.next(called)
	}
	number := t.threads.add(Thread{lifeline: t.coded.AddName(lifeline), process: p})
	t.threadOf[key] = number
	return number
}

// unnamedProcess is the component and the lifeline's name of a process that no event names.
const unnamedProcess = "process"

// Thread returns the thread of a number.
func (t *Table) Thread(number int32) *Thread { return t.threads.at(number) }

// AddNamed numbers an execution that is named by its events and not by an address. Nothing is compared: an execution
// that is added twice has two numbers, and its calls have keys of their own.
func (t *Table) AddNamed(e Execution) (number uint64) {
	t.named = append(t.named, e)
	return uint64(len(t.named) - 1)
}

// Named returns the execution of a number that AddNamed gave.
func (t *Table) Named(number uint64) Execution { return t.named[number] }

// EnterKey returns the number of the key of a call's enter; that of its exit is the next one.
func (t *Table) EnterKey(c Call) uint32 {
	if c.Named {
		return t.namedKey(c)
	}
	if k, known := t.calls.find(c); known {
		return k
	}
	thread := t.threads.at(c.Thread)
	e := t.resolve(thread.process, c.Address)
	of := schema.CodedKey{Component: t.name(e.Component), Lifeline: thread.lifeline, Function: t.name(e.Function)}
	k, known := t.resolved[of]
	if !known {
		k = t.addCall(of)
		t.resolved[of] = k
	}
	t.calls.add(c, k)
	return k
}

// namedKey is EnterKey for an execution that is named. Its component stays what it was at the first call, whatever its process is
// called later, so that an exit has the key of its enter.
func (t *Table) namedKey(c Call) uint32 {
	thread := t.threads.at(c.Thread)
	if k, known := thread.named.find(c.Address); known {
		return k
	}
	if k, known := t.namedOf.find(c); known {
		return k
	}
	e := t.named[c.Address]
	if e.Component == "" || t.component == byProcess {
		e.Component = cmp.Or(thread.process.name, unnamedProcess)
	}
	k := t.addCall(schema.CodedKey{Component: t.name(e.Component), Lifeline: thread.lifeline, Function: t.name(e.Function)})
	if !thread.named.add(c.Address, k) {
		t.namedOf.add(c, k)
	}
	return k
}
