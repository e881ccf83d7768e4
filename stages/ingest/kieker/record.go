package kieker

import (
	"cmp"
	"errors"
	"math"
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// values are the fields of a record as they are read, by their letters. Fields that a record does not have keep the values
// of earlier records, so only those of its layout may be looked at. Texts are valid until the next record.
type values struct {
	number [letters]int64
	text   [letters][]byte
}

// record is what is kept of a record about calls until all records of its trace are together. It has numbers for names and
// shares fields among kinds, since the sorter holds millions.
// It has 48 bytes and no pointers.
type record struct {
	trace  int64
	time   int64  // ns
	other  int64  // the end of an execution in ns, the thread, the component, or the trace of the sender
	name   uint32 // number of the signature
	word   uint32 // number of the host, the cause or the technology
	order  int32  // -1: unknown
	height int32  // ess, or the order of the sender; of an execution without order: the less the later it came
	set    uint32 // attributes of the calls of the trace, or of an execution
	rank   rank
	kind   kind
}

// rank brings the records of a trace into the order in which they are needed.
type rank uint8

const (
	ofTrace rank = iota
	ofEvents
	ofExecutions
)

// compareRecords orders by trace, rank and order index; and by time where the index is unknown, a call before
// those that lie in it. Calls of equal times were written inner ones first.
func compareRecords(a, b *record) int {
	switch {
	case a.trace != b.trace:
		return cmp.Compare(a.trace, b.trace)
	case a.rank != b.rank:
		return int(a.rank) - int(b.rank)
	case a.order != b.order:
		return cmp.Compare(a.order, b.order)
	case a.order >= 0 || a.rank == ofTrace:
		return 0
	case a.time != b.time:
		return cmp.Compare(a.time, b.time)
	case a.rank == ofEvents:
		return 0
	case a.other != b.other:
		return cmp.Compare(b.other, a.other)
	}
	return cmp.Compare(a.height, b.height)
}

var (
	errOverflow = errors.New("the time does not fit into 64 bits of nanoseconds")
	errUnit     = errors.New("no unit of time")

	errAttribute = errors.New("an attribute of a call")
)

// take keeps a record. Place says where it stands.
// The error is one to stop with: of the scratch file, or of a strict reading. A time that does not fit leaves its
// record out.
func (r *reader) take(l layout, v *values, place func(error) *schema.SyntaxError) error {
	at := record{trace: v.number[fieldTrace], kind: l.kind, order: int32(max(v.number[fieldOrder], -1)), rank: ofEvents}
	switch l.kind {
	case metadata:
		return r.takeMetadata(v, place)
	case built:
		r.reading.Ledger.Add(schema.SkippedRecord, func() string { return place(errNotCall).Error() })
		return nil
	case trace:
		at.rank, at.order, at.other, at.word = ofTrace, 0, v.number[fieldThread], r.hostOf(v.text[fieldHost])
		at.set = r.attributes(v, place)
		return r.keep(at)
	}
	if !r.scale(&v.number[fieldTime], place) || l.kind == execution && !r.scale(&v.number[fieldEnd], place) {
		return nil
	}
	at.time = v.number[fieldTime]
	set := schema.NoAttributes
	if l.kind == execution {
		set = r.attributes(v, place)
	}
	r.fill(&at, v, set)
	return r.keep(at)
}

// noSession stands for the session in records of calls that have none.
const noSession = "<no-session-id>"

// attributes are those of a record that the user asked for: the trace, whose number is the same for all of its calls, and the session.
func (r *reader) attributes(v *values, place func(error) *schema.SyntaxError) (set schema.AttributeSet) {
	if r.tags == nil {
		return schema.NoAttributes
	}
	at := func() string { return place(errAttribute).Error() }
	if name := []byte("trace"); r.tags.Wants(name) {
		set = r.tags.Add(set, name, strconv.AppendInt(nil, v.number[fieldTrace], 10), at)
	}
	name, session := []byte("session"), v.text[fieldSession]
	if r.tags.Wants(name) && len(session) > 0 && string(session) != noSession {
		set = r.tags.Add(set, name, session, at)
	}
	return set
}

// fill sets what depends on the kind.
// It also notes what the log has (events of operations or of components), which decides later what is left out.
func (r *reader) fill(at *record, v *values, set schema.AttributeSet) {
	switch at.kind {
	case send:
		at.word = r.names.causeOf(v.text[fieldWords])
		return
	case receive:
		at.other, at.height = v.number[fieldSender], int32(v.number[fieldSenderOrder])
		return
	}
	at.name = r.names.signatureOf(v.text[fieldSignature], v.text[fieldClass])
	switch at.kind {
	case execution:
		at.set = set
		at.rank, at.word, at.height, at.other = ofExecutions, r.hostOf(v.text[fieldHost]), int32(v.number[fieldHeight]), v.number[fieldEnd]
		if at.order < 0 || at.height < 0 {
			r.unordered--
			at.order, at.height = -1, r.unordered
		}
	case startComp, endComp, failedComp:
		at.other, r.log.components = v.number[fieldComponent], true
	case enter, exit, failure:
		r.names.signatures[at.name].entered, r.log.operations = true, true
	}
	if at.kind == failure || at.kind == failedComp {
		at.word = r.names.causeOf(v.text[fieldWords])
	}
}

// hostOf numbers a host. The first one stands for that of the log, should there be no metadata record.
func (r *reader) hostOf(name []byte) uint32 {
	host := r.names.hostOf(name)
	if r.log.host == 0 {
		r.log.host = host
	}
	return host
}

// units are the words of the metadata record, in ns.
var units = map[string]int64{"NANOSECONDS": 1, "MICROSECONDS": 1e3, "MILLISECONDS": 1e6, "SECONDS": 1e9}

// takeMetadata takes the host of the log and the unit of its times. It holds for the records behind it, and writers put
// it first.
func (r *reader) takeMetadata(v *values, place func(error) *schema.SyntaxError) error {
	if host := r.names.hostOf(v.text[fieldHost]); host != 0 {
		r.log.host = host
	}
	ns, known := units[string(v.text[fieldUnit])]
	if !known {
		return r.reading.Bad(schema.BadRecord, place(errUnit))
	}
	r.log.nsPerUnit, r.log.unitKnown = ns, true
	return nil
}

// scale turns a time into nanoseconds and reports whether it fits.
func (r *reader) scale(time *int64, place func(error) *schema.SyntaxError) bool {
	unit := r.log.nsPerUnit
	if *time > math.MaxInt64/unit || *time < math.MinInt64/unit {
		r.reading.Ledger.Add(schema.UnsupportedTime, func() string { return place(errOverflow).Error() })
		return false
	}
	*time *= unit
	return true
}
