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
		pairs := uint32(len(sets.Pairs))
		for _, pair := range of.Sets.Pairs {
			name, value := of.Texts.Names.Name(pair.Name), of.Texts.Values.Name(pair.Value)
			sets.Pairs = append(sets.Pairs, schema.Attribute{Name: texts.Names.Code(name), Value: texts.Values.Code(value)})
		}
		p.hasAttributes, p.firstSet = true, schema.AttributeSet(len(sets.Parents))-1
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
		if c.Row = int32(len(out.Key)); c.Set != schema.NoAttributes {
			c.Set += p.firstSet
		}
		out.Claims = append(out.Claims, c)
	}
}
