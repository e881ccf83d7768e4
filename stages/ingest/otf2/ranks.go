package otf2

// rank is the location of a rank in a communicator. Self is the location that asks.
func (n *names) rank(comm, rank, self uint64) (location uint64, known bool) {
	c, ok := n.comms[comm]
	g, defined := n.groups[c.group]
	if !ok || !defined {
		n.undefined("communicator", comm)
		return undefined, false
	}
	if g.kind == groupCommSelf {
		return self, true
	}
	if rank >= uint64(len(g.members)) {
		n.undefined("rank", rank)
		return undefined, false
	}
	member := g.members[rank]
	// Members of other groups are locations themselves. Those of a communicator's group are ranks among all of the
	// paradigm, which ranks translates.
	if g.kind != groupComm || g.flags&globalMembers != 0 {
		return member, true
	}
	all := n.ranks[g.paradigm] // locations by their rank among all of the paradigm
	if member >= uint64(len(all)) {
		n.undefined("rank", member)
		return undefined, false
	}
	return all[member], true
}

// ends says of every location which location its process is known by in communicators. A message may be sent by
// one thread and the receive name another; where a process has more ranks than one that cannot be, and every
// location stands for itself.
func (n *names) ends() map[uint64]uint64 {
	const several = undefined // no location has this identifier
	of := map[uint64]uint64{} // location by process
	for _, members := range n.definitions.ranks {
		for _, id := range members {
			group := n.locations[id].group
			if other, ok := of[group]; ok && other != id {
				id = several
			}
			of[group] = id
		}
	}
	ends := map[uint64]uint64{}
	for id, l := range n.locations {
		if end, ok := of[l.group]; ok && end != several {
			ends[id] = end
		}
	}
	return ends
}

// end returns the location that stands for one in messages: two ways to name one location must meet in one channel.
func (x *exchanges) end(location uint64) uint64 {
	if end, ok := x.ends[location]; ok {
		return end
	}
	return location
}
