package transformation

import (
	"fmt"

	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/timing/signals"
)

// signals makes the signals.
func (m *transformer) signals() error {
	for i := range m.of.SignalSpecs {
		s := &m.of.SignalSpecs[i]
		value, err := m.value(s.Value)
		if err != nil {
			return fmt.Errorf("%s: signal-spec %s: %w", m.of.Spec.File, s.Name, err)
		}
		one := Signal{Name: s.Name, Attributes: s.Attributes}
		for _, p := range value.Pieces {
			one.Pieces = append(one.Pieces, Piece(p))
		}
		m.out.Signals = append(m.out.Signals, one)
		m.report.Signals++
	}
	return nil
}

// value evaluates an expression.
func (m *transformer) value(e *spec.Expression) (signals.Signal, error) {
	if e.Operation == "" {
		out := signals.Signal{StepNs: 1}
		for _, f := range m.states.Fragments(e.Signal) {
			if p := fragment(f); p.ToNs > p.FromNs {
				out.Pieces = append(out.Pieces, signals.Piece(p))
			}
		}
		return out, nil
	}
	a, err := m.value(e.Args[0])
	if err != nil {
		return a, err
	}
	b, err := m.value(e.Args[1])
	if err != nil {
		return b, err
	}
	switch e.Operation {
	case "sum":
		return signals.Add(&a, &b), nil
	case "product":
		return signals.Multiply(&a, &b)
	case "min":
		return signals.Min(&a, &b), nil
	}
	return signals.Max(&a, &b), nil
}
