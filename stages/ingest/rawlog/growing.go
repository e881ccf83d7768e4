package rawlog

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// growing parses a log while it is being written, for whoever watches it. Records come in the order of the log: between threads times may step
// back. Names are given when a call is first seen, with the modules known by then. It implements schema.Parser, whose Parse takes any bytes here.
type growing struct {
	reader
	rest  []byte // of a record or a line that is not whole
	begun bool
	lines bool     // it is text
	skip  int64    // bytes of remarks that are left out
	told  []string // remarks on modules, each once
}

// newGrowing returns a parser of a log that grows.
func newGrowing(options schema.ReadingOptions) schema.Parser {
	reading := &schema.Reading{Options: options, Traces: []schema.Trace{{Path: "log"}}, Ledger: new(schema.Ledger)}
	return &growing{reader: reader{reading: reading, threads: make(map[uint32]*thread)}}
}

// Parse implements schema.Parser. It keeps what is not whole for the next call.
func (g *growing) Parse(data []byte, b *schema.Block) {
	g.rest = append(g.rest, data...)
	if !g.begun {
		if len(g.rest) < recordBytes {
			return
		}
		g.begun, g.lines = true, bytes.IndexByte(g.rest[:min(len(g.rest), sniffed)], 0) < 0
	}
	used := 0
	if g.lines {
		used = g.parseLines(b)
	} else {
		used = g.parseRecords(b)
	}
	g.rest = append(g.rest[:0], g.rest[used:]...)
}

// parseLines takes whole lines, and returns their bytes.
func (g *growing) parseLines(b *schema.Block) (used int) {
	for {
		n := bytes.IndexByte(g.rest[used:], '\n')
		if n < 0 {
			return used
		}
		line := bytes.TrimSuffix(g.rest[used:used+n], []byte("\r"))
		used += n + 1
		if len(line) > 0 && line[0] == '#' {
			g.remark(string(line))
		} else if e, _, err := textRecord(line); err == nil {
			g.event(e, b)
		} else {
			b.Bad.Add(0, 1, err)
		}
	}
}

// parseRecords takes whole records, and the remarks behind those that announce some.
func (g *growing) parseRecords(b *schema.Block) (used int) {
	for {
		n := min(g.skip, int64(len(g.rest)-used))
		used += int(n)
		if g.skip -= n; len(g.rest)-used < recordBytes {
			return used
		}
		r := g.rest[used : used+recordBytes]
		e := record{binary.LittleEndian.Uint64(r), binary.LittleEndian.Uint64(r[8:]), binary.LittleEndian.Uint32(r[24:]), uint8(binary.LittleEndian.Uint32(r[28:]))}
		if e.kind != kindRemark {
			used += recordBytes
			if e.kind > kindRemark {
				b.Bad.Add(0, 1, errKind)
			} else {
				g.event(e, b)
			}
			continue
		}
		size := min(e.function, mostRemarks)
		kept := int(min(size, remarkBytes))
		if len(g.rest)-used-recordBytes < kept {
			return used
		}
		text, _, _ := bytes.Cut(g.rest[used+recordBytes:used+recordBytes+kept], []byte{0})
		for line := range bytes.Lines(text) {
			g.remark(string(bytes.TrimSuffix(line, []byte("\n"))))
		}
		used += recordBytes
		g.skip = int64(size)
	}
}

// remark takes a remark, and keeps those on modules for the beginning of the next trace.
func (g *growing) remark(line string) {
	known := len(g.modules)
	if g.takeRemark(line, g.at(0, nil)); len(g.modules) > known {
		g.told = append(g.told, line)
	}
}

// Pending implements schema.Divisible.
func (g *growing) Pending() int {
	if g.skip > 0 || !g.begun {
		return -1
	}
	return len(g.rest)
}

// Preamble implements schema.Divisible: the modules so far.
func (g *growing) Preamble() []byte {
	if len(g.told) == 0 {
		return nil
	}
	text := []byte(strings.Join(g.told, "\n") + "\n")
	if g.lines {
		return text
	}
	size := (len(text) + recordBytes) / recordBytes * recordBytes // a zero ends the text
	all := make([]byte, recordBytes+size)
	binary.LittleEndian.PutUint64(all[8:], uint64(size))
	binary.LittleEndian.PutUint32(all[28:], kindRemark)
	copy(all[recordBytes:], text)
	return all
}

// event appends a record. A place that was not written, and a time that does not fit, are left out.
func (g *growing) event(e record, b *schema.Block) {
	if e.function == 0 || e.time >= extsort.Done {
		b.Bad.Add(0, 1, errZero)
		return
	}
	t := g.last
	if t == nil || t.id != e.thread {
		if t = g.thread(&e); t.lifeline == "" {
			program := unnamed
			if len(g.modules) > 0 {
				program = g.modules[0].name
			}
			t.lifeline = fmt.Sprintf("%s/%d", program, len(g.threads))
		}
	}
	key, known := t.calls.Find(e.function)
	if !known {
		component, function := g.resolve(e.function)
		key = g.Append(schema.EventKey{Component: component, Lifeline: t.lifeline, Function: function})
		t.calls.Set(e.function, key)
	}
	b.TimeNs = append(b.TimeNs, int64(e.time))
	b.Key = append(b.Key, key+uint32(e.kind))
	b.Mark = append(b.Mark, schema.NoMark)
	b.MessageID = append(b.MessageID, schema.NoValue)
	b.Line = append(b.Line, 0)
}
