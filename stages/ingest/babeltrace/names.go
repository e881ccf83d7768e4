package babeltrace

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// names numbers threads and functions, as package ctf does.
type names struct {
	symbols   schema.Symbols
	processes map[processKey]*process
	threads   map[threadKey]*thread
	like      map[string]int // lifelines by the name before their number
	keys      []schema.EventKey
	keyOf     map[schema.EventKey]uint32

	last    *thread // that of the line before
	lastKey threadKey
}

type processKey struct {
	host string
	pid  uint64
}

type threadKey struct {
	processKey
	tid uint64
	cpu bool
}

type process struct {
	name    string
	modules []module
	calls   map[call]uint32
}

type call struct {
	address uint64
	thread  *thread
}

type module struct {
	from, to uint64
	file     string
	moves    bool
}

type thread struct {
	lifeline string
	process  *process
	stack    []uint32 // keys of the enters of its open calls
}

// maxStack bounds the open calls that are kept of a thread: of deeper ones, exits without an address end others.
const maxStack = 1 << 16

func newNames(symbols schema.Symbols) names {
	return names{
		symbols: symbols, processes: make(map[processKey]*process), threads: make(map[threadKey]*thread),
		like: make(map[string]int), keyOf: make(map[schema.EventKey]uint32),
	}
}

func (t *thread) push(k uint32) {
	if len(t.stack) < maxStack {
		t.stack = append(t.stack, k)
	}
}

// pop takes the innermost call of a key away.
func (t *thread) pop(k uint32) {
	for i := len(t.stack) - 1; i >= 0; i-- {
		if t.stack[i] == k {
			t.stack = append(t.stack[:i], t.stack[i+1:]...)
			return
		}
	}
}

// text is a field that is a name.
func (l *line) text(payload bool, name string) string {
	v, _ := l.field(payload, name)
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(string(v[:min(len(v), 4096)]), "\uFFFD"))
}

// either returns the first of two fields of the context that is there.
func (l *line) either(a, b string) (uint64, bool) {
	if n, ok := l.number(false, a); ok {
		return n, true
	}
	return l.number(false, b)
}

func (n *names) process(l *line) *process {
	pid, _ := l.either("vpid", "pid")
	return n.processOf(processKey{string(l.host), pid})
}

func (n *names) processOf(key processKey) *process {
	p := n.processes[key]
	if p == nil {
		p = &process{calls: make(map[call]uint32)}
		n.processes[key] = p
	}
	return p
}

// thread returns the thread of a line: that of its context, or else its CPU.
func (n *names) thread(l *line) *thread {
	var key threadKey
	tid, ok := l.either("vtid", "tid")
	if ok {
		key.tid = tid
		key.pid, _ = l.either("vpid", "pid")
	} else {
		key.cpu = true
		key.tid, _ = l.number(false, "cpu_id")
	}
	if n.last != nil && n.lastKey.tid == key.tid && n.lastKey.pid == key.pid && n.lastKey.cpu == key.cpu && n.lastKey.host == string(l.host) {
		return n.last
	}
	key.host = string(l.host)
	t := n.threads[key]
	if t == nil {
		t = n.newThread(l, key)
	}
	n.last, n.lastKey = t, key
	return t
}

func (n *names) newThread(l *line, key threadKey) *thread {
	p := n.processOf(key.processKey)
	called := l.text(false, "procname")
	if key.cpu {
		called = "cpu"
	}
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
	lifeline := called + "/" + strconv.Itoa(number)
	for n.like[lifeline] != 0 {
		number++
		lifeline = called + "/" + strconv.Itoa(number)
	}
	n.like[lifeline] = 1
	n.like[called] = max(n.like[called], number)
	t := &thread{lifeline: lifeline, process: p}
	n.threads[key] = t
	return t
}

// module notes where a module lies. What lay there is gone.
func (n *names) module(l *line) {
	base, ok := l.number(true, "baddr")
	if !ok {
		return
	}
	size, _ := l.number(true, "memsz")
	m := module{from: base, to: base + max(size, 1), file: "?", moves: true}
	if file := l.text(true, "path"); file != "" {
		m.file = path.Base(file)
	}
	if pic, ok := l.number(true, "is_pic"); ok {
		m.moves = pic != 0
	}
	p := n.process(l)
	kept := p.modules[:0]
	for _, old := range p.modules {
		if old.to <= m.from || old.from >= m.to {
			kept = append(kept, old)
		}
	}
	p.modules = append(kept, m)
	clear(p.calls)
}

// key returns the key of an enter; that of the exit follows it.
func (n *names) key(t *thread, address uint64) uint32 {
	if k, ok := t.process.calls[call{address, t}]; ok {
		return k
	}
	component, function := n.at(t.process, address)
	key := schema.EventKey{Component: component, Lifeline: t.lifeline, Function: function, Kind: schema.Enter}
	k, ok := n.keyOf[key]
	if !ok {
		k = uint32(len(n.keys))
		n.keyOf[key] = k
		n.keys = append(n.keys, key)
		key.Kind = schema.Exit
		n.keys = append(n.keys, key)
	}
	t.process.calls[call{address, t}] = k
	return k
}

// at returns what is called at an address.
func (n *names) at(p *process, address uint64) (component, function string) {
	component, program := p.name, true
	if component == "" {
		component = "process"
	}
	for i := range p.modules {
		if m := &p.modules[i]; m.from <= address && address < m.to {
			component, program = m.file, !strings.Contains(m.file, ".so")
			if m.moves {
				address -= m.from
			}
			break
		}
	}
	function = fmt.Sprintf("%#x", address)
	if n.symbols == nil || !program {
		return component, function
	}
	if name, unit, ok := n.symbols.Lookup(address); ok && name != "" {
		function = name
		if unit != "" {
			component = symbols.Component(unit)
		}
	}
	return component, function
}
