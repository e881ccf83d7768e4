package schema

// Model is the automaton of one component: how it may behave, as the words of its service fragments tell that follow
// each other (Hooimeijer et al. 2022). Events with one name happen together in all models that have them.
type Model struct {
	Component   string `parquet:"component,dict"`
	States      int64  `parquet:"states"`
	Transitions int64  `parquet:"transitions"`
	Events      int64  `parquet:"events"`              // distinct ones
	Variables   string `parquet:"variables,optional"`  // as "bool NAME" or "int[0..MAX] NAME", with commas between
	Operations  string `parquet:"operations,optional"` // that made the models of the run, in order, a line each
}

// ModelState is a state of a model.
type ModelState struct {
	Component string `parquet:"component,dict"`
	State     int64  `parquet:"state"`
	Initial   bool   `parquet:"initial"`
	Accepting bool   `parquet:"accepting"`
}

// ModelTransition is a transition of a model. Its condition and updates are about the variables of the model.
type ModelTransition struct {
	Component  string `parquet:"component,dict"`
	Transition int64  `parquet:"transition"`
	Source     int64  `parquet:"source"`
	Target     int64  `parquet:"target"`
	Event      string `parquet:"event,optional,dict"` // null of a silent step
	Condition  string `parquet:"condition,optional"`
	Updates    string `parquet:"updates,optional"`
}
