package uftrace

import (
	"bufio"
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// symbol is a line of a file of symbols.
type symbol struct {
	start uint64 // address of its first byte
	name  string // "" where a table ends
}

// maxSymbol is the length of the longest line of symbols.
const maxSymbol = 1 << 20

// loadFile reads a file of symbols, and reports whether there is one.
func (m *module) loadFile(name string) bool {
	file, err := m.modules.fsys.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	var symbols []symbol
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxSymbol)
	for lines.Scan() {
		if s, ok := symbolLine(lines.Text()); ok {
			symbols = append(symbols, s)
		}
	}
	slices.SortStableFunc(symbols, func(a, b symbol) int { return cmp.Compare(a.start, b.start) })
	// Of several names of one address the first stays; the end of a table gives way to a name at the same address.
	symbols = slices.CompactFunc(symbols, func(a, b symbol) bool { return a.start == b.start && (b.name == "" || a.name != "") })
	for _, s := range symbols {
		m.starts = append(m.starts, s.start)
		m.symbols = append(m.symbols, s.name)
	}
	return true
}

// symbolLine reads "address type name". Types are those of nm, and P for an entry of the linkage table; with "?"
// a table ends.
func symbolLine(line string) (s symbol, ok bool) {
	address, rest, _ := strings.Cut(line, " ")
	kind, name, _ := strings.Cut(rest, " ")
	start, err := strconv.ParseUint(address, 16, 64)
	if err != nil || len(kind) != 1 || name == "" {
		return s, false // a comment among others
	}
	if kind == "?" {
		return symbol{start: start}, true
	}
	return symbol{start, strings.ToValidUTF8(strings.Clone(name), "?")}, true
}
