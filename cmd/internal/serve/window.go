package serve

import (
	"encoding/binary"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/tracelake/tracelake/pipeline/views"
	"github.com/tracelake/tracelake/schema"
)

// window returns the boxes of a window, column by column: there may be a hundred thousand. With packed=1 they come as boxColumns, else as JSON.
// With by=function or by=attribute:NAME lanes are those of that grouping; see said for values of boxes.
func (s *site) window(r *http.Request) (any, error) {
	run, a, err := s.ask(r)
	if err != nil {
		return nil, err
	}
	var b *views.Boxes
	if by := r.URL.Query().Get("by"); by == "" {
		b, err = run.Window(a)
	} else {
		var groups *views.Groups
		if groups, err = run.Grouped(by); err == nil {
			b, err = groups.Window(a)
		}
	}
	if err != nil {
		return nil, err
	}
	of := &boxColumns{Boxes: b}
	given, err := s.said(r, run)
	if err != nil {
		return nil, err
	}
	if given != nil {
		of.value, of.values = given.Of(b)
	}
	if r.URL.Query().Get("packed") == "1" {
		return of.packed()
	}
	return of.json()
}

// boxColumns are boxes as they are sent.
type boxColumns struct {
	*views.Boxes
	value  []int    // of an attribute, as a place in values; nil where none was asked for
	values []string //
}

// head is what is sent beside the columns.
type head struct {
	Boxes     int      `json:"boxes"`
	Total     int64    `json:"total"` // executions
	Functions []string `json:"functions"`
	Values    []string `json:"values,omitempty"`
	Columns   []string `json:"columns,omitempty"` // in the order in which they follow
}

// head makes lists of what may be nil.
func (b *boxColumns) head() head {
	functions := b.Functions
	if functions == nil {
		functions = []string{}
	}
	return head{len(b.Lane), b.Total(), functions, b.values, nil}
}

// json writes the columns as lists.
func (b *boxColumns) json() (any, error) {
	text := append(make([]byte, 0, 64*len(b.Lane)+256), `{"lane":`...)
	text = appendInts(text, b.Lane)
	for _, column := range []struct {
		name   string
		values []int64
	}{{"depth", b.Depth}, {"start_ns", b.StartNs}, {"finish_ns", b.FinishNs}, {"count", b.Count}, {"busy_ns", b.BusyNs}, {"longest", b.Longest}} {
		text = append(append(append(text, `,"`...), column.name...), `":`...)
		text = appendInts(text, column.values)
	}
	text = appendInts(append(text, `,"function":`...), b.Function)
	if b.value != nil {
		text = appendInts(append(text, `,"value":`...), b.value)
	}
	rest, err := json.Marshal(b.head())
	return json.RawMessage(append(append(text, ','), rest[1:]...)), err
}

// packed writes the columns so that a box takes about 15 bytes and no text has to be read: a line of JSON, which is a head, then one column
// after the other as numbers of variable length, seven bits a byte, the lowest first. Numbers that may be negative have their sign in the lowest
// bit. What grows from box to box is the difference to the box before: lane, depth, start_ns, longest. A null of longest is 0, others are one
// more than their code; function and value are one more than the place. Of finish_ns stands the length, of busy_ns what it lacks to the length.
func (b *boxColumns) packed() (any, error) {
	h := b.head()
	h.Columns = []string{"lane", "depth", "start_ns", "length_ns", "count", "idle_ns", "longest", "function"}
	if b.value != nil {
		h.Columns = append(h.Columns, "value")
	}
	line, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	n := len(b.Lane)
	out := append(append(make([]byte, 0, len(line)+20*n), line...), '\n')
	out = appendSteps(out, n, func(i int) int64 { return int64(b.Lane[i]) })
	out = appendSteps(out, n, func(i int) int64 { return b.Depth[i] })
	out = appendSteps(out, n, func(i int) int64 { return b.StartNs[i] })
	for i := range n {
		out = binary.AppendVarint(out, b.FinishNs[i]-b.StartNs[i])
	}
	for i := range n {
		out = binary.AppendUvarint(out, uint64(b.Count[i]))
	}
	for i := range n {
		out = binary.AppendVarint(out, b.FinishNs[i]-b.StartNs[i]-b.BusyNs[i])
	}
	before := int64(0)
	for i := range n {
		if b.Longest[i] == schema.NoValue {
			out = append(out, 0)
			continue
		}
		step := b.Longest[i] - before
		before = b.Longest[i]
		out = binary.AppendUvarint(out, uint64(step<<1^step>>63)+1)
	}
	for i := range n {
		out = binary.AppendUvarint(out, uint64(b.Function[i]+1))
	}
	for i := range b.value {
		out = binary.AppendUvarint(out, uint64(b.value[i]+1))
	}
	return packed(out), nil
}

// packed is an answer that is not JSON.
type packed []byte

// appendSteps appends the differences between neighbours.
func appendSteps(out []byte, n int, of func(int) int64) []byte {
	before := int64(0)
	for i := range n {
		v := of(i)
		out = binary.AppendVarint(out, v-before)
		before = v
	}
	return out
}

// attributes lists what the trace says of executions.
func (s *site) attributes(r *http.Request) (any, error) {
	run, err := s.openRun(r)
	if err != nil {
		return nil, err
	}
	return run.Attributes()
}

// appendInts appends a list of integers in JSON; schema.NoValue is null.
func appendInts[T int | int64](text []byte, values []T) []byte {
	text = append(text, '[')
	for i, v := range values {
		if i > 0 {
			text = append(text, ',')
		}
		if int64(v) == schema.NoValue {
			text = append(text, "null"...)
		} else {
			text = strconv.AppendInt(text, int64(v), 10)
		}
	}
	return append(text, ']')
}
