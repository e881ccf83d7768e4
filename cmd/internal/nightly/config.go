package nightly

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/schema"
)

// config is the file that says what a night is. Its paths are relative to its folder.
type config struct {
	Lake     string   `yaml:"lake"`
	Reports  string   `yaml:"reports"`
	Traces   []source `yaml:"traces"`
	Expect   int      `yaml:"expect"`  // traces a night at least
	Analyze  []string `yaml:"analyze"` // further flags of analyze run
	Compare  []step   `yaml:"compare"`
	Check    []step   `yaml:"check"`
	History  []step   `yaml:"history"`
	Keep     keep     `yaml:"keep"`
	Executor string   `yaml:"executor"` // of analyze run
	Nodes    int      `yaml:"nodes"`
	Pod      string   `yaml:"pod"`
	Array    bool     `yaml:"array"`
}

// source says where traces appear and what they are labelled.
type source struct {
	Glob   string            `yaml:"glob"`
	Label  string            `yaml:"label"`  // a regular expression on the path, whose named groups are labels
	Labels map[string]string `yaml:"labels"` // of all of these traces
	Run    string            `yaml:"run"`    // a template of the run's name
	Ingest []string          `yaml:"ingest"` // further flags of ingest
	Settle string            `yaml:"settle"` // how long a trace must have been left alone, as a duration

	label  *regexp.Regexp
	settle time.Duration
}

// step is a comparison, check or history. Selectors are templates.
type step struct {
	Name    string   `yaml:"name"`
	Base    list     `yaml:"base"`
	Cand    list     `yaml:"cand"`
	Runs    list     `yaml:"runs"`
	Spec    string   `yaml:"spec"`
	By      string   `yaml:"by"`
	FailOn  string   `yaml:"fail-on"`
	Options []string `yaml:"options"` // further flags of the command

	kind string
}

// keep says what is kept how long.
type keep struct {
	Nights      int  `yaml:"nights"`      // whose runs are kept whole; 0: all
	Except      list `yaml:"except"`      // selectors of runs that are always kept whole
	Comparisons int  `yaml:"comparisons"` // nights whose comparisons are kept in the lake; 0: all
	Reports     int  `yaml:"reports"`     // nights whose reports are kept beside their summaries; 0: all
}

// list is one text or several.
type list []string

// UnmarshalYAML reads a text as a list of one.
func (l *list) UnmarshalYAML(text []byte) error {
	var one string
	if err := yaml.Unmarshal(text, &one); err == nil {
		*l = list{one}
		return nil
	}
	return yaml.Unmarshal(text, (*[]string)(l))
}

// The words of templates, beside the labels of a trace.
const (
	ofNight    = "{night}"    // the night itself
	ofPrevious = "{previous}" // the night before of which there are traces
	ofGood     = "{good}"     // the last night before that passed this comparison, or else the one before
)

// readConfig reads and checks a file. Its errors name line and column, and are wrong usage.
func readConfig(name string) (*config, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	c := new(config)
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(c); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, console.Usagef("%s: it is empty; see analyze nightly --help", name)
		}
		return nil, console.Usagef("%s%s", name, explain(err))
	}
	if where, err := c.check(); err != nil {
		return nil, console.Usagef("%s%s: %w", name, position(text, where), err)
	}
	c.resolve(filepath.Dir(name))
	return c, nil
}

// explain says an error of YAML with its place, and which key may be meant by an unknown one.
func explain(err error) string {
	var wrong yaml.Error
	if !errors.As(err, &wrong) {
		return ": " + err.Error()
	}
	text := wrong.GetMessage()
	token := wrong.GetToken()
	if token == nil {
		return ": " + text
	}
	var mistyped *yaml.TypeError
	if errors.As(err, &mistyped) && mistyped.DstType != nil {
		text = kinds[mistyped.DstType.Kind()] + " belongs here"
	}
	if errors.As(err, new(*yaml.UnknownFieldError)) {
		text = fmt.Sprintf("no key is called %q", token.Value)
		if near := schema.Similar(token.Value, keys(reflect.TypeFor[config]())); len(near) > 0 {
			text += "; did you mean " + near[0] + "?"
		}
	}
	return fmt.Sprintf(":%d:%d: %s", token.Position.Line, token.Position.Column, text)
}

// kinds are the words for what a value is to be.
var kinds = map[reflect.Kind]string{
	reflect.Int: "a whole number", reflect.Bool: "true or false", reflect.String: "a text", reflect.Slice: "a list", reflect.Map: "a list of key: value",
	reflect.Struct: "a list of key: value",
}

// keys lists the keys of a structure and of those within it.
func keys(t reflect.Type) (all []string) {
	for t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for field := range t.Fields() {
		if key := field.Tag.Get("yaml"); key != "" {
			all = append(append(all, key), keys(field.Type)...)
		}
	}
	return all
}

// position returns the line and column of what stands at a path, or nothing where it is not there.
func position(text []byte, at string) string {
	p, err := yaml.PathString(at)
	if err != nil {
		return ""
	}
	node, err := p.ReadNode(bytes.NewReader(text))
	if err != nil || node == nil {
		return ""
	}
	where := node.GetToken().Position
	return fmt.Sprintf(":%d:%d", where.Line, where.Column)
}

// check checks what the file says, and returns the path of what is wrong.
func (c *config) check() (where string, err error) {
	switch {
	case c.Reports == "":
		return "$", errors.New("reports is missing: the folder of the summaries")
	case len(c.Traces) == 0:
		return "$", errors.New("traces is missing: where traces appear")
	case c.Expect < 0:
		return "$.expect", errors.New("it is not negative")
	case min(c.Keep.Nights, c.Keep.Comparisons, c.Keep.Reports) < 0:
		return "$.keep", errors.New("numbers of nights are not negative")
	case c.Executor == "" && (c.Nodes != 0 || c.Pod != "" || c.Array):
		return "$", errors.New("nodes, pod and array need an executor")
	}
	for i := range c.Traces {
		if key, err := c.Traces[i].check(); err != nil {
			return fmt.Sprintf("$.traces[%d].%s", i, key), err
		}
	}
	names := make(map[string]bool)
	for _, steps := range []struct {
		kind string
		of   []step
	}{{compareKind, c.Compare}, {checkKind, c.Check}, {historyKind, c.History}} {
		for i := range steps.of {
			s := &steps.of[i]
			s.kind = steps.kind
			key, err := s.check()
			if err == nil && names[s.Name] {
				key, err = "name", fmt.Errorf("two steps are called %s", s.Name)
			}
			if err != nil {
				return strings.TrimSuffix(fmt.Sprintf("$.%s[%d].%s", steps.kind, i, key), "."), err
			}
			names[s.Name] = true
		}
	}
	return "", nil
}

// check checks where traces appear.
func (s *source) check() (key string, err error) {
	if s.Glob == "" {
		return "glob", errors.New("glob is missing: a pattern of the paths of traces")
	}
	if _, err := filepath.Match(s.Glob, ""); err != nil {
		return "glob", fmt.Errorf("%q: %w", s.Glob, err)
	}
	if s.label, err = regexp.Compile(s.Label); err != nil {
		return "label", err
	}
	if s.Settle != "" {
		if s.settle, err = time.ParseDuration(s.Settle); err != nil || s.settle < 0 {
			return "settle", fmt.Errorf("%q is no duration, such as 90s or 10m", s.Settle)
		}
	}
	for label, value := range s.Labels {
		if label == "" || strings.ContainsAny(label, "=,") || strings.ContainsAny(value, "=,") {
			return "labels", fmt.Errorf("%s: %s: labels have no = and no comma", label, value)
		}
	}
	known := append([]string{"night", "file"}, s.label.SubexpNames()...)
	for word := range templateWords(s.Run) {
		if _, fixed := s.Labels[word]; !fixed && !slices.Contains(known, word) {
			return "run", fmt.Errorf("{%s} is no group of label", word)
		}
	}
	return "", nil
}

// check checks a step.
func (s *step) check() (key string, err error) {
	needs := func(key string, missing bool, what string) {
		if missing && err == nil {
			err = fmt.Errorf("%s is missing: %s", key, what)
		}
	}
	needs("name", s.Name == "", "what the "+s.kind+" is called")
	switch s.kind {
	case compareKind:
		needs("base", len(s.Base) == 0, "the runs to compare with, such as night={good}")
		needs("cand", len(s.Cand) == 0, "the runs that are compared, such as night={night}")
	case checkKind:
		needs("spec", s.Spec == "", "the file of the requirements")
		needs("runs", len(s.Runs) == 0, "the runs to check, such as night={night}")
	}
	if err != nil {
		return "", err
	}
	if err := lake.CheckName(s.Name); err != nil {
		return "name", err
	}
	for key, used := range map[string]bool{
		"base": len(s.Base) > 0 && s.kind != compareKind, "cand": len(s.Cand) > 0 && s.kind != compareKind, "spec": s.Spec != "" && s.kind != checkKind,
		"runs": len(s.Runs) > 0 && s.kind == compareKind, "by": s.By != "" && s.kind != historyKind, "fail-on": s.FailOn != "" && s.kind == historyKind,
	} {
		if used {
			return key, fmt.Errorf("a %s has no %s", s.kind, key)
		}
	}
	for _, selector := range slices.Concat(s.Base, s.Cand, s.Runs) {
		for word := range templateWords(selector) {
			if !slices.Contains([]string{ofNight, ofPrevious, ofGood}, "{"+word+"}") {
				return "", fmt.Errorf("%s: there is {night}, {previous} and {good}", selector)
			}
		}
	}
	return "", nil
}

// resolve makes paths relative to the file's folder, and fills what is left out.
func (c *config) resolve(folder string) {
	within := func(path string) string {
		if path == "" || filepath.IsAbs(path) || stores.IsObjects(path) {
			return path
		}
		return filepath.Join(folder, path)
	}
	c.Lake, c.Reports, c.Pod = within(c.Lake), within(c.Reports), within(c.Pod)
	for i := range c.Traces {
		c.Traces[i].Glob = within(c.Traces[i].Glob)
	}
	for i := range c.Check {
		c.Check[i].Spec = within(c.Check[i].Spec)
	}
	for i := range c.History {
		c.History[i].By = cmp.Or(c.History[i].By, "night")
	}
}

// steps are all steps in the order in which they are done.
func (c *config) steps() []step { return slices.Concat(c.Check, c.Compare, c.History) }

// templateWord is a word of a template.
var templateWord = regexp.MustCompile(`\{([^{}]*)\}`)

// templateWords yields the words of a template.
func templateWords(template string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, match := range templateWord.FindAllStringSubmatch(template, -1) {
			if !yield(match[1]) {
				return
			}
		}
	}
}
