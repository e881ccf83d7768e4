package ctf

import (
	"github.com/tracelake/tracelake/schema"
)

// maxStack bounds the open calls that are kept of a thread.
const maxStack = 1 << 16

// take makes what is to be made of the event in hand of a stream.
func (r *reader) take(s *stream) error {
	switch p := s.event; p.role {
	case roleEnter:
		return r.enter(s, call{address: s.regs[regAddress]})
	case roleExit:
		return r.exit(s, call{address: s.regs[regAddress]})
	case rolePairEnter:
		return r.enter(s, call{address: p.static, static: true})
	case roleInstant:
		return r.instant(s, call{address: p.static, static: true})
	case rolePairExit:
		return r.exit(s, call{address: p.static, static: true})
	case roleReturn:
		return r.returns(s)
	case roleModule:
		r.module(s)
	case roleProcess:
		r.processName(s)
	case roleSwitch:
		r.change(s)
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
		key := threadKey{processKey: processKey{s.trace.host, pid}, tid: tid}
		s.lastThread, s.lastTid, s.lastPid = r.names.thread(key, func() string { return s.comm() }), tid, pid
	}
	return s.lastThread
}

// comm is the name that an event tells of its thread, or that of the only process.
func (s *stream) comm() string {
	if s.event.has[regComm] {
		if name := s.text(regComm); name != "" {
			return name
		}
	}
	return s.trace.process
}

// cpuKey tells CPUs apart, and traces by what they are of.
type cpuKey struct {
	trace *source
	cpu   uint64
}

// onCPU is the thread that runs on the CPU of the event in hand, or the CPU where that is not known.
func (r *reader) onCPU(s *stream) int32 {
	if t, ok := r.names.running[cpuKey{s.trace, s.cpu}]; ok {
		return t
	}
	key := threadKey{processKey: processKey{host: s.trace.host}, tid: s.cpu, cpu: true}
	return r.names.thread(key, func() string { return "cpu" })
}

// change puts a thread on a CPU. The idle threads all have the number 0 and are told apart by their CPU.
func (r *reader) change(s *stream) {
	key := threadKey{processKey: processKey{host: s.trace.host}, tid: s.regs[regTid]}
	if key.tid == 0 {
		key.processKey.pid = s.cpu
	} else {
		key.processKey.pid = noProcess
	}
	r.names.running[cpuKey{s.trace, s.cpu}] = r.names.thread(key, func() string { return s.comm() })
}

// noProcess is the process of threads whose process is not told.
const noProcess = ^uint64(0)

// key returns the key of an enter, that of its exit being the next.
func (r *reader) key(c call) uint32 {
	if k, ok := r.names.calls.find(c); ok {
		return k
	}
	var e executed
	if c.static {
		e = r.names.statics.names[c.address]
	} else {
		e = r.names.at(r.names.threads[c.thread].process, c.address)
	}
	c.key = r.names.pair(c.thread, e)
	r.names.calls.add(c)
	return c.key
}

// instant makes an execution that takes no time.
func (r *reader) instant(s *stream, c call) error {
	c.thread = r.thread(s)
	k := r.key(c)
	if err := r.sink.put(s.ns, k); err != nil {
		return err
	}
	return r.sink.put(s.ns, k+1)
}

func (r *reader) enter(s *stream, c call) error {
	c.thread = r.thread(s)
	k := r.key(c)
	if t := &r.names.threads[c.thread]; len(t.stack) < maxStack {
		t.stack = append(t.stack, k)
	} else {
		t.deeper++
	}
	return r.sink.put(s.ns, k)
}

func (r *reader) exit(s *stream, c call) error {
	c.thread = r.thread(s)
	k := r.key(c)
	t := &r.names.threads[c.thread]
	switch n := len(t.stack); {
	case t.deeper > 0:
		t.deeper--
	case n > 0 && t.stack[n-1] == k:
		t.stack = t.stack[:n-1]
	case r.counts.any:
		return r.exitAfterLoss(s, t, k)
	default:
		t.remove(k)
	}
	return r.sink.put(s.ns, k+1)
}

// innermost is the place of the innermost open call of a key, -1 if there is none.
func (t *thread) innermost(k uint32) int {
	for i := len(t.stack) - 1; i >= 0; i-- {
		if t.stack[i] == k {
			return i
		}
	}
	return -1
}

// remove takes the innermost open call of a key away, and leaves those above it open.
func (t *thread) remove(k uint32) {
	if i := t.innermost(k); i >= 0 {
		t.stack = append(t.stack[:i], t.stack[i+1:]...)
	}
}

// exitAfterLoss ends an execution that is not the innermost. The exits of those above it are lost, and so is its
// own enter where it is not open.
func (r *reader) exitAfterLoss(s *stream, t *thread, k uint32) error {
	i := t.innermost(k)
	if i < 0 {
		r.reading.Ledger.Add(schema.UnmatchedExit, s.position)
		return nil
	}
	r.reading.Ledger.AddMany(schema.UnclosedCall, int64(len(t.stack)-1-i), s.position)
	for len(t.stack) > i {
		top := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		if err := r.sink.put(s.ns, top+1); err != nil {
			return err
		}
	}
	return nil
}

// returns ends the innermost open call of a thread. Which one that is must be known.
func (r *reader) returns(s *stream) error {
	t := &r.names.threads[r.thread(s)]
	n := len(t.stack)
	if n == 0 || t.deeper > 0 {
		t.deeper = max(0, t.deeper-1)
		r.reading.Ledger.Add(schema.UnmatchedExit, s.position)
		return nil
	}
	k := t.stack[n-1]
	t.stack = t.stack[:n-1]
	return r.sink.put(s.ns, k+1)
}

// module notes where a module lies.
func (r *reader) module(s *stream) {
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
	r.names.load(r.process(s), newModule(s.regs[regAddress], size, path, moves))
}

// process returns the process of the event in hand.
func (r *reader) process(s *stream) *process {
	key := processKey{host: s.trace.host}
	if s.event.has[regPid] {
		key.pid = s.regs[regPid]
	}
	return r.names.process(key)
}

func (r *reader) processName(s *stream) {
	if name := s.text(regPath); name != "" {
		r.process(s).name = name
		r.names.calls.clear()
	}
}
