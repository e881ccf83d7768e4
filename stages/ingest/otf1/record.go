package otf1

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

// record reads any record of a stream.
func (r *reader) record(s *stream, f *fields) error {
	// The cases are in the order of how often records occur; run.go has taken the usual forms of the first two before.
	begin := f.at
	word := f.keyword()
	switch string(word) {
	case "E", "ENTER":
		token := f.hex("a function")
		if f.is("X", "SCL") {
			f.hex("a place in the source code")
		}
		if f.fault != "" || f.more() {
			return r.bad(s, f, "nothing after an enter")
		}
		return r.takeEnter(s, token)
	case "L", "LEAVE":
		return r.leaveRecord(s, f)
	case "S", "SEND":
		return r.messageRecord(s, f, schema.Send)
	case "R", "RECEIVE":
		return r.messageRecord(s, f, schema.Receive)
	// Snapshots (T...) repeat what was told, key-values belong to the next record, and begin and end of processes say nothing of calls.
	case "K", "KEY", "PB", "PROCESSBEGIN", "PE", "PROCESSEND", "N", "NOOP",
		"TE", "TENTER", "TS", "TSEND", "TC", "TCOMMENT", "TBC", "TBEGINCOLLOP", "TBF", "TBEGINFILEOP", "TOF", "TOPENFILE",
		"TCOC", "TCOLLOPCOUNT", "TCNT", "TCOUNTER":
		return nil
	case "COPB", "COLLOPBEGIN":
		return r.collectiveBegin(s, f)
	case "COPE", "COLLOPEND":
		return r.collectiveEnd(s, f)
	case "COP", "COLLOP":
		return r.collectiveWhole(s, f)
	case "#", "#EVTCOMMENT":
		return r.countComment(s, f)
	// Counters, files and one-sided operations have no place in the tables.
	case "CNT", "COUNTER", "FA", "FILEOPBEGINNEW", "FF", "FILEOPENDNEW",
		"F", "FILEOP", "FB", "FILEOPBEGIN", "FE", "FILEOPEND", "T", "TRMAPUT", "RMAPUT", "U", "URMAPUTRE", "RMAPUTRE", "G", "GRMAGET", "RMAGET",
		"M", "MRMAEND", "RMAEND":
		r.reading.Ledger.Add(schema.SkippedRecord, func() string { return s.syntax(begin, fmt.Errorf("a record %s", word)).Error() })
		return nil
	}
	switch {
	case len(word) == 0:
		f.at = begin
		return r.bad(s, f, "a time, '*' or a keyword")
	// Definitions may stand among the events.
	case word[0] == 'D':
		return r.definition(s.lines, word, f)
	}
	return r.reading.Bad(schema.UnknownRecord, s.syntax(begin, errors.New("no record of OTF 1 is called "+string(word[:min(len(word), 40)]))))
}

// leaveRecord reads a leave that is not a bare L.
func (r *reader) leaveRecord(s *stream, f *fields) error {
	token, named := uint64(0), false
	if f.more() && hexDigit[f.text[f.at]] < 16 {
		token, named = f.hex("a function"), true
	}
	if f.is("X", "SCL") {
		f.hex("a place in the source code")
	}
	if f.fault != "" || f.more() {
		return r.bad(s, f, "nothing after a leave")
	}
	return r.takeLeave(s, token, named)
}

// messageRecord reads peer LEN length TAG tag COMM communicator [SCL scl].
func (r *reader) messageRecord(s *stream, f *fields, direction schema.Direction) error {
	peer := f.hex("a process")
	f.need("L", "LEN")
	f.hex("a length")
	f.need("T", "TAG")
	tag := f.hex("a tag")
	f.need("C", "COMM")
	communicator := f.hex("a communicator")
	if f.is("X", "SCL") {
		f.hex("a place in the source code")
	}
	if f.fault != "" || f.more() {
		return r.bad(s, f, "nothing after a message")
	}
	// A message needs its process for the channel, so one without is counted and ties nothing.
	if ok, err := r.checkPlaced(s); !ok {
		return err
	}
	// MPI does not let messages of one channel overtake each other, which is why first in, first out is right.
	c := channel{s.token, peer, communicator, tag}
	if direction == schema.Receive {
		c.from, c.to = peer, s.token
	}
	return r.attachMessage(s, message{r.mark(r.definitions, direction, communicator, tag), r.exchange(c, direction)})
}

// gaveUp is in the comment that the library leaves where it was given a time that ran back, and stops.
var gaveUp = []byte("unsorted time stamp, aborted")

// countComment counts a comment, which says nothing about events, unless the writer of the stream says in it that it gave up.
func (r *reader) countComment(s *stream, f *fields) error {
	if bytes.Contains(f.text, gaveUp) {
		r.reading.Ledger.Add(schema.LostByTracer, s.place(f.at, "the writer of the stream gave up here: its times ran back"))
		return nil
	}
	r.reading.Ledger.Add(schema.SkippedRecord, s.place(0, "a comment"))
	return nil
}

// checkPlaced reports whether an event has a process and a time. One without is counted.
func (r *reader) checkPlaced(s *stream) (ok bool, err error) {
	switch {
	case s.proc == nil:
		return false, r.reading.Bad(schema.BadRecord, s.syntax(0, expected("a process before the first event")))
	case !s.timed:
		r.reading.Ledger.Add(schema.UnsupportedTime, func() string {
			return s.syntax(0, fmt.Errorf("a time within 64 bits of nanoseconds, not %#x ticks", s.tick)).Error()
		})
		return false, nil
	}
	return true, nil
}
