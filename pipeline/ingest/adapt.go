package ingest

import "github.com/tracelake/tracelake/schema"

// adapt changes a parsed piece as the job asks: functions belong to other components, calls between components are
// messages.
func (in *intake) adapt(p *piece) {
	if in.Map != nil {
		p.keys = in.mapKeys(p.parser, p.keys)
	}
	if in.rewriter == nil {
		return
	}
	in.rewriter.Rewrite(&p.block, &p.spare, p.parser, p.keys, p.marks)
	p.block, p.spare = p.spare, p.block
	p.keys, p.marks, p.parser = in.rewriter.Keys(), in.rewriter.Marks(), 0
}

// mapKeys maps the keys of a parser that are new.
func (in *intake) mapKeys(parser int, keys []schema.EventKey) []schema.EventKey {
	for len(in.mapped) <= parser {
		in.mapped = append(in.mapped, nil)
	}
	for _, k := range keys[len(in.mapped[parser]):] {
		in.mapped[parser] = append(in.mapped[parser], in.Map(k))
	}
	return in.mapped[parser]
}
