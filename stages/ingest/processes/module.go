package processes

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// Module is a program or library in the memory of a process.
type Module struct {
	from, to uint64 // addresses: from is the first, to lies behind the last
	file     string // its name without the folder, "?" where it is not known
	moves    bool   // it is position independent: addresses count from its start
	program  bool   // it is no library, so the program's symbols are its own
}

// NewModule describes a module that lies at base. Size is in bytes; one of 0 is taken for a byte, since tracers tell of
// modules whose size they do not know. File is the path of its file, "" where the trace has none.
func NewModule(base, size uint64, file string, moves bool) Module {
	name := path.Base(file)
	if file == "" {
		name = "?"
	}
	return Module{from: base, to: base + max(size, 1), file: name, moves: moves, program: !strings.Contains(name, ".so")}
}

// Load puts a module into the memory of a process and drops the modules that it overlaps: a tracer that misses the end
// of a library sees another one at its place.
func (t *Table) Load(p *Process, m Module) {
	kept := p.modules[:0]
	for _, old := range p.modules {
		if old.to <= m.from || old.from >= m.to {
			kept = append(kept, old)
		}
	}
	p.modules = append(kept, m)
	t.calls.clear()
}

// module returns the module that holds an address, or nil. Modules do not overlap, so there is one at most.
func (p *Process) module(address uint64) *Module {
	for i := range p.modules {
		if m := &p.modules[i]; m.from <= address && address < m.to {
			return m
		}
	}
	return nil
}

// resolve names what lies at an address of a process.
func (t *Table) resolve(p *Process, address uint64) Execution {
	m := p.module(address)
	if m != nil && m.moves {
		address -= m.from
	}
	e := Execution{p.name, fmt.Sprintf("%#x", address)}
	if m != nil && t.component != byProcess {
		e.Component = m.file
	}
	e.Component = cmp.Or(e.Component, unnamedProcess)
	if t.symbols == nil || m != nil && !m.program {
		return e
	}
	if function, unit, found := t.symbols.Lookup(address); found && function != "" {
		e.Function = function
		if unit != "" && (t.component == "" || t.component == byUnit) {
			e.Component = symbols.Component(unit)
		}
	}
	return e
}
