package whatif

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Change is another duration of a function, wherever it is the innermost execution that is open.
type Change struct {
	Name   string  // COMPONENT.FUNCTION
	Factor float64 // of its own time: 0.8 is a fifth less, 0 nothing
}

// ParseChange reads NAME=20%; sign is -1 for faster and +1 for slower. A name may contain =.
func ParseChange(text string, sign float64) (Change, error) {
	at := strings.LastIndexByte(text, '=')
	if at <= 0 {
		return Change{}, fmt.Errorf("%q: write COMPONENT.FUNCTION=20%%", text)
	}
	number, isPercent := strings.CutSuffix(text[at+1:], "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch {
	case err != nil || !isPercent || !(percent > 0) || math.IsInf(percent, 0):
		return Change{}, fmt.Errorf("%q: behind = stands by how much, as 20%%", text)
	case sign < 0 && percent > 100:
		return Change{}, fmt.Errorf("%q: nothing is faster by more than 100%%", text)
	case percent > 1e6:
		return Change{}, fmt.Errorf("%q: at most 1000000%%", text)
	}
	return Change{Name: text[:at], Factor: 1 + sign*percent/100}, nil
}

// Span is an execution that is removed, with all that it causes.
type Span struct{ From, To int64 } // sequence numbers of its first and last event

// Rules are what a schedule is asked for.
type Rules struct {
	Changes []Change // several of one function are multiplied
	Removed []Span   // in the order of From
	// Paces are events from which executions that nobody in the chart starts keep their distance, in their order; without any, they
	// keep their time.
	Paces []int64
	// RestNs is the longest rest of a lifeline, in ns, after which a root execution that no message starts is taken to go on by
	// itself.
	RestNs int64
}

// Factor returns by how much the own time of a part changes.
func (r *Rules) Factor(names *schema.Names, p window.Part) float64 {
	factor := 1.0
	if p.Message || p.Function == schema.NoCode {
		return factor
	}
	name := names.Components.Name(p.Component) + "." + names.Functions.Name(p.Function)
	for _, c := range r.Changes {
		if c.Name == name {
			factor *= c.Factor
		}
	}
	return factor
}
