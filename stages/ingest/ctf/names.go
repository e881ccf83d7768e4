package ctf

import (
	"bytes"
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// maxName is how long a name may be, in bytes.
const maxName = 4096

// clean makes a name of bytes of the trace.
func clean(b []byte) string {
	b = b[:min(len(b), maxName)]
	s := strings.ToValidUTF8(string(b), "\uFFFD")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// text is the text at a register, up to its zero byte.
func (s *stream) text(reg register) string {
	at := int(s.regs[reg]) + s.delta
	if at < 0 || at >= len(s.buf) {
		return ""
	}
	b := s.buf[at:min(len(s.buf), at+maxName)]
	if room := s.event.room[reg]; room != 0 {
		b = b[:min(uint64(len(b)), room)]
	}
	if n := bytes.IndexByte(b, 0); n >= 0 {
		b = b[:n]
	}
	return clean(b)
}

// processKey tells processes apart. Traces of one host share them.
type processKey struct {
	host string
	pid  uint64
}

// process is what is known of a process.
type process struct {
	name    string
	modules []module
}

// module is what lies at a range of addresses.
type module struct {
	from, to uint64
	file     string // its name without the folder
	moves    bool   // it is position independent
	program  bool   // it is no library
}

// threadKey tells threads apart. A CPU stands for its threads where the trace does not tell them.
type threadKey struct {
	processKey
	tid uint64
	cpu bool
}

type thread struct {
	lifeline string
	process  *process
	stack    []uint32 // keys of the enters of its open calls
	deeper   int      // open calls beyond maxStack
}

// names gives numbers to processes, threads and functions.
type names struct {
	options   schema.ReadingOptions
	statics   statics
	processes map[processKey]*process
	threadOf  map[threadKey]int32
	threads   []thread
	running   map[cpuKey]int32 // the threads on the CPUs
	like      map[string]int   // lifelines by the name before their number

	keys  []schema.EventKey
	keyOf map[schema.EventKey]uint32
	calls callTable
}

func newNames(options schema.ReadingOptions) *names {
	return &names{
		options: options, processes: make(map[processKey]*process), threadOf: make(map[threadKey]int32),
		running: make(map[cpuKey]int32), like: make(map[string]int), keyOf: make(map[schema.EventKey]uint32),
	}
}

func (n *names) process(key processKey) *process {
	p := n.processes[key]
	if p == nil {
		p = new(process)
		n.processes[key] = p
	}
	return p
}

// thread returns the number of a thread; name is what it is called if it is new, "" if that is not known.
func (n *names) thread(key threadKey, name func() string) int32 {
	if t, ok := n.threadOf[key]; ok {
		return t
	}
	p := n.process(key.processKey)
	called := name()
	if p.name == "" {
		p.name = called
	}
	if called == "" {
		called = p.name
	}
	if called == "" {
		called = "process"
	}
	number := n.like[called] + 1
	if key.cpu {
		number = int(key.tid)
	}
	lifeline := n.unused(called, number)
	t := int32(len(n.threads))
	n.threads = append(n.threads, thread{lifeline: lifeline, process: p})
	n.threadOf[key] = t
	return t
}

// unused returns name/number with the next number that no lifeline has.
func (n *names) unused(name string, number int) string {
	for ; ; number++ {
		lifeline := name + "/" + strconv.Itoa(number)
		if n.like[lifeline] == 0 {
			n.like[lifeline] = 1
			n.like[name] = max(n.like[name], number)
			return lifeline
		}
	}
}

// load puts a module where it lies; what lay there is gone.
func (n *names) load(p *process, m module) {
	kept := p.modules[:0]
	for _, old := range p.modules {
		if old.to <= m.from || old.from >= m.to {
			kept = append(kept, old)
		}
	}
	p.modules = append(kept, m)
	n.calls.clear()
}

// newModule describes a module. What has no name of a library is a program.
func newModule(base, size uint64, file string, moves bool) module {
	name := path.Base(file)
	if file == "" {
		name = "?"
	}
	return module{from: base, to: base + max(size, 1), file: name, moves: moves, program: !strings.Contains(name, ".so")}
}

// at returns what is called at an address of a process.
func (n *names) at(p *process, address uint64) executed {
	var m *module
	for i := range p.modules {
		if p.modules[i].from <= address && address < p.modules[i].to {
			m = &p.modules[i]
		}
	}
	if m != nil && m.moves {
		address -= m.from
	}
	e := executed{p.name, fmt.Sprintf("%#x", address)}
	if m != nil && n.options.Component != "process" {
		e.component = m.file
	}
	if e.component == "" {
		e.component = "process"
	}
	if n.options.Symbols == nil || m != nil && !m.program {
		return e
	}
	if function, unit, ok := n.options.Symbols.Lookup(address); ok && function != "" {
		e.function = function
		if unit != "" && (n.options.Component == "" || n.options.Component == "unit") {
			e.component = symbols.Component(unit)
		}
	}
	return e
}

// pair returns the key of an enter; that of the exit follows it.
func (n *names) pair(thread int32, e executed) uint32 {
	key := schema.EventKey{Component: e.component, Lifeline: n.threads[thread].lifeline, Function: e.function, Kind: schema.Enter}
	k, ok := n.keyOf[key]
	if !ok {
		k = uint32(len(n.keys))
		n.keyOf[key] = k
		n.keys = append(n.keys, key)
		key.Kind = schema.Exit
		n.keys = append(n.keys, key)
	}
	return k
}
