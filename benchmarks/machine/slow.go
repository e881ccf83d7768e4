package machine

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Slow is a planted regression: the own time of a function is multiplied by Factor, and Delay passes
// before it finishes. Calls of the function from other components are not touched, only their wait.
type Slow struct {
	Component string        // "": wherever the function runs
	Function  string        // name of the function, without its component
	Factor    float64       // 0: leave it
	Delay     time.Duration // what each of its executions takes longer, beside Factor
}

// ParseSlow reads [COMPONENT.]FUNCTION=FACTOR and [COMPONENT.]FUNCTION=+DURATION.
func ParseSlow(text string) (Slow, error) {
	name, amount, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return Slow{}, fmt.Errorf("%q is not FUNCTION=FACTOR or COMPONENT.FUNCTION=+DURATION", text)
	}
	s := Slow{Function: name}
	if component, function, ok := strings.Cut(name, "."); ok {
		s.Component, s.Function = component, function
	}
	var err error
	if delay, ok := strings.CutPrefix(amount, "+"); ok {
		s.Delay, err = time.ParseDuration(delay)
	} else {
		s.Factor, err = strconv.ParseFloat(amount, 64)
	}
	if err != nil || s.Delay < 0 || !(s.Factor >= 0 && s.Factor <= 1e6) || s.Factor == 0 && s.Delay == 0 {
		return Slow{}, fmt.Errorf("%q: a factor is above 0 and at most 1e6, a duration is like +5ms", text)
	}
	return s, nil
}

// name returns the function as the user wrote it.
func (s Slow) name() string {
	if s.Component == "" {
		return s.Function
	}
	return s.Component + "." + s.Function
}
