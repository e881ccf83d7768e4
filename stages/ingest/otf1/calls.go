package otf1

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

// takeEnter opens a call of a function, which it names, and adds its row. An enter without a process or a time is counted and
// dropped; one of what the trace does not define is counted and kept.
func (r *reader) takeEnter(s *stream, token uint64) error {
	// Without a process or a time there is no row; what is missing is counted.
	if s.proc == nil || !s.timed {
		_, err := r.checkPlaced(s)
		return err
	}
	// Messages that waited for a leave cannot belong to this enter, which comes after them.
	if len(s.held) > 0 {
		if err := r.releaseHeld(s); err != nil {
			return err
		}
	}
	fn := r.function(token)
	if r.called[fn].undefined || s.proc.undefined {
		r.countUndefined(s, token)
	}
	// Keys of a function in a process are three in a row: enter, exit, message. A slot has the first of them plus 1.
	slot := r.slot(s.proc, fn)
	slot.open++
	s.proc.calls = append(s.proc.calls, fn)
	s.entered = true
	return r.add(s.timeNs, slot.key-1, message{id: schema.NoValue})
}

// takeLeave closes the innermost call, or that of a function which it names.
func (r *reader) takeLeave(s *stream, token uint64, named bool) error {
	p := s.proc
	if p == nil || !s.timed {
		_, err := r.checkPlaced(s)
		return err
	}
	s.entered = false
	// OTF 1 lets a leave name its function or not. A bare one ends the innermost call.
	fn := uint32(0)
	switch top := len(p.calls) - 1; {
	case named:
		fn = r.function(token)
		p.close(fn, r.slot(p, fn))
	case top < 0:
		r.reading.Ledger.Add(schema.UnmatchedExit, s.place(0, "a leave where no call is open"))
		return nil
	default:
		fn = p.calls[top]
		p.calls = p.calls[:top]
		p.slots[fn].open--
	}
	return r.leaveWith(s, p.slots[fn].key-1+uint32(schema.Exit))
}

// close takes the innermost call of a function from the stack, if one is open. Those above it stay.
func (p *process) close(fn uint32, slot *slot) {
	// The count saves a search through a deep stack for a function that is not on it.
	if slot.open == 0 {
		return
	}
	slot.open--
	// Searched from the innermost, as leaves mostly are of one near the top.
	i := len(p.calls) - 1
	for p.calls[i] != fn {
		i--
	}
	p.calls = append(p.calls[:i], p.calls[i+1:]...)
}

// leaveWith adds an exit, the messages right before it, which are its own, and the collective operations of the call.
func (r *reader) leaveWith(s *stream, exit uint32) error {
	if len(s.held) == 0 {
		err := r.add(s.timeNs, exit, message{id: schema.NoValue})
		// Without messages of its own the exit comes first, then the operations that ended in its call.
		if len(s.proc.met) > 0 && err == nil {
			err = r.tellCollectives(s, exit)
		}
		return err
	}
	left := exit
	// The first message is on the exit's own row, each further one on a row of kind Message after it.
	for i, m := range s.held {
		if i == 1 {
			exit += uint32(schema.Message - schema.Exit)
		}
		if err := r.add(s.timeNs, exit, m); err != nil {
			return err
		}
	}
	s.held = s.held[:0]
	return r.tellCollectives(s, left)
}

// attachMessage adds a message: to the enter right before it, or else it waits for a leave right behind it.
func (r *reader) attachMessage(s *stream, m message) error {
	if !s.entered {
		// A stream without leaves must not collect its messages without end.
		if len(s.held) == mostHeld {
			if err := r.releaseHeld(s); err != nil {
				return err
			}
		}
		s.held = append(s.held, m)
		return nil
	}
	// The enter's own row takes the first message; each further one has a row of its own, still at the enter.
	if r.extend(m) {
		return nil
	}
	p := s.proc
	return r.add(s.timeNs, p.slots[p.calls[len(p.calls)-1]].key-1+uint32(schema.Message), m)
}

// mostHeld bounds the messages that wait for a leave. More of them come at one time in no real trace.
const mostHeld = 1 << 12

// releaseHeld adds the messages that waited in vain as rows of their own.
func (r *reader) releaseHeld(s *stream) error {
	for _, m := range s.held {
		if err := r.addLone(s, m); err != nil {
			return err
		}
	}
	s.held = s.held[:0]
	return nil
}

// addLone adds a message that is of no enter or leave, in the innermost call or else in one of its own.
func (r *reader) addLone(s *stream, m message) error {
	p := s.proc
	if top := len(p.calls) - 1; top >= 0 {
		return r.add(s.timeNs, p.slots[p.calls[top]].key-1+uint32(schema.Message), m)
	}
	// Outside all calls, the message gets a call of function send or receive that lasts no time.
	key := r.idleKey(p, r.marks[m.mark].Direction)
	if err := r.add(s.timeNs, key, m); err != nil {
		return err
	}
	return r.add(s.timeNs, key+uint32(schema.Exit), message{id: schema.NoValue})
}

// countUndefined counts an enter of what the trace does not define.
func (r *reader) countUndefined(s *stream, token uint64) {
	r.reading.Ledger.Add(schema.UndefinedToken, func() string {
		return s.syntax(0, fmt.Errorf("process %d or function %d is not defined", s.token, token)).Error()
	})
}
