package chrome

// pool is what lanes of asynchronous calls have in common.
type pool struct{ pid, cat word }

// slots are the lanes of a pool.
type slots struct {
	name string
	free []*lane // none of whose calls are under way
}

// asyncLane is a lane while it is taken.
type asyncLane struct {
	*lane
	slots *slots
}

// async plays an event of an asynchronous call.
func (p *player) async(r *record) {
	id := uint64(r.more)
	taken := p.open[id]
	if taken == nil {
		if r.what == asyncEnd && p.sites.list[r.site].name == noWord {
			p.unmatched("an asynchronous call")
			return
		}
		taken = p.takeLane(r.site)
		p.open[id] = taken
	}
	switch r.what {
	case asyncBegin:
		p.enter(taken.lane, call{site: r.site, until: never})
	case asyncEnd:
		p.exitNamed(taken.lane, r.site)
	default:
		p.moment(taken.lane, r.site)
	}
	if len(taken.stack) == 0 {
		delete(p.open, id)
		taken.slots.free = append(taken.slots.free, taken.lane)
	}
}

// takeLane is a lane that is free.
func (p *player) takeLane(at uint32) *asyncLane {
	site := p.sites.list[at]
	of := pool{p.sites.tracks[site.track].pid, site.cat}
	s := p.pools[of]
	if s == nil {
		s = &slots{name: p.labels[site.track].process + "/async"}
		if site.cat != noWord {
			s.name += " " + p.words.name(site.cat)
		}
		p.pools[of] = s
	}
	last := len(s.free) - 1
	if last < 0 {
		return &asyncLane{newLane(p.names.unique(s.name)), s}
	}
	l := s.free[last]
	s.free = s.free[:last]
	return &asyncLane{l, s}
}
