package machine

// loopState is how far the wafer exposure loop is.
type loopState struct {
	rng     source
	field   int // fields of this wafer that were exposed
	phase   phase
	planted int64 // exposure of this round that is delayed
	extraNs int64 // of the exposure that runs
}

// phase is what the loop does.
type phase uint8

const (
	off       phase = iota // before the first event
	bootingUp              // every component is initialized, once
	loadingWafer
	exposingFields
	unloadingWafer
	stopped // nothing starts any more; what runs, ends
)

// inLoop reports whether an order is a step of the loop, so that its end is the cue for the next one.
// Steps are started by the loop itself, so they have no caller, and run on the first component.
func (s *simulation) inLoop(o order) bool {
	return o.caller == noCaller && s.m.services[o.service].component == 0
}

// nextRoot starts the next root execution of the loop: a sequence of bounded executions, one an
// exposure. The run stops behind an exposure, once the results of the last two have been retrieved.
// It is called at the end of each step, so the loop never runs two steps at a time.
func (s *simulation) nextRoot(now int64) {
	l := &s.loop
	switch l.phase {
	case off:
		l.phase = bootingUp
		s.startRoot(now, s.m.loop.boot)
	case bootingUp, unloadingWafer:
		if l.phase == unloadingWafer && s.enough() {
			l.phase = stopped
			return
		}
		l.phase, l.field = loadingWafer, 0
		s.startRoot(now, s.m.loop.startWafer)
	case loadingWafer:
		l.phase = exposingFields
		s.expose(now)
	case exposingFields:
		l.field++
		s.stats.Exposures++
		if l.field == fieldsOnWafer || l.field >= 2 && s.enough() {
			l.phase = unloadingWafer
			s.startRoot(now, s.m.loop.finishWafer)
			return
		}
		s.expose(now)
	}
}

// enough reports whether the run has as many events as were asked for.
func (s *simulation) enough() bool { return s.stats.Events+int64(len(s.block)) >= s.want.Events }

// expose starts the exposure of the next field.
func (s *simulation) expose(now int64) {
	s.plant()
	s.startSporadic(now)
	if s.loop.field < 2 {
		s.startRoot(now, s.m.loop.exposeFirst)
		return
	}
	s.startRoot(now, s.m.loop.expose)
}

// plant decides whether this exposure is delayed: one of every round of Contention exposures is.
// The exposure is drawn once a round, so delays are not periodic.
func (s *simulation) plant() {
	l := &s.loop
	l.extraNs = 0
	k := int64(s.want.Contention)
	if k <= 0 {
		return
	}
	i := s.stats.Exposures % k
	if i == 0 {
		l.planted = int64(l.rng.below(int(k)))
	}
	if i == l.planted {
		l.extraNs = l.rng.octaves(delayNs, 1)
	}
}

// startSporadic starts the sporadic activities that happen to fall into this exposure.
func (s *simulation) startSporadic(now int64) {
	for _, a := range s.m.activities {
		if s.loop.rng.below(a.period) == 0 {
			s.startRoot(now+int64(s.loop.rng.below(stepNs+scanNs)), a.root)
		}
	}
}

// startRoot has a service start by itself.
// Nobody waits for its end but the loop.
func (s *simulation) startRoot(now int64, service int) {
	s.deliver(order{arrivalNs: now + setupNs, caller: noCaller, service: int32(service),
		link: s.m.services[service].link})
}
