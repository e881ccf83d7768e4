package ctf

import (
	"bytes"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// takeEvent turns the event in hand of a stream into rows, names or nothing, by its role.
func (r *reader) takeEvent(s *stream) error {
	switch p := s.event; p.role {
	case roleEnter:
		return r.enter(s, processes.Call{Address: s.regs[regAddress]})
	case roleExit:
		return r.exit(s, processes.Call{Address: s.regs[regAddress]})
	case rolePairEnter:
		return r.enter(s, processes.Call{Address: p.named, Named: true})
	case roleInstant:
		return r.addInstant(s, processes.Call{Address: p.named, Named: true})
	case rolePairExit:
		return r.exit(s, processes.Call{Address: p.named, Named: true})
	case roleReturn:
		return r.exitInnermost(s)
	case roleModule:
		r.loadModule(s)
	case roleProcess:
		r.names.Rename(r.process(s), s.text(regPath))
	case roleSwitch:
		r.switchThread(s)
	}
	return nil
}

// thread returns the number of the thread of the event in hand.
func (r *reader) thread(s *stream) int32 {
	has := &s.event.has
	if !has[regTid] {
		return r.onCPU(s)
	}
	tid, pid := s.regs[regTid], uint64(0)
	if has[regPid] {
		pid = s.regs[regPid]
	}
	if s.lastThread < 0 || s.lastTid != tid || s.lastPid != pid {
		key := processes.ThreadKey{ProcessKey: processes.ProcessKey{Host: s.trace.host, PID: pid}, TID: tid}
		s.lastThread, s.lastTid, s.lastPid = r.names.ThreadNumber(key, s.processName), tid, pid
	}
	return s.lastThread
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

// cpuKey identifies a CPU of a trace.
type cpuKey struct {
	trace *source // CPUs of two traces differ though they have one number
	cpu   uint64  // number
}

// onCPU is the thread that runs on the CPU of the event in hand, or the CPU where that is not known.
func (r *reader) onCPU(s *stream) int32 {
	if t, ok := r.running[cpuKey{s.trace, s.cpu}]; ok {
		return t
	}
	key := processes.ThreadKey{ProcessKey: processes.ProcessKey{Host: s.trace.host}, TID: s.cpu, CPU: true}
	return r.names.ThreadNumber(key, func() string { return "cpu" })
}

// switchThread puts a thread on a CPU. All idle threads have the number 0, so their CPU identifies them.
func (r *reader) switchThread(s *stream) {
	key := processes.ThreadKey{ProcessKey: processes.ProcessKey{Host: s.trace.host}, TID: s.regs[regTid]}
	if key.TID == 0 {
		key.PID = s.cpu
	} else {
		key.PID = noProcess
	}
	r.running[cpuKey{s.trace, s.cpu}] = r.names.ThreadNumber(key, s.processName)
}

// noProcess is the process of threads whose process the trace does not state.
const noProcess = ^uint64(0)

// addInstant makes an execution that takes no time.
func (r *reader) addInstant(s *stream, c processes.Call) error {
	c.Thread = r.thread(s)
	k := r.names.EnterKey(c)
	if err := r.out.Put(s.ns, k); err != nil {
		return err
	}
	return r.out.Put(s.ns, k+1)
}

// enter passes on an enter and opens the call on its thread.
func (r *reader) enter(s *stream, c processes.Call) error {
	c.Thread = r.thread(s)
	k := r.names.EnterKey(c)
	r.names.Thread(c.Thread).Enter(k)
	return r.out.Put(s.ns, k)
}

// exit passes on an exit and closes its call. Until the tracer loses events, an exit that is not that of the innermost call
// is passed on as it is: what it means is for the chart to say.
func (r *reader) exit(s *stream, c processes.Call) error {
	c.Thread = r.thread(s)
	k := r.names.EnterKey(c)
	if t := r.names.Thread(c.Thread); !t.Exit(k) {
		if r.counts.any {
			return r.exitAfterLoss(s, t, k)
		}
		t.Remove(k)
	}
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
	key := processes.ProcessKey{Host: s.trace.host}
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
