package ingest

import "github.com/tracelake/tracelake/schema"

// Attributed implements schema.AttributeReader: the attributes that the traces have of their calls, with names and values numbered for all of them.
// It is nil where the user asked for none.
func (s *several) Attributed() *schema.Attributed { return s.attributed }

// joinAttributes makes one list of what the parts say of attributes, which is complete once each has handed out its first block. Sets of a part
// stand behind those of the parts before it; the empty set is one of all.
func (s *several) joinAttributes() {
	if len(s.asked) == 0 {
		return
	}
	texts := &schema.AttributeNames{Names: new(schema.Dictionary), Values: new(schema.Dictionary)}
	sets := &schema.AttributeSets{Parents: []schema.AttributeSet{schema.NoAttributes}, Last: []uint32{0}}
	s.attributed = &schema.Attributed{Texts: texts, Sets: sets}
	for _, p := range s.parts {
		reader, knows := p.reader.(schema.AttributeReader)
		if !knows {
			continue
		}
		of := reader.Attributed()
		if of == nil {
			continue
		}
		if p.hasAttributes = true; of.Guard != nil {
			p.later, s.attributed.Guard = newLaterSets(of, s.attributed), &s.guard
			continue
		}
		pairs := uint32(len(sets.Pairs))
		for _, pair := range of.Sets.Pairs {
			name, value := of.Texts.Names.Name(pair.Name), of.Texts.Values.Name(pair.Value)
			sets.Pairs = append(sets.Pairs, schema.Attribute{Name: texts.Names.Code(name), Value: texts.Values.Code(value)})
		}
		p.firstSet = schema.AttributeSet(len(sets.Parents)) - 1
		for i, parent := range of.Sets.Parents[1:] {
			if parent != schema.NoAttributes {
				parent += p.firstSet
			}
			sets.Parents, sets.Last = append(sets.Parents, parent), append(sets.Last, pairs+of.Sets.Last[i+1])
		}
	}
}

// moveClaims moves what is said of attributes of the next row of a part to a row of the joint block.
func (p *tracePart) moveClaims(out *schema.Block) {
	for b := p.block; p.claim < len(b.Claims) && int(b.Claims[p.claim].Row) <= p.at; p.claim++ {
		c := b.Claims[p.claim]
		switch c.Row = int32(len(out.Key)); {
		case c.Set == schema.NoAttributes:
		case p.later != nil:
			c.Set = p.later.joint(c.Set)
		default:
			c.Set += p.firstSet
		}
		out.Claims = append(out.Claims, c)
	}
}

// laterSets are the sets of a part that adds to them while its blocks are under way. Each is copied when it is first met.
type laterSets struct {
	of    *schema.Attributed // what the part says
	all   *schema.Attributed // of all parts
	known map[schema.AttributeSet]schema.AttributeSet
	list  []schema.Attribute
}

func newLaterSets(of, all *schema.Attributed) *laterSets {
	return &laterSets{of: of, all: all, known: make(map[schema.AttributeSet]schema.AttributeSet)}
}

// joint is the set among those of all parts.
func (l *laterSets) joint(set schema.AttributeSet) schema.AttributeSet {
	if joint, known := l.known[set]; known {
		return joint
	}
	l.of.Guard.Lock()
	defer l.of.Guard.Unlock()
	l.all.Guard.Lock()
	defer l.all.Guard.Unlock()
	joint, sets := schema.NoAttributes, l.all.Sets
	l.list = l.of.Sets.Append(l.list[:0], set)
	for _, pair := range l.list {
		name, value := l.of.Texts.Names.Name(pair.Name), l.of.Texts.Values.Name(pair.Value)
		sets.Parents, sets.Last = append(sets.Parents, joint), append(sets.Last, uint32(len(sets.Pairs)))
		sets.Pairs = append(sets.Pairs, schema.Attribute{Name: l.all.Texts.Names.Code(name), Value: l.all.Texts.Values.Code(value)})
		joint = schema.AttributeSet(len(sets.Parents)) - 1
	}
	l.known[set] = joint
	return joint
}
