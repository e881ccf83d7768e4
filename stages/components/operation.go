package components

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Operation is one of the eleven that change models, as mids-cmi writes them:
//
//	[<inclusion,pattern> | <exclusion,pattern>] name [(arguments)]
//
// such as HideActions(.*_ret) or <inclusion,Server.*>PrefixClose.
type Operation struct {
	Name      string
	Arguments []string
	Filter    string // "inclusion", "exclusion" or ""
	Pattern   string // of the filter
}

// kind is what an operation takes. One with one argument takes all that is in its parentheses for it.
type kind struct {
	name      string
	arguments int
	filtered  bool // it may have a filter
}

var kinds = []kind{
	{"AddAsynchronousPatternConstraints", 0, true},
	{"ExcludeInternalTransitions", 0, true},
	{"FilterClientServerInteractions", 2, false},
	{"HideActions", 1, true},
	{"InjectDomainKnowledge", 2, true},
	{"MergeComponents", 1, true},
	{"MergeInterfaceClientsServers", 3, true},
	{"ModifyRepetitions", 5, true},
	{"PrefixClose", 0, true},
	{"RenameComponent", 2, false},
	{"RenameFunctions", 1, false},
}

var written = regexp.MustCompile(`^(?:<(\w+),([^>]*)>)?(\w+)(?:\((.*)\))?$`)

// ParseOperation reads an operation. What is wrong with the values of its arguments Apply says.
func ParseOperation(text string) (Operation, error) {
	m := written.FindStringSubmatch(text)
	if m == nil {
		return Operation{}, fmt.Errorf("%q is not [<inclusion,pattern> | <exclusion,pattern>] operation [(arguments)]", text)
	}
	op := Operation{Filter: m[1], Pattern: m[2], Name: m[3]}
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == op.Name })
	if i < 0 {
		return op, fmt.Errorf("%q: there is no operation %s", text, op.Name)
	}
	op.Arguments = kinds[i].split(m[4])
	if op.Filter != "" && op.Filter != "inclusion" && op.Filter != "exclusion" {
		return op, fmt.Errorf("%q: a filter is inclusion or exclusion, not %s", text, op.Filter)
	}
	if op.Filter != "" && !kinds[i].filtered {
		return op, fmt.Errorf("%q: %s takes no filter", text, op.Name)
	}
	if len(op.Arguments) != kinds[i].arguments {
		return op, fmt.Errorf("%q: %s takes %d arguments", text, op.Name, kinds[i].arguments)
	}
	return op, nil
}

func (k kind) split(arguments string) []string {
	if k.arguments == 0 && arguments == "" {
		return nil
	}
	return strings.SplitN(arguments, ",", max(1, k.arguments))
}

// Knowledge returns the model that a file describes, with its alphabet.
type Knowledge func(path string) (*schema.Dictionary, *Model, error)

// Apply changes models. Only InjectDomainKnowledge asks for knowledge.
func (o Operation) Apply(s *Set, knowledge Knowledge) (*Set, error) {
	chosen, err := o.choice()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Name, err)
	}
	out, err := o.apply(s, chosen, knowledge)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Name, err)
	}
	return out, nil
}

func (o Operation) choice() (Choice, error) {
	if o.Filter == "exclusion" {
		return Choose("", o.Pattern)
	}
	return Choose(o.Pattern, "")
}

func (o Operation) apply(s *Set, chosen Choice, knowledge Knowledge) (*Set, error) {
	arg := o.Arguments
	switch o.Name {
	case "AddAsynchronousPatternConstraints":
		return AddAsynchronousPatternConstraints(s, chosen)
	case "ExcludeInternalTransitions":
		return ExcludeInternalTransitions(s, chosen), nil
	case "FilterClientServerInteractions":
		return FilterClientServerInteractions(s, strings.TrimSpace(arg[0]), strings.TrimSpace(arg[1]))
	case "HideActions":
		return HideActions(s, chosen, arg[0])
	case "InjectDomainKnowledge":
		return o.inject(s, chosen, knowledge)
	case "MergeComponents":
		return MergeComponents(s, chosen, arg[0])
	case "MergeInterfaceClientsServers":
		return o.mergeInterface(s, chosen)
	case "ModifyRepetitions":
		return o.modify(s, chosen)
	case "PrefixClose":
		return PrefixClose(s, chosen), nil
	case "RenameComponent":
		return RenameComponent(s, strings.TrimSpace(arg[0]), strings.TrimSpace(arg[1]))
	}
	renames, err := ParseFunctionRenames(arg[0])
	if err != nil {
		return nil, err
	}
	return RenameFunctions(s, renames)
}

func (o Operation) inject(s *Set, chosen Choice, knowledge Knowledge) (*Set, error) {
	alphabet, known, err := knowledge(o.Arguments[1])
	if err != nil {
		return nil, err
	}
	return InjectDomainKnowledge(s, chosen, Operator(o.Arguments[0]), alphabet, known)
}

func (o Operation) mergeInterface(s *Set, chosen Choice) (*Set, error) {
	clients, err := strconv.ParseBool(o.Arguments[1])
	servers, err2 := strconv.ParseBool(o.Arguments[2])
	if err != nil || err2 != nil || !clients && !servers {
		return nil, fmt.Errorf("whether to merge clients and servers is said by true or false, not %v, and by true at least once", o.Arguments[1:])
	}
	return MergeInterfaceClientsServers(s, chosen, o.Arguments[0], clients, servers)
}

// modify reads (mode, lower threshold, upper threshold, infinite, most repeats).
func (o Operation) modify(s *Set, chosen Choice) (*Set, error) {
	var numbers [3]int
	for i, at := range []int{1, 2, 4} {
		var err error
		if numbers[i], err = strconv.Atoi(o.Arguments[at]); err != nil {
			return nil, fmt.Errorf("%q is no number of repetitions", o.Arguments[at])
		}
	}
	infinite, err := strconv.ParseBool(o.Arguments[3])
	mode := o.Arguments[0]
	if err != nil || mode != "plain" && mode != "data" {
		return nil, fmt.Errorf("mode %q must be plain or data, and infinite %q true or false", mode, o.Arguments[3])
	}
	return ModifyRepetitions(s, chosen, Repetitions{Data: mode == "data", Lower: numbers[0], Upper: numbers[1], Infinite: infinite, Most: numbers[2]})
}
