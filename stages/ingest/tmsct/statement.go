package tmsct

import (
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// statement reads a statement, and reports whether it is an event whose time does not fit.
func (r *reader) statement() (overflow bool) {
	if r.tok.kind != word {
		return r.event()
	}
	// A keyword is evidence of the language, unless it turns out to be the executor of an event (default).
	r.evidence++
	switch text := r.tok.text; text {
	case "tmsc":
		r.take()
		r.chartSettings()
	case "interface":
		r.declareInterface()
	case "component":
		r.declareComponent()
	case "function", "ipc-client", "ipc-server":
		r.declareFunction()
	case "host", "executor", "untraced":
		r.declareResource()
	default:
		t := typeOf(text)
		if t == inferred {
			r.evidence--
			return r.event()
		}
		r.take()
		r.typeSettings(t)
	}
	return false
}

// body reads what stands in braces, an entry at a time.
func (r *reader) body(entry func()) {
	r.need('{', "'{'")
	// After a fault the loop ends, since accept and entry take nothing any more.
	for r.bad.want == "" && !r.accept('}') {
		entry()
	}
}

// optional is a body that may be left out.
func (r *reader) optional(entry func()) {
	if r.is('{') {
		r.body(entry)
	}
}

// setting reads a default, if one is in hand.
func (r *reader) setting(d *defaults) bool {
	switch {
	case r.acceptWord("time-bound"):
		r.need(':', "':' after time-bound")
		d.boundNs = r.seconds(number)
	case r.acceptWord("scheduled"):
		r.need(':', "':' after scheduled")
		d.scheduled = r.choice()
	default:
		return false
	}
	return true
}

// seconds takes a number of a kind, in seconds, as nanoseconds.
func (r *reader) seconds(k kind) int64 {
	if r.tok.kind != k || r.bad.want != "" {
		r.fail("a number of seconds")
		return schema.NoValue
	}
	// A plus stands before the bound of an event; the digits behind it are the number.
	text := r.tok.text
	if k == positive {
		text = text[1:]
	}
	ns, ok := nanoseconds(text)
	if !ok {
		r.fail("a time bound within 64 bits of nanoseconds")
	}
	r.take()
	return ns
}

// choice takes true or false.
func (r *reader) choice() choice {
	switch {
	case r.acceptWord("true"):
		return yes
	case r.acceptWord("false"):
		return no
	}
	r.fail("true or false")
	return open
}

// typeSettings reads the settings of a type of dependencies.
func (r *reader) typeSettings(t typ) {
	if r.settings[t].given {
		r.fail("no second settings of " + typeWords[t])
	}
	if !r.acceptWord("settings") {
		r.fail("settings after " + typeWords[t])
	}
	s := settings{defaults: unset, given: true}
	r.body(func() {
		if r.acceptWord("prefix") {
			r.need(':', "':' after prefix")
			s.prefix = r.name("a prefix")
		} else if !r.setting(&s.defaults) {
			r.property()
		}
	})
	// Bad settings have no effect at all.
	if r.bad.want == "" {
		r.settings[t] = s
	}
}

// chartSettings reads settings or analyses of the chart.
func (r *reader) chartSettings() {
	// The architecture says nothing of the trace: it is read and dropped.
	var notes []property
	d := unset
	switch {
	case r.acceptWord("settings"):
		r.body(func() {
			if r.acceptWord("architecture") {
				r.need(':', "':' after architecture")
				if !r.acceptWord("internal") && !r.acceptWord("external") {
					r.fail("internal or external")
				}
			} else if !r.setting(&d) {
				notes = append(notes, r.property())
			}
		})
	case r.acceptWord("analyses"):
		r.body(func() { notes = append(notes, r.analysis()) })
	default:
		r.fail("settings or analyses after tmsc")
	}
	if r.bad.want != "" {
		return
	}
	// Settings of the chart may come in several blocks; the latest one counts.
	r.chart.defaults = d.or(r.chart.defaults)
	r.notes = append(r.notes, notes...)
}

// analysis reads the analysis of time bounds, the only one there is, with its default bound, which is 0
// where it is not given.
func (r *reader) analysis() property {
	if !r.acceptWord("time-bound-analysis") {
		r.fail("time-bound-analysis")
	}
	bound := int64(0)
	r.optional(func() {
		if !r.acceptWord("defaultTimeBound") {
			r.fail("defaultTimeBound")
		}
		r.need(':', "':' after defaultTimeBound")
		bound = r.seconds(number)
	})
	return property{schema.NoteDefault, strconv.FormatInt(bound, 10)}
}
