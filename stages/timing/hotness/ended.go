package hotness

// Call is a call that ended.
type Call struct {
	Key        uint32
	DurationNs int64
	OwnNs      int64 // of that without the calls that it made
}

// Ended returns the call that a row ends, which is not applied yet. There is none where the row is no exit or has no call, and none of a call
// that only waits for another lane. Calls above it, whose exits were lost, end with it and are not told.
func (m *Machine) Ended(r Row) (c Call, is bool) {
	if r.Kind != Exit || int(r.Lane) >= len(m.Lanes) {
		return c, false
	}
	lane := m.Lanes[r.Lane]
	at := len(lane) - 1
	for at >= 0 && lane[at].Key != r.Key {
		at--
	}
	if at < 0 || lane[at].Away {
		return c, false
	}
	c = Call{Key: r.Key, DurationNs: r.TimeNs - lane[at].StartNs}
	c.OwnNs = c.DurationNs - lane[at].InnerNs
	if at+1 < len(lane) {
		c.OwnNs -= r.TimeNs - lane[at+1].StartNs
	}
	return c, true
}
