package chrome

// asyncID is what the events of one asynchronous call have in common.
func (e *event) asyncID() uint64 {
	h := mix(mix(e.id, uint64(e.cat)), uint64(e.scope))
	if e.isLocal {
		return mix(h, uint64(e.pid)+1)
	}
	return h
}

// flowID is what the events of one flow have in common.
func (e *event) flowID() uint64 {
	return mix(mix(e.id, uint64(e.cat)), uint64(e.name))
}

// mix is a hash of two numbers: the finaliser of splitmix64 (Steele, Lea, Flood 2014, OOPSLA, fig. 16).
func mix(h, more uint64) uint64 {
	h += 0x9e3779b97f4a7c15 * (more + 1)
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
