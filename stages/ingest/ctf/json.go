package ctf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// fragment is an object of the metadata of CTF 2 (CTF2-SPEC-2.0, section 5): a JSON text sequence (RFC 7464) in the place
// of the language of CTF 1.8. Only members that the reader needs are listed. Drafts of the specification, which Trace
// Compass and early tracers write, call some members otherwise; both names are read.
type fragment struct {
	Type    string `json:"type"`
	Version int    `json:"version"`
	ID      any    `json:"id"` // a number; of a clock class a string
	Name    string `json:"name"`
	UUID    []int  `json:"uuid"` // 16 bytes
	UID     string `json:"uid"`

	Environment  map[string]any `json:"environment"`
	PacketHeader *fieldClass    `json:"packet-header-field-class"`
	FieldClass   *fieldClass    `json:"field-class"` // of an alias

	Frequency uint64 `json:"frequency"`
	Offset    struct {
		Seconds int64 `json:"seconds"`
		Cycles  int64 `json:"cycles"`
	} `json:"offset-from-origin"`

	ClockID       string      `json:"default-clock-class-id"`
	ClockName     string      `json:"default-clock-class-name"`
	PacketContext *fieldClass `json:"packet-context-field-class"`
	EventHeader   *fieldClass `json:"event-record-header-field-class"`
	CommonContext *fieldClass `json:"event-record-common-context-field-class"`

	StreamID uint64      `json:"data-stream-class-id"`
	Context  *fieldClass `json:"specific-context-field-class"`
	Payload  *fieldClass `json:"payload-field-class"`
}

// sequenceMark stands before every fragment of a JSON text sequence.
const sequenceMark = 0x1e

// isFragments reports whether a file begins like metadata of CTF 2: with a preamble of that version.
func isFragments(head []byte) bool {
	var f fragment
	head = bytes.TrimLeft(head, " \t\r\n\x1e")
	return len(head) > 0 && head[0] == '{' && json.NewDecoder(bytes.NewReader(head)).Decode(&f) == nil && f.Type == "preamble" && f.Version == 2
}

// fragments reads the metadata of a trace of CTF 2.
type fragments struct {
	*metadata
	src     string
	at      token                  // where the fragment in hand begins
	aliases map[string]*fieldClass // by name
	clock   string                 // the default clock of the stream class in hand
	depth   int                    // of field classes in each other
}

// parseFragments reads the metadata of a trace of CTF 2 into what the language of CTF 1.8 is read into. Errors name the
// fragment.
func parseFragments(file, src string) (*metadata, error) {
	m := &metadata{file: file, order: little, env: make(map[string]string), streams: make(map[uint64]*streamClass)}
	p := &fragments{metadata: m, src: strings.ReplaceAll(src, string(rune(sequenceMark)), " "), aliases: make(map[string]*fieldClass)}
	in := json.NewDecoder(strings.NewReader(p.src))
	in.UseNumber()
	for {
		f := new(fragment)
		p.seek(in.InputOffset())
		err := in.Decode(f)
		if err == io.EOF {
			break
		}
		if err == nil {
			err = p.take(f)
		}
		if err != nil {
			return nil, p.fail(err)
		}
	}
	if len(m.streams) == 0 {
		return nil, p.fail(errors.New("there is no data stream class"))
	}
	return m, nil
}

// seek notes where the next fragment begins.
func (p *fragments) seek(offset int64) {
	before := p.src[:min(len(p.src), int(offset)+len(p.src[offset:])-len(strings.TrimLeft(p.src[offset:], " \t\r\n")))]
	p.at = token{line: 1 + int64(strings.Count(before, "\n")), col: int64(len(before)) - int64(strings.LastIndexByte(before, '\n'))}
}

// fail returns an error at the fragment in hand. One that has a place keeps it.
func (p *fragments) fail(err error) error {
	var placed *schema.SyntaxError
	if errors.As(err, &placed) {
		return err
	}
	return &schema.SyntaxError{File: p.file, Line: p.at.line, Col: p.at.col, Err: err}
}

// take reads a fragment.
func (p *fragments) take(f *fragment) (err error) {
	switch f.Type {
	case "preamble":
		if f.Version != 2 {
			return fmt.Errorf("expected CTF 2, found version %d", f.Version)
		}
	case "field-class-alias":
		p.aliases[f.Name] = f.FieldClass
	case "trace-class":
		p.uuid = f.UID
		for _, b := range f.UUID {
			p.uuid += string([]byte{byte(b)})
		}
		for name, value := range f.Environment {
			p.env[name] = fmt.Sprint(value)
		}
		p.header, err = p.structure(f.PacketHeader, "trace.packet.header")
	case "clock-class":
		return p.takeClock(f)
	case "data-stream-class":
		return p.takeStream(f)
	case "event-record-class":
		return p.takeEvent(f)
	}
	return err
}

// number is the id of a stream class or an event record class, 0 without.
func (f *fragment) number() (uint64, error) {
	if f.ID == nil {
		return 0, nil
	}
	var id uint64
	if _, err := fmt.Sscan(fmt.Sprint(f.ID), &id); err != nil {
		return 0, fmt.Errorf("expected an id that is a number, found %v", f.ID)
	}
	return id, nil
}

// takeClock reads a clock class. It has an id, or in drafts a name.
func (p *fragments) takeClock(f *fragment) error {
	c := &clock{name: f.Name, freq: f.Frequency, offset: f.Offset.Cycles, offsetS: f.Offset.Seconds}
	if id, ok := f.ID.(string); ok {
		c.name = id
	}
	if c.freq == 0 {
		return errors.New("a clock without a frequency")
	}
	p.clocks = append(p.clocks, c)
	return nil
}

// takeStream reads a data stream class.
func (p *fragments) takeStream(f *fragment) (err error) {
	s := &streamClass{events: make(map[uint64]*eventClass), at: p.at}
	if s.id, err = f.number(); err != nil {
		return err
	}
	if p.streams[s.id] != nil {
		p.doubles = append(p.doubles, p.at)
	}
	p.streams[s.id] = s
	if p.clock = f.ClockID; p.clock == "" {
		p.clock = f.ClockName
	}
	if s.packetContext, err = p.structure(f.PacketContext, "stream.packet.context"); err != nil {
		return err
	}
	if s.header, err = p.structure(f.EventHeader, "stream.event.header"); err != nil {
		return err
	}
	s.context, err = p.structure(f.CommonContext, "stream.event.context")
	return err
}

// takeEvent reads an event record class. Its stream class stands before it.
func (p *fragments) takeEvent(f *fragment) (err error) {
	e := &eventClass{name: f.Name, stream: f.StreamID, at: p.at}
	if e.id, err = f.number(); err != nil {
		return err
	}
	s := p.streams[e.stream]
	if s == nil {
		return fmt.Errorf("event %q is of stream %d, which is not described", e.name, e.stream)
	}
	if s.events[e.id] != nil {
		p.doubles = append(p.doubles, p.at)
	}
	s.events[e.id] = e
	p.clock = ""
	if e.context, err = p.structure(f.Context, "event.context"); err != nil {
		return err
	}
	e.fields, err = p.structure(f.Payload, "event.fields")
	return err
}

// structure reads the field class of a part of a packet or event; nil where there is none.
func (p *fragments) structure(c *fieldClass, part string) (*typ, error) {
	if c == nil {
		return nil, nil
	}
	t, err := p.class(c, part)
	if err == nil && t.class != structure {
		err = fmt.Errorf("expected a structure for %s", part)
	}
	return t, err
}
