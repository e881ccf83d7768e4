package parquet

import (
	"sync"

	"github.com/tracelake/tracelake/schema"
)

// Memory is what decoded columns may take that several readers share, over all files. What is given back is used again, so
// that it is cleared once and not for every row group. Many goroutines may use it at a time.
type Memory struct {
	mu    sync.Mutex
	left  int64 // bytes that may still be asked for
	ints  [][]int64
	codes [][]schema.Code
	words [][]uint8
	bools [][]bool
}

// NewMemory returns a memory of so many bytes.
func NewMemory(bytes int64) *Memory { return &Memory{left: bytes} }

// take returns an empty chunk of a kind with room for some rows, or nil where no memory is left.
func (m *Memory) take(k kind, rows int) *sharedChunk {
	m.mu.Lock()
	defer m.mu.Unlock()
	c, has := new(sharedChunk), false
	switch k {
	case intsKind:
		c.ints, has = takeSlice(m, &m.ints, rows, 8)
	case codesKind:
		c.codes, has = takeSlice(m, &m.codes, rows, 4)
	case enumKind:
		c.words, has = takeSlice(m, &m.words, rows, 1)
	case boolsKind:
		c.bools, has = takeSlice(m, &m.bools, rows, 1)
	}
	if !has {
		return nil
	}
	return c
}

// takeSlice takes a slice that was given back, or makes one as long as bytes are left.
func takeSlice[T any](m *Memory, given *[][]T, rows int, size int64) ([]T, bool) {
	for n := len(*given); n > 0; n = len(*given) {
		s := (*given)[n-1]
		*given = (*given)[:n-1]
		if cap(s) >= rows {
			return s[:0], true
		}
		m.left += int64(cap(s)) * size // of a file with smaller row groups: the collector takes it
	}
	if n := int64(rows) * size; n <= m.left {
		m.left -= n
		return make([]T, 0, rows), true
	}
	return nil, false
}

// give takes the memory of a chunk back.
func (m *Memory) give(c *sharedChunk) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case c.ints != nil:
		m.ints = append(m.ints, c.ints)
	case c.codes != nil:
		m.codes = append(m.codes, c.codes)
	case c.words != nil:
		m.words = append(m.words, c.words)
	case c.bools != nil:
		m.bools = append(m.bools, c.bools)
	}
}
