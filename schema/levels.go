package schema

// The levels at which model sets are compared have six numbers (Hendriks et al. 2022; Hilbig 2023, section 2.3.2): 1 to
// 3 are about model sets, 4 to 6 about the entities in them. Variant.Level and LatticeEdge.Level name which of both.
const (
	OfModelSets = "model_set"
	OfEntities  = "entity"
)

// Where a variant comes from.
const (
	FromInput        = "input"
	FromUnion        = "union"        // of the behaviour of other variants
	FromIntersection = "intersection" // of the behaviour of other variants
)

// How two variants of an entity relate.
const (
	Included  = "included"  // the behaviour of the lower one is part of that of the upper one, and of none in between
	Unrelated = "unrelated" // either has behaviour that the other has not
)

// Moved is what became of an entity whose behaviour another name or component has now; for the others see Appeared, Vanished
// and Changed.
const Moved = "moved"

// How the behaviour of a changed entity became another.
const (
	Extended = "extended" // it can do all that it could, and more
	Reduced  = "reduced"  // it can do only a part of what it could
	Replaced = "replaced" // it can do something new, and not all that it could
)

// Variant says which behaviour an entity has in a model set, and which one the model set has (levels 1 and 4). Equal
// languages are one variant. Variants are numbered from 1 in the order of the model sets; an entity without
// behaviour, such as one that a model set does not have, has variant 0. Optional numbers are those of the other level.
type Variant struct {
	Level       string `parquet:"level,dict"`              // OfModelSets or OfEntities
	Component   string `parquet:"component,optional,dict"` // of an entity
	Entity      string `parquet:"entity,optional,dict"`    // null: the model set as a whole
	ModelSet    string `parquet:"model_set,optional,dict"` // null where none has a computed variant
	Variant     int64  `parquet:"variant"`
	Origin      string `parquet:"origin,dict"`          // FromInput, FromUnion or FromIntersection
	Entities    *int64 `parquet:"entities,optional"`    // of a model set: with behaviour
	States      *int64 `parquet:"states,optional"`      // of an entity: of its minimal deterministic automaton
	Transitions *int64 `parquet:"transitions,optional"` // of the same
	Incomplete  bool   `parquet:"incomplete"`           // a union or an intersection with it was not computed
}

// LatticeEdge relates two variants (levels 2, 5 and 6): the edges of the lattices of language inclusion, and the pairs of
// unrelated variants of an entity, of which the lower one has the lower number. Counts are null until they are known.
type LatticeEdge struct {
	Level     string `parquet:"level,dict"`              // OfModelSets or OfEntities
	Component string `parquet:"component,optional,dict"` // of an entity
	Entity    string `parquet:"entity,optional,dict"`    // null: model sets as a whole
	Relation  string `parquet:"relation,dict"`           // Included or Unrelated
	Lower     int64  `parquet:"lower"`                   // variant
	Upper     int64  `parquet:"upper"`                   // variant
	Added     *int64 `parquet:"added,optional"`          // model sets: entities that only the upper one has; entities: transitions
	Changed   *int64 `parquet:"changed,optional"`        // model sets: entities of other behaviour
	Removed   *int64 `parquet:"removed,optional"`        // as Added, that only the lower one has
}

// SetDifference counts the entities that differ between two model sets (level 3): one cell of the upper half of a matrix.
type SetDifference struct {
	BaseSet   string `parquet:"base_set,dict"`
	CandSet   string `parquet:"cand_set,dict"`
	Differing int64  `parquet:"differing"` // entities: Appeared + Vanished + Changed + 2 Moved
	Appeared  int64  `parquet:"appeared"`
	Vanished  int64  `parquet:"vanished"`
	Changed   int64  `parquet:"changed"`
	Moved     int64  `parquet:"moved"` // pairs of a name that is gone and a new one
}

// EntityChange says what became of an entity from a model set to the next.
type EntityChange struct {
	BaseSet       string `parquet:"base_set,dict"`
	CandSet       string `parquet:"cand_set,dict"`
	Component     string `parquet:"component,dict"`
	Entity        string `parquet:"entity,dict"`
	Verdict       string `parquet:"verdict,dict"`                 // Appeared, Vanished, Changed or Moved
	Behaviour     string `parquet:"behaviour,optional,dict"`      // of Changed: Extended, Reduced or Replaced
	CandComponent string `parquet:"cand_component,optional,dict"` // of Moved: where it is now
	CandEntity    string `parquet:"cand_entity,optional,dict"`    // of Moved: its name now
	BaseVariant   int64  `parquet:"base_variant"`                 // 0: it had no behaviour
	CandVariant   int64  `parquet:"cand_variant"`                 // of Moved: that of the name it has now
}
