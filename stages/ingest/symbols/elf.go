package symbols

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// FromELF reads the functions of an ELF file, and their units if it has debug data. Defects of the debug data
// leave units out; the error is for a file that is no ELF file or names no function at all.
func FromELF(r io.ReaderAt) (*Table, error) {
	file, err := elf.NewFile(r)
	if err != nil {
		return nil, fmt.Errorf("no ELF file: %w", err)
	}
	functions, err := elfFunctions(file)
	if err != nil {
		return nil, err
	}
	if len(functions) == 0 {
		return nil, errors.New("the ELF file has no symbols of functions; was it stripped?")
	}
	// Debug data know the files of global functions too, and whole paths, so they win over file symbols.
	units := dwarfUnits(file)
	for i := range functions {
		if unit := units[functions[i].start]; unit != "" {
			functions[i].unit = unit
		}
	}
	return newTable(functions), nil
}

// elfFunctions reads the symbol table, or the one for linking at run time where a file has no other.
func elfFunctions(file *elf.File) ([]function, error) {
	symbols, err := file.Symbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		symbols, err = file.DynamicSymbols()
	}
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return nil, fmt.Errorf("symbols of the ELF file: %w", err)
	}
	var functions []function
	// The table lists local symbols grouped behind the file symbol of what they were compiled from; global ones come
	// last and belong to no file.
	unit := "" // of the local symbols that follow
	for _, s := range symbols {
		switch elf.ST_TYPE(s.Info) {
		case elf.STT_FILE:
			unit = strings.ToValidUTF8(s.Name, "?")
		case elf.STT_FUNC, elf.STT_GNU_IFUNC:
			// Functions of other files, which this one only calls.
			if s.Section == elf.SHN_UNDEF || s.Name == "" {
				continue
			}
			f := function{start: s.Value, end: s.Value + s.Size, name: strings.ToValidUTF8(s.Name, "?")}
			if elf.ST_BIND(s.Info) == elf.STB_LOCAL {
				f.unit = unit
			}
			f.rank = binding(elf.ST_BIND(s.Info))
			functions = append(functions, f)
		}
	}
	rank(functions)
	return functions, nil
}

// binding orders names of one address by who sees them.
func binding(b elf.SymBind) int {
	switch b {
	case elf.STB_GLOBAL:
		return 0
	case elf.STB_LOCAL:
		return 2
	}
	return 1 // weak and unique ones
}

// rank turns bindings into places in the order in which functions are preferred.
func rank(functions []function) {
	slices.SortFunc(functions, func(a, b function) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(underscores(a.name), underscores(b.name)),
			cmp.Compare(a.name, b.name), cmp.Compare(a.unit, b.unit), cmp.Compare(a.end, b.end))
	})
	for i := range functions {
		functions[i].rank = i
	}
}

// underscores counts the underscores that a name begins with.
func underscores(name string) int { return len(name) - len(strings.TrimLeft(name, "_")) }
