package rawlog

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// module is a program or library in the memory of the process.
type module struct {
	start, end uint64 // addresses in the process; end lies behind the last
	bias       uint64 // by which its addresses are greater than those of its file
	name       string // of its file, without the folder
}

// unnamed stands for the program where the log has no modules.
const unnamed = "program"

// nameCalls gives every call its keys, now that all threads and modules are known.
func (r *reader) nameCalls() {
	// All threads are of one process, which is called by its program.
	program := unnamed
	if len(r.modules) > 0 {
		program = r.modules[0].name
	}
	// The order of a map must not show in names.
	threads := make([]*thread, 0, len(r.threads))
	for _, t := range r.threads {
		threads = append(threads, t)
	}
	// Threads are numbered by their first record; the operating system's numbers differ from run to run and decide only ties.
	slices.SortFunc(threads, func(a, b *thread) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.id, b.id))
	})
	for i, t := range threads {
		t.lifeline = fmt.Sprintf("%s/%d", program, i+1)
	}
	// A function is looked up once, although each thread that calls it has keys of its own for it.
	names := make(map[uint64][2]string)
	for _, c := range r.calls {
		n, known := names[c.address]
		if !known {
			n[0], n[1] = r.resolve(c.address)
			names[c.address] = n
		}
		r.Append(schema.EventKey{Component: n[0], Lifeline: c.thread.lifeline, Function: n[1]})
	}
}

// resolve names the function at an address.
func (r *reader) resolve(address uint64) (component, function string) {
	o := r.reading.Options
	of := module{name: unnamed}
	known, program := len(r.modules) == 0, len(r.modules) == 0
	// Modules are few and this runs once a function, so a search through all of them is fast enough. Where modules
	// overlap, the one that the log names last holds, since what lay there before is gone.
	for i, m := range r.modules {
		if address >= m.start && address < m.end {
			of, known, program = m, true, i == 0
		}
	}
	if o.Symbols == nil {
		return of.name, fmt.Sprintf("%#x", address-of.bias)
	}
	// Symbols are those of the program: an address in a library has none, whatever its number.
	name, unit, found := "", "", false
	if program {
		name, unit, found = o.Symbols.Lookup(address - of.bias)
	}
	if !found || name == "" {
		r.reading.Ledger.Add(schema.UndefinedToken, func() string { return fmt.Sprintf("%s: no symbol at %#x", r.path(), address) })
		name = fmt.Sprintf("%#x", address-of.bias)
	}
	// Without modules all addresses are the program's; with modules, an address in none of them is in no unit.
	switch {
	case o.Component == byModule:
		return of.name, name
	case !found && (len(r.modules) == 0 || !known):
		return symbols.Component(""), name
	case !found:
		return of.name, name
	}
	return symbols.Component(unit), name
}

// path returns the name of the log, for errors.
func (r *reader) path() string { return r.reading.Traces[0].Path }
