package schema

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Reason names why a record was dropped, repaired or invented. A reason is declared once, here, with
// the sentence that explains it.
type Reason struct{ Name, Meaning string }

// OfKind is the reason for the records of one kind, which are counted in a row of their own: its sentence begins with the
// kind.
func (r Reason) OfKind(kind string) Reason { return Reason{r.Name, kind + ": " + r.Meaning} }

// Kind returns the kind of records that a loss counts, or "" where they are of any kind.
func (l *Loss) Kind() string {
	for _, r := range []Reason{SkippedRecord, SkippedAttribute, AttributeBudget, DamagedAttribute} {
		if kind, found := strings.CutSuffix(l.Meaning, ": "+r.Meaning); found {
			return kind
		}
	}
	return ""
}

// The reasons.
var (
	BadLine            = Reason{"bad_line", "a line was not of the format and was left out"}
	TornLine           = Reason{"torn_line", "the last line had no line end and was not of the format; it was left out"}
	TimeBackwards      = Reason{"time_backwards", "an event was earlier than the event before it; it kept its place and its time"}
	UnmatchedExit      = Reason{"unmatched_exit", "an exit had no open call of its function; its enter was invented at the start of the trace, or the exit discarded"}
	OpenAtEnd          = Reason{"open_at_end", "a call had no exit when the trace ended; its exit was invented at the end of the trace, or the enter discarded"}
	InterleavedCall    = Reason{"interleaved_call", "an exit closed a call that was not the innermost open one of its lifeline; the calls above it stayed open"}
	UnmatchedSend      = Reason{"unmatched_send", "a message was sent and never received; its exchange was ignored, or a placeholder receiver inserted"}
	UnmatchedReceive   = Reason{"unmatched_receive", "a message was received and never sent; its exchange was ignored, or a placeholder sender inserted"}
	DuplicateSend      = Reason{"duplicate_send", "a message was sent while one of the same identifier was still under way; the earlier exchange was ignored"}
	ReceivedBeforeSent = Reason{"received_before_sent", "a message was received before it was sent, in the order of the trace: the clocks of its sender and its receiver are apart; it is kept (--clock-of component, or file where several traces are one run, corrects clocks)"}
	Reordered          = Reason{"reordered", "a receive stood before the send of its message; it was put behind it with what follows on its lifeline, as --reorder says"}
	NegativeLatency    = Reason{"negative_latency", "a message was received at an earlier time than it was sent"}
	NegativeDuration   = Reason{"negative_duration", "an execution finished at an earlier time than it started"}
	StrayExit          = Reason{"stray_exit", "an exit came when no service fragment of its component was under way; no automaton has it"}
	OpenFragment       = Reason{"open_fragment", "a service fragment was cut short because calls inside it never finished in order"}
	PrefixWord         = Reason{"prefix_word", "one occurrence of a service fragment is the beginning of another; the automaton accepts it without looping"}
	LooseMessage       = Reason{"loose_message", "a message has no receiving event in its partition, or one before its sending event; no constraint was made of it"}
	DroppedCoupling    = Reason{"dropped_coupling", "a coupling of a run that this one is made from (a collective operation, a link) was left out"}
	InferredCallback   = Reason{"inferred_callback", "a component started an execution while it waited for a blocking call, and no message says why; that the call did it was inferred, as a message (ingest --callbacks ignore infers none)"}
	LooseCoupling      = Reason{"loose_coupling", "an event takes part in a coupling (a collective operation, a link, a clock constraint) of which the trace lacks the other end, or has it later; nothing waits for it"}
	BadRecord          = Reason{"bad_record", "a record was not of the format and was left out"}
	TornRecord         = Reason{"torn_record", "a file ended in the middle of a record, which was left out"}
	MissingRecord      = Reason{"missing_record", "the trace says that one of its files has more records than are there; the others are missing"}
	UnknownRecord      = Reason{"unknown_record", "a record was of a kind that the format does not define and was left out"}
	SkippedRecord      = Reason{"skipped_record", "a record was of a kind that has no place in events and messages (a counter, a sample, file I/O) and was left out"}
	SkippedAttribute   = Reason{"skipped_attribute", "an argument of a call, which has no place in the tables, was left out; --attributes keeps it in the table attributes, and --name-arg puts one into the names of calls"}
	AttributeBudget    = Reason{"attribute_budget", "an attribute was left out, as its value is longer than 1,024 bytes or there are too many: 65,536 values of a name, 2,097,152 sets, 4,096 names, or 128 MiB in all"}
	DamagedAttribute   = Reason{"damaged_attribute", "an attribute could not be read, as its column is damaged in the file; what has it was kept without it"}
	UndefinedToken     = Reason{"undefined_token", "a record named something that the trace does not define; its number stands for its name"}
	DuplicateDef       = Reason{"duplicate_definition", "something was defined twice in different ways; the last definition held"}
	LostByTracer       = Reason{"lost_by_tracer", "the tracer itself said that it dropped events; calls open at that place may have lost their exits"}
	AmbiguousPair      = Reason{"ambiguous_pair", "a pair of events ended while another of its name was open on the thread, and no field told which one; the latest ended"}
	ChildReturn        = Reason{"child_return", "a thread or process began with the return from the call that made it, which its maker made; the exit was left out"}
	CallOfEnded        = Reason{"call_of_ended_thread", "a thread ended in a call that did not return, as exit does not; the exit of the call was invented there"}
	UnclosedCall       = Reason{"unclosed_call", "the tracer lost events, and the next ones show that a call had ended; its exit was invented there"}
	ClockWrap          = Reason{"clock_wrap", "a clock of few bits went past its end; its high bits were restored"}
	MissingDuration    = Reason{"missing_duration", "a call had a start and no duration; it was left out"}
	MissingParent      = Reason{"missing_parent", "a span named a parent that the trace does not have; it was taken as a call without a caller"}
	DuplicateCall      = Reason{"duplicate_execution", "a call was recorded twice; one record was left out"}
	CrossingCall       = Reason{"crossing_call", "a call overlapped another of its lifeline without lying in it; it was put on a lifeline of its own"}
	MessageInside      = Reason{"message_inside_call", "a message was sent or received in the middle of a call; a call of the same function that takes no time was invented for it"}
	MessageOutside     = Reason{"message_outside_call", "a message was sent or received outside all calls; a call that takes no time was invented for it"}
	UnprovenWait       = Reason{"unproven_wait", "a call that waits for a device ended before the work that it waits for, by the clocks of the trace; no message was made of it"}
	CutName            = Reason{"cut_name", "a name was longer than 4,096 bytes and was cut there; names of equal beginnings became one"}
	ShortCall          = Reason{"short_call", "a call was shorter than its recorder keeps; the totals that the recorder wrote count it, and nothing else is known of it"}
	UnsupportedTime    = Reason{"unsupported_time", "a time did not fit into 64 bits of nanoseconds; the line was left out"}
)

// Ledger counts losses by reason and keeps where each happened first. The zero value is empty.
// There is one ledger a task, so it has no lock.
type Ledger struct {
	entries map[Reason]*Loss
}

// Add counts one record lost for a reason. The position is kept only when it is the first: pass a
// function, because formatting a position costs more than counting a loss.
func (l *Ledger) Add(r Reason, position func() string) {
	if e := l.entries[r]; e != nil {
		e.Count++
		return
	}
	l.insert(r, 1, position())
}

// AddMany counts several records lost for a reason, the first of them at a position.
func (l *Ledger) AddMany(r Reason, count int64, position func() string) {
	if e := l.entries[r]; e != nil {
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
		l.entries = make(map[Reason]*Loss)
	}
	l.entries[r] = &Loss{Reason: r.Name, Meaning: r.Meaning, Count: count, FirstPosition: position}
}

// Count returns the number of records that were lost for a reason, of all kinds.
func (l *Ledger) Count(r Reason) (count int64) {
	for of, e := range l.entries {
		if of.Name == r.Name {
			count += e.Count
		}
	}
	return count
}

// Losses returns the entries in the order of their reasons' names, those of one reason by their counts, the greatest first,
// marked with the stage.
func (l *Ledger) Losses(stage string) []Loss {
	out := make([]Loss, 0, len(l.entries))
	for _, e := range l.entries {
		e := *e
		e.Stage = stage
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Loss) int {
		return cmp.Or(cmp.Compare(a.Reason, b.Reason), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Meaning, b.Meaning))
	})
	return out
}

// EventPosition returns the position of an event for a loss, by its sequence number.
func EventPosition(seq int64) string { return "event " + strconv.FormatInt(seq, 10) }
