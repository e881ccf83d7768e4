package definitions

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/sampletests"
)

// maxBytes bounds a file of definitions.
const maxBytes = 1 << 20

// Read reads the text of a file, whose name is for messages. The error is a *schema.SyntaxError with line and column.
func Read(file string, text []byte) (*Set, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("%s: a file of definitions has at most %d MiB", file, maxBytes>>20)
	}
	s := new(Set)
	r := &reader{set: s, file: file, taken: make(map[string]int64)}
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		r.line++
		if err := r.readLine(strings.TrimRight(line, "\r\n")); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// reader reads definitions line by line.
type reader struct {
	set   *Set
	file  string
	line  int64            // at hand, from 1
	text  string           // of it, without a comment
	words []word           // of it
	taken map[string]int64 // by kind and name: the line that defines it
}

// word is a word of a line.
type word struct {
	text   string // without quotes
	at     int    // position in the line, from 0
	quoted bool
}

// errorAt returns an error at a position of the line.
func (r *reader) errorAt(at int, format string, args ...any) error {
	return &schema.SyntaxError{File: r.file, Line: r.line, Col: int64(at) + 1, Err: fmt.Errorf(format, args...)}
}

// kinds are the words with which a line begins.
var kinds = []string{"metric", "normalisation", "detector", "thresholds"}

// readLine reads a definition, if the line has one.
func (r *reader) readLine(text string) (err error) {
	if !utf8.ValidString(text) {
		return r.errorAt(0, "the line is no text in UTF-8")
	}
	if err := r.split(text); err != nil || len(r.words) == 0 {
		return err
	}
	kind := r.words[0].text
	if !slices.Contains(kinds, kind) {
		return r.errorAt(r.words[0].at, "%q begins no definition: a line is a metric, a normalisation, a detector, or thresholds%s", kind, like(kind, kinds))
	}
	if kind == "thresholds" {
		return r.readThresholds()
	}
	name, err := r.name(kind)
	if err != nil {
		return err
	}
	switch kind {
	case "metric":
		err = r.readMetric(name)
	case "normalisation":
		err = r.readNormalisation(name)
	default:
		err = r.readDetector(name)
	}
	return err
}

// split cuts a line into words, and takes a comment away. Names with spaces stand in double quotes.
func (r *reader) split(text string) error {
	r.words = r.words[:0]
	for at := 0; at < len(text); {
		switch {
		case text[at] == ' ' || text[at] == '\t':
			at++
		case text[at] == '#':
			text = text[:at]
		case text[at] == '"':
			end := strings.IndexByte(text[at+1:], '"')
			if end < 0 {
				return r.errorAt(at, "the quote is not closed")
			}
			r.words = append(r.words, word{text[at+1 : at+1+end], at, true})
			at += end + 2
		default:
			end := strings.IndexAny(text[at:], " \t\"")
			if end < 0 {
				end = len(text) - at
			}
			r.words = append(r.words, word{text[at : at+end], at, false})
			at += end
		}
	}
	r.text = text
	return nil
}

// word returns the i-th word of the line, or an empty one at its end.
func (r *reader) word(i int) word {
	if i < len(r.words) {
		return r.words[i]
	}
	return word{at: len(r.text)}
}

// is reports whether the i-th word is one of the language.
func (r *reader) is(i int, text string) bool { w := r.word(i); return w.text == text && !w.quoted }

// builtin are the names that the thesis and the program have given.
var builtin = map[string][]string{
	"metric":        schema.MetricWords,
	"normalisation": {schema.NormAbsolute, schema.NormRelative, schema.NormStackBased, schema.NormFragmentAbsolute},
	"detector":      {"runs", "thesis"},
}

// name reads the name of a definition and the sign behind it: metric NAME =.
func (r *reader) name(kind string) (string, error) {
	w := r.word(1)
	special := func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.')
	}
	switch {
	case w.text == "" || w.text == "=":
		return "", r.errorAt(w.at, "the %s has no name: write %s NAME = ...", kind, kind)
	case w.quoted || strings.IndexFunc(w.text, special) >= 0:
		return "", r.errorAt(w.at, "%q cannot name a %s: use letters, digits, and _ - .", w.text, kind)
	case kind == "detector" && slices.Contains(sampletests.ExpressionWords(), w.text), slices.Contains(builtin[kind], w.text):
		return "", r.errorAt(w.at, "there is a %s %s already: choose another name", kind, w.text)
	case r.taken[kind+" "+w.text] > 0:
		return "", r.errorAt(w.at, "the %s %s is defined in line %d already", kind, w.text, r.taken[kind+" "+w.text])
	case !r.is(2, "="):
		return "", r.errorAt(r.word(2).at, "a = is missing: write %s %s = ...", kind, w.text)
	}
	r.taken[kind+" "+w.text] = r.line
	return w.text, nil
}

// readMetric reads what stands behind metric NAME =.
func (r *reader) readMetric(name string) (err error) {
	m := Metric{Name: name}
	i := 3
	if m.From, i, err = r.event(i); err != nil {
		return err
	}
	if !r.is(i, "->") {
		return r.errorAt(r.word(i).at, "-> and a second event are missing: write metric %s = enter A.f -> exit B.g", name)
	}
	if m.To, i, err = r.event(i + 1); err != nil {
		return err
	}
	for i < len(r.words) {
		switch {
		case r.is(i, "within"):
			d, err := time.ParseDuration(r.word(i + 1).text)
			if err != nil || d <= 0 {
				return r.errorAt(r.word(i+1).at, "%q is no duration above 0: write within 5s", r.word(i+1).text)
			}
			m.WithinNs = int64(d)
		case r.is(i, "per") && r.is(i+1, "lifeline"):
			m.PerLifeline = true
		case r.is(i, "in") && r.is(i+1, "order"):
			m.InOrder = true
		default:
			return r.errorAt(r.word(i).at, "%q: behind the events of a metric may stand within DURATION, per lifeline, in order%s",
				r.word(i).text, like(r.word(i).text, []string{"within", "per", "in"}))
		}
		i += 2
	}
	r.set.Metrics = append(r.set.Metrics, m)
	return nil
}

// event reads an event, from the i-th word on, and returns the number of the word behind it.
func (r *reader) event(i int) (e Event, next int, err error) {
	switch {
	case r.is(i, "enter"):
		e.Kind = schema.Enter
	case r.is(i, "exit"):
		e.Kind = schema.Exit
	default:
		return e, i, r.errorAt(r.word(i).at, "%q: an event is enter COMPONENT.FUNCTION or exit COMPONENT.FUNCTION%s", r.word(i).text, like(r.word(i).text, []string{"enter", "exit"}))
	}
	w := r.word(i + 1)
	if w.text == "" || !strings.Contains(w.text, ".") && w.text != "*" {
		return e, i, r.errorAt(w.at, "%q is no COMPONENT.FUNCTION: the component and the function with a point between", w.text)
	}
	e.Name, next = w.text, i+2
	if r.is(next, "to") || r.is(next, "from") {
		if e.Direction = schema.Send; r.is(next, "from") {
			e.Direction = schema.Receive
		}
		if e.Peer = r.word(next + 1).text; e.Peer == "" {
			return e, i, r.errorAt(r.word(next+1).at, "the component at the other end of the message is missing")
		}
		next += 2
	}
	return e, next, nil
}

// readNormalisation reads what stands behind normalisation NAME =.
func (r *reader) readNormalisation(name string) error {
	if !r.is(3, "since") {
		return r.errorAt(r.word(3).at, "%q: write normalisation %s = since enter COMPONENT.FUNCTION", r.word(3).text, name)
	}
	since, next, err := r.event(4)
	if err != nil {
		return err
	}
	if next < len(r.words) {
		return r.errorAt(r.word(next).at, "%q: nothing stands behind the event of a normalisation", r.word(next).text)
	}
	r.set.Normalisations = append(r.set.Normalisations, Normalisation{name, since})
	return nil
}

// readDetector reads what stands behind detector NAME =.
func (r *reader) readDetector(name string) error {
	at := r.words[2].at + 1 // behind the sign
	e, err := sampletests.ParseExpression(r.text[at:])
	if wrong := (*sampletests.ExpressionError)(nil); errors.As(err, &wrong) {
		if wrong.Word != "" {
			words := sampletests.ExpressionWords()
			return r.errorAt(at+wrong.At, "%w: one of %s%s", err, strings.Join(words, ", "), like(wrong.Word, words))
		}
		return r.errorAt(at+wrong.At, "%w", err)
	}
	r.set.Detectors = append(r.set.Detectors, Detector{name, e})
	return nil
}

// limits are the words of thresholds.
var limits = []string{"margin", "floor", "abs", "guard", "rel", "p"}

// readThresholds reads a line of thresholds.
func (r *reader) readThresholds() error {
	w := r.word(1)
	pattern, colon := strings.CutSuffix(w.text, ":")
	i := 2
	if !colon && r.is(2, ":") {
		colon, i = true, 3
	}
	if pattern == "" || !colon {
		return r.errorAt(w.at, "write thresholds COMPONENT: margin 10%%, floor 50us; * in the component stands for any characters")
	}
	t := Thresholds{Components: pattern}
	if i >= len(r.words) {
		return r.errorAt(r.word(i).at, "no threshold: one or several of %s, with commas between", strings.Join(limits, ", "))
	}
	for ; i < len(r.words); i += 2 {
		value, more := strings.CutSuffix(r.word(i+1).text, ",")
		if err := r.limit(&t, r.word(i), word{text: value, at: r.word(i + 1).at}); err != nil {
			return err
		}
		if last := i+2 >= len(r.words); more == last {
			return r.errorAt(r.word(i+1).at+len(value), "thresholds stand with one comma between two of them")
		}
	}
	r.set.Thresholds = append(r.set.Thresholds, t)
	return nil
}

// limit reads one threshold.
func (r *reader) limit(t *Thresholds, name, value word) error {
	var at **float64
	least, most, unit := 0.0, math.MaxFloat64, "a number"
	switch name.text {
	case "floor", "abs", "guard":
		return r.duration(t, name, value)
	case "margin":
		at, unit = &t.Margin, "a share such as 5% or 0.05"
	case "rel":
		at, least, unit = &t.Rel, 1, "a ratio of 1 or more"
	case "p":
		at, most, unit = &t.P, 1, "a level of significance between 0 and 1"
	default:
		return r.errorAt(name.at, "%q is no threshold: one of %s%s", name.text, strings.Join(limits, ", "), like(name.text, limits))
	}
	digits, percent := strings.CutSuffix(value.text, "%")
	x, err := strconv.ParseFloat(digits, 64)
	if percent {
		x /= 100
	}
	wrong := err != nil || !(x >= least && x <= most) || percent && name.text != "margin"
	if wrong || name.text == "p" && (x == 0 || x == 1) {
		return r.errorAt(value.at, "%q: %s is %s", value.text, name.text, unit)
	}
	return r.once(at, x, name)
}

// duration reads a threshold that is a time.
func (r *reader) duration(t *Thresholds, name, value word) error {
	d, err := time.ParseDuration(value.text)
	if err != nil || d < 0 {
		return r.errorAt(value.at, "%q: %s is a duration such as 50us", value.text, name.text)
	}
	switch ns := int64(d); name.text {
	case "floor":
		return r.once(&t.FloorNs, float64(d), name)
	case "abs":
		return onceOf(r, &t.AbsNs, ns, name)
	default:
		return onceOf(r, &t.GuardNs, ns, name)
	}
}

// once sets a threshold that the line has not said before.
func (r *reader) once(at **float64, x float64, name word) error { return onceOf(r, at, x, name) }

func onceOf[T any](r *reader, at **T, x T, name word) error {
	if *at != nil {
		return r.errorAt(name.at, "%s stands twice", name.text)
	}
	*at = &x
	return nil
}
