package babeltrace

import "github.com/tracelake/tracelake/stages/ingest/processes"

// text returns a field that is a name, "" where the line has no such field.
func (l *line) text(payload bool, name string) string {
	v, _ := l.field(payload, name)
	return processes.Clean(v)
}

// either returns the first of two numbers of the context that the line has.
func (l *line) either(a, b string) (uint64, bool) {
	// A context has either or both, by what was asked of the tracer.
	if n, ok := l.number(false, a); ok {
		return n, true
	}
	return l.number(false, b)
}

// process returns the process of the line in hand.
func (r *reader) process() *processes.Process {
	// Numbers within a container (vpid) come before those of the host, as the modules of a process are announced by
	// them. A line without either is of process 0.
	pid, _ := r.line.either("vpid", "pid")
	return r.names.Process(processes.ProcessKey{Host: string(r.line.host), PID: pid})
}

// thread returns the number of the thread of the line in hand: that of its context, or else its CPU.
func (r *reader) thread() int32 {
	l := &r.line
	var key processes.ThreadKey
	tid, ok := l.either("vtid", "tid")
	if ok {
		key.TID = tid
		key.PID, _ = l.either("vpid", "pid")
	} else {
		// Without a thread the CPU is the lifeline, whichever thread runs on it.
		key.CPU = true
		key.TID, _ = l.number(false, "cpu_id")
	}
	// Most lines are of the thread of the line before: the host becomes a string only for others.
	last := &r.lastKey
	if r.lastKnown && last.TID == key.TID && last.PID == key.PID && last.CPU == key.CPU && last.Host == string(l.host) {
		return r.lastThread
	}
	key.Host = string(l.host)
	r.lastThread = r.names.ThreadNumber(key, func() string {
		if key.CPU {
			return "cpu"
		}
		return l.text(false, "procname")
	})
	r.lastKey, r.lastKnown = key, true
	return r.lastThread
}

// loadModule notes where a module lies.
func (r *reader) loadModule() {
	l := &r.line
	base, ok := l.number(true, "baddr")
	if !ok {
		return
	}
	// A size of 0 is unknown; NewModule deals with it.
	size, _ := l.number(true, "memsz")
	// A trace without the field is taken for position independent, which all libraries and most programs are.
	pic, told := l.number(true, "is_pic")
	r.names.Load(r.process(), processes.NewModule(base, size, l.text(true, "path"), !told || pic != 0))
}
