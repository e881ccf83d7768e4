package components

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Operation is one of the eleven operations that change models, as mids-cmi writes them:
//
//	[<inclusion,pattern> | <exclusion,pattern>] name [(arguments)]
//
// such as HideActions(.*_ret) or <inclusion,Server.*>PrefixClose.
type Operation struct {
	Name      string   // such as HideActions
	Arguments []string // as they are written, in order
	Filter    string   // "inclusion", "exclusion" or empty
	Pattern   string   // of the filter
}

// operationKind describes the arguments of an operation. An operation with one argument takes the whole
// text in its parentheses.
type operationKind struct {
	name      string
	arguments int
	filtered  bool // it may have a filter
}

// operationKinds lists the operations of MIDS.
var operationKinds = []operationKind{
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

// ParseOperation reads an operation. An error names the column, from 1. Whether the components that an
// operation names exist is checked by Apply.
func ParseOperation(text string) (Operation, error) {
	op, at, err := parseOperation(text)
	if err != nil {
		return op, fmt.Errorf("%q: column %d: %w", text, at+1, err)
	}
	return op, nil
}

// parseOperation reads an operation, or returns an error with its position.
func parseOperation(text string) (op Operation, at int, err error) {
	// 1. The filter.
	from := 0
	if strings.HasPrefix(text, "<") {
		if from, at, err = op.parseFilter(text); err != nil {
			return op, at, err
		}
	}
	// 2. The name.
	end := from
	for end < len(text) && isWord(text[end]) {
		end++
	}
	op.Name = text[from:end]
	// 3. What the name allows.
	i := slices.IndexFunc(operationKinds, func(k operationKind) bool { return k.name == op.Name })
	rest := text[end:]
	switch {
	case op.Name == "":
		return op, from, errors.New("expected [<inclusion,pattern> | <exclusion,pattern>] operation [(arguments)]")
	case i < 0:
		return op, from, fmt.Errorf("there is no operation %s; there are %s", op.Name, kindNames())
	case op.Filter != "" && !operationKinds[i].filtered:
		return op, 0, fmt.Errorf("%s takes no filter", op.Name)
	case rest != "" && rest[0] != '(':
		return op, end, errors.New(`expected "(" or the end`)
	case rest != "" && (len(rest) == 1 || rest[len(rest)-1] != ')'):
		return op, len(text), errors.New(`expected ")"`)
	}
	// 4. The arguments, and their values.
	op.Arguments = operationKinds[i].splitArguments(strings.TrimSuffix(strings.TrimPrefix(rest, "("), ")"))
	if len(op.Arguments) != operationKinds[i].arguments {
		return op, end, fmt.Errorf("%s takes %d arguments", op.Name, operationKinds[i].arguments)
	}
	wrong, err := op.validate()
	// The column of a wrong value: that of the filter's pattern, or of the argument behind those before it.
	if at = len("<" + op.Filter + ","); wrong >= 0 {
		at = end + 1
		for _, argument := range op.Arguments[:wrong] {
			at += len(argument) + 1
		}
	}
	return op, at, err
}

// parseFilter reads a filter at the start of the text, and says where it ends, or what is wrong and where.
func (o *Operation) parseFilter(text string) (end, at int, err error) {
	end = strings.IndexByte(text, '>')
	if end < 0 {
		return 0, len(text), errors.New("expected the > of the filter")
	}
	var hasPattern bool
	o.Filter, o.Pattern, hasPattern = strings.Cut(text[1:end], ",")
	switch {
	case o.Filter != "inclusion" && o.Filter != "exclusion":
		return 0, 1, fmt.Errorf("a filter is inclusion or exclusion, not %s", o.Filter)
	case !hasPattern:
		return 0, end, errors.New("expected a comma and the pattern of the filter")
	}
	return end + 1, 0, nil
}

// isWord reports whether a byte may stand in the name of an operation.
func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// kindNames lists the operations for a message.
func kindNames() string {
	var names []string
	for _, k := range operationKinds {
		names = append(names, k.name)
	}
	return strings.Join(names, ", ")
}

// validate returns an error for a wrong value, with the number of its argument, or -1 for the filter.
// All values are checked when an operation is parsed, before any model is read.
func (o Operation) validate() (wrong int, err error) {
	if _, err := o.parseChoice(); err != nil {
		return -1, err
	}
	arg := o.Arguments
	switch o.Name {
	case "HideActions":
		_, err = compileWhole(arg[0])
	case "InjectDomainKnowledge":
		err = Operator(arg[0]).validate()
	case "MergeComponents":
		_, _, err = compileNamePattern(arg[0])
	case "MergeInterfaceClientsServers":
		_, _, wrong, err = o.parseSides()
	case "ModifyRepetitions":
		_, wrong, err = o.parseRepetitions()
	case "RenameFunctions":
		_, err = ParseFunctionRenames(arg[0])
	}
	return wrong, err
}

// splitArguments divides the text in the parentheses.
// Patterns may contain commas, so that the last argument takes the rest of the text.
func (k operationKind) splitArguments(arguments string) []string {
	if k.arguments == 0 && arguments == "" {
		return nil
	}
	return strings.SplitN(arguments, ",", max(1, k.arguments))
}

// Knowledge returns the model that a file describes, with its alphabet.
type Knowledge func(path string) (*schema.Dictionary, *Model, error)

// Apply returns changed models; the given set stays as it is. Only InjectDomainKnowledge calls knowledge.
func (o Operation) Apply(s *Set, knowledge Knowledge) (*Set, error) {
	chosen, err := o.parseChoice()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Name, err)
	}
	out, err := o.applyTo(s, chosen, knowledge)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Name, err)
	}
	return out, nil
}

// parseChoice returns the components that the filter selects.
func (o Operation) parseChoice() (Choice, error) {
	if o.Filter == "exclusion" {
		return Choose("", o.Pattern)
	}
	return Choose(o.Pattern, "")
}

// applyTo carries out a validated operation.
func (o Operation) applyTo(s *Set, chosen Choice, knowledge Knowledge) (*Set, error) {
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
		return o.injectKnowledge(s, chosen, knowledge)
	case "MergeComponents":
		return MergeComponents(s, chosen, arg[0])
	case "MergeInterfaceClientsServers":
		return o.mergeInterface(s, chosen)
	case "ModifyRepetitions":
		return o.modifyRepetitions(s, chosen)
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

// injectKnowledge reads the known model and joins the chosen ones with it.
func (o Operation) injectKnowledge(s *Set, chosen Choice, knowledge Knowledge) (*Set, error) {
	alphabet, known, err := knowledge(o.Arguments[1])
	if err != nil {
		return nil, err
	}
	return InjectDomainKnowledge(s, chosen, Operator(o.Arguments[0]), alphabet, known)
}

// mergeInterface parses the sides and merges the clients or servers.
func (o Operation) mergeInterface(s *Set, chosen Choice) (*Set, error) {
	clients, servers, _, err := o.parseSides()
	if err != nil {
		return nil, err
	}
	return MergeInterfaceClientsServers(s, chosen, o.Arguments[0], clients, servers)
}

// parseSides parses whether clients and servers are merged, or says which argument is wrong.
func (o Operation) parseSides() (clients, servers bool, wrong int, err error) {
	// Argument 0 is the interface.
	for i, side := range []*bool{&clients, &servers} {
		if *side, err = strconv.ParseBool(o.Arguments[i+1]); err != nil {
			return false, false, i + 1, fmt.Errorf("true or false, not %q", o.Arguments[i+1])
		}
	}
	if !clients && !servers {
		return false, false, 1, errors.New("clients or servers are to be merged: true at least once")
	}
	return clients, servers, 0, nil
}

// modifyRepetitions parses the thresholds and changes the repetitions.
func (o Operation) modifyRepetitions(s *Set, chosen Choice) (*Set, error) {
	r, _, err := o.parseRepetitions()
	if err != nil {
		return nil, err
	}
	return ModifyRepetitions(s, chosen, r)
}

// parseRepetitions parses (mode, lower threshold, upper threshold, infinite, most repeats), or says which
// argument is wrong.
func (o Operation) parseRepetitions() (r Repetitions, wrong int, err error) {
	mode := o.Arguments[0]
	if r.Data = mode == "data"; !r.Data && mode != "plain" {
		return r, 0, fmt.Errorf("mode %q must be plain or data", mode)
	}
	if r.Infinite, err = strconv.ParseBool(o.Arguments[3]); err != nil {
		return r, 3, fmt.Errorf("infinite is true or false, not %q", o.Arguments[3])
	}
	for i, n := range []*int{&r.Lower, &r.Upper, &r.Most} {
		at := []int{1, 2, 4}[i]
		if *n, err = strconv.Atoi(o.Arguments[at]); err != nil {
			return r, at, fmt.Errorf("%q is no number of repetitions", o.Arguments[at])
		}
	}
	return r, 1, r.Check()
}
