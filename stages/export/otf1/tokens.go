package otf1

import (
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// tokens number what the trace names, from 1 in the order of first appearance. They hold for the whole trace.
type tokens struct {
	processes, groups, labels, series, functionNames table
	functions                                        schema.Numbering[function] // number 0 is token 1
	untraced                                         uint32                     // process at the other end of messages that only one end is known of; 0: none
	homes                                            []uint32                   // the first process of a component, by group less 1; 0: none
	members                                          [][]bool                   // by label and process, both less 1: it sends or receives messages of the label
}

// function is a function of a group: the group's token and the name's number.
type function struct{ group, name uint32 }

// table numbers names.
type table struct {
	names []string // names[0] is token 1
	of    map[string]uint32
}

// newTokens returns tokens without names.
func newTokens() tokens {
	var t tokens
	for _, table := range []*table{&t.processes, &t.groups, &t.labels, &t.series, &t.functionNames} {
		table.of = make(map[string]uint32)
	}
	return t
}

// token is the number of a name, which is added when it is new.
func (t *table) token(name string) uint32 {
	token, known := t.of[name]
	if !known {
		t.names = append(t.names, name)
		token = uint32(len(t.names))
		t.of[name] = token
	}
	return token
}

// other is the process at the untraced end of messages. It has its name at the end, when all others are known.
func (t *tokens) other() uint32 {
	if t.untraced == 0 {
		t.processes.names = append(t.processes.names, "")
		t.untraced = uint32(len(t.processes.names))
	}
	return t.untraced
}

// home is the first process on which a component was met; 0: none was.
func (t *tokens) home(group uint32) uint32 {
	if int(group) > len(t.homes) {
		return 0
	}
	return t.homes[group-1]
}

// settleIn makes a process the home of a component that has none.
func (t *tokens) settleIn(group, process uint32) {
	if more := int(group) - len(t.homes); more > 0 {
		t.homes = append(t.homes, make([]uint32, more)...)
	}
	if t.homes[group-1] == 0 {
		t.homes[group-1] = process
	}
}

// join makes a process a member of a label.
func (t *tokens) join(label, process uint32) {
	if more := int(label) - len(t.members); more > 0 {
		t.members = append(t.members, make([][]bool, more)...)
	}
	list := &t.members[label-1]
	if more := int(process) - len(*list); more > 0 {
		*list = append(*list, make([]bool, more)...)
	}
	(*list)[process-1] = true
}

// chunk has the tokens behind the codes of one chunk of events: the next one may code names differently.
type chunk struct {
	names               *schema.Names
	lifeline, component []uint32 // 0: not met yet
	label, ids          []uint32
	called              []called
}

// called is a function of a chunk: its name's number, and its token in the group in which it was last met. A function is
// one token a component, since OTF puts every function in one group.
type called struct{ name, group, token uint32 }

// start forgets the chunk before.
func (c *chunk) start(names *schema.Names) {
	c.names = names
	c.lifeline = emptied(c.lifeline, &names.Lifelines)
	c.component = emptied(c.component, &names.Components)
	c.label = emptied(c.label, &names.Messages)
	c.ids = emptied(c.ids, &names.Series)
	clear(c.called)
	if more := names.Functions.Len() - len(c.called); more > 0 {
		c.called = append(c.called, make([]called, more)...)
	}
}

// emptied returns a slice of zeros with a place for every code of a dictionary, in the memory of the one before.
func emptied(tokens []uint32, d *schema.Dictionary) []uint32 {
	clear(tokens)
	if more := d.Len() - len(tokens); more > 0 {
		tokens = append(tokens, make([]uint32, more)...)
	}
	return tokens
}

// tokenOf is the token of a code; that of the empty name for none.
func tokenOf(of []uint32, code schema.Code, t *table, d *schema.Dictionary) uint32 {
	if code == schema.NoCode {
		return t.token("")
	}
	if of[code] == 0 {
		of[code] = t.token(d.Name(code))
	}
	return of[code]
}

// functionToken is the token of a function in a group.
func (w *Writer) functionToken(code schema.Code, group uint32) uint32 {
	c := &w.called[code]
	if c.token != 0 && c.group == group {
		return c.token
	}
	if c.name == 0 {
		c.name = w.functionNames.token(w.names.Functions.Name(code))
	}
	c.group, c.token = group, w.functions.Number(function{group, c.name})+1
	return c.token
}

// quotable replaces what ends a string.
var quotable = strings.NewReplacer(`"`, " ", "\n", " ", "\r", " ")
