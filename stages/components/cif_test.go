package components_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/components"
	"github.com/tracelake/tracelake/stages/language"
)

// cif reads the part of CIF 3 that MIDS writes: a statement a line.
type cif struct {
	alphabet *schema.Dictionary
	models   []*components.Model
	builder  language.Builder
	places   map[string]int32
	edges    []cifEdge
	at       int32 // the location under way
	data     components.Data
}

type cifEdge struct {
	source         int32
	label          uint32
	goal, when, do string
}

var (
	cifHeader   = regexp.MustCompile(`^(automaton|group) (\w+):$`)
	cifVariable = regexp.MustCompile(`^disc (?:bool|int\[0\.\.(\d+)\]) (\w+)(?: = false)?;$`)
	cifLocation = regexp.MustCompile(`^location (\w+):$`)
	cifEdgeLine = regexp.MustCompile(`^edge ([\w.]+)(?: when (.*?))?(?: do (.*?))? goto (\w+);$`)
	cifGuard    = regexp.MustCompile(`^(\w+) (=|<) (\w+)$`)
	cifUpdate   = regexp.MustCompile(`^(\w+) := (?:(\w+) \+ )?(\w+)$`)
)

// readCIF adds the automata of a text to a list.
func readCIF(t testing.TB, alphabet *schema.Dictionary, text string) []*components.Model {
	t.Helper()
	c := cif{alphabet: alphabet}
	component := ""
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "//")
		line = strings.TrimSpace(line)
		if m := cifHeader.FindStringSubmatch(line); m != nil {
			if component = ""; m[1] == "automaton" {
				component = m[2]
				c.begin()
			}
			continue
		}
		if line == "end" && component != "" {
			c.end(t, component)
		}
		c.statement(t, component, line)
	}
	return c.models
}

func (c *cif) begin() {
	c.builder, c.places, c.edges, c.data = language.Builder{}, make(map[string]int32), nil, components.Data{}
}

func (c *cif) place(name string) int32 {
	if _, known := c.places[name]; !known {
		c.places[name] = c.builder.State(false)
	}
	return c.places[name]
}

func (c *cif) statement(t testing.TB, component, line string) {
	variable, edge := cifVariable.FindStringSubmatch(line), cifEdgeLine.FindStringSubmatch(line)
	switch location := cifLocation.FindStringSubmatch(line); {
	case line == "" || line == "end" || line == "marked false;" || strings.HasPrefix(line, "event "):
	case line == "initial;":
		c.builder.Initial(c.at)
	case line == "marked;":
		c.builder.Accept(c.at)
	case location != nil:
		c.at = c.place(location[1])
	case variable != nil:
		c.data.Variables = append(c.data.Variables, components.Variable{Name: variable[2], Max: max(1, number(variable[1]))})
	case edge != nil:
		name, label := edge[1], language.Tau
		if name != "tau" {
			if !strings.Contains(name, ".") {
				name = component + "." + name
			}
			label = c.alphabet.Code(name)
		}
		c.edges = append(c.edges, cifEdge{source: c.at, label: label, goal: edge[4], when: edge[2], do: edge[3]})
	default:
		t.Fatalf("%s: not read: %q", component, line)
	}
}

// end makes a model of what was read.
func (c *cif) end(t testing.TB, component string) {
	type way struct {
		source int32
		label  uint32
		target int32
	}
	steps := make(map[way]components.Step)
	for _, e := range c.edges {
		w := way{e.source, e.label, c.place(e.goal)}
		c.builder.Transition(w.source, w.label, w.target)
		if _, twice := steps[w]; twice {
			t.Fatalf("%s: an edge stands twice", component)
		}
		steps[w] = components.Step{When: c.guards(t, e.when), Do: c.updates(t, e.do)}
	}
	m := &components.Model{Component: component, Automaton: c.builder.Automaton()}
	if len(c.data.Variables) > 0 {
		for i, s := range m.Source() {
			c.data.Steps = append(c.data.Steps, steps[way{s, m.Label[i], m.Target[i]}])
		}
		data := c.data
		m.Data = &data
	}
	c.models = append(c.models, m)
}

func (c *cif) guards(t testing.TB, text string) (out []components.Guard) {
	for _, part := range parts(text) {
		m := cifGuard.FindStringSubmatch(part)
		if m == nil {
			t.Fatalf("guard %q", part)
		}
		out = append(out, components.Guard{Variable: c.variable(m[1]), Less: m[2] == "<", Value: number(m[3])})
	}
	return out
}

func (c *cif) updates(t testing.TB, text string) (out []components.Update) {
	for _, part := range parts(text) {
		m := cifUpdate.FindStringSubmatch(part)
		if m == nil {
			t.Fatalf("update %q", part)
		}
		out = append(out, components.Update{Variable: c.variable(m[1]), Add: m[2] != "", Value: number(m[3])})
	}
	return out
}

func parts(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ", ")
}

func (c *cif) variable(name string) int {
	return slices.IndexFunc(c.data.Variables, func(v components.Variable) bool { return v.Name == name })
}

func number(text string) int32 {
	if text == "true" {
		return 1
	}
	n, _ := strconv.Atoi(text)
	return int32(n)
}

// readFolder reads all models of a folder, into an alphabet.
func readFolder(t testing.TB, alphabet *schema.Dictionary, folder string) []*components.Model {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(folder, "*.cif"))
	if len(paths) == 0 {
		t.Fatalf("%s has no models", folder)
	}
	var all []*components.Model
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, readCIF(t, alphabet, string(text))...)
	}
	slices.SortFunc(all, func(a, b *components.Model) int { return strings.Compare(a.Component, b.Component) })
	return all
}
