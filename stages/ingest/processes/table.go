package processes

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/callkeys"
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
	Host string // as the trace spells it, "" where it does not name one
	PID  uint64 // as the host numbers it
}

// ThreadKey identifies a thread, or a CPU that stands for the threads it runs.
type ThreadKey struct {
	ProcessKey
	TID uint64 // or the number of the CPU
	CPU bool   // it is a CPU, and TID its number
}

// Process is what a trace has told of a process so far.
type Process struct {
	name    string // "" while no event has named it
	modules []Module
}

// Execution is the name of what runs between an enter and its exit.
type Execution struct{ Component, Function string }

// Table numbers the threads and the calls of a run. Thread and call numbers start at 0 and stay as they are.
type Table struct {
	callkeys.Table

	symbols   schema.Symbols // of the program; may be nil
	component string         // schema.ReadingOptions.Component: "" or a word of Components

	processes map[ProcessKey]*Process // kept to the end of the trace
	threadOf  map[ThreadKey]int32     // position in threads
	threads   []Thread                // by number, in the order of their first events
	lifelines map[string]int          // by lifeline 1, by the name before the number the highest number so far
	named     []Execution             // by the number that AddNamed gave
	calls     callCache               // what EnterKey found out since the last module or name
}

// NewTable returns a table without processes that uses the symbols and the component word of the options.
func NewTable(o schema.ReadingOptions) *Table {
	return &Table{
		symbols: o.Symbols, component: o.Component, processes: make(map[ProcessKey]*Process),
		threadOf: make(map[ThreadKey]int32), lifelines: make(map[string]int),
	}
}

// Process returns the process of a key, a new one without a name if there is none yet.
func (t *Table) Process(key ProcessKey) *Process {
	p := t.processes[key]
	if p == nil {
		p = new(Process)
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
	instance := t.lifelines[called] + 1
	if key.CPU {
		instance = int(key.TID)
	}
	number := int32(len(t.threads))
	t.threads = append(t.threads, Thread{lifeline: t.unusedLifeline(called, instance), process: p})
	t.threadOf[key] = number
	return number
}

// unnamedProcess is the component and the lifeline's name of a process that no event names.
const unnamedProcess = "process"

// unusedLifeline returns name/instance with the lowest instance from the given one on that no lifeline has.
func (t *Table) unusedLifeline(name string, instance int) string {
	for ; ; instance++ {
		lifeline := name + "/" + strconv.Itoa(instance)
		if t.lifelines[lifeline] == 0 {
			t.lifelines[lifeline] = 1
			t.lifelines[name] = max(t.lifelines[name], instance)
			return lifeline
		}
	}
}

// Thread returns the thread of a number. The pointer is valid until the next new thread.
func (t *Table) Thread(number int32) *Thread { return &t.threads[number] }

// AddNamed numbers an execution that is named by its events and not by an address. Nothing is compared: an execution
// that is added twice has two numbers and the same keys.
func (t *Table) AddNamed(e Execution) (number uint64) {
	t.named = append(t.named, e)
	return uint64(len(t.named) - 1)
}

// Named returns the execution of a number that AddNamed gave.
func (t *Table) Named(number uint64) Execution { return t.named[number] }

// EnterKey returns the number of the key of a call's enter; that of its exit is the next one.
func (t *Table) EnterKey(c Call) uint32 {
	if k, known := t.calls.find(c); known {
		return k
	}
	thread := &t.threads[c.Thread]
	var e Execution
	if c.Named {
		e = t.named[c.Address]
	} else {
		e = t.resolve(thread.process, c.Address)
	}
	k := t.Call(schema.EventKey{Component: e.Component, Lifeline: thread.lifeline, Function: e.Function})
	t.calls.add(c, k)
	return k
}
