package otf1

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// definitions are what the trace defines, by token. Tokens of different kinds of things are independent.
type definitions struct {
	resolution uint64 // ticks a second; 0 where it is not defined
	least      uint64 // of the time range
	ranged     bool   // the time range is known
	creator    string // who wrote the trace: ours have labels without tags

	processes map[uint64]processDef    // by token
	functions map[uint64]functionDef   // by token
	names     [kinds]map[uint64]string // by kind and token
	lines     map[uint64]uint64        // source files of places in source code (scl)

	operations map[uint64]operationDef // collective ones, by token
	members    map[uint64][]uint64     // processes of a process group, by the rank that they have there

	supplement bool // what is defined already stays as it is
}

// processDef is the definition of a process.
type processDef struct {
	name   string // "" where the trace gives none
	parent uint64 // of a thread: the process to which it belongs
	thread bool   // it has a parent
}

// functionDef is the definition of a function.
type functionDef struct {
	name  string // "" where the trace gives none
	group uint64 // token of its function group
	scl   uint64 // 0: none
}

// nameKind is a kind of definition of which only the name is used here.
type nameKind int

const (
	communicators nameKind = iota // process groups
	groups                        // function groups
	files                         // source files
	kinds
)

// newDefinitions returns definitions that are empty.
func newDefinitions() *definitions {
	d := &definitions{
		processes: make(map[uint64]processDef), functions: make(map[uint64]functionDef), lines: make(map[uint64]uint64),
		operations: make(map[uint64]operationDef), members: make(map[uint64][]uint64),
	}
	for i := range d.names {
		d.names[i] = make(map[uint64]string)
	}
	return d
}

// readDefinitions reads a file of definitions if it exists.
func (r *reader) readDefinitions(name string) (found bool, err error) {
	in, closer, err := r.open(name, firstBuffer)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer closer.Close()
	for in.next() {
		f := fields{text: in.line()}
		if !f.more() {
			continue
		}
		// Key-values belong to the definition after them and are no definitions.
		if word := f.keyword(); string(word) != "K" && string(word) != "KEY" {
			if err := r.definition(in, word, &f); err != nil {
				return true, err
			}
		}
	}
	return true, r.checkEnd(in)
}

// definition takes up the record at hand, whose keyword is word. It counts what is no definition.
func (r *reader) definition(in *lines, word []byte, f *fields) error {
	known, changed := r.define1(word, f)
	switch {
	case !known && len(word) == 0:
		return r.reading.Bad(schema.BadRecord, in.syntax(0, expected("a keyword")))
	case !known:
		return r.reading.Bad(schema.UnknownRecord, in.syntax(0, errors.New("no definition of OTF 1 is called "+string(word[:min(len(word), 40)]))))
	case f.fault != "":
		return r.reading.Bad(schema.BadRecord, in.syntax(f.at, expected(f.fault)))
	case changed:
		r.reading.Ledger.Add(schema.DuplicateDef, in.place(0, "it was defined in another way before"))
	}
	return nil
}

// define1 reads one definition. It reports whether the keyword is one, and whether the same token meant
// something else before.
func (d *definitions) define1(word []byte, f *fields) (known, changed bool) {
	switch string(word) {
	case "DF", "DEFFUNCTION":
		return true, d.function(f)
	case "DP", "DEFPROCESS":
		return true, d.process(f)
	case "DS", "DEFSCL":
		return true, d.place(f)
	case "DFG", "DEFFUNCTIONGROUP":
		return true, d.name(f, groups)
	case "DSF", "DEFSCLFILE":
		return true, d.name(f, files)
	case "DPG", "DEFPROCESSGROUP":
		return true, d.name(f, communicators)
	case "DCO", "DEFCOLLOP":
		return true, d.operation(f)
	case "DTR", "DEFTIMERRESOLUTION":
		return true, d.timer(f)
	case "DTRG", "DEFTIMERANGE":
		return true, d.timeRange(f)
	case "DCR", "DEFCREATOR":
		d.creator = f.quoted("a creator")
		return true, false
	}
	return strings.Contains(otherDefinitions, " "+string(word)+" "), false
}

// otherDefinitions are those that say nothing about events and messages.
const otherDefinitions = " DV DEFVERSION DUI DEFUNIQUEID DCMT DEFCOMMENT DA DEFATTRIBUTELIST DPGA DEFPROCESSORGROUPATTR " +
	"DCG DEFCOUNTERGROUP DCNT DEFCOUNTER DCA DEFCOUNTERASSIGNMENTS DFL DEFFILE DFLG DEFFILEGROUP DPS DEFPROCESSSUBSTITUTES " +
	"DAUX DEFAUXSAMPLEPOINT DK DEFKEYVALUE DM DEFMARKER "
