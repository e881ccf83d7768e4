package chrome

import (
	"errors"

	"github.com/tracelake/tracelake/stages/ingest/jsonstream"
)

// event is the event in hand.
type event struct {
	phase          byte // 0 where it has none
	name, cat      word
	pid, tid       word
	ts, dur        moment
	hasTs, hasDur  bool
	overflow       bool   // ts or dur does not fit
	id             uint64 // hash
	scope          word
	hasID, isLocal bool
	enclosing      bool // bp is "e"
	label          word // args.name
	wrong          error
}

// eventReader reads events of a text.
type eventReader struct {
	*jsonstream.Reader
	words *words
	event event

	// The tables of the last pid, tid and cat, which are most often those of the next event too.
	lastPid, lastTid, lastCat recent

	member, argument, global func([]byte) error // made once
}

// recent is a word and its text.
type recent struct {
	text  string
	known word
}

func newEventReader(r *jsonstream.Reader) *eventReader {
	e := &eventReader{Reader: r, words: newWords()}
	e.member, e.argument, e.global = e.takeMember, e.takeArgument, e.takeGlobal
	return e
}

// next reads an event. Its error is that of the text; what is wrong with the event alone is in event.wrong.
func (e *eventReader) next() error {
	e.event = event{}
	if e.Kind() != jsonstream.Object {
		e.event.wrong = errors.New("expected an event, an object")
		return e.Skip()
	}
	return e.Object(e.member)
}

// takeMember reads a member of an event.
func (e *eventReader) takeMember(name []byte) (err error) {
	v := &e.event
	switch string(name) {
	case "name":
		v.name, err = e.word()
	case "cat":
		v.cat, err = e.again(&e.lastCat)
	case "ph":
		v.phase, err = e.letter()
	case "ts":
		v.ts, v.hasTs, err = e.time("expected ts, a number of microseconds")
	case "dur":
		v.dur, v.hasDur, err = e.time("expected dur, a number of microseconds")
	case "pid":
		v.pid, err = e.again(&e.lastPid)
	case "tid":
		v.tid, err = e.again(&e.lastTid)
	case "id":
		err = e.identifier(false)
	case "id2":
		if e.Kind() == jsonstream.Object {
			err = e.Object(e.global)
		}
	case "scope":
		v.scope, err = e.word()
	case "bp":
		var s []byte
		s, err = e.text()
		v.enclosing = string(s) == "e"
	case "args":
		if (v.phase == 0 || v.phase == 'M') && e.Kind() == jsonstream.Object {
			err = e.Object(e.argument)
		}
	}
	return err
}

// takeGlobal reads a member of id2.
func (e *eventReader) takeGlobal(name []byte) error {
	switch string(name) {
	case "local":
		return e.identifier(true)
	case "global":
		return e.identifier(false)
	}
	return nil
}

// takeArgument reads a member of args.
func (e *eventReader) takeArgument(name []byte) (err error) {
	if string(name) == "name" && e.Kind() == jsonstream.String {
		e.event.label, err = e.word()
	}
	return err
}
