package signals

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Operation makes a signal of another one. The step stays.
type Operation func(*Signal) Signal

// ParseOperation reads the words of an operation: derivative, shift=10ms, scale=0.5 or plus=3. Its errors say what is expected.
func ParseOperation(text string) (Operation, error) {
	name, value, _ := strings.Cut(text, "=")
	switch name {
	case "derivative":
		if value == "" {
			return perSecond, nil
		}
	case "shift":
		if by, err := time.ParseDuration(value); err == nil {
			return func(s *Signal) Signal { return Shift(s, by.Nanoseconds()) }, nil
		}
	case "scale", "plus":
		x, err := strconv.ParseFloat(value, 64)
		switch {
		case err != nil:
		case name == "scale":
			return func(s *Signal) Signal { return Scale(s, x, 0) }, nil
		default:
			return func(s *Signal) Signal { return Scale(s, 1, x) }, nil
		}
	}
	return nil, fmt.Errorf("%q is none of derivative, shift=10ms, scale=0.5 and plus=3", text)
}

// perSecond is the slope of a signal per second, whatever its step.
func perSecond(s *Signal) Signal {
	d := Derivative(s)
	return Scale(&d, 1e9/float64(s.StepNs), 0)
}

// combinations are the operations on two signals, by their words.
var combinations = map[string]func(s, t *Signal) (Signal, error){
	"sum":     func(s, t *Signal) (Signal, error) { return Add(s, t), nil },
	"product": Multiply,
	"min":     func(s, t *Signal) (Signal, error) { return Min(s, t), nil },
	"max":     func(s, t *Signal) (Signal, error) { return Max(s, t), nil },
}

// Combine makes one signal of some, where all of them are defined, in steps of the first: their sum, product, min or max. It combines
// neighbours, and then what they make, so that of n signals each piece is looked at log n times. The word is one of these four.
func Combine(all []Named, word string) (Named, error) {
	if len(all) == 0 {
		return Named{}, nil
	}
	out := Named{Name: fmt.Sprintf("%s of %d signals", word, len(all)), Unit: all[0].Unit}
	var signals []Signal
	for i := range all {
		signals = append(signals, all[i].Signal)
		if all[i].Unit != out.Unit || word == "product" {
			out.Unit = ""
		}
	}
	for len(signals) > 1 {
		half := signals[:0]
		for i := 0; i < len(signals); i += 2 {
			if i+1 == len(signals) {
				half = append(half, signals[i])
				break
			}
			s, err := combinations[word](&signals[i], &signals[i+1])
			if err != nil {
				return Named{}, err
			}
			half = append(half, s)
		}
		signals = half
	}
	out.Signal = signals[0]
	return out, nil
}
