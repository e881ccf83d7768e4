package pipeline

import "sync/atomic"

// Meter counts work done against work expected, for whoever shows progress. A nil meter counts nothing.
type Meter struct{ expected, done atomic.Int64 }

// Expect adds to the work that is to be done.
func (m *Meter) Expect(n int64) {
	if m != nil {
		m.expected.Add(n)
	}
}

// Advance adds to the work that is done.
func (m *Meter) Advance(n int64) {
	if m != nil {
		m.done.Add(n)
	}
}

// Read returns both.
func (m *Meter) Read() (done, expected int64) { return m.done.Load(), m.expected.Load() }
