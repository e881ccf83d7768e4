package views

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Attribute is a name under which the trace says something of executions (Hendriks et al. 2024, Definition 1).
type Attribute struct {
	Name       string       `json:"name"`       // in the trace
	Executions int64        `json:"executions"` // that have it
	Values     int64        `json:"values"`     // different ones
	Common     []ValueCount `json:"common"`     // the values that most executions have, at most mostCommon
}

// ValueCount is how many executions have a value of an attribute.
type ValueCount struct {
	Value string `json:"value"`
	Count int64  `json:"count"`
}

// mostCommon is how many values of an attribute are listed.
const mostCommon = 24

// mostGivenBytes is how much memory the values of an attribute may take.
const mostGivenBytes = 96 << 20

// Given is a value by execution: what the trace says of it under a name, or what was found of it.
type Given struct {
	executions []int64       // sorted
	codes      []schema.Code // of values, by position in executions
	values     []string
}

// NewGiven returns the values of executions, each a place in values.
func NewGiven(executions []int64, places []int, values []string) *Given {
	pairs := make([]givenPair, len(executions))
	for i := range pairs {
		pairs[i] = givenPair{executions[i], schema.Code(places[i])}
	}
	return newGiven(pairs, func(code schema.Code) string { return values[code] })
}

// givenPair is an execution with the code of its value.
type givenPair struct {
	execution int64
	value     schema.Code
}

// newGiven sorts values by execution, and numbers those that there are.
func newGiven(pairs []givenPair, text func(schema.Code) string) *Given {
	slices.SortFunc(pairs, func(x, y givenPair) int { return cmp.Compare(x.execution, y.execution) })
	places := make(map[schema.Code]schema.Code)
	g := &Given{executions: make([]int64, len(pairs)), codes: make([]schema.Code, len(pairs))}
	for i, p := range pairs {
		place, has := places[p.value]
		if !has {
			place = schema.Code(len(g.values))
			places[p.value] = place
			g.values = append(g.values, text(p.value))
		}
		g.executions[i], g.codes[i] = p.execution, place
	}
	return g
}

// Bytes is how much memory the values take.
func (g *Given) Bytes() int64 {
	bytes := int64(len(g.codes)) * 12
	for _, value := range g.values {
		bytes += int64(len(value)) + 64
	}
	return bytes
}

// of returns the place of the value of an execution; -1 where it has none.
func (g *Given) of(execution int64) int {
	if i, has := slices.BinarySearch(g.executions, execution); has {
		return int(g.codes[i])
	}
	return -1
}

// Attributes lists what the trace says of its executions, sorted by name. Runs of formats without attributes have none.
func (r *Run) Attributes() ([]Attribute, error) {
	if r.attributes == nil {
		return []Attribute{}, nil
	}
	return Keep(r.cache, r.attributes.Fingerprint+"#attributes", func() ([]Attribute, int64, error) {
		all, err := r.countAttributes()
		return all, int64(len(all)) * 64 * mostCommon, err
	})
}

// countAttributes counts the values of every attribute.
func (r *Run) countAttributes() ([]Attribute, error) {
	a := schema.NewAttributes(newAttributeNames())
	counts := make(map[schema.Code]map[schema.Code]int64)
	err := r.lake.Scan(r.ctx, r.attributes.Files, a, lake.ScanOptions{Columns: []string{"about", "name", "value"}}, func() error {
		for i, about := range a.About {
			if about != schema.OfClaim {
				continue
			}
			if counts[a.Name[i]] == nil {
				counts[a.Name[i]] = make(map[schema.Code]int64)
			}
			counts[a.Name[i]][a.Value[i]]++
		}
		return nil
	})
	all := []Attribute{}
	for name, values := range counts {
		one := Attribute{Name: a.Texts.Names.Name(name), Values: int64(len(values))}
		for value, n := range values {
			one.Executions += n
			one.Common = append(one.Common, ValueCount{a.Texts.Values.Name(value), n})
		}
		slices.SortFunc(one.Common, func(x, y ValueCount) int {
			return cmp.Or(cmp.Compare(y.Count, x.Count), compareValues(x.Value, y.Value))
		})
		one.Common = slices.Clone(one.Common[:min(mostCommon, len(one.Common))])
		all = append(all, one)
	}
	slices.SortFunc(all, func(x, y Attribute) int { return cmp.Compare(x.Name, y.Name) })
	return all, err
}

// compareValues compares two numbers as such, and other texts as texts.
func compareValues(a, b string) int {
	x, err := strconv.ParseFloat(a, 64)
	y, fault := strconv.ParseFloat(b, 64)
	if err != nil || fault != nil {
		return cmp.Compare(a, b)
	}
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
}

func newAttributeNames() *schema.AttributeNames {
	return &schema.AttributeNames{Names: new(schema.Dictionary), Values: new(schema.Dictionary)}
}

// Attribute reads the values of an attribute, or takes them from the cache. An attribute that no execution has is an AskError.
func (r *Run) Attribute(name string) (*Given, error) {
	if r.attributes == nil {
		return nil, &AskError{fmt.Sprintf("run %s has no attributes of executions: its format has none, or ingest --attributes kept none", r.Name)}
	}
	g, err := Keep(r.cache, r.attributes.Fingerprint+"#of "+name, func() (*Given, int64, error) {
		g, err := r.readGiven(name)
		if err != nil {
			return nil, 0, err
		}
		return g, g.Bytes(), nil
	})
	if err == nil && len(g.codes) == 0 {
		return nil, &AskError{fmt.Sprintf("no execution of run %s has an attribute %s", r.Name, strconv.Quote(name))}
	}
	return g, err
}

// readGiven reads the values of an attribute in the order of the executions.
func (r *Run) readGiven(name string) (*Given, error) {
	a := schema.NewAttributes(newAttributeNames())
	var pairs []givenPair
	err := r.lake.Scan(r.ctx, r.attributes.Files, a, lake.ScanOptions{}, func() error {
		code, has := a.Texts.Names.Lookup(name)
		for i, about := range a.About {
			if has && about == schema.OfClaim && a.Name[i] == code {
				pairs = append(pairs, givenPair{a.Ref[i], a.Value[i]})
			}
		}
		if len(pairs)*16 > mostGivenBytes {
			return &AskError{fmt.Sprintf("more than %d executions of run %s have the attribute %s: analyze query can group by it", mostGivenBytes/16, r.Name, strconv.Quote(name))}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return newGiven(pairs, a.Texts.Values.Name), nil
}

// Of returns the value of the longest execution of every box, as a place in values; -1 where it has none, or where the longest is not known.
func (g *Given) Of(b *Boxes) (places []int, values []string) {
	places = make([]int, len(b.Longest))
	used := make(map[int]int)
	for i, execution := range b.Longest {
		places[i] = -1
		if execution == schema.NoValue {
			continue
		}
		if at := g.of(execution); at >= 0 {
			place, has := used[at]
			if !has {
				place = len(values)
				used[at] = place
				values = append(values, g.values[at])
			}
			places[i] = place
		}
	}
	return places, values
}

// Said are the attributes of an execution in the order of the trace, as names with their values.
func (r *Run) Said(execution int64) (all [][2]string, err error) {
	if r.attributes == nil {
		return nil, nil
	}
	a := schema.NewAttributes(newAttributeNames())
	skip := func(s lake.Stats) bool {
		least, most, known := s.Ints("ref")
		return known && (execution < least || execution > most)
	}
	err = r.lake.Scan(r.ctx, r.attributes.Files, a, lake.ScanOptions{Skip: skip}, func() error {
		for i, about := range a.About {
			if about == schema.OfClaim && a.Ref[i] == execution {
				all = append(all, [2]string{a.Texts.Names.Name(a.Name[i]), a.Texts.Values.Name(a.Value[i])})
			}
		}
		return nil
	})
	return all, err
}
