package wellformed

import (
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// someCodes are codes of a slice: any keys and marks of few names, each name in a place of its own.
func someCodes(rng *rand.Rand) Codes {
	names := func(prefix string) (list []string) {
		for _, i := range rng.Perm(3 + rng.Intn(4)) {
			list = append(list, fmt.Sprint(prefix, i))
		}
		return list
	}
	c := Codes{Components: names("C"), Lifelines: names("l"), Functions: names("f"), Types: names("t"), Marks: []schema.MessageMark{{}}}
	for range 200 {
		executionType := uint32(rng.Intn(len(c.Types)))
		if rng.Intn(2) == 0 {
			executionType = schema.NoCode
		}
		c.Keys = append(c.Keys, uint32(rng.Intn(len(c.Components))), uint32(rng.Intn(len(c.Lifelines))), uint32(rng.Intn(len(c.Functions))), executionType,
			uint32(rng.Intn(3)), uint32(rng.Intn(2)))
	}
	for i := range 40 {
		c.Marks = append(c.Marks, schema.MessageMark{Direction: schema.Send + schema.Direction(i%2), Series: fmt.Sprint("s", rng.Intn(9)), Label: fmt.Sprint("m", i/2)})
	}
	return c
}

// eitherNo is a number or none, large or small.
func eitherNo(rng *rand.Rand, no int64) int64 {
	return []int64{no, rng.Int63n(9), -rng.Int63n(9), rng.Int63() - rng.Int63()}[rng.Intn(4)]
}

// keyText is a key of codes in names.
func (c Codes) keyText(code uint32) string {
	k := c.Keys[keyNumbers*code:]
	of := ""
	if k[3] != schema.NoCode {
		of = c.Types[k[3]]
	}
	return fmt.Sprint(c.Components[k[0]], c.Lifelines[k[1]], c.Functions[k[2]], of, schema.KindWords[k[4]], k[5] != 0)
}

// TestRowsThroughSegments writes rows of several slices as segments and reads them in the codes of all. Each is what it was, with the sequence numbers of
// the trace; and a segment that lost a byte, has one too many, or names what its slice does not have, is refused.
func TestRowsThroughSegments(t *testing.T) {
	rng, union := rand.New(rand.NewSource(41)), NewUnion()
	for range 200 {
		c, shift, n := someCodes(rng), rng.Int63n(1e9), 1+rng.Intn(20)
		rows := NewRows(0)
		var want []string
		for range n {
			r := row{rng.Int63n(1e6), eitherNo(rng, 0), eitherNo(rng, schema.NoValue), uint32(rng.Intn(200)), schema.NoMark, schema.NoCode}
			if rng.Intn(2) == 0 {
				r.mark = uint32(1 + rng.Intn(40))
			}
			peer := ""
			if rng.Intn(2) == 0 {
				r.peer = uint32(rng.Intn(len(c.Components)))
				peer = c.Components[r.peer]
			}
			m := c.Marks[r.mark]
			want = append(want, fmt.Sprint(r.seq+shift, r.timeNs, r.messageID, c.keyText(r.key), m.Direction, m.Series, m.Label, peer))
			rows.add(r)
		}
		to := union.Add(c, shift)
		segment := rows.AppendTo(nil)
		read := NewRows(0)
		expect.OK(t, read.Read(segment, n, to))
		ev := schema.NewEvents()
		union.Tables().Events(read, ev)
		var got []string
		for i := range ev.Seq {
			names := ev.Names
			key := fmt.Sprint(names.Components.Name(ev.Component[i]), names.Lifelines.Name(ev.Lifeline[i]), names.Functions.Name(ev.Function[i]),
				names.Types.Name(ev.ExecutionType[i]), schema.KindWords[ev.Kind[i]], ev.Synthetic[i])
			got = append(got, fmt.Sprint(ev.Seq[i], ev.TimeNs[i], ev.MessageID[i], key, ev.Direction[i], names.Series.Name(ev.Series[i]),
				names.Messages.Name(ev.Message[i]), names.Components.Name(ev.Peer[i])))
		}
		expect.Slice(t, got, want, "rows")
		refuses(t, segment, n, to, func(segment []byte, n int, to *Translation) error { return NewRows(0).Read(segment, n, to) })
	}
}

// TestExchangesThroughSegments does the same with exchanges.
func TestExchangesThroughSegments(t *testing.T) {
	rng, union := rand.New(rand.NewSource(42)), NewUnion()
	for range 200 {
		c, shift, n := someCodes(rng), rng.Int63n(1e9), 1+rng.Intn(20)
		x := NewExchanges(0)
		var want []string
		number := int64(0)
		for range n {
			number += rng.Int63n(1000)
			m := message{
				id: eitherNo(rng, schema.NoValue), sendSeq: rng.Int63n(1e6), receiveSeq: rng.Int63n(1e6), sendNs: eitherNo(rng, 0), receiveNs: eitherNo(rng, 0),
				requestSeq: []int64{schema.NoValue, rng.Int63n(1e6)}[rng.Intn(2)], roundTripNs: eitherNo(rng, schema.NoValue), number: number,
				mark: uint32(rng.Intn(41)), sendKey: uint32(rng.Intn(200)), receiveKey: uint32(rng.Intn(200)), pattern: schema.Pattern(rng.Intn(int(schema.Wakeup) + 1)),
			}
			*x.next() = m
			request := m.requestSeq
			if request != schema.NoValue {
				request += shift
			}
			want = append(want, fmt.Sprint(m.id, m.sendSeq+shift, m.receiveSeq+shift, m.sendNs, m.receiveNs, request, m.roundTripNs, m.number, m.pattern,
				c.Marks[m.mark].Series, c.Marks[m.mark].Label, c.keyText(m.sendKey), c.keyText(m.receiveKey)))
		}
		to := union.Add(c, shift)
		segment := x.AppendTo(nil)
		read := NewExchanges(0)
		expect.OK(t, read.Read(segment, n, to))
		tables := union.Tables()
		keyText := func(code uint32) string {
			k := union.codes.nameOfKey(code)
			return fmt.Sprint(k.Component, k.Lifeline, k.Function, k.ExecutionType, schema.KindWords[k.Kind], k.Synthetic)
		}
		var got []string
		for _, m := range read.list {
			mark := tables.marks[m.mark]
			got = append(got, fmt.Sprint(m.id, m.sendSeq, m.receiveSeq, m.sendNs, m.receiveNs, m.requestSeq, m.roundTripNs, m.number, m.pattern,
				tables.names.Series.Name(mark.series), tables.names.Messages.Name(mark.label), keyText(m.sendKey), keyText(m.receiveKey)))
		}
		expect.Slice(t, got, want, "exchanges")
		one := read.list[rng.Intn(n)]
		is := MessageID{tables.names.Series.Name(tables.marks[one.mark].series), one.id}
		if !tables.AnyOf(read, map[MessageID]bool{is: true}) || tables.AnyOf(read, map[MessageID]bool{{"none", one.id}: true}) {
			t.Fatalf("%v is one of the exchanges, and none is of another series", is)
		}
		refuses(t, segment, n, to, func(segment []byte, n int, to *Translation) error { return NewExchanges(0).Read(segment, n, to) })
	}
}

// refuses sees that what is no segment is refused, and that of a union which lacks its codes.
func refuses(t *testing.T, segment []byte, n int, to *Translation, read func([]byte, int, *Translation) error) {
	t.Helper()
	for what, err := range map[string]error{
		"a segment without its last byte":    read(slices.Clone(segment[:len(segment)-1]), n, to),
		"a segment with one byte more":       read(append(slices.Clone(segment), 0), n, to),
		"a segment of fewer rows":            read(segment, n-1, to),
		"a segment of more rows":             read(segment, n+1, to),
		"a segment of a slice with few keys": read(segment, n, &Translation{keys: nil, marks: to.marks, components: to.components}),
	} {
		if !errors.Is(err, errSegment) {
			t.Fatalf("%s: %v, want that it is damaged", what, err)
		}
	}
}
