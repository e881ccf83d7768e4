package etf

import (
	"bytes"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/callkeys"
)

// Format describes TRACE4CPS's Execution Trace Format.
func Format() schema.Format {
	return schema.Format{
		Name:    "etf",
		Doc:     "TRACE4CPS: claims are executions, dependencies messages",
		Remarks: "claims are executions on their resource",
		Components: []schema.ComponentWord{
			{Word: "resource", Doc: "the resource of the claim"},
			{Word: "ATTRIBUTE", Doc: "the value of this attribute of the claim, or else of the resource; the resource where neither has it", Any: true},
		},
		Endings: []string{".etf"},
		IsFile:  Detect,
		NewReader: func(r *schema.Reading) schema.Reader {
			read := &reader{
				given: r, document: newDocument(), labels: map[string]uint32{}, marks: []schema.MessageMark{{}},
				taken: map[string]int{}, Table: callkeys.Table{Messages: true}, signals: signals{declared: map[int64]signal{}},
			}
			read.attributes.begin(&read.texts)
			return read
		},
	}
}

// Detect reports whether a text that begins with head is of this format: of its lines that are neither empty nor
// comments the first is a unit of time, or a claim, an event, a resource or a signal with numbers where they
// belong; the offset of times and the attributes of the trace may stand before it.
func Detect(head []byte) bool {
	for len(head) > 0 {
		line := head
		end := bytes.IndexByte(head, '\n')
		if end >= 0 {
			line, head = head[:end], head[end+1:]
		} else {
			head = nil
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		word, rest := field(line)
		switch string(word) {
		// Attributes of the trace and the offset say nothing yet: other texts may begin so.
		case "T":
			continue
		case "O":
			if _, ok := readID(bytes.TrimSpace(rest)); ok {
				continue
			}
			return false
		case "TU":
			_, known := units[string(bytes.TrimSpace(rest))]
			return known
		}
		// The first line with a statement decides.
		return tells(split(line, false))
	}
	return false
}

// heads are how many fields the lines have that tell the format. Claims may have one more.
var heads = map[string]int{"E": 2, "R": 3, "C": 5, "D": 4, "F": 6, "S": 1, "TS": 1, "TSS": 2}

// tells reports whether a line is one of the format.
func tells(s statement) bool {
	word := string(s.word)
	want, known := heads[word]
	if !known || s.count != want && (word != "C" || s.count != want+1) {
		return false
	}
	for i, f := range s.head[:s.count] {
		// The third field of a resource is a word; all others are numbers.
		if word == "R" && i == 2 {
			return string(f) == "true" || string(f) == "false"
		}
		if _, ok := readDecimal(bytes.TrimPrefix(f, []byte("-"))); !ok {
			return false
		}
	}
	return true
}
