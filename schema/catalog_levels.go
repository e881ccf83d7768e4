package schema

var variantsDoc = TableDoc{
	Name: "variants", Doc: "Which behaviour entities have in every model set, and which one model sets have.", Grain: "one entity in a model set, or one model set", Partition: "comparison",
	Columns: []ColumnDoc{
		comparisonPath,
		text("level", "model_set or entity").asKey(),
		text("component", "component of the entity").orNull().asKey(),
		text("entity", "the entity; null: the model set as a whole").orNull().asKey(),
		text("model_set", "the model set; null where none has a computed variant").orNull().asKey(),
		number("variant", "number of its behaviour, from 1 by first appearance; 0: it has none").asKey(),
		text("origin", "input, or union or intersection: computed from the behaviour of others"),
		number("entities", "of a model set: its entities with behaviour").orNull(),
		number("states", "of an entity: states of its minimal deterministic automaton").orNull(),
		number("transitions", "of an entity: transitions of its minimal deterministic automaton").orNull(),
		boolean("incomplete", "a union or an intersection with it was not computed"),
	},
}

var latticeDoc = TableDoc{
	Name: "lattice", Doc: "How variants relate: which behaviour is part of which, and which variants of an entity are unrelated.", Grain: "one pair of variants", Partition: "comparison",
	Columns: []ColumnDoc{
		comparisonPath,
		text("level", "model_set or entity").asKey(),
		text("component", "component of the entity").orNull().asKey(),
		text("entity", "the entity; null: model sets as a whole").orNull().asKey(),
		text("relation", "included: the behaviour of lower is part of that of upper, and of none in between; unrelated: either has some that the other has not"),
		number("lower", "a variant; of unrelated ones that with the lower number").asKey(),
		number("upper", "another variant").asKey(),
		number("added", "of model sets: entities that only upper has; of an entity: transitions that only upper has; null: not counted").orNull(),
		number("changed", "of model sets: entities in both whose behaviour differs").orNull(),
		number("removed", "of model sets: entities that only lower has; of an entity: transitions that only lower has; null: not counted").orNull(),
	},
}

var differencesDoc = TableDoc{
	Name: "differences", Doc: "How many entities differ between model sets.", Grain: "one pair of model sets", Partition: "comparison",
	Columns: []ColumnDoc{
		comparisonPath,
		text("base_set", "a model set").asKey(),
		text("cand_set", "a later one").asKey(),
		number("differing", "entities whose behaviour differs: appeared + vanished + changed + 2 moved"),
		number("appeared", "entities that only the later one has"),
		number("vanished", "entities that only the earlier one has"),
		number("changed", "entities in both whose behaviour differs"),
		number("moved", "pairs of an entity that only the earlier one has and another, of the same behaviour, that only the later one has"),
	},
}

var entityChangesDoc = TableDoc{
	Name: "entity_changes", Doc: "What became of an entity from a model set to the next.", Grain: "one entity that differs", Partition: "comparison",
	Columns: []ColumnDoc{
		comparisonPath,
		text("base_set", "a model set").asKey(),
		text("cand_set", "the next one").asKey(),
		text("component", "component of the entity; of one that moved: before").asKey(),
		text("entity", "the entity; of one that moved: its name before").asKey(),
		text("verdict", "appeared, vanished, changed, or moved: another name or component has its behaviour"),
		text("behaviour", "of a changed one: extended, reduced, or replaced, which is both").orNull(),
		text("cand_component", "of one that moved: its component now").orNull(),
		text("cand_entity", "of one that moved: its name now").orNull(),
		number("base_variant", "its variant before; 0: it had no behaviour"),
		number("cand_variant", "its variant now, of one that moved under its name now; 0: it has no behaviour"),
	},
}
