package schema

// Model is the automaton of one component: the behaviour that it may show, learned from the sequence of its service
// fragments (Hooimeijer et al. 2022). Events with one name happen together in all models that have them.
type Model struct {
	Component   string `parquet:"component,id(2),dict" key:"yes" doc:"the component as event names have it; of threads, one of them"`
	States      int64  `parquet:"states,id(3)" unit:"count" doc:"states of its automaton"`
	Transitions int64  `parquet:"transitions,id(4)" unit:"count" doc:"transitions of its automaton"`
	Events      int64  `parquet:"events,id(5)" unit:"count" doc:"distinct events on them"`
	Variables   string `parquet:"variables,id(6),optional" doc:"variables that transitions test and update, as bool NAME or int[0..MAX] NAME; they start at false and 0"`
	Operations  string `parquet:"operations,id(7),optional" doc:"the operations that turned the learned automata into the models of the run, in order, a line each"`
}

var _ = declare[Model](TableDoc{
	Name: "models", Follows: "entity_changes", Doc: "Component models: the automaton of all that a component did, one service fragment after the other.",
	Grain: "one component of a run", Partition: "run",
})

// ModelState is a state of a model.
type ModelState struct {
	Component string `parquet:"component,id(2),dict" key:"yes" doc:"the component"`
	State     int64  `parquet:"state,id(3)" key:"yes" unit:"-" doc:"number within the model; 0 is where a learned model starts"`
	Initial   bool   `parquet:"initial,id(4)" doc:"where the model starts"`
	Accepting bool   `parquet:"accepting,id(5)" doc:"where it may end"`
}

var _ = declare[ModelState](TableDoc{
	Name: "model_states", Follows: "models", Doc: "States of the component models.",
	Grain: "one state of a model", Partition: "run",
})

// ModelTransition is a transition of a model. Its condition and updates are about the variables of the model.
type ModelTransition struct {
	Component  string `parquet:"component,id(2),dict" key:"yes" doc:"the component"`
	Transition int64  `parquet:"transition,id(3)" key:"yes" unit:"-" doc:"number within the model"`
	Source     int64  `parquet:"source,id(4)" unit:"-" doc:"state before"`
	Target     int64  `parquet:"target,id(5)" unit:"-" doc:"state after"`
	Event      string `parquet:"event,id(6),optional,dict" doc:"component.interface__function__type and, of a message, _type__component of its other end; null of a silent step"`
	Condition  string `parquet:"condition,id(7),optional" doc:"what must hold of the variables, as CIF writes it"`
	Updates    string `parquet:"updates,id(8),optional" doc:"what the variables become"`
}

var _ = declare[ModelTransition](TableDoc{
	Name: "model_transitions", Follows: "model_states", Doc: "Transitions of the component models.",
	Grain: "one transition of a model", Partition: "run",
})
