package uftrace

import (
	"bufio"
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// segment is where a module lies in the memory of a session.
type segment struct {
	start, end uint64  // addresses in the process; end lies behind the last
	from       int64   // time of its opening; 0: with the program
	program    bool    // it is the program itself
	module     *module // what is mapped there
}

// module is a file with functions. Its symbols are read when the first is looked for.
type module struct {
	name, path, build string   // base name, path in the traced system, build identifier in hexadecimal or ""
	modules           *modules // that it is one of
	read              bool     // its symbols were looked for
	starts            []uint64 // rising
	symbols           []string // "": no function begins there, the one before it ends
}

// modules are those of all sessions.
type modules struct {
	fsys   fs.FS              // of the trace
	dir    string             // of the trace
	info   *info              // says from where addresses of symbols count
	byPath map[string]*module // by path and build identifier
}

// openedReach is the assumed length of a library behind its last symbol in bytes: the trace states only where it starts.
const openedReach = 1 << 16

// module returns the module of a file, which is shared by all processes that map it.
func (m *modules) module(name, build string) *module {
	// The build identifier is part of the key: two programs of one path may have been run one after the other.
	of := m.byPath[name+build]
	if of == nil {
		of = &module{name: symbols.BaseName(name), path: name, build: build, modules: m}
		m.byPath[name+build] = of
	}
	return of
}

// mapped reads the map of a session. What is wrong with it leaves modules unknown.
func (m *modules) mapped(sid, program string) []segment {
	file, err := m.fsys.Open(path.Join(m.dir, "sid-"+sid+".map"))
	if err != nil {
		return nil
	}
	defer file.Close()
	var segments []segment
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		start, end, name, build, ok := mapLine(lines.Text())
		if !ok {
			continue
		}
		// A file is mapped in several pieces of different rights, which stand in a row: they are one segment.
		of := m.module(name, build)
		if last := len(segments) - 1; last >= 0 && segments[last].module == of {
			segments[last].end = end // a further piece of the file before
			continue
		}
		segments = append(segments, segment{start: start, end: end, program: of.name == program, module: of})
	}
	return segments
}

// mapLine reads "start-end perms offset device inode path build-id:HEX".
func mapLine(line string) (start, end uint64, name, build string, ok bool) {
	f := strings.Fields(line)
	// Lines without a path are memory of no file.
	if len(f) < 6 {
		return 0, 0, "", "", false
	}
	first, second, _ := strings.Cut(f[0], "-")
	start, err1 := strconv.ParseUint(first, 16, 64)
	end, err2 := strconv.ParseUint(second, 16, 64)
	if last, is := strings.CutPrefix(f[len(f)-1], "build-id:"); is {
		build, f = last, f[:len(f)-1]
	}
	// A path may hold blanks.
	name = strings.Join(f[min(5, len(f)):], " ")
	return start, end, name, build, err1 == nil && err2 == nil && start < end && name != ""
}

// opened is the segment of a library that was opened at some time.
func (m *modules) opened(name string, base, time int64) segment {
	of := m.module(name, "")
	// Symbols are read at once here, since the last of them tells how far the library reaches.
	of.load()
	s := segment{start: uint64(base), from: time, module: of}
	// The end is where the last symbol begins and an assumed length of it.
	s.end = s.start + openedReach
	if n := len(of.starts); n > 0 {
		s.end += of.starts[n-1]
	}
	return s
}

// load reads the symbols once. A module without any has no names.
func (m *module) load() {
	if m.read {
		return
	}
	m.read = true
	for _, name := range m.files() {
		if m.loadFile(path.Join(m.modules.dir, name)) {
			return
		}
	}
}

// files are the names that the file of the symbols may have, the most specific first.
func (m *module) files() []string {
	names := []string{m.name + ".sym"}
	if len(m.build) >= 4 {
		names = slices.Insert(names, 0, m.name+"-"+m.build[:4]+".sym")
	}
	return names
}

// find returns the symbol at an address, which counts from the start of the module where symbols do.
func (m *module) find(address uint64) string {
	m.load()
	// The last symbol that begins at or before the address is the one; its end is the start of the next.
	i, exact := slices.BinarySearch(m.starts, address)
	if !exact {
		i--
	}
	if i < 0 {
		return ""
	}
	return m.symbols[i]
}

// at returns the segment that holds an address at a time: of several the one opened last. One that is opened only
// later is better than none, since a library runs code while it is being opened.
func (s *session) at(address uint64, time int64) *segment {
	var best *segment
	// Asked once a new address, so a search through all segments is fast enough.
	for i := range s.segments {
		g := &s.segments[i]
		if address < g.start || address >= g.end {
			continue
		}
		if best == nil || g.from <= time && (g.from >= best.from || best.from > time) {
			best = g
		}
	}
	return best
}

// symbol is a line of a file of symbols.
type symbol struct {
	start uint64 // address of its first byte
	name  string // "" where a table ends
}

// maxSymbol is the length of the longest line of symbols.
const maxSymbol = 1 << 20

// loadFile reads a file of symbols, and reports whether there is one.
// 1. All lines that are symbols.
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
	// 2. Sorted by address, with one name each, as find needs them.
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
