package tmsct

import (
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// event reads an event, and reports whether its time does not fit.
func (r *reader) event() (overflow bool) {
	// Faults and the order of ready events refer to the place of the first token.
	first := r.tok
	e := event{defaults: unset, timeNs: schema.NoValue, line: uint32(first.line), col: uint32(first.col)}
	// Arcs and properties are appended to shared lists while they are read; the event keeps its parts of them.
	e.arcs.from, e.properties.from = int32(len(r.arcs)), int32(len(r.properties))
	// 1. When, who and what; 2. what is sent and received; 3. settings in braces. After a fault nothing more is accepted.
	if overflow = r.time(&e); r.tok.kind == positive {
		e.boundNs = r.seconds(positive)
	}
	who := r.participants(&e)
	if r.is('(') {
		r.parenthesized(r.argument)
	}
	r.exchanges()
	r.optional(func() {
		if p := r.settingOrProperty(&e.defaults); p.name != "" {
			r.properties = append(r.properties, p)
		}
	})
	// What the event sends and receives was noted while it was read, so a bad event must take it back: its messages may
	// be sent by a later event.
	if r.bad.want != "" || overflow {
		r.forget(&e)
		return overflow
	}
	e.arcs.to, e.properties.to = int32(len(r.arcs)), int32(len(r.properties))
	e.executor, e.function, e.component = r.executors.of(who.executor), r.functions.of(who.function), -1
	if who.component != "" {
		e.component = r.components.of(who.component)
	}
	r.events = append(r.events, e)
	r.countEvidence(&e, r.text[first.at:r.tok.at])
	return false
}

// countEvidence counts an event that no other format could have, and one without a time.
// Strings, arguments and settings are in no line of the package text.
func (r *reader) countEvidence(e *event, text string) {
	if strings.ContainsAny(text, `"'({`) {
		r.evidence++
	}
	if e.timeNs == schema.NoValue {
		r.untimed++
	}
}

// time reads the time of an event, if it has one.
func (r *reader) time(e *event) (overflow bool) {
	switch r.tok.kind {
	// A time that does not fit is no fault of the language: the event is counted as an overflow.
	case number:
		ns, ok := nanoseconds(r.take().text)
		e.timeNs = ns
		return !ok
	case instant:
		t := readInstant(r.tok.text)
		if t.Want != "" {
			r.fail(t.Want)
			return false
		}
		e.timeNs = t.Ns
		r.take()
		return t.Overflow
	}
	return false
}

// participants are who does what in an event; the component may be "".
type participants struct{ executor, component, function string }

// participants reads the executor, the component if there is one, the kind of the event and the function.
func (r *reader) participants(e *event) (who participants) {
	const wantKind = "a component, '>' or '<' after the executor"
	if r.tok.quoted {
		who.executor = r.name("an executor")
	} else {
		// Executors of a host are named host.executor.
		who.executor = r.qualified("a declaration, settings or an event")
	}
	if !r.is('>') && !r.is('<') {
		who.component = r.name(wantKind)
	}
	if r.accept('<') {
		e.kind = schema.Exit
	} else {
		r.need('>', "'>' or '<' after the component")
	}
	who.function = r.name("a function after '>' or '<'")
	return who
}

// argument reads an argument of the function.
func (r *reader) argument() {
	parameter := r.identifier("a parameter")
	r.need(':', "':' after the parameter")
	r.properties = append(r.properties, property{parameter, r.name("a name or a string")})
}

// exchanges reads what an event sends and receives.
func (r *reader) exchanges() {
	for r.bad.want == "" {
		switch {
		case r.accept('!'):
			r.sent()
		case r.accept('?'):
			r.received()
		default:
			return
		}
	}
}

// received reads the dependencies that an event receives.
func (r *reader) received() {
	at := r.tok
	id := r.name("a name after '?'")
	if r.bad.want != "" {
		return
	}
	// Sent and received may stand in either order; the dependency is made by whichever comes first.
	i := r.dependencyOf(id)
	if r.dependencies[i].target >= 0 {
		r.failAt(at, "a name that no event above receives")
		return
	}
	r.dependencies[i].target = int32(len(r.events))
	r.arcs = append(r.arcs, arc{dependency: i})
}

// sent reads the dependencies that an event sends, each with settings of its own.
func (r *reader) sent() {
	t := inferred
	// A name may be a keyword of a type: it is taken for the type, and quotes tell that it is a name.
	if r.tok.kind == word {
		if t = typeOf(r.tok.text); t != inferred {
			r.take()
		}
	}
	at := r.tok
	id := r.name("a name after '!'")
	if r.bad.want != "" {
		return
	}
	i := r.dependencyOf(id)
	if r.dependencies[i].source >= 0 {
		r.failAt(at, "a name that no event above sends")
		return
	}
	r.arcs = append(r.arcs, arc{dependency: i, sent: true})
	// The pointer is good while the settings are read: they mention no dependency by position.
	d := &r.dependencies[i]
	d.source, d.typ = int32(len(r.events)), t
	if !r.is('(') {
		return
	}
	r.parenthesized(func() { r.dependencySetting(d) })
}

// dependencySetting reads one setting of a dependency. A bound may stand without its name.
func (r *reader) dependencySetting(d *dependency) {
	switch {
	case r.tok.kind == number:
		d.boundNs = r.seconds(number)
	case r.acceptWord("request"):
		r.need(':', "':' after request")
		d.request = r.name("a request")
	case r.acceptWord("message"):
		r.need(':', "':' after message")
		d.message = r.name("a message")
	case !r.setting(&d.defaults):
		d.properties = append(d.properties, r.property())
	}
}

// forget takes back what a bad event began.
func (r *reader) forget(e *event) {
	for _, a := range r.arcs[e.arcs.from:] {
		d := &r.dependencies[a.dependency]
		if a.sent {
			// Only its end at the other event stays.
			*d = dependency{name: d.name, defaults: unset, source: -1, target: d.target}
		} else {
			d.target = -1
		}
	}
	r.arcs, r.properties = r.arcs[:e.arcs.from], r.properties[:e.properties.from]
}
