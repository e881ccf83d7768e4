package processes

import "github.com/tracelake/tracelake/schema"

// Words of ReadingOptions.Component.
const (
	byUnit    = "unit"
	byModule  = "module"
	byProcess = "process"
)

// Components are the words of the formats whose names come from a Table.
func Components() []schema.ComponentWord {
	return []schema.ComponentWord{
		{Word: byUnit, Doc: "the source file of the function, which `--symbols` shows; of functions without one as module"},
		{Word: byModule, Doc: "the program or library that holds the function; of functions without one as process"},
		{Word: byProcess, Doc: "the process, by its name"},
	}
}
