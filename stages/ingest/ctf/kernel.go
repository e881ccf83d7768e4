package ctf

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// cpuKey identifies a CPU of a trace.
type cpuKey struct {
	trace int    // number: CPUs of two traces differ though they have one number
	cpu   uint64 // number
}

// cpuState is what a CPU does. What the kernel runs in an interrupt has nothing to do with the thread that happens to be there,
// so it has a lifeline of its own, that of the CPU.
type cpuState struct {
	running    int32 // number of the thread, or nobody
	self       int32 // of the CPU's own lifeline, or nobody
	idle       int32 // of the thread that runs where no other does, or nobody
	interrupts int   // that are open, one in the other
}

// nobody is the number of no thread.
const nobody int32 = -1

// newCPU returns a CPU that runs a thread, or nobody.
func newCPU(running int32) *cpuState { return &cpuState{running: running, self: nobody, idle: nobody} }

// cpuOf returns the state of the CPU of the event in hand.
func (r *reader) cpuOf(s *stream) *cpuState {
	if s.cpuState != nil && s.stateOf == s.cpu {
		return s.cpuState
	}
	key := cpuKey{s.trace.number, s.cpu}
	c := r.cpus[key]
	if c == nil {
		c = newCPU(nobody)
		r.cpus[key] = c
	}
	s.cpuState, s.stateOf = c, s.cpu
	return c
}

// onCPU is the thread that runs on the CPU of the event in hand, or the CPU where that is not known, or an interrupt runs.
func (r *reader) onCPU(s *stream) int32 {
	c := r.cpuOf(s)
	if c.running != nobody && c.interrupts == 0 {
		return c.running
	}
	return r.cpuThread(s, c)
}

// cpuThread is the lifeline of a CPU itself.
func (r *reader) cpuThread(s *stream, c *cpuState) int32 {
	if c.self == nobody {
		key := processes.ThreadKey{ProcessKey: processes.ProcessKey{Host: s.trace.hostNumber}, TID: s.cpu, CPU: true}
		if s.trace.plan.kernel {
			key.PID = processes.KernelPID
		}
		c.self = r.names.ThreadNumber(key, func() string { return "cpu" })
	}
	return c.self
}

// tidKey identifies a thread by its number alone, which is unique on its host.
type tidKey struct {
	host uint32 // number
	tid  uint64
}

// threadEntry is a thread with its process, or LonePID where that is not told.
type threadEntry struct {
	number int32
	known  bool
	pid    uint64
}

// threadOf returns the thread of a number, of which the process may be told or not. All idle threads have the number 0, so their
// CPU identifies them.
func (r *reader) threadOf(s *stream, tid uint64, comm register) int32 {
	k := tidKey{s.trace.hostNumber, tid}
	if e, known := r.threads.find(k); known && tid != 0 {
		return e.number
	}
	key := processes.ThreadKey{ProcessKey: processes.ProcessKey{Host: s.trace.hostNumber, PID: processes.LonePID + tid}, TID: tid}
	if e, told := r.pids.find(k); told {
		key.PID = e.pid
	}
	if tid == 0 {
		key.PID = processes.LonePID*2 - 1 - s.cpu
	}
	n := r.names.ThreadNumber(key, func() string {
		if s.event.has[comm] {
			return s.text(comm)
		}
		return ""
	})
	r.threads.put(k, threadEntry{number: n, pid: key.PID})
	return n
}

// switchThread puts a thread on a CPU. If it was woken, it learns so now.
func (r *reader) switchThread(s *stream) error {
	c, next := r.cpuOf(s), s.regs[regOther]
	if c.interrupts = 0; next == 0 && c.idle != nobody {
		c.running = c.idle
		return nil // nobody wakes it
	}
	if c.running = r.threadOf(s, next, regPath); next == 0 {
		c.idle = c.running
	}
	w := r.wakeOf(c.running)
	if w.id == noID {
		return nil
	}
	id := w.id
	*w = wake{id: noID}
	return r.putMessage(s, c.running, r.aloneIn(s), r.woken[schema.Receive], id)
}

// wake is the message to a thread that can run and does not yet.
type wake struct {
	id   int64 // noID: none
	told bool  // the thread is said to be able to run
}

// wakeOf returns the message on its way to a thread.
func (r *reader) wakeOf(thread int32) *wake {
	for int(thread) >= len(r.wakes) {
		r.wakes = append(r.wakes, wake{id: noID})
	}
	return &r.wakes[thread]
}

// wakeThread sends a message to a thread that waits. A kernel tells of it once or twice: when somebody is about to wake the
// thread, which is the cause, and when the thread can run, which another CPU may tell.
func (r *reader) wakeThread(s *stream) error {
	to, from := r.threadOf(s, s.regs[regOther], regPath), r.thread(s)
	w := r.wakeOf(to)
	woken := s.event.role == roleWakeup
	switch {
	case woken && w.id != noID && !w.told:
		w.told = true // what was about to happen has happened
		return nil
	case woken && w.id != noID, to == from:
		// A thread that can run already waits for nobody, and one that wakes itself was only about to wait.
		s.event.omitted++
		return nil
	}
	*w = wake{r.nextIDs(1), woken}
	return r.putMessage(s, from, r.aloneIn(s), r.woken[schema.Send], w.id)
}

// noteThread notes the process of a thread, and that its name is that of the process if it is the first thread.
func (r *reader) noteThread(s *stream) {
	tid, pid := s.regs[regOther], s.regs[regOtherProcess]
	r.pids.put(tidKey{s.trace.hostNumber, tid}, threadEntry{pid: pid})
	if tid == pid && s.event.has[regPath] {
		r.names.NameOnce(r.names.Process(processes.ProcessKey{Host: s.trace.hostNumber, PID: pid}), s.text(regPath))
	}
}

// forkThread notes a new thread: its number may have been that of another, which has ended.
func (r *reader) forkThread(s *stream) {
	r.threads.remove(tidKey{s.trace.hostNumber, s.regs[regOther]})
	r.noteThread(s)
}

// endThread ends the calls of a thread that ends.
func (r *reader) endThread(s *stream) error {
	n := r.threadOf(s, s.regs[regOther], regComm)
	return r.endCalls(s, n)
}

// endCalls invents the exits of all calls of a thread.
func (r *reader) endCalls(s *stream, thread int32) error {
	open := r.names.Thread(thread).End()
	if len(open) > 0 {
		r.reading.Ledger.AddMany(schema.CallOfEnded, int64(len(open)), s.position)
	}
	for i := len(open) - 1; i >= 0; i-- {
		if err := r.out.Put(s.ns, r.names.InventedExit(open[i])); err != nil {
			return err
		}
	}
	return nil
}
