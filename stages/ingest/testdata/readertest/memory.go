package readertest

import "io"

// Memory is a scratch file in memory, for readings of which a test makes very many.
type Memory struct{ bytes []byte }

func (m *Memory) WriteAt(p []byte, at int64) (int, error) {
	// A gap that nothing was written to reads as zeros, as in a sparse file.
	if missing := int(at) + len(p) - len(m.bytes); missing > 0 {
		m.bytes = append(m.bytes, make([]byte, missing)...)
	}
	return copy(m.bytes[at:], p), nil
}

func (m *Memory) ReadAt(p []byte, at int64) (int, error) {
	n := copy(p, m.bytes[min(at, int64(len(m.bytes))):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (m *Memory) Close() error { return nil }
