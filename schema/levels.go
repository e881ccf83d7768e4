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

// Moved is the verdict on an entity whose behaviour another name or component has now; the other verdicts are Appeared,
// Vanished and Changed.
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
	// OfModelSets or OfEntities
	Level     string `parquet:"level,id(2),dict" key:"yes" doc:"model_set or entity"`
	Component string `parquet:"component,id(3),optional,dict" key:"yes" doc:"component of the entity"`
	Entity    string `parquet:"entity,id(4),optional,dict" key:"yes" doc:"the entity; null: the model set as a whole"`
	ModelSet  string `parquet:"model_set,id(5),optional,dict" key:"yes" doc:"the model set; null where none has a computed variant"`
	Variant   int64  `parquet:"variant,id(6)" key:"yes" unit:"-" doc:"number of its behaviour, from 1 by first appearance; 0: it has none"`
	// FromInput, FromUnion or FromIntersection
	Origin      string `parquet:"origin,id(7),dict" doc:"input, or union or intersection: computed from the behaviour of others"`
	Entities    *int64 `parquet:"entities,id(8),optional" unit:"count" doc:"of a model set: its entities with behaviour"`
	States      *int64 `parquet:"states,id(9),optional" unit:"count" doc:"of an entity: states of its minimal deterministic automaton"`
	Transitions *int64 `parquet:"transitions,id(10),optional" unit:"count" doc:"of an entity: transitions of its minimal deterministic automaton"`
	Incomplete  bool   `parquet:"incomplete,id(11)" doc:"a union or an intersection with it was not computed"`
}

var _ = declare[Variant](TableDoc{
	Name: "variants", Follows: "baselines", Doc: "Which behaviour entities have in every model set, and which one model sets have.",
	Grain: "one entity in a model set, or one model set", Partition: "comparison",
})

// LatticeEdge relates two variants (levels 2, 5 and 6): the edges of the lattices of language inclusion, and the pairs of
// unrelated variants of an entity, where lower means the lower number. Counts are null until they are known.
type LatticeEdge struct {
	// OfModelSets or OfEntities
	Level     string `parquet:"level,id(2),dict" key:"yes" doc:"model_set or entity"`
	Component string `parquet:"component,id(3),optional,dict" key:"yes" doc:"component of the entity"`
	Entity    string `parquet:"entity,id(4),optional,dict" key:"yes" doc:"the entity; null: model sets as a whole"`
	// Included or Unrelated
	Relation  string  `parquet:"relation,id(5),dict" doc:"included: the behaviour of lower is part of that of upper, and of none in between; unrelated: either has some that the other has not"`
	Lower     int64   `parquet:"lower,id(6)" key:"yes" unit:"-" doc:"a variant; of unrelated ones that with the lower number"`
	Upper     int64   `parquet:"upper,id(7)" key:"yes" unit:"-" doc:"another variant"`
	Added     *int64  `parquet:"added,id(8),optional" unit:"count" doc:"of model sets: entities that only upper has; of an entity: transitions that only upper has; null: not counted"`
	Changed   *int64  `parquet:"changed,id(9),optional" unit:"count" doc:"of model sets: entities in both whose behaviour differs"`
	Removed   *int64  `parquet:"removed,id(10),optional" unit:"count" doc:"of model sets: entities that only lower has; of an entity: transitions that only lower has; null: not counted"`
	LowerWord *string `parquet:"lower_word,id(11),optional" doc:"of an entity: a shortest word that only lower accepts, its steps one a line; null: there is none, or it is not looked for"`
	UpperWord *string `parquet:"upper_word,id(12),optional" doc:"of an entity: a shortest word that only upper accepts, its steps one a line; null: there is none, or it is not looked for"`
}

var _ = declare[LatticeEdge](TableDoc{
	Name: "lattice", Follows: "variants", Doc: "How variants relate: which behaviour is part of which, and which variants of an entity are unrelated.",
	Grain: "one pair of variants", Partition: "comparison",
})

// SetDifference counts the entities that differ between two model sets (level 3): one cell of the upper half of a matrix.
type SetDifference struct {
	BaseSet   string `parquet:"base_set,id(2),dict" key:"yes" doc:"a model set"`
	CandSet   string `parquet:"cand_set,id(3),dict" key:"yes" doc:"a later one"`
	Differing int64  `parquet:"differing,id(4)" unit:"count" doc:"entities whose behaviour differs: appeared + vanished + changed + 2 moved"`
	Appeared  int64  `parquet:"appeared,id(5)" unit:"count" doc:"entities that only the later one has"`
	Vanished  int64  `parquet:"vanished,id(6)" unit:"count" doc:"entities that only the earlier one has"`
	Changed   int64  `parquet:"changed,id(7)" unit:"count" doc:"entities in both whose behaviour differs"`
	Moved     int64  `parquet:"moved,id(8)" unit:"count" doc:"pairs of an entity that only the earlier one has and another, of the same behaviour, that only the later one has"`
}

var _ = declare[SetDifference](TableDoc{
	Name: "differences", Follows: "lattice", Doc: "How many entities differ between model sets.",
	Grain: "one pair of model sets", Partition: "comparison",
})

// EntityChange is the change of an entity from a model set to the next.
type EntityChange struct {
	BaseSet   string `parquet:"base_set,id(2),dict" key:"yes" doc:"a model set"`
	CandSet   string `parquet:"cand_set,id(3),dict" key:"yes" doc:"the next one"`
	Component string `parquet:"component,id(4),dict" key:"yes" doc:"component of the entity; of one that moved: before"`
	Entity    string `parquet:"entity,id(5),dict" key:"yes" doc:"the entity; of one that moved: its name before"`
	// Appeared, Vanished, Changed or Moved
	Verdict string `parquet:"verdict,id(6),dict" doc:"appeared, vanished, changed, or moved: another name or component has its behaviour"`
	// of Changed: Extended, Reduced or Replaced
	Behaviour     string `parquet:"behaviour,id(7),optional,dict" doc:"of a changed one: extended, reduced, or replaced: both at once"`
	CandComponent string `parquet:"cand_component,id(8),optional,dict" doc:"of one that moved: its component now"`
	CandEntity    string `parquet:"cand_entity,id(9),optional,dict" doc:"of one that moved: its name now"`
	BaseVariant   int64  `parquet:"base_variant,id(10)" unit:"-" doc:"its variant before; 0: it had no behaviour"`
	CandVariant   int64  `parquet:"cand_variant,id(11)" unit:"-" doc:"its variant now, of one that moved under its name now; 0: it has no behaviour"`
}

var _ = declare[EntityChange](TableDoc{
	Name: "entity_changes", Follows: "differences", Doc: "The change of an entity from a model set to the next.",
	Grain: "one entity that differs", Partition: "comparison",
})
