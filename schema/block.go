package schema

import (
	"iter"
	"slices"
	"time"
)

// EventKey holds what most events of a trace share with other events: all but time and message. A trace of millions of
// events has thousands of keys, so readers look a key up once a line and pass its position on: 4 bytes an event.
type EventKey struct {
	Component, Lifeline, Function string
	Kind                          Kind
	ExecutionType                 string // "" where the trace has none
	Synthetic                     bool   // a reader invented the event: no record of the trace stands behind it
}

// KeyList is the keys of a trace as far as they are known, by their positions. What it holds stays as it is, whatever the trace goes on with.
type KeyList interface {
	Len() int
	At(position uint32) EventKey
}

// KeysSince yields the keys behind those that are known, with their positions.
func KeysSince(list KeyList, known int) iter.Seq2[uint32, EventKey] {
	return func(yield func(uint32, EventKey) bool) {
		for at := known; at < list.Len(); at++ {
			if !yield(uint32(at), list.At(uint32(at))) {
				return
			}
		}
	}
}

// EventKeys are keys one after the other. Readers whose keys are many and made of few names keep less than that.
type EventKeys []EventKey

// Len implements KeyList.
func (k EventKeys) Len() int { return len(k) }

// At implements KeyList.
func (k EventKeys) At(position uint32) EventKey { return k[position] }

// CodedKey is an EventKey whose names are numbers of CodedKeys.Names.
type CodedKey struct {
	Component, Lifeline, Function, ExecutionType uint32 // the last is 0 where the trace has none
	Kind                                         Kind
	Synthetic                                    bool
}

// CodedKeys is a KeyList for many keys of few names, as those of thousands of lifelines are: 20 bytes a key, without pointers. Who takes such keys
// translates a name once and not once a key. A lifeline has one number, other names
// may have several. A value of it is a snapshot.
type CodedKeys struct {
	Names []string // by number; the first is ""
	List  []CodedKey
}

// Len implements KeyList.
func (k CodedKeys) Len() int { return len(k.List) }

// At implements KeyList.
func (k CodedKeys) At(position uint32) EventKey {
	c := &k.List[position]
	return EventKey{
		Component: k.Names[c.Component], Lifeline: k.Names[c.Lifeline], Function: k.Names[c.Function], ExecutionType: k.Names[c.ExecutionType],
		Kind: c.Kind, Synthetic: c.Synthetic,
	}
}

// AddName numbers a name, which may have a number already.
func (k *CodedKeys) AddName(name string) uint32 {
	if len(k.Names) == 0 && name != "" {
		k.Names = append(k.Names, "")
	}
	k.Names = append(k.Names, name)
	return uint32(len(k.Names) - 1)
}

// Add adds a key and returns its position.
func (k *CodedKeys) Add(key CodedKey) uint32 {
	if len(k.List) == cap(k.List) {
		// Append would let a long list grow by a quarter, and copy each key five times.
		k.List = slices.Grow(k.List, max(len(k.List), leastCodedKeys))
	}
	k.List = append(k.List, key)
	return uint32(len(k.List) - 1)
}

// leastCodedKeys is how many keys a list has room for at first.
const leastCodedKeys = 64

// MessageMark holds what messages of a trace share with other messages: all but their number.
type MessageMark struct {
	Direction     Direction
	Series, Label string         // see Events; equal where the trace has no labels of its own
	Coupling      ConstraintKind // of a row that Couples: of which kind the coupling is; of a message ByWakeup, if it wakes a thread
}

// NoMark is the position of the mark of an event without a message.
const NoMark uint32 = 0

// Block holds the events of one piece of a trace, in column slices of equal length. Keys and marks are positions in the
// tables of the parser that made it, so blocks of different parsers do not compare.
type Block struct {
	TimeNs    []int64  // on the clock of the trace; no epoch is implied
	Key       []uint32 // position in Parser.Keys
	Mark      []uint32 // NoMark: no message
	MessageID []int64  // NoValue: an identifier without a number, or no message
	Line      []uint32 // line within the block, from 0
	Lines     int64    // lines in the block, bad ones included
	Bad       Defect   // lines that were left out
	Overflow  Defect   // lines whose time does not fit

	Notes  []Note     // what the trace says beyond its events; few formats do
	Claims []ClaimRow // claims and regular events; few formats have them, see AttributeReader
	Ends   []DependencyEnd
	Broken *SyntaxError // why nothing can be made of the trace at all; Line counts within the block, from 0
}

// NoRow is the row of a note that holds for the whole trace.
const NoRow int32 = -1

// Note is an annotation as a reader passes it on, before sequence numbers are known. It is about an event of the block, about the part of the
// lifeline before it, or about the message that it sends, or it holds for the whole trace: see Annotation.
type Note struct {
	Row                         int32 // position of the event in the block, or NoRow
	About, Subject, Name, Value string
}

// Defect counts the bad lines of a block and keeps the first.
type Defect struct {
	Count int64       // bad lines
	First SyntaxError // Line counts within the block, from 0
}

// Add counts a bad line.
func (d *Defect) Add(line, column int64, err error) {
	if d.Count == 0 {
		d.First = SyntaxError{Line: line, Col: column, Err: err}
	}
	d.Count++
}

// Grow makes room for as many further events as there are lines, so that a parser appends without moving memory.
func (b *Block) Grow(lines int) {
	b.TimeNs = slices.Grow(b.TimeNs, lines)
	b.Key = slices.Grow(b.Key, lines)
	b.Mark = slices.Grow(b.Mark, lines)
	b.MessageID = slices.Grow(b.MessageID, lines)
	b.Line = slices.Grow(b.Line, lines)
}

// Reset empties the block and keeps its memory.
func (b *Block) Reset() {
	*b = Block{
		TimeNs: b.TimeNs[:0], Key: b.Key[:0], Mark: b.Mark[:0], MessageID: b.MessageID[:0], Line: b.Line[:0], Notes: b.Notes[:0],
		Claims: b.Claims[:0], Ends: b.Ends[:0],
	}
}

// Parser turns pieces of a trace into blocks. A parser belongs to one goroutine.
type Parser interface {
	// Parse appends the events of data, which holds whole lines (the last may lack its line end),
	// to the block. It keeps nothing of data. For a format that is read whole, data is a whole file.
	Parse(data []byte, b *Block)
	// Keys and Marks are the tables behind Block.Key and Block.Mark. They only grow; the first
	// mark is that of NoMark.
	Keys() KeyList
	Marks() []MessageMark
}

// Waiting is implemented by parsers of Format.NewGrowing that hold events back, until others came or a time has passed.
type Waiting interface {
	// Release appends what need not wait any longer. It is called behind every Parse, and when nothing comes.
	Release(now time.Time, b *Block)
}

// Divisible is implemented by parsers of Format.NewGrowing whose traces can be cut in two between any two records.
type Divisible interface {
	// Pending is how many bytes at the end of what was parsed are no whole record yet; -1: no cut is possible now.
	Pending() int
	// Preamble is what a trace needs before the records that follow, to be understood without those before: names, for instance.
	Preamble() []byte
}
