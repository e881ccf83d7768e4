package ltsdiff

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// labels gives names codes in the order in which they are met.
type labels map[string]uint32

func (l labels) code(name string) uint32 {
	if name == "[skip]" || name == "tau" {
		return Skip
	}
	if _, ok := l[name]; !ok {
		l[name] = uint32(len(l))
	}
	return l[name]
}

// readAut reads an automaton in the format of Aldebaran, with a last line that names the accepting states;
// without that line, all are.
func readAut(t *testing.T, path string, l labels) *Automaton {
	t.Helper()
	lines := readLines(t, path)
	var first, transitions, states int
	if _, err := fmt.Sscanf(lines[0], "des (%d, %d, %d)", &first, &transitions, &states); err != nil {
		t.Fatal(path, err)
	}
	initial, accepting := make([]bool, states), make([]bool, states)
	initial[first] = true
	var list []Transition
	step := regexp.MustCompile(`^\((\d+),"(.*)",(\d+)\)$`)
	for _, line := range lines[1:] {
		if m := step.FindStringSubmatch(line); m != nil {
			list = append(list, Transition{parse(m[1]), l.code(m[2]), parse(m[3])})
		} else if rest, ok := strings.CutPrefix(line, "acc:"); ok {
			for _, s := range strings.Fields(rest) {
				accepting[parse(s)] = true
			}
		}
	}
	if !strings.HasPrefix(lines[len(lines)-1], "acc:") {
		for s := range accepting {
			accepting[s] = true
		}
	}
	expect.Equal(expect.Must(t), len(list), transitions, "transitions of %s", path)
	return automaton(t, initial, accepting, list)
}

func readLines(t *testing.T, path string) []string {
	t.Helper()
	f := expect.Value(os.Open(filepath.Join("testdata", path)))(t)
	defer f.Close()
	var lines []string
	for s := bufio.NewScanner(f); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

func parse(s string) int32 {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return int32(n)
}

func automaton(t testing.TB, initial, accepting []bool, list []Transition) *Automaton {
	t.Helper()
	a := expect.Value(NewAutomaton(initial, accepting, list))(t)
	return a
}

var (
	dotState   = regexp.MustCompile(`^(\d+) \[label=<[^>]*> shape="(\w+)"(.*)\];`)
	dotInitial = regexp.MustCompile(`^__init\d+ -> (\d+)(.*);`)
	dotStep    = regexp.MustCompile(`^(\d+) -> (\d+) \[label=<(.*)> *(?:color|id)=`)
	dotLabel   = regexp.MustCompile(`^<font color="(#\w+)">(.*)</font>$`)
)

// readDot reads a difference as gLTSdiff draws it: red is removed, green added. States are numbered from 0.
// Labels that carry versions, as in a<br/>{1,3}, say themselves on which sides a transition is.
func readDot(t *testing.T, path string, l labels) *Difference {
	t.Helper()
	d := &Difference{Sides: 2}
	for _, line := range readLines(t, path) {
		line = strings.TrimSpace(line)
		if m := dotState.FindStringSubmatch(line); m != nil {
			for len(d.States) < int(parse(m[1])) {
				d.States = append(d.States, State{})
			}
			d.States[parse(m[1])-1] = State{Sides: colour(m[3]), Accepting: m[2] == "doublecircle"}
		} else if m := dotInitial.FindStringSubmatch(line); m != nil {
			d.States[parse(m[1])-1].Initial = colour(m[2])
		} else if m := dotStep.FindStringSubmatch(line); m != nil {
			s := Step{Transition: Transition{Source: parse(m[1]) - 1, Target: parse(m[2]) - 1}}
			if c := dotLabel.FindStringSubmatch(m[3]); c != nil {
				s.Label, s.Sides = l.code(c[2]), colour(c[1])
			} else {
				name, versions, _ := strings.Cut(m[3], "<br/>")
				s.Label = l.code(name)
				for _, v := range strings.Split(strings.Trim(versions, "{}"), ",") {
					s.Sides |= 1 << (parse(v) - 1)
				}
			}
			d.Steps = append(d.Steps, s)
		}
	}
	return d
}

func colour(attributes string) Sides {
	switch {
	case strings.Contains(attributes, "#ff4040"):
		return 1
	case strings.Contains(attributes, "#00cc00"):
		return 2
	}
	return 3
}

// readInput reads an automaton from a drawing of it.
func readInput(t *testing.T, path string, l labels) *Automaton {
	t.Helper()
	a, err := readDot(t, path, l).Automaton()
	if err != nil {
		t.Fatal(path, err)
	}
	return a
}

// write puts a difference in the form of one line a state and transition, in order.
func write(d *Difference, l labels) string {
	names := make([]string, len(l))
	for name, code := range l {
		names[code] = name
	}
	var b strings.Builder
	for i, s := range d.States {
		fmt.Fprintln(&b, i, s.Sides, s.Initial, s.Accepting)
	}
	var steps []string
	for _, s := range d.Steps {
		name := "[skip]"
		if s.Label != Skip {
			name = names[s.Label]
		}
		steps = append(steps, fmt.Sprint(s.Source, " ", name, " ", s.Target, " ", s.Sides))
	}
	// The order of labels is that of their codes on one side and of their names on the other.
	sortStrings(steps)
	return b.String() + strings.Join(steps, "\n")
}
