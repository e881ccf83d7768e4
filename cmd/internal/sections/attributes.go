package sections

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/timeline"
)

// builtIn are the attributes that executions of every run have.
var builtIn = []string{"component", "lifeline", "function", "name", "execution_type", "resource"}

// attributes has the values of attributes of what a window shows. Those of the trace go before built-in ones.
type attributes struct {
	*lake.Lake
	run    string
	things *schema.Things
	w      *timeline.Window
	types  map[int64]string // by execution; nil before they are asked for
}

// of are the values of some attributes by row of the window's executions, "" where one has none. Flag is what asked for them.
func (a *attributes) of(ctx context.Context, flag string, names []string) (map[string][]string, error) {
	all := make(map[string][]string)
	for _, name := range names {
		own := a.own(name)
		if len(own) == 0 && !slices.Contains(builtIn, name) {
			known := append(slices.DeleteFunc(a.known(), func(name string) bool { return slices.Contains(builtIn, name) }), builtIn...)
			do := "there are " + strings.Join(known, ", ")
			if near := schema.Similar(name, known); len(near) > 0 {
				do = "did you mean " + near[0] + "?"
			}
			return nil, console.Usagef("%s: no claim and no event of run %s has the attribute %s: %s", flag, a.run, name, do)
		}
		value, err := a.value(ctx, name)
		if err != nil {
			return nil, err
		}
		column := make([]string, len(a.w.Executions.Execution))
		for row, seq := range a.w.Executions.Execution {
			if text, has := own[seq]; has {
				column[row] = text
			} else if value != nil {
				column[row] = value(row)
			}
		}
		all[name] = column
	}
	return all, nil
}

// own are the values that the trace gives claims and events, by seq.
func (a *attributes) own(name string) map[int64]string {
	t := a.things.Attributes
	code, known := t.Texts.Names.Lookup(name)
	values := make(map[int64]string)
	for i, about := range t.About {
		if known && t.Name[i] == code && (about == schema.OfClaim || about == schema.OfEvent) {
			values[t.Ref[i]] = t.Texts.Values.Name(t.Value[i])
		}
	}
	return values
}

// known are the attributes that claims and events have.
func (a *attributes) known() (names []string) {
	t := a.things.Attributes
	for i, about := range t.About {
		if name := t.Texts.Names.Name(t.Name[i]); (about == schema.OfClaim || about == schema.OfEvent) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// value is a built-in attribute by row, or nil.
func (a *attributes) value(ctx context.Context, name string) (func(row int) string, error) {
	x, n := a.w.Executions, a.w.Executions.Names
	switch name {
	case "component":
		return func(row int) string { return n.Components.Name(x.Component[row]) }, nil
	case "lifeline":
		return func(row int) string { return n.Lifelines.Name(x.Lifeline[row]) }, nil
	case "function", "name":
		return func(row int) string { return n.Functions.Name(x.Function[row]) }, nil
	case "resource":
		resource := a.resources()
		return func(row int) string {
			if name, has := resource[x.Execution[row]]; has {
				return name
			}
			return n.Lifelines.Name(x.Lifeline[row])
		}, nil
	case "execution_type":
		err := a.readTypes(ctx)
		return func(row int) string { return a.types[x.Execution[row]] }, err
	}
	return nil, nil
}

// resources are the names of the resources that executions claim, by execution.
func (a *attributes) resources() map[int64]string {
	name := make(map[int64]string)
	for _, r := range a.things.Resources {
		name[r.Resource] = r.Name
	}
	of := make(map[int64]string)
	for i, x := range a.things.Claims.Execution {
		if text, declared := name[a.things.Claims.Resource[i]]; declared {
			of[x] = text
		}
	}
	return of
}

// readTypes reads the types of the executions of the window, which pictures do without otherwise.
func (a *attributes) readTypes(ctx context.Context) error {
	if a.types != nil {
		return nil
	}
	a.types = make(map[int64]string)
	for _, execution := range a.w.Executions.Execution {
		a.types[execution] = ""
	}
	x := schema.NewExecutions(new(schema.Names))
	return a.ScanTable(ctx, "executions", a.run, x, lake.ScanOptions{Columns: []string{"execution", "execution_type"}}, func() error {
		for i, execution := range x.Execution {
			if _, asked := a.types[execution]; asked && x.Type[i] != schema.NoCode {
				a.types[execution] = x.Names.Types.Name(x.Type[i])
			}
		}
		return nil
	})
}

// partition gives the executions of the window their values of some attributes (Hendriks et al. 2024, Definition 8).
func (a *attributes) partition(ctx context.Context, flag string, names []string) (*timeline.Partition, error) {
	values, err := a.of(ctx, flag, names)
	if err != nil {
		return nil, err
	}
	p := &timeline.Partition{Name: strings.Join(names, ", ")}
	texts := make([]string, len(a.w.Executions.Execution))
	for row := range texts {
		var parts []string
		for _, name := range names {
			if value := values[name][row]; value != "" {
				parts = append(parts, value)
			}
		}
		texts[row] = strings.Join(parts, ", ")
	}
	p.Values = sorted(texts)
	p.Of = positions(texts, p.Values)
	return p, nil
}

// sorted are the texts that there are, each once, numbers by their size.
func sorted(texts []string) []string {
	all := slices.Clone(texts)
	slices.SortFunc(all, func(a, b string) int {
		x, wrongX := strconv.ParseInt(a, 10, 64)
		y, wrongY := strconv.ParseInt(b, 10, 64)
		switch {
		case wrongX == nil && wrongY == nil:
			return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
		case wrongX == nil:
			return -1
		case wrongY == nil:
			return 1
		}
		return strings.Compare(a, b)
	})
	return slices.DeleteFunc(slices.Compact(all), func(text string) bool { return text == "" })
}

// positions are the places of texts among values, -1 of the empty one.
func positions(texts, values []string) []int32 {
	at := map[string]int32{"": -1}
	for i, value := range values {
		at[value] = int32(i)
	}
	of := make([]int32, len(texts))
	for row, text := range texts {
		of[row] = at[text]
	}
	return of
}

// Unite gives equal values one colour in the windows of several runs.
func Unite(windows []*timeline.Window) {
	var all []string
	for _, w := range windows {
		if w.Colours != nil {
			all = append(all, w.Colours.Values...)
		}
	}
	all = sorted(all)
	for _, w := range windows {
		if w.Colours == nil {
			continue
		}
		at := positions(w.Colours.Values, all)
		for row, of := range w.Colours.Of {
			if of >= 0 {
				w.Colours.Of[row] = at[of]
			}
		}
		w.Colours.Values = all
	}
}
