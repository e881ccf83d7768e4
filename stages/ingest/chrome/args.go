package chrome

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/sampled"
	"github.com/tracelake/tracelake/stages/ingest/tags"
)

// args are the arguments of the event in hand. Those of a device couple its work with calls, and the user may ask for some to
// become part of the name of a call. No table has a place for the others: they are counted by their names.
type args struct {
	*eventReader
	uses     []use // by word, of those that mean something
	device   deviceArgs
	isDevice bool // there is a correlation
	shown    []shownArg
	seen     []word          // names of the arguments that are not taken
	kinds    []attribute     // by word
	tags     *tags.Table     // of all events; nil where none are asked for
	set      uint32          // of the attributes of the event in hand, see schema.AttributeSets
	kept     []word          // names of the arguments in it
	numbers  []numericArg    // of a counter, how often a total counts, or of an event of which the phase is not known yet
	count    word            // the argument in which totals do so
	profile  sampled.Profile // part of one, in the object data of an event
	isData   bool            // this object is read
	bad      func(schema.Reason, *schema.SyntaxError) error
	faults   []fault // of the object data of an event of which the phase is not known yet

	argument, inner func(name []byte) error // method values, made once instead of for every event
	element         func() error
	value           []byte // memory for values
}

// use is what an argument is for.
type use uint8

const (
	useLabel use = iota + 1 // what a metadata event calls its process or thread
	useCorrelation
	useStream
	useWaits
	useRecord
	useData // the part of a profile
	useCollective
	useGroup
	useRanks
)

// shownArg is an argument that the user wants to see in the names of calls.
type shownArg struct {
	category string // of the calls; "" stands for all
	field    word
	value    []byte // of the event in hand
	has      bool   // it has one
}

// fault is what is not of the format of a profile.
type fault struct {
	reason schema.Reason
	at     *schema.SyntaxError
}

// attribute counts the arguments of a name that were left out.
type attribute struct {
	count int64
	first string // the place of the first of them
}

// newArgs returns the arguments of one trace. The words of what has a use are its first, so that a short table knows them.
func newArgs(e *eventReader, shown []schema.NameArg, bad func(schema.Reason, *schema.SyntaxError) error) *args {
	a := &args{eventReader: e, count: e.words.of([]byte("count"))}
	a.bad = bad
	a.profile = sampled.Profile{Reader: e.Reader, Bad: a.fault}
	a.argument, a.inner, a.element = a.take, a.takeInner, a.appendElement
	for i, name := range []string{"name", "labels", "correlation", "stream", "wait_on_stream", "wait_on_cuda_event_record_corr_id", "data", "Collective name", "Process Group Name", "Process Group Ranks"} {
		known := e.words.of([]byte(name))
		a.uses = append(a.uses, make([]use, int(known)+1-len(a.uses))...)
		a.uses[known] = use(max(1, i))
	}
	for _, s := range shown {
		a.shown = append(a.shown, shownArg{category: s.Category, field: e.words.of([]byte(s.Field))})
	}
	return a
}

// read takes the object of the arguments.
func (a *args) read() error {
	a.forget()
	return a.Object(a.argument)
}

// forget makes the event in hand one without arguments.
func (a *args) forget() {
	a.device, a.isDevice, a.seen = noDevice, false, a.seen[:0]
	a.set, a.kept, a.numbers = schema.NoAttributes, a.kept[:0], a.numbers[:0]
	a.profile.Clear()
	a.faults = a.faults[:0]
	for i := range a.shown {
		a.shown[i].has = false
	}
}

// take takes an argument. The names of a trace are few, so that finding one costs a hash and a comparison.
func (a *args) take(name []byte) error {
	known := a.words.of(name)
	if k := a.Kind(); (a.event.phase == 'C' || known == a.count && a.event.phase == 'X') && k == jsontext.Number || a.event.phase == 'C' && k == jsontext.String {
		return a.takeNumber(known)
	}
	if int(known) < len(a.uses) && a.uses[known] != 0 {
		if taken, err := a.use(a.uses[known], known); taken || err != nil {
			return err
		}
	}
	if a.mayCount() {
		return a.takeNumber(known)
	}
	if k := a.Kind(); a.tags.Wants(name) && (k == jsontext.String || k == jsontext.Number || k == jsontext.Bool || k == jsontext.Array) {
		return a.tag(known)
	}
	if len(a.shown) == 0 && a.tags == nil {
		a.seen = append(a.seen, known)
		return nil
	}
	if a.Kind() == jsontext.Object {
		return a.takeMembers(known)
	}
	a.seen = append(a.seen, known)
	return a.show(known)
}

// takeInner takes a member of an argument that is an object: what the user asks for often lies in one called data, and so do
// parts of profiles, whose phase and name mostly come behind them.
func (a *args) takeInner(name []byte) error {
	if a.isData && (a.event.phase == 'P' || a.event.phase == 0) {
		if known := a.words.of(name); string(name) == "startTime" || string(name) == "endTime" {
			if a.Kind() == jsontext.Number && !a.isShown(known) {
				return a.takeTime(known)
			}
		} else if string(name) == "cpuProfile" || string(name) == "timeDeltas" {
			return a.profile.Member(name)
		}
	}
	if a.tags.Wants(name) {
		return a.tag(a.words.of(name))
	}
	return a.show(a.words.of(name))
}

// takeTime takes a time that is one of a profile if the event turns out to be of one, and an attribute if the user wants it.
func (a *args) takeTime(known word) error {
	name := []byte(a.words.texts[known])
	if !a.tags.Wants(name) {
		return a.profile.Member(name)
	}
	if err := a.tag(known); err != nil {
		return err
	}
	us, err := jsontext.IntOf(a.value)
	if err != nil {
		return a.fault(schema.BadRecord, a.At(errors.New("expected a whole number")))
	}
	a.profile.SetTime(name, us)
	return nil
}

// fault takes a fault of a profile. Where the phase is not known yet, other calls may have such members with values of their own, as
// user timings of browsers have a startTime: then it is kept until the event turns out to be one of a profile.
func (a *args) fault(reason schema.Reason, at *schema.SyntaxError) error {
	if a.event.phase != 0 {
		return a.bad(reason, at)
	}
	a.faults = append(a.faults, fault{reason, at})
	return nil
}

// judge counts the faults that were kept.
func (a *args) judge() error {
	for _, f := range a.faults {
		if err := a.bad(f.reason, f.at); err != nil {
			return err
		}
	}
	return nil
}

// tag keeps an argument as an attribute, and in the name of the call if the user wants to see it there, too. A value of no kind that
// has a short text is left, and counted.
func (a *args) tag(known word) error {
	a.value = a.value[:0]
	if err := a.appendElement(); err != nil {
		return err
	}
	if len(a.value) == 0 {
		return nil
	}
	a.set = a.tags.Add(a.set, []byte(a.words.texts[known]), a.value, a.place)
	a.kept = append(a.kept, known)
	a.keep(known)
	return nil
}

// takeMembers takes an argument that is an object. It is left out where none of its members is kept.
func (a *args) takeMembers(known word) error {
	before := len(a.kept)
	if err := a.Object(a.inner); err != nil {
		return err
	}
	if len(a.kept) == before {
		a.seen = append(a.seen, known)
	}
	return nil
}

// place is where the text is read, for what is left out.
func (a *args) place() string { return a.At(errors.New("an argument")).Error() }

// isShown reports whether the user wants to see an argument.
func (a *args) isShown(known word) bool {
	return slices.ContainsFunc(a.shown, func(s shownArg) bool { return s.field == known })
}

// use takes an argument that has a use, unless it is of another type than it should be.
func (a *args) use(use use, known word) (taken bool, err error) {
	var number *int64
	switch use {
	case useLabel:
		if a.event.phase != 'M' && a.event.phase != 0 || a.Kind() != jsontext.String {
			return false, nil
		}
		if a.event.label, err = a.word(); a.event.phase == 0 { // it may be an argument of a call as well
			a.seen = append(a.seen, known)
			a.value = append(a.value[:0], a.words.texts[a.event.label]...)
			a.keep(known)
		}
		return true, err
	case useData:
		if a.Kind() != jsontext.Object || a.event.phase != 0 && a.event.phase != 'P' {
			return false, nil
		}
		a.isData = true
		err := a.takeMembers(known)
		a.isData = false
		return true, err
	case useCollective:
		return a.useText(known, &a.device.collective)
	case useGroup:
		return a.useText(known, &a.device.group)
	case useRanks:
		return a.useText(known, &a.device.ranks)
	case useCorrelation:
		number = &a.device.correlation
	case useStream:
		number = &a.device.stream
	case useWaits:
		number = &a.device.waits
	case useRecord:
		number = &a.device.record
	}
	if a.Kind() != jsontext.Number {
		return false, nil
	}
	v, err := a.Int()
	if err != nil {
		return true, a.Err()
	}
	*number = v
	if a.event.phase == 0 {
		a.numbers = append(a.numbers, numericArg{known, float64(v)})
	}
	a.isDevice = a.isDevice || use == useCorrelation
	if name := []byte(a.words.texts[known]); a.tags.Wants(name) {
		a.set = a.tags.Add(a.set, name, strconv.AppendInt(a.value[:0], v, 10), a.place)
	}
	return true, nil
}

// useText takes an argument that is a text with a use, and stays one that the user may want, or that is counted.
func (a *args) useText(known word, to *word) (taken bool, err error) {
	if a.Kind() != jsontext.String {
		return false, nil
	}
	if *to, err = a.word(); err != nil {
		return true, err
	}
	a.value = append(a.value[:0], a.words.texts[*to]...)
	if name := []byte(a.words.texts[known]); a.tags.Wants(name) && len(a.value) > 0 {
		a.set = a.tags.Add(a.set, name, a.value, a.place)
		a.kept = append(a.kept, known)
	} else {
		a.seen = append(a.seen, known)
	}
	a.keep(known)
	return true, nil
}

// show keeps an argument that the user wants to see.
func (a *args) show(known word) error {
	if !a.isShown(known) {
		return nil
	}
	a.value = a.value[:0]
	if err := a.appendElement(); err != nil || len(a.value) == 0 {
		return err
	}
	a.keep(known)
	return nil
}

// keep keeps the value in hand of an argument if the user wants to see it, in any category.
func (a *args) keep(known word) {
	for i := range a.shown {
		if s := &a.shown[i]; s.field == known && len(a.value) > 0 {
			s.value, s.has = append(s.value[:0], a.value...), true
		}
	}
}

// appendElement appends a value to that in hand, as it is written but without quotation marks. Values of no kind that has a
// short text are left.
func (a *args) appendElement() error {
	if n := len(a.value); n > 0 && a.value[n-1] != '[' {
		a.value = append(a.value, ',')
	}
	switch a.Kind() {
	case jsontext.String, jsontext.Number:
		s, err := a.text()
		a.value = append(a.value, s...)
		return err
	case jsontext.Bool:
		is, err := a.flag()
		if a.value = append(a.value, "false"...); is {
			a.value = append(a.value[:len(a.value)-len("false")], "true"...)
		}
		return err
	case jsontext.Array:
		a.value = append(a.value, '[')
		err := a.Array(a.element)
		a.value = append(a.value, ']')
		return err
	}
	return nil
}

// named returns the name of the call in hand with the arguments that the user wants to see in it: f(a, b).
func (a *args) named() word {
	name := a.value[:0]
	for i := range a.shown {
		s := &a.shown[i]
		if !s.has || !a.isOf(s.category) {
			continue
		}
		if len(name) == 0 {
			name = append(append(name, a.words.texts[a.event.name]...), '(')
		} else {
			name = append(name, ", "...)
		}
		name = append(name, s.value...)
	}
	if a.value = name; len(name) == 0 {
		return a.event.name
	}
	return a.words.of(append(name, ')'))
}

// isOf reports whether the event in hand is of a category. An event may be of several, separated by commas.
func (a *args) isOf(category string) bool {
	if category == "" {
		return true
	}
	for cat := range strings.SplitSeq(a.words.texts[a.event.cat], ",") {
		if cat == category {
			return true
		}
	}
	return false
}

// settle counts the arguments of an event that has a place in the chart. isShown: those that the user wants to see are in
// its name.
func (a *args) settle(isShown bool, at func() string) {
	if !isShown { // attributes are those of calls
		a.seen = append(a.seen, a.kept...)
	}
	for _, known := range a.seen {
		if isShown && slices.ContainsFunc(a.shown, func(s shownArg) bool { return s.has && s.field == known && a.isOf(s.category) }) {
			continue
		}
		if int(known) >= len(a.kinds) {
			a.kinds = append(a.kinds, make([]attribute, len(a.words.texts)-len(a.kinds))...)
		}
		if a.kinds[known].count++; a.kinds[known].count == 1 {
			a.kinds[known].first = at()
		}
	}
}

// mostKinds bounds the names of arguments that are listed: traces may hold thousands.
const mostKinds = 16

// tell counts what was left out in the ledger, the most frequent names one by one and the others together.
func (a *args) tell(ledger *schema.Ledger) {
	var names []word
	for known := range a.kinds {
		if a.kinds[known].count > 0 {
			names = append(names, word(known))
		}
	}
	slices.SortFunc(names, func(p, q word) int {
		return cmp.Or(cmp.Compare(a.kinds[q].count, a.kinds[p].count), strings.Compare(a.words.texts[p], a.words.texts[q]))
	})
	for i, known := range names {
		kind := a.words.name(known)
		if i >= mostKinds {
			kind = "others"
		}
		ledger.AddMany(schema.SkippedAttribute.OfKind(kind), a.kinds[known].count, func() string { return a.kinds[known].first })
	}
}
