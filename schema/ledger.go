package schema

import "strconv"

import "sort"

// Reason names why a record was dropped, repaired or invented. A reason is declared once, here, with
// the sentence that explains it.
type Reason struct{ Name, Meaning string }

// The reasons.
var (
	BadLine          = Reason{"bad_line", "a line was not of the format and was left out"}
	TornLine         = Reason{"torn_line", "the last line had no line end and was not of the format; it was left out"}
	TimeBackwards    = Reason{"time_backwards", "an event was earlier than the event before it; it kept its place and its time"}
	UnmatchedExit    = Reason{"unmatched_exit", "an exit had no open call of its function; its enter was invented at the start of the trace, or the exit discarded"}
	OpenAtEnd        = Reason{"open_at_end", "a call had no exit when the trace ended; its exit was invented at the end of the trace, or the enter discarded"}
	InterleavedCall  = Reason{"interleaved_call", "an exit closed a call that was not the innermost open one of its lifeline; the calls above it stayed open"}
	UnmatchedSend    = Reason{"unmatched_send", "a message was sent and never received; its exchange was ignored, or a placeholder receiver inserted"}
	UnmatchedReceive = Reason{"unmatched_receive", "a message was received and never sent; its exchange was ignored, or a placeholder sender inserted"}
	DuplicateSend    = Reason{"duplicate_send", "a message was sent while one of the same identifier was still under way; the earlier exchange was ignored"}
	NegativeLatency  = Reason{"negative_latency", "a message was received at an earlier time than it was sent"}
	NegativeDuration = Reason{"negative_duration", "an execution finished at an earlier time than it started"}
	StrayExit        = Reason{"stray_exit", "an exit came when no service fragment of its component was under way; no automaton has it"}
	OpenFragment     = Reason{"open_fragment", "a service fragment was cut short because calls inside it never finished in order"}
	PrefixWord       = Reason{"prefix_word", "one occurrence of a service fragment is the beginning of another; the automaton accepts it without looping"}
	LooseMessage     = Reason{"loose_message", "a message has no receiving event in its partition, or one before its sending event; no constraint was made of it"}
	BadRecord        = Reason{"bad_record", "a record was not of the format and was left out"}
	TornRecord       = Reason{"torn_record", "a file ended in the middle of a record, which was left out"}
	UnknownRecord    = Reason{"unknown_record", "a record was of a kind that the format does not define and was left out"}
	SkippedRecord    = Reason{"skipped_record", "a record was of a kind that has no place in events and messages (a counter, a sample, file I/O) and was left out"}
	UndefinedToken   = Reason{"undefined_token", "a record named something that the trace does not define; its number stands for its name"}
	DuplicateDef     = Reason{"duplicate_definition", "something was defined twice in different ways; the last definition held"}
	LostByTracer     = Reason{"lost_by_tracer", "the tracer itself said that it dropped events; calls open at that place may have lost their exits"}
	UnclosedCall     = Reason{"unclosed_call", "the tracer lost events, and the next ones show that a call had ended; its exit was invented there"}
	ClockWrap        = Reason{"clock_wrap", "a clock of few bits went past its end; its high bits were restored"}
	MissingDuration  = Reason{"missing_duration", "a call had a start and no duration; it was left out"}
	MissingParent    = Reason{"missing_parent", "a span named a parent that the trace does not have; it was taken as a call without a caller"}
	DuplicateCall    = Reason{"duplicate_execution", "a call was recorded twice; one record was left out"}
	CrossingCall     = Reason{"crossing_call", "a call overlapped another of its lifeline without lying in it; it was put on a lifeline of its own"}
	UnsupportedTime  = Reason{"unsupported_time", "a time did not fit into 64 bits of nanoseconds; the line was left out"}
)

// Ledger counts losses by reason and keeps where each happened first. The zero value is empty.
// There is one ledger a task, so it has no lock.
type Ledger struct {
	entries map[string]*Loss
}

// Add counts one record lost for a reason. The position is kept only when it is the first: pass a
// function, because formatting a position costs more than counting a loss.
func (l *Ledger) Add(r Reason, position func() string) {
	if e := l.entries[r.Name]; e != nil {
		e.Count++
		return
	}
	l.insert(r, 1, position())
}

// AddMany counts several records lost for a reason, the first of them at a position.
func (l *Ledger) AddMany(r Reason, count int64, position func() string) {
	if e := l.entries[r.Name]; e != nil {
		e.Count += count
		return
	}
	l.insert(r, count, position())
}

// MergeLosses adds entries of another ledger that comes later in the trace.
func (l *Ledger) MergeLosses(losses []Loss) {
	for _, e := range losses {
		l.AddMany(Reason{e.Reason, e.Meaning}, e.Count, func() string { return e.FirstPosition })
	}
}

func (l *Ledger) insert(r Reason, count int64, position string) {
	if l.entries == nil {
		l.entries = make(map[string]*Loss)
	}
	l.entries[r.Name] = &Loss{Reason: r.Name, Meaning: r.Meaning, Count: count, FirstPosition: position}
}

// Count returns the number of records that were lost for a reason.
func (l *Ledger) Count(r Reason) int64 {
	if e := l.entries[r.Name]; e != nil {
		return e.Count
	}
	return 0
}

// Losses returns the entries in the order of their reasons' names, marked with the stage.
func (l *Ledger) Losses(stage string) []Loss {
	out := make([]Loss, 0, len(l.entries))
	for _, e := range l.entries {
		e := *e
		e.Stage = stage
		out = append(out, e)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Reason < out[j].Reason })
	return out
}

// EventPosition returns the position of an event for a loss, by its sequence number.
func EventPosition(seq int64) string { return "event " + strconv.FormatInt(seq, 10) }
