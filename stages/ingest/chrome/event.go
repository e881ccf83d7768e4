package chrome

import (
	"errors"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
)

// event is the event in hand: the members of its object that matter, in the order in which writers have them.
type event struct {
	phase          byte // ph, a letter; 0 where it has none
	name, cat      word
	pid, tid       word // numbers and strings alike: they only tell threads apart
	ts, dur        moment
	hasTs, hasDur  bool
	overflow       bool   // ts or dur does not fit
	id             uint64 // hash of the identifier, which is not kept
	scope          word   // within which the identifier holds
	hasID, isLocal bool   // isLocal: the identifier holds within its process only
	enclosing      bool   // bp is "e"
	bind           uint64 // hash of bind_id
	hasBind        bool
	isIn, isOut    bool  // flow_in, flow_out: a flow ends at the start of the call, one starts there
	label          word  // args.name or args.labels: what a metadata event calls its process or thread
	number         int64 // id, where it is one
	isNumber       bool
	hasArgs        bool  // args hold them
	wrong          error // the first fault of the event, where the JSON is good
}

// eventReader reads events of a text. It is made for events of 60 to 100 bytes, of which a trace has millions: nothing is
// allocated for an event, and names that were seen before cost a hash and a comparison.
type eventReader struct {
	*jsontext.Reader
	words        *words
	event        event
	args         *args   // of the event in hand, where event.hasArgs
	profileWords [2]word // names of events of profiles: the first, and the others
	apart        [2]word // categories of calls that are drawn apart: see names.apart

	rank    *int64                // of the trace among those of a program, which the first object says
	list    func(which int) error // takes the lists in the first object; nil in any other
	members *jsontext.Names
	member  func(which int) error // method values, made once instead of for every event
	global  func([]byte) error
	placed  func([]byte) error
}

// It belongs to one file; words count from 1 in each.
func newEventReader(r *jsontext.Reader, shown []schema.NameArg, bad func(schema.Reason, *schema.SyntaxError) error) *eventReader {
	e := &eventReader{Reader: r, words: newWords(), members: newMembers()}
	e.args = newArgs(e, shown, bad)
	e.member, e.global, e.placed = e.takeMember, e.takeGlobal, e.takeRank
	e.profileWords = [2]word{e.words.of([]byte("Profile")), e.words.of([]byte("ProfileChunk"))}
	e.apart = [2]word{e.words.of([]byte(syncRecords)), e.words.of([]byte(annotations))}
	return e
}

// next reads an event. Its error is that of the text; what is wrong with the event alone is in event.wrong.
// The event before is overwritten, so what is kept of it must be copied.
func (e *eventReader) next() error {
	e.event = event{}
	if e.Kind() != jsontext.Object {
		e.event.wrong = errors.New("expected an event, an object")
		return e.Skip()
	}
	return e.Members(e.members, e.member)
}

// The members of events that are read, as numbers.
const (
	memberName = iota
	memberCat
	memberPhase
	memberTs
	memberDur
	memberPid
	memberTid
	memberID
	memberID2
	memberScope
	memberBp
	memberArgs
	memberBindID
	memberFlowIn
	memberFlowOut
	memberEvents  // these three are of the object that holds the list of events
	memberSamples // of a profiler
	memberRank    // of the same object: the place of the trace in a program of several
)

// newMembers returns the names of the members in the order of their numbers. Behind them stand other names that are common,
// since names that are not listed take the slow way through the reader.
// Their numbers are beyond those that takeMember knows, so it leaves their values, and the reader of JSON skips them.
func newMembers() *jsontext.Names {
	return jsontext.NewNames("name", "cat", "ph", "ts", "dur", "pid", "tid", "id", "id2", "scope", "bp", "args",
		"bind_id", "flow_in", "flow_out", "traceEvents", "samples", "distributedInfo", "tts", "tdur", "s", "sf", "cname")
}

// takeMember reads a member of an event.
// It is one switch over small numbers, which the compiler makes a jump table.
func (e *eventReader) takeMember(which int) (err error) {
	v := &e.event
	switch which {
	case memberName:
		v.name, err = e.word()
	case memberCat:
		v.cat, err = e.word()
	case memberPhase:
		v.phase, err = e.letter()
	case memberTs:
		v.ts, v.hasTs, err = e.time("expected ts, a number of microseconds")
	case memberDur:
		v.dur, v.hasDur, err = e.time("expected dur, a number of microseconds")
	case memberPid:
		v.pid, err = e.word()
	case memberTid:
		v.tid, err = e.word()
	case memberID:
		err = e.identifier(false)
	case memberID2:
		if e.Kind() == jsontext.Object {
			err = e.Object(e.global)
		}
	case memberScope:
		v.scope, err = e.word()
	case memberBp:
		var s []byte
		s, err = e.text()
		v.enclosing = string(s) == "e"
	case memberArgs:
		if e.Kind() == jsontext.Object {
			v.hasArgs = true
			err = e.args.read()
		}
	case memberBindID:
		var s []byte
		s, err = e.text()
		v.bind, v.hasBind = e.words.hashOf(s), len(s) > 0
	case memberFlowIn:
		v.isIn, err = e.flag()
	case memberFlowOut:
		v.isOut, err = e.flag()
	case memberEvents, memberSamples:
		if e.list != nil {
			err = e.list(which)
		}
	case memberRank:
		if e.list != nil && e.Kind() == jsontext.Object {
			err = e.Object(e.placed)
		}
	}
	return err
}

// takeRank reads a member of distributedInfo: the rank of the process.
func (e *eventReader) takeRank(name []byte) error {
	if string(name) != "rank" || e.Kind() != jsontext.Number || e.rank == nil {
		return nil
	}
	v, err := e.Int()
	if err != nil {
		return e.Err()
	}
	*e.rank = v
	return nil
}

// takeGlobal reads a member of id2, which says how far an identifier holds.
// Perfetto writes both forms; a local identifier is one of its process.
func (e *eventReader) takeGlobal(name []byte) error {
	switch string(name) {
	case "local":
		return e.identifier(true)
	case "global":
		return e.identifier(false)
	}
	return nil
}

// text takes a string or number; a value of another kind is left, to be skipped.
// The error is that of the text as a whole.
func (e *eventReader) text() ([]byte, error) {
	s, err := e.String()
	if err != nil {
		return nil, e.Err()
	}
	return s, nil
}

// flag takes true or false; a value of another kind is left, and false.
func (e *eventReader) flag() (bool, error) {
	v, err := e.Bool()
	if err != nil {
		return false, e.Err()
	}
	return v, nil
}

// word takes a string or number as a word, noWord where it is neither or empty.
// Numbers and strings of equal digits are one word, as some tracers write a pid in both forms.
func (e *eventReader) word() (word, error) {
	if s, ok := e.SmallString(); ok {
		return e.words.ofShort(s), nil
	}
	s, err := e.text()
	return e.words.of(s), err
}

// letter takes a phase, a string of one letter.
// A phase that is missing is noticed later, when the event is complete.
func (e *eventReader) letter() (byte, error) {
	s, ok := e.SmallString()
	if !ok {
		text, err := e.text()
		if err != nil {
			return 0, err
		}
		s, _ = jsontext.NewSmallString(text)
	}
	if s.Byte() == 0 {
		e.event.wrong = errors.New("expected ph, a letter")
	}
	return s.Byte(), nil
}

// time takes a number of microseconds. Plain decimals with at most three digits behind the point, which nearly all are, take
// the quick way.
func (e *eventReader) time(want string) (m moment, ok bool, err error) {
	if ns, plain := e.FixedPoint(wholes); plain {
		return moment{ns: ns}, true, nil
	}
	s, err := e.text()
	m, good, fits := microseconds(s)
	switch {
	case err != nil:
		return m, false, err
	case !good:
		if e.event.wrong == nil {
			e.event.wrong = errors.New(want)
		}
		return m, false, nil
	}
	e.event.overflow = e.event.overflow || !fits
	return m, true, nil
}

// identifier takes an id, a string or a number.
// An empty one is none.
func (e *eventReader) identifier(local bool) error {
	s, err := e.text()
	if len(s) > 0 {
		e.event.id, e.event.hasID, e.event.isLocal = e.words.hashOf(s), true, local
		e.event.number, e.event.isNumber = wholeNumber(s)
	}
	return err
}
