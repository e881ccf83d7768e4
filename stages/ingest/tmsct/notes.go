package tmsct

import (
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// note adds a note to the block.
func (out *emission) note(row int32, about, name, value string) {
	out.block.Notes = append(out.block.Notes, schema.Note{Row: row, About: about, Name: strings.Clone(name), Value: strings.Clone(value)})
}

// noteChart notes the properties and analyses of the chart. Of a property given twice, the first counts.
func (out *emission) noteChart() {
	seen := make(map[string]bool)
	for _, p := range out.notes {
		if !seen[p.name] {
			out.note(schema.NoRow, schema.AboutTrace, p.name, p.value)
		}
		seen[p.name] = true
	}
}

// noteEvent notes what is said of an event and of the segment before it.
func (out *emission) noteEvent(i, row int32) {
	e := &out.events[i]
	out.noteProperties(row, schema.AboutEvent, out.properties[e.properties.from:e.properties.to])
	if out.before[i] < 0 {
		return
	}
	out.noteDefaults(row, schema.AboutSegment, out.segmentDefaults(i))
	if own := out.segments[i]; own >= 0 {
		out.noteProperties(row, schema.AboutSegment, out.dependencies[own].properties)
	}
}

// noteMessage notes what is said of a message that a row sends.
func (out *emission) noteMessage(i, row int32) {
	d := &out.dependencies[i]
	out.note(row, schema.AboutMessage, schema.NoteType, typeWords[d.typ])
	out.noteDefaults(row, schema.AboutMessage, out.dependencyDefaults(i))
	if d.message != "" {
		out.note(row, schema.AboutMessage, schema.NoteControls, d.message)
	}
	if d.request != "" {
		out.note(row, schema.AboutMessage, schema.NoteRequest, d.request)
	}
	out.noteProperties(row, schema.AboutMessage, d.properties)
}

// noteDefaults notes a bound, and whether something is scheduled, where the text gives them.
func (out *emission) noteDefaults(row int32, about string, d defaults) {
	if d.boundNs != schema.NoValue {
		out.note(row, about, schema.NoteBound, strconv.FormatInt(d.boundNs, 10))
	}
	if d.scheduled != open {
		out.note(row, about, schema.NoteScheduled, strconv.FormatBool(d.scheduled == yes))
	}
}

// noteProperties notes properties as they are.
func (out *emission) noteProperties(row int32, about string, properties []property) {
	for _, p := range properties {
		out.note(row, about, p.name, p.value)
	}
}
