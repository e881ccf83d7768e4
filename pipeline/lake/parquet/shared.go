package parquet

import (
	"fmt"
	"slices"
	"sync"

	"github.com/tracelake/tracelake/schema"
)

// Decoded holds the decoded columns of one file for all who read it at about the same time: the first reader of a chunk
// decodes it, the others take what it found. Codes are those of a dictionary of the column that all readers share; every
// reader translates them to its own, name by name in the order of the chunk, just as if it had decoded the chunk itself.
// Chunks for which the memory has no room are decoded by every reader for itself.
type Decoded struct {
	memory  *Memory
	mu      sync.Mutex
	columns map[string]*sharedColumn // by name; nil when they are given back
}

// sharedColumn is a column of the file.
type sharedColumn struct {
	mu     sync.Mutex // held while a chunk is decoded, so that the others wait for it
	names  schema.Dictionary
	chunks map[int]*sharedChunk // by row group
}

// sharedChunk is the values of a row group, in the slice that is right for the column. Nobody changes them.
type sharedChunk struct {
	ints  []int64
	codes []schema.Code // of sharedColumn.names
	used  []schema.Code // in the order of the chunk's own dictionary
	words []uint8       // of an enumeration
	bools []bool
}

// NewDecoded returns a place for the columns of a file.
func NewDecoded(m *Memory) *Decoded {
	return &Decoded{memory: m, columns: make(map[string]*sharedColumn)}
}

// Free gives all columns back to the memory. No reader may hold a row group of the file any more.
func (d *Decoded) Free() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.columns {
		for _, chunk := range c.chunks {
			d.memory.give(chunk)
		}
	}
	d.columns = nil
}

// column returns the place of a column, or nil when the columns are given back.
func (d *Decoded) column(name string) *sharedColumn {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.columns[name]
	if c == nil && d.columns != nil {
		c = &sharedColumn{chunks: make(map[int]*sharedChunk)}
		d.columns[name] = c
	}
	return c
}

// column is the column like another one whose values are those of the chunk.
func (c *sharedChunk) column(like schema.Column, names *schema.Dictionary) schema.Column {
	switch kindOf(like) {
	case intsKind:
		like.Ints = &c.ints
	case codesKind:
		like.Codes, like.Dict = &c.codes, names
	case enumKind:
		like.Enum = &c.words
	case boolsKind:
		like.Bools = &c.bools
	}
	return like
}

// Share makes the reader take decoded columns from others, and leave its own to them. What the table holds after a read must
// not be changed then. It is called before the first read.
func (r *Reader) Share(d *Decoded) {
	r.shared, r.lent = d, make([]lent, len(r.columns))
	for _, g := range r.meta.groups {
		r.mostRows = max(r.mostRows, int(g.rows))
	}
}

// lent is what a reader keeps of a column while a shared chunk stands in its place in the table.
type lent struct {
	is    bool // whether one does
	ints  []int64
	words []uint8
	bools []bool

	recode []schema.Code // by code of the shared dictionary plus 1: the code in the table's; NoCode where it is not asked for yet
}

// sharedChunk puts the values of a chunk into the table, decoded by whoever came first. It reports false where the chunk cannot
// be shared.
func (r *Reader) sharedChunk(d *decoder, i int, meta *chunkMeta, rows int64) (bool, error) {
	s := r.columns[i]
	column := r.shared.column(s.column.Name)
	if column == nil || kindOf(s.column) == floatsKind {
		return false, nil
	}
	column.mu.Lock()
	defer column.mu.Unlock()
	chunk := column.chunks[r.next-1]
	if chunk == nil {
		if chunk = r.shared.memory.take(kindOf(s.column), r.mostRows); chunk == nil {
			return false, nil
		}
		into := bound{chunk.column(s.column, &column.names), s.leaf}
		d.plain = false
		err := d.chunk(into, meta)
		if err == nil && int64(into.column.Len()) != rows {
			err = fmt.Errorf("%d values in a row group of %d rows", into.column.Len(), rows)
		}
		if err != nil || d.plain { // names without a dictionary: files of other programs
			r.shared.memory.give(chunk)
			return false, err
		}
		chunk.used = slices.Clone(d.dictNames)
		column.chunks[r.next-1] = chunk
	}
	r.lent[i].take(s.column, chunk, &column.names)
	return true, nil
}

// take puts a chunk into a column of the table: numbers as they are, in the memory of the chunk, and names as codes of the
// table's dictionary, in its own.
func (l *lent) take(c schema.Column, chunk *sharedChunk, names *schema.Dictionary) {
	switch kindOf(c) {
	case intsKind:
		l.is, l.ints, *c.Ints = true, *c.Ints, slices.Clip(chunk.ints)
	case enumKind:
		l.is, l.words, *c.Enum = true, *c.Enum, slices.Clip(chunk.words)
	case boolsKind:
		l.is, l.bools, *c.Bools = true, *c.Bools, slices.Clip(chunk.bools)
	case codesKind:
		l.translate(c, chunk, names)
	}
}

// translate appends the names of a chunk, as codes of the column's dictionary. Names are added to it in the order of the chunk, so
// that its codes do not depend on what other readers have met.
func (l *lent) translate(c schema.Column, chunk *sharedChunk, names *schema.Dictionary) {
	for n := len(l.recode); n <= names.Len(); n++ {
		l.recode = append(l.recode, schema.NoCode) // the first stands for null: NoCode+1 is 0
	}
	for _, code := range chunk.used {
		if l.recode[code+1] == schema.NoCode {
			l.recode[code+1] = c.Dict.Code(names.Name(code))
		}
	}
	n := len(*c.Codes)
	*c.Codes = slices.Grow(*c.Codes, len(chunk.codes))[:n+len(chunk.codes)]
	dst, recode := (*c.Codes)[n:], l.recode
	for i, code := range chunk.codes {
		dst[i] = recode[code+1]
	}
}

// empty empties the table. Where shared chunks stand, its own memory comes back.
func (r *Reader) empty() {
	for i := range r.lent {
		l, c := &r.lent[i], r.columns[i].column
		if !l.is {
			continue
		}
		switch l.is = false; kindOf(c) {
		case intsKind:
			*c.Ints = l.ints
		case enumKind:
			*c.Enum = l.words
		case boolsKind:
			*c.Bools = l.bools
		}
	}
	schema.Reset(r.table)
}

// Return takes shared chunks out of the table, which is empty then.
func (r *Reader) Return() {
	if r.shared != nil {
		r.empty()
	}
}
