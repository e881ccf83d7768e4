package otf2

import (
	"math"
	"strconv"
	"sync"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/quantities"
	"github.com/tracelake/tracelake/stages/ingest/tags"
)

// The types of values of metrics.
const (
	typeUint8 = iota + 1
	typeUint16
	typeUint32
	typeUint64
	typeInt8
	typeInt16
	typeInt32
	typeInt64
	typeFloat
	typeDouble
)

// measures are what a trace measures: metrics, which become signals LIFELINE/METRIC, and the lengths of messages, which are attributes of their ends.
type measures struct {
	values *quantities.Values
	known  map[measured]int64 // signals
	all    *schema.Attributed // of the trace
	tags   *tags.Table        // of messages; nil where the user asks for no length
	wanted bool               // the length of messages
	guard  sync.Mutex         // of the tags
}

// measured is a metric of a location.
type measured struct{ location, metric uint64 }

// bytesAttribute is the length of a message.
const bytesAttribute = "bytes"

// init makes ready for a reading.
func (m *measures) init(r *schema.Reading) {
	m.values, m.known, m.tags = quantities.New(r.Memory/16, r.Scratch), make(map[measured]int64), tags.New(r.Options.Attributes)
	m.wanted = m.tags.Wants([]byte(bytesAttribute))
	if m.all = m.tags.Attributed(); m.all == nil {
		m.all = &schema.Attributed{Texts: &schema.AttributeNames{Names: new(schema.Dictionary), Values: new(schema.Dictionary)},
			Sets: &schema.AttributeSets{Parents: []schema.AttributeSet{schema.NoAttributes}, Last: []uint32{0}}}
	}
	m.all.Guard, m.all.Fragments = &m.guard, m.values.Fragments
}

// Attributed implements schema.AttributeReader.
func (r *reader) Attributed() *schema.Attributed {
	if r.measures.tags == nil && (r.names == nil || len(r.names.definitions.metrics) == 0) {
		return nil
	}
	return r.measures.all
}

// describeMessage gives the row that comes next the length of its message, where the user asked for it.
func (r *reader) describeMessage(bytes uint64, s *stream) {
	m := &r.measures
	if !m.wanted || bytes == undefined {
		return
	}
	m.guard.Lock()
	defer m.guard.Unlock()
	set := m.tags.Add(schema.NoAttributes, []byte(bytesAttribute), strconv.AppendUint(nil, bytes, 10), func() string { return s.wrong(errFields).Error() })
	r.out.Describe(set, false)
}

// metric reads the values of the metrics of a class, or of an instance of one: how many there are, and each behind its type.
// Of several traces that are one run no signals are kept.
func (s *stream) metric(f *fields, kind byte) error {
	class := s.local.maps[mapMetrics].global(f.id())
	d := s.r.names.definitions
	if of, instance := d.instances[class]; instance {
		class = of
	}
	members, known := d.measured[class]
	n := int(f.u8())
	if f.bad {
		return errFields
	}
	if !known || n > len(members.members) || s.r.reading.IsPart {
		s.skipped.add(kind, s.from)
		return nil
	}
	for _, member := range members.members[:n] {
		v, ok := f.value()
		if f.bad {
			return errFields
		}
		if !ok {
			continue
		}
		if err := s.measure(member, v); err != nil {
			return err
		}
	}
	return nil
}

// value reads a value behind its type. It reports false for types that are no numbers.
func (f *fields) value() (v float64, ok bool) {
	switch kind := f.u8(); kind {
	case typeUint8, typeInt8:
		b := f.u8()
		if kind == typeInt8 {
			return float64(int8(b)), true
		}
		return float64(b), true
	case typeUint16, typeUint32, typeUint64:
		return float64(f.number()), true
	case typeInt16:
		return float64(int16(f.number())), true
	case typeInt32:
		return float64(int32(f.number())), true
	case typeInt64:
		return float64(f.signed()), true
	case typeDouble:
		v = math.Float64frombits(f.u64())
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	}
	f.bad = true // how long it is, is not known
	return 0, false
}

// measure takes a value of a metric from now on.
func (s *stream) measure(member uint64, v float64) error {
	m := &s.r.measures
	of := measured{s.id, member}
	signal, known := m.known[of]
	if !known {
		d := s.r.names.definitions
		kind, defined := d.metrics[member]
		if !defined {
			s.r.undefined("metric", member)
		}
		name := d.strings[kind.name]
		if name == "" {
			name = "metric " + strconv.FormatInt(int64(member), 10)
		}
		row := schema.Signal{Signal: int64(len(m.known)), Origin: schema.OriginTrace, StepNs: 1, Name: s.lifeline + "/" + name}
		if unit := d.strings[kind.unit]; unit != "" {
			row.Unit = &unit
		}
		signal = row.Signal
		m.known[of] = signal
		all := m.all
		all.Signals, all.OfSignals = append(all.Signals, row), append(all.OfSignals, schema.NoAttributes)
	}
	if scale := s.r.names.definitions.metrics[member]; scale.exponent != 0 {
		base := 10.
		if scale.binary {
			base = 2
		}
		v *= math.Pow(base, float64(scale.exponent))
	}
	return m.values.Add(signal, s.ns, v)
}
