package schema

var modelsDoc = TableDoc{
	Name: "models", Doc: "Component models: the automaton of all that a component did, one service fragment after the other.", Grain: "one component of a run", Partition: "run",
	Columns: []ColumnDoc{
		runPath,
		text("component", "the component as event names have it; of threads, one of them").asKey(),
		number("states", "states of its automaton"),
		number("transitions", "transitions of its automaton"),
		number("events", "distinct events on them"),
		text("variables", "variables that transitions ask for and change, as bool NAME or int[0..MAX] NAME; they start at false and 0").orNull(),
		text("operations", "the operations that made the models of the run out of what was learned, in order, a line each").orNull(),
	},
}

var modelStatesDoc = TableDoc{
	Name: "model_states", Doc: "States of the component models.", Grain: "one state of a model", Partition: "run",
	Columns: []ColumnDoc{
		runPath,
		text("component", "the component").asKey(),
		number("state", "number within the model; 0 is where a learned model starts").asKey(),
		boolean("initial", "where the model starts"),
		boolean("accepting", "where it may end"),
	},
}

var modelTransitionsDoc = TableDoc{
	Name: "model_transitions", Doc: "Transitions of the component models.", Grain: "one transition of a model", Partition: "run",
	Columns: []ColumnDoc{
		runPath,
		text("component", "the component").asKey(),
		number("transition", "number within the model").asKey(),
		number("source", "state before"),
		number("target", "state after"),
		text("event", "component.interface__function__type and, of a message, _type__component of its other end; null of a silent step").orNull(),
		text("condition", "what must hold of the variables, as CIF writes it").orNull(),
		text("updates", "what the variables become").orNull(),
	},
}
