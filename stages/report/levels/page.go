package levels

import "github.com/tracelake/tracelake/schema"

// Page is a comparison of model sets as a page shows it: the letters, the order and the sentences are those of the text.
type Page struct {
	Comparison string       `json:"comparison"`
	Noun       string       `json:"noun"`       // of one entity: fragment or component
	Sets       []PageSet    `json:"sets"`       // level 1: those that were given, then computed ones
	Given      int          `json:"given"`      // how many sets were given
	Extensions []PageEdge   `json:"extensions"` // level 2
	Differing  [][]int64    `json:"differing"`  // level 3: by set and set how many entities differ
	Entities   []PageEntity `json:"entities"`   // levels 4 to 6: those that are not the same everywhere, the greatest difference first
	Same       int          `json:"same"`       // the number of all others
	Steps      []PageStep   `json:"steps"`      // from each set to the next
}

// PageSet is a model set.
type PageSet struct {
	Name       string   `json:"name"`
	Letter     string   `json:"letter"` // of its variant
	Entities   int64    `json:"entities"`
	Runs       []string `json:"runs"`       // none of a computed one
	Incomplete bool     `json:"incomplete"` // a union or an intersection with it was not computed
}

// PageEdge relates two variants by their letters, in brackets where they are computed.
type PageEdge struct {
	Lower     string `json:"lower"`
	Upper     string `json:"upper"`
	Unrelated bool   `json:"unrelated,omitempty"` // either has behaviour that the other has not
	Added     int64  `json:"added"`               // of model sets: entities that only upper has; of an entity: transitions
	Changed   int64  `json:"changed,omitempty"`   // of model sets: entities in both whose behaviour differs
	Removed   int64  `json:"removed,omitempty"`   // of an entity: transitions that only lower has
	// Examples of what only one of them can do, steps apart by line ends; nil where there is none.
	LowerWord *string `json:"lower_word,omitempty"`
	UpperWord *string `json:"upper_word,omitempty"`
}

// PageEntity is an entity that is not the same everywhere.
type PageEntity struct {
	Name     []string   `json:"name"`     // its component, and of a fragment its name in it
	Variants []string   `json:"variants"` // by set its letter, or - where the set lacks it
	Edges    []PageEdge `json:"edges"`    // between its variants
}

// PageStep is what became of the entities from a set to the next.
type PageStep struct {
	Base    string       `json:"base"`
	Cand    string       `json:"cand"`
	Summary string       `json:"summary"` // the counts in words
	Changes []PageChange `json:"changes"` // by verdict, those of the greatest difference first
}

// PageChange is the change of an entity in a step.
type PageChange struct {
	Verdict string   `json:"verdict"`
	Cells   []string `json:"cells"` // its component, of a fragment its name in it, and then how it changed or what its name is now
}

// Page returns the comparison for a page. Nothing is cut.
func (r *Report) Page() *Page {
	t := newTextReport(r)
	p := &Page{
		Comparison: r.Comparison, Noun: t.noun, Given: len(r.Sets), Extensions: []PageEdge{}, Differing: t.matrix(), Entities: []PageEntity{}, Same: t.same, Steps: []PageStep{},
	}
	for i, v := range t.sets {
		s := PageSet{Name: v.ModelSet, Letter: letter(v.Variant), Entities: valueOrZero(v.Entities), Runs: []string{}, Incomplete: v.Incomplete}
		if i < len(r.Sets) {
			s.Runs = r.Sets[i].Runs
		}
		p.Sets = append(p.Sets, s)
	}
	for _, e := range r.Lattice {
		if e.Level == schema.OfModelSets {
			p.Extensions = append(p.Extensions, pageEdge(t.computed, e))
		}
	}
	for _, e := range t.differing {
		p.Entities = append(p.Entities, t.pageEntity(e))
	}
	for i := 1; i < len(r.Sets); i++ {
		p.Steps = append(p.Steps, t.pageStep(r.Sets[i-1].Name, r.Sets[i].Name))
	}
	return p
}

// pageEdge names the variants of an edge.
func pageEdge(computed map[int64]bool, e schema.LatticeEdge) PageEdge {
	return PageEdge{
		Lower: bracketed(computed, e.Lower), Upper: bracketed(computed, e.Upper), Unrelated: e.Relation == schema.Unrelated,
		Added: valueOrZero(e.Added), Changed: valueOrZero(e.Changed), Removed: valueOrZero(e.Removed),
		LowerWord: e.LowerWord, UpperWord: e.UpperWord,
	}
}

// pageEntity has the edges of levels 5 and 6: every behaviour extends that of an entity that is not there, which says nothing.
func (t *textReport) pageEntity(e *entity) PageEntity {
	p := PageEntity{Name: t.nameCells(e.component, e.name), Variants: []string{}, Edges: []PageEdge{}}
	for _, v := range e.variants {
		p.Variants = append(p.Variants, letter(v))
	}
	for _, l := range e.edges {
		if l.Lower != 0 {
			p.Edges = append(p.Edges, pageEdge(e.computed, l))
		}
	}
	return p
}

// pageStep sorts the changes of a step as the text does.
func (t *textReport) pageStep(base, cand string) PageStep {
	changes := t.changesOf(base, cand)
	p := PageStep{Base: base, Cand: cand, Summary: stepSummary(changes), Changes: []PageChange{}}
	for _, verdict := range entityVerdicts {
		for _, c := range changes {
			if c.Verdict == verdict {
				p.Changes = append(p.Changes, PageChange{verdict, t.changeCells(c)})
			}
		}
	}
	return p
}

// matrix returns how many entities differ, by set and set. The table has each pair once, in either order, and no pair of a set with itself.
func (t *textReport) matrix() [][]int64 {
	cells := make([][]int64, len(t.sets))
	for i := range cells {
		cells[i] = make([]int64, len(t.sets))
	}
	for _, d := range t.Differences {
		// A pair of the table names sets, whose rows and columns have the order of level 1.
		i, j := t.position[d.BaseSet], t.position[d.CandSet]
		cells[i][j], cells[j][i] = d.Differing, d.Differing
	}
	return cells
}
