package evaluation

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// mostFaulty bounds the functions that a text lists.
const mostFaulty = 10

// Injection is the report on a fault that was injected into a run.
type Injection struct{ *results.Injection }

// WriteJSON writes all of it, indented.
func (i Injection) WriteJSON(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(i.Injection)
}

// WriteText says how much moved, and lists the functions whose events have a fault.
func (i Injection) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "run %s: made of %s, %s; %d with a fault, %d moved, the farthest by %s\n",
		i.Run, i.Of, texttab.Plural(i.Events, "event"), i.Injected, i.Moved, texttab.Duration(i.FarthestNs))
	// Functions come by component and name, so what is cut says nothing of their importance.
	for n, f := range i.Functions {
		if n == mostFaulty {
			fmt.Fprintf(out, "  and %s more; --format json lists all\n", texttab.Plural(len(i.Functions)-n, "function"))
			break
		}
		fmt.Fprintf(out, "  %s.%s: %s\n", f.Component, f.Function, texttab.Plural(f.Injected, "event"))
	}
	return nil
}
