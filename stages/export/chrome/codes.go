package chrome

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// codes are what the codes of the events in hand stand for. Those of other events may mean other names.
type codes struct {
	names   *schema.Names
	byPlace map[uint64]*track // by component and lifeline
	place   uint64            // looked up last
	at      *track

	byCode    []*function // nil where a function was not met yet
	inSeries  [][]byte    // series in quotation marks, by code
	inMessage [][]byte    // labels in quotation marks, by code
}

// reset forgets what codes stood for.
func (c *codes) reset(names *schema.Names) {
	*c = codes{
		names: names, byPlace: make(map[uint64]*track), byCode: make([]*function, names.Functions.Len()),
		inSeries: make([][]byte, names.Series.Len()), inMessage: make([][]byte, names.Messages.Len()),
	}
}

// track is the track of a lifeline of a component.
func (w *Writer) track(component, lifeline schema.Code) *track {
	place := uint64(component)<<32 | uint64(lifeline)
	if w.at != nil && w.place == place {
		return w.at
	}
	t := w.byPlace[place]
	if t == nil {
		t = w.named(thread{w.names.Components.Name(component), w.names.Lifelines.Name(lifeline)})
		w.byPlace[place] = t
	}
	w.place, w.at = place, t
	return t
}

// named is the track of a thread, which a new one is called by in the text.
func (w *Writer) named(of thread) *track {
	if t := w.threads[of]; t != nil {
		return t
	}
	t := &track{last: schema.NoValue}
	w.tracks = append(w.tracks, t)
	w.threads[of] = t
	pid, known := w.processes[of.component]
	if !known {
		pid = len(w.processes) + 1
		w.processes[of.component] = pid
	}
	t.place = fmt.Appendf(nil, `","pid":%d,"tid":%d,`, pid, len(w.tracks))
	if !known {
		w.metadata(t, "process_name", of.component)
	}
	w.metadata(t, "thread_name", strings.TrimPrefix(of.lifeline, of.component+"/"))
	t.place = append(t.place, `"ts":`...)
	return t
}

// metadata writes the name of a process or thread.
func (w *Writer) metadata(t *track, what, name string) {
	b := append(w.start('M'), t.place...)
	b = append(append(append(b, `"name":"`...), what...), `","args":{"name":`...)
	w.buf = append(append(b, quote(name)...), "}}"...)
}

// function is the function of a code.
func (w *Writer) function(c schema.Code) *function {
	if f := w.byCode[c]; f != nil {
		return f
	}
	name := w.names.Functions.Name(c)
	f := w.functions[name]
	if f == nil {
		f = &function{quote(name)}
		w.functions[name] = f
	}
	w.byCode[c] = f
	return f
}

// series is a series in quotation marks.
func (c *codes) series(code schema.Code) []byte {
	return quoted(c.inSeries, &c.names.Series, code)
}

// label is the label of a message in quotation marks.
func (c *codes) label(code schema.Code) []byte {
	return quoted(c.inMessage, &c.names.Messages, code)
}

// quoted is a name in quotation marks, which are put around it once.
func quoted(known [][]byte, names *schema.Dictionary, code schema.Code) []byte {
	if known[code] == nil {
		known[code] = quote(names.Name(code))
	}
	return known[code]
}

// quote makes a JSON string; what is no UTF-8 becomes U+FFFD.
func quote(s string) []byte {
	b, _ := json.Marshal(s) // a string always has a form
	return b
}
