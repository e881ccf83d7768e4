package ctf

import (
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// A message of ROS 2 is known by the time at which its publisher wrote it, which every subscriber is told when it takes it. As
// one is taken by any number of subscribers, and a message of a trace is received once, a write sends as many messages as there
// are takes: a scan of the trace counts these beforehand.

// published are the messages of ROS 2 that are taken, by the times of their sources.
type published map[int64]*publication

// publication is what is known of a message.
type publication struct {
	takes int64 // in the whole trace
	taken int64 // so far
	first int64 // identifier of the first take, those of the others follow; noID until one end is met
}

// noID is no identifier: those of a trace begin with 0.
const noID = -1

// sourceTime returns the identity of the message that is written or taken, if it is one: takes may find nothing, and messages
// within a process have none.
func (s *stream) sourceTime() (int64, bool) {
	ns := int64(s.regs[regNumber])
	return ns, ns != 0 && !(s.event.role == roleTake && s.event.has[regOther] && s.regs[regOther] == 0)
}

// nextIDs returns the first of some identifiers of messages that were not used.
func (r *reader) nextIDs(count int64) int64 {
	r.messages += count
	return r.messages - count
}

// publish sends a message to all who take it; one that nobody takes is sent once.
func (r *reader) publish(s *stream) error {
	ns, _ := s.sourceTime()
	topic := strings.TrimPrefix(r.topicWritten(s), "rt") // of the transport: rt/topic
	p := r.ros.messages[ns]
	if p == nil {
		return r.putMessage(s, r.thread(s), r.aloneIn(s), r.mark(schema.Send, rosSeries, topic), r.nextIDs(1))
	}
	first := r.idsOf(p)
	for i := range p.takes {
		if err := r.putMessage(s, r.thread(s), r.aloneIn(s), r.mark(schema.Send, rosSeries, topic), first+i); err != nil {
			return err
		}
	}
	return nil
}

// take receives a message.
func (r *reader) take(s *stream) error {
	ns, is := s.sourceTime()
	if !is {
		s.event.omitted++
		return nil
	}
	k := r.keyOfObject(s)
	topic, node := r.ros.topicTaken(k, s.event.object)
	alone, known := r.ros.takes[k]
	if !known {
		alone = r.names.AddNamed(processes.Execution{Component: node, Function: "take"})
		r.ros.takes[k] = alone
	}
	id := int64(0)
	if p := r.ros.messages[ns]; p != nil && p.taken < p.takes {
		id = r.idsOf(p) + p.taken
		p.taken++
	} else {
		id = r.nextIDs(1) // more messages are under way than the memory holds
	}
	return r.putMessage(s, r.thread(s), alone, r.mark(schema.Receive, rosSeries, topic), id)
}

// idsOf returns the first identifier of a message, which its first end determines.
func (r *reader) idsOf(p *publication) int64 {
	if p.first == noID {
		p.first = r.nextIDs(p.takes)
	}
	return p.first
}

// rosSeries is the series of messages of ROS 2.
const rosSeries = "ros2"

// markPair is the marks of a kind of messages, by direction.
type markPair [schema.Receive + 1]uint32

// markPair returns the marks of a series that is its own label.
func (r *reader) markPair(series string) markPair {
	return markPair{schema.Send: r.mark(schema.Send, series, ""), schema.Receive: r.mark(schema.Receive, series, "")}
}

// wakeupPair returns the marks of both ends of the messages that wake threads.
func (r *reader) wakeupPair() (pair markPair) {
	for _, d := range []schema.Direction{schema.Send, schema.Receive} {
		pair[d] = uint32(r.marks.Number(schema.MessageMark{Direction: d, Series: "wakeup", Label: "wakeup", Coupling: schema.ByWakeup}))
	}
	return pair
}

// mark returns the number of a mark of messages. A message without a label has that of its series.
func (r *reader) mark(direction schema.Direction, series, label string) uint32 {
	if label == "" {
		label = series
	}
	return uint32(r.marks.Number(schema.MessageMark{Direction: direction, Series: series, Label: label}))
}

// aloneIn is the execution that stands for a message outside of calls: the event itself where events are executions.
func (r *reader) aloneIn(s *stream) uint64 {
	if s.event.instant != noExecution {
		return s.event.instant
	}
	return r.alone
}

// putMessage passes on a message that a thread sends or receives: within its innermost call, or else by an execution named for
// it, which the chart makes one of no time.
func (r *reader) putMessage(s *stream, thread int32, alone uint64, mark uint32, id int64) error {
	k, inside := r.names.Thread(thread).Innermost()
	if !inside {
		k = r.names.EnterKey(processes.Call{Address: alone, Named: true, Thread: thread})
	}
	return r.out.PutMessage(s.ns, r.names.MessageKey(k), mark, id)
}
