package otf2

import "slices"

// mostPosted bounds the posted receives that a scan waits for. Tracers lose completions, and a receive that never
// finishes must not hold up the others.
const mostPosted = 1 << 10

// receiveScan reads the events of a location ahead, to say in which order the messages of its receives were asked for.
// A message is got by the receive that was posted first (MPI's rule that messages do not overtake), but only at
// its end does the trace say which messages a receive is for. A blocking receive is posted where it ends: its
// thread posts nothing in between.
type receiveScan struct {
	*chunks
	posted []posted // in order, up to the last that is not told
	ended  int      // receives that have ended in the file
	told   int      // those that were asked for
}

// posted is a receive.
type posted struct {
	request   uint64 // number of MPI's request
	rank      uint64 // of the sender
	comm, tag uint64 // as the record has them
	end       int    // which of the receives that end; -1 while it has not
	gone      bool   // cancelled
}

// newReceiveScan starts a scan for a stream that has met its first posted receive, or returns nil where the file
// cannot be opened again. Receives that have ended before are blocking ones, which nothing was ahead of.
func (r *reader) newReceiveScan(s *stream) *receiveScan {
	c, err := r.openFile(s.name, r.anchor.eventChunk)
	if err != nil {
		return nil
	}
	return &receiveScan{chunks: c, told: s.received}
}

// countEarlier says how many receives were posted before the next one that ends, for the same messages, and end
// after it.
func (s *receiveScan) countEarlier() int {
	me := s.findNext()
	if me < 0 {
		s.told++
		return 0
	}
	n := 0
	for _, p := range s.posted[:me] {
		if p.end > s.told && p.same(s.posted[me]) {
			n++
		}
	}
	s.told++
	s.dropAnswered()
	return n
}

// same reports whether two receives take messages of one channel.
func (p posted) same(q posted) bool { return p.rank == q.rank && p.comm == q.comm && p.tag == q.tag }

// findNext reads on until it is known where the next receive that ends was posted, and what the receives before it
// are for. It is -1 where that cannot be known.
func (s *receiveScan) findNext() int {
	for {
		at := slices.IndexFunc(s.posted, func(p posted) bool { return p.end == s.told })
		// Known: where the receive was posted, and that of all before it the end was met, so that their channels are
		// known.
		if at >= 0 && (len(s.posted) > mostPosted || !slices.ContainsFunc(s.posted[:at], func(p posted) bool { return p.end < 0 && !p.gone })) {
			return at
		}
		// It ended but was dropped from the list, or the file has no more.
		if at < 0 && s.ended > s.told || !s.readRecord() {
			return at
		}
	}
}

// dropAnswered drops what was posted before all that can still be asked for.
func (s *receiveScan) dropAnswered() {
	n := 0
	for n < len(s.posted) && (s.posted[n].gone || s.posted[n].end >= 0 && s.posted[n].end < s.told) {
		n++
	}
	if len(s.posted)-n > mostPosted {
		n = max(n, len(s.posted)-mostPosted)
	}
	s.posted = slices.Delete(s.posted, 0, n)
}

// readRecord reads one record of the file and says false at its end. What is damaged the stream itself counts.
func (s *receiveScan) readRecord() bool {
	kind, err := s.record()
	if err == nil && kind == endOfFile {
		return false
	}
	if err == nil {
		err = s.takeRecord(kind)
	}
	return err == nil || s.lose(err) == nil
}

// takeRecord reads a record; only those of receives matter here.
func (s *receiveScan) takeRecord(kind byte) error {
	switch {
	case kind == evTime:
		err := s.need(8)
		if err == nil {
			s.at += 8
		}
		return err
	case single[kind]:
		request, err := s.single()
		if err == nil {
			s.notePosted(kind, request)
		}
		return err
	case kind != evMpiRecv && kind != evMpiIrecv:
		n, err := s.length()
		if err == nil {
			err = s.skip(n)
		}
		return err
	}
	f, err := s.body()
	if err != nil {
		return err
	}
	return s.noteFinished(kind, &f)
}

// notePosted notes that a receive was posted or cancelled.
func (s *receiveScan) notePosted(kind byte, request uint64) {
	switch kind {
	case evIrecvRequest:
		s.posted = append(s.posted, posted{request: request, end: -1})
	case evRequestCancel:
		if i := s.findRequest(request); i >= 0 {
			s.posted[i].gone = true
		}
	}
}

// noteFinished notes that a receive ended. One that was not posted counts as posted now.
func (s *receiveScan) noteFinished(kind byte, f *fields) error {
	p := posted{rank: f.word(), comm: f.id(), tag: f.word(), end: s.ended}
	f.word() // length
	i := -1
	if kind == evMpiIrecv {
		p.request = f.number()
		i = s.findRequest(p.request)
	}
	if f.bad {
		return errFields
	}
	s.ended++
	if i < 0 {
		s.posted = append(s.posted, p)
	} else {
		s.posted[i] = p
	}
	return nil
}

// findRequest is where the open receive of a request was posted, or -1.
func (s *receiveScan) findRequest(id uint64) int {
	return slices.IndexFunc(s.posted, func(p posted) bool { return p.request == id && p.end < 0 && !p.gone })
}
