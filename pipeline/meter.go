package pipeline

import "sync/atomic"

// Meter counts work done against work expected, in rows for most stages, for whoever shows progress. Many goroutines may
// count at a time. A nil meter counts nothing, so that callers need not ask whether progress is shown.
type Meter struct{ expected, done atomic.Int64 }

// Expect adds to the work that is to be done. Work is announced when it is planned, so the sum grows as stages start.
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

// Read returns both. Work that is done twice, such as a bucket that is read in ranges, may make done the greater one.
func (m *Meter) Read() (done, expected int64) { return m.done.Load(), m.expected.Load() }
