package ctf

import (
	"bytes"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// takeEvent turns the event in hand of a stream into rows, names or nothing, by its role.
func (r *reader) takeEvent(s *stream) error {
	p := s.event
	if p.has[regEventCPU] {
		s.cpu = s.regs[regEventCPU]
	}
	if p.instant != noExecution {
		if err := r.addInstant(s, processes.Call{Address: p.instant, Named: true}); err != nil {
			return err
		}
	}
	switch p.role {
	case roleEnter:
		return r.enter(s, processes.Call{Address: s.regs[regAddress]})
	case roleExit:
		return r.exit(s, processes.Call{Address: s.regs[regAddress]})
	case rolePairEnter:
		return r.beginPair(s)
	case rolePairExit:
		return r.endPair(s)
	case roleReturn:
		return r.exitInnermost(s)
	case roleCallback:
		return r.enter(s, r.callback(s))
	case roleCallbackEnd:
		return r.exit(s, r.callback(s))
	case roleRegionEnter:
		return r.enterOn(s, r.region(s))
	case roleRegionLeave:
		return r.exitOn(s, r.region(s))
	case rolePublish:
		return r.publish(s)
	case roleTake:
		return r.take(s)
	case roleSwitch:
		return r.switchThread(s)
	case roleWaking, roleWakeup:
		return r.wakeThread(s)
	case rolePacketOut, rolePacketIn:
		return r.passSegment(s)
	case roleDeath:
		return r.endThread(s)
	}
	r.noteEvent(s)
	return nil
}

// noteEvent takes what an event says about others.
func (r *reader) noteEvent(s *stream) {
	switch s.event.role {
	case roleModule:
		r.loadModule(s)
	case roleProcess:
		r.names.Rename(r.process(s), s.text(regPath))
	case roleThread:
		r.noteThread(s)
	case roleFork:
		r.forkThread(s)
	case roleHandOver:
		r.handOver(s)
	case roleObject:
		r.introduce(s)
	case roleDefinition:
		r.define(s)
	}
}

// beginPair enters the execution that the event's name says. A call that never returns ends at once.
func (r *reader) beginPair(s *stream) error {
	p := s.event
	switch {
	case p.interrupt:
		r.cpuOf(s).interrupts++
	case len(p.keys) > 0 && r.lessons != nil:
		r.lessons.learnBegin(s, r.thread(s))
	case len(p.keys) > 0:
		return r.beginKeyed(s)
	}
	if err := r.enter(s, processes.Call{Address: p.named, Named: true}); err != nil || !p.never {
		return err
	}
	t := r.names.Thread(r.thread(s))
	k, _ := t.Return()
	r.reading.Ledger.Add(schema.CallOfEnded, s.position)
	return r.out.Put(s.ns, r.names.InventedExit(k))
}

// endPair exits it. A thread or process that was made returns from a call that it did not make.
func (r *reader) endPair(s *stream) error {
	p := s.event
	call := processes.Call{Address: p.named, Named: true}
	switch {
	case len(p.keys) > 0 && r.lessons != nil:
		r.lessons.learnEnd(s, r.thread(s))
	case len(p.keys) > 0:
		return r.endKeyed(s)
	}
	if p.interrupt {
		c := r.cpuOf(s)
		c.interrupts = max(c.interrupts, 1)
		err := r.exit(s, call)
		c.interrupts--
		return err
	}
	if p.forks && !(p.tellsReturn && s.regs[regOther] != 0) {
		call.Thread = r.thread(s)
		if !r.names.Thread(call.Thread).Has(r.names.EnterKey(call)) {
			r.reading.Ledger.Add(schema.ChildReturn, s.position)
			return nil
		}
	}
	if err := r.exit(s, call); err != nil || s.trace.plan.kernel {
		return err
	}
	call.Thread = r.thread(s)
	if k, open := r.names.Thread(call.Thread).Innermost(); open && k == r.names.EnterKey(call) {
		r.reading.Ledger.Add(schema.AmbiguousPair, s.position)
	}
	return nil
}

// thread returns the number of the thread of the event in hand.
func (r *reader) thread(s *stream) int32 {
	has := &s.event.has
	if !has[regTid] || s.trace.plan.kernel && r.cpuOf(s).interrupts > 0 {
		return r.onCPU(s)
	}
	tid, pid := s.regs[regTid], uint64(0)
	if has[regPid] {
		pid = s.regs[regPid]
	}
	if s.lastThread < 0 || s.lastTid != tid || s.lastPid != pid {
		s.lastThread, s.lastTid, s.lastPid = r.threadInContext(s, tid, pid), tid, pid
	}
	return s.lastThread
}

// threadInContext returns the thread that the context of the event in hand tells. It may be known already by its number alone.
func (r *reader) threadInContext(s *stream, tid, pid uint64) int32 {
	k := tidKey{s.trace.hostNumber, tid}
	if e, known := r.threads.find(k); known && (e.pid == pid || e.pid == processes.LonePID+tid) {
		return e.number
	}
	key := processes.ThreadKey{ProcessKey: processes.ProcessKey{Host: s.trace.hostNumber, PID: pid}, TID: tid}
	n := r.names.ThreadNumber(key, s.processName)
	r.threads.put(k, threadEntry{number: n, pid: pid})
	return n
}

// processName returns the name of the process that the event in hand tells, or that of the trace's only process.
func (s *stream) processName() string {
	if s.event.has[regComm] {
		if name := s.text(regComm); name != "" {
			return name
		}
	}
	return s.trace.process
}

// addInstant makes an execution that takes no time.
func (r *reader) addInstant(s *stream, c processes.Call) error {
	c.Thread = r.thread(s)
	k := r.names.EnterKey(c)
	r.describeRow(s)
	if err := r.out.Put(s.ns, k); err != nil {
		return err
	}
	return r.out.Put(s.ns, k+1)
}

// enter passes on an enter and opens the call on the thread of the event in hand.
func (r *reader) enter(s *stream, c processes.Call) error {
	c.Thread = r.thread(s)
	return r.enterOn(s, c)
}

// enterOn passes on an enter and opens the call on its thread.
func (r *reader) enterOn(s *stream, c processes.Call) error {
	k := r.names.EnterKey(c)
	r.names.Thread(c.Thread).Enter(k)
	r.describeRow(s)
	return r.out.Put(s.ns, k)
}

// exit passes on an exit and closes its call. Until the tracer loses events, an exit that is not that of the innermost call
// is passed on as it is: what it means is for the chart to say.
func (r *reader) exit(s *stream, c processes.Call) error {
	c.Thread = r.thread(s)
	return r.exitOn(s, c)
}

// exitOn is exit on the thread of a call.
func (r *reader) exitOn(s *stream, c processes.Call) error {
	k := r.names.EnterKey(c)
	if t := r.names.Thread(c.Thread); !t.Exit(k) {
		if r.counts.any {
			return r.exitAfterLoss(s, t, k)
		}
		t.Remove(k)
	}
	r.describeRow(s)
	return r.out.Put(s.ns, k+1)
}

// exitAfterLoss ends an execution that is not the innermost, once the tracer has lost events. The exits of those above
// it are lost, and so is its own enter where it is not open.
func (r *reader) exitAfterLoss(s *stream, t *processes.Thread, k uint32) error {
	closed := t.Unwind(k)
	if len(closed) == 0 {
		r.reading.Ledger.Add(schema.UnmatchedExit, s.position)
		return nil
	}
	r.reading.Ledger.AddMany(schema.UnclosedCall, int64(len(closed)-1), s.position)
	for _, enter := range slices.Backward(closed) {
		if err := r.out.Put(s.ns, enter+uint32(schema.Exit)); err != nil {
			return err
		}
	}
	return nil
}

// exitInnermost ends the innermost open call of a thread. Which one that is must be known.
func (r *reader) exitInnermost(s *stream) error {
	k, known := r.names.Thread(r.thread(s)).Return()
	if !known {
		r.reading.Ledger.Add(schema.UnmatchedExit, s.position)
		return nil
	}
	r.describeRow(s)
	return r.out.Put(s.ns, k+uint32(schema.Exit))
}

// loadModule notes where a module lies.
func (r *reader) loadModule(s *stream) {
	has := &s.event.has
	var path string
	var size uint64
	if has[regLength] {
		size = s.regs[regLength]
	}
	if has[regPath] {
		path = s.text(regPath)
	}
	moves := !has[regPic] || s.regs[regPic] != 0
	r.names.Load(r.process(s), processes.NewModule(s.regs[regAddress], size, path, moves))
}

// process returns the process of the event in hand.
func (r *reader) process(s *stream) *processes.Process {
	key := processes.ProcessKey{Host: s.trace.hostNumber}
	if s.event.has[regPid] {
		key.PID = s.regs[regPid]
	}
	return r.names.Process(key)
}

// text returns the text that a register points at, up to its zero byte or the end of its field.
func (s *stream) text(reg register) string {
	at := int(s.regs[reg]) + s.delta
	if at < 0 || at >= len(s.buf) {
		return ""
	}
	b := s.buf[at:min(len(s.buf), at+processes.MaxName)]
	if room := s.event.room[reg]; room != 0 {
		b = b[:min(uint64(len(b)), room)]
	}
	if n := bytes.IndexByte(b, 0); n >= 0 {
		b = b[:n]
	}
	return processes.Clean(b)
}
