package chrome

// choose brings the record of those of one time to the front that is to be played next. Others keep their order.
//
// Writers put the events of one time in any order: an end may stand before the begin of its own call, or behind the begin
// of the next one. The file's own order is taken if every end closes the innermost call with it. Otherwise ends go
// before begins that they do not belong to.
// The rules are those under Order in the comment of the package.
func (p *player) choose(rest []record) {
	track := p.sites.list[rest[0].site].track
	l, at := p.lanes[track], 0
	switch first := &rest[0]; first.what {
	case begin:
		p.closeEnded(l)
		if c := l.top(); c != nil && c.number == 0 {
			if at = p.endOf(rest, track, p.sites.list[c.site].name); at > 0 && p.nested(rest, track, l) {
				at = 0
			}
		}
	case end:
		p.closeEnded(l)
		at = p.beforeEnd(rest, l, track)
	case send, forward, receive, receiveNext:
		at = p.callAround(rest, track)
	}
	if at > 0 {
		r := rest[at]
		copy(rest[1:at+1], rest[:at])
		rest[0] = r
	}
}

// nested reports whether every end of a track closes the innermost call if the records are played in the order in which they
// stand.
// It plays the names alone, on a stack that is given up afterwards; player.begun is its memory.
func (p *player) nested(rest []record, track uint32, l *lane) bool {
	begun, below := p.begun[:0], len(l.stack) // calls that begin in rest, and how many of those before are open
	for i := range rest {
		s := &p.sites.list[rest[i].site]
		switch {
		case s.track != track:
		case rest[i].what == begin:
			begun = append(begun, s.name)
		case rest[i].what == end:
			innermost := noWord
			if last := len(begun) - 1; last >= 0 {
				innermost, begun = begun[last], begun[:last]
			} else if below--; below >= 0 && l.stack[below].number == 0 {
				innermost = p.sites.list[l.stack[below].site].name
			}
			if s.name != noWord && s.name != innermost {
				return false
			}
		}
	}
	p.begun = begun
	return true
}

// endOf returns the position of the first end of a name on a track that does not belong to a begin of that name before it;
// 0 where there is none.
// The number of begins of the name that are still open is what it counts on the way.
func (p *player) endOf(rest []record, track uint32, name word) int {
	begun := 0
	for i := range rest {
		s := &p.sites.list[rest[i].site]
		if s.track != track || s.name != name {
			continue
		}
		switch rest[i].what {
		case begin:
			begun++
		case end:
			if begun == 0 {
				return i
			}
			begun--
		}
	}
	return 0
}

// beforeEnd returns the position of what goes before an end that does not close the innermost call: the end that does, or the
// begin of its own call if that is not open. It is 0 where the end stays where it is.
func (p *player) beforeEnd(rest []record, l *lane, track uint32) int {
	name := p.sites.list[rest[0].site].name
	if name == noWord {
		return 0
	}
	found := l.find(p.sites.list, name)
	if found >= 0 && found == len(l.stack)-1 {
		return 0
	}
	if c := l.top(); c != nil && c.number == 0 {
		if at := p.endOf(rest, track, p.sites.list[c.site].name); at > 0 {
			return at
		}
	}
	if found >= 0 {
		return 0
	}
	for i := range rest {
		if s := &p.sites.list[rest[i].site]; s.track == track && s.name == name && rest[i].what == begin {
			return i
		}
	}
	return 0
}

// callAround returns the position of the complete call that is the next record of the thread of a message, which begins at
// the same time and so has the message in it; 0 where there is none. It may take no time, as what waits for a GPU often does.
func (p *player) callAround(rest []record, track uint32) int {
	for i := range rest {
		r := &rest[i]
		if p.sites.list[r.site].track != track || r.what >= send {
			continue
		}
		if r.what == complete {
			return i
		}
		return 0
	}
	return 0
}
