package serve

import "github.com/tracelake/tracelake/stages/chart/componentmodel"

// shownModel is a component model as pages draw it.
type shownModel struct {
	Components  []modelled `json:"components"`
	Connections []joined   `json:"connections"`
}

// modelled is a component with the names of its interfaces.
type modelled struct {
	Name string   `json:"name"`
	In   []string `json:"in"`
	Out  []string `json:"out"`
}

// joined is a connection: components by their places, and through which interfaces one calls the other.
type joined struct {
	From int    `json:"from"`
	Out  string `json:"out"`
	To   int    `json:"to"`
	In   string `json:"in"`
}

// drawnModel prepares a model for pages; there is none without --model.
func drawnModel(m *componentmodel.Model) *shownModel {
	if m == nil {
		return nil
	}
	out := &shownModel{Connections: []joined{}}
	for _, c := range m.Components {
		shown := modelled{Name: c.Name, In: []string{}, Out: []string{}}
		for _, f := range c.Interfaces {
			if f.Incoming {
				shown.In = append(shown.In, f.Name)
			} else {
				shown.Out = append(shown.Out, f.Name)
			}
		}
		out.Components = append(out.Components, shown)
	}
	for i, c := range m.Connections {
		from, to := m.Ends(i)
		out.Connections = append(out.Connections, joined{from, c.From, to, c.To})
	}
	return out
}

// undeclared is the connection of calls that the model has none for.
const undeclared = -1

// declare says for each link of a frame over which connection of the model it runs.
func (f *shownFrame) declare(m *componentmodel.Model) {
	if m == nil {
		return
	}
	f.Over = make([]int, len(f.Links))
	for i, l := range f.Links {
		f.Over[i] = undeclared
		if l.From < 0 {
			continue // nobody is known to call
		}
		if k, ok := m.Over(f.Components[l.From], f.Components[l.To], f.Functions[l.Function]); ok {
			f.Over[i] = k
		}
	}
}
