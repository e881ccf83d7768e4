package otf1

import (
	"fmt"
	"strconv"
)

// creator says who wrote the trace; our reader knows it by this word.
const creator = "Tracelake"

// definitions returns the file of definitions: creator, clock (a tick is a ns), the range of times, then processes, their
// groups by message label, groups of functions (components) and functions. It is written last, when all names are known.
func (w *Writer) definitions() []byte {
	if len(w.processes.names) == 0 {
		w.other() // a trace without events has one, since a stream must have
	}
	w.nameOther()
	out := fmt.Appendf(nil, "DCR\"%s\"\nDTR%x\nDTRG%xT%x\n", creator, int64(1e9), w.earliest, w.now)
	for i, name := range w.processes.names {
		out = w.definition(out, "DP", i, "", name)
	}
	of := w.membersOf()
	for i, name := range w.labels.names {
		out = w.definition(out, "DPG", i, "M"+of[i], name)
	}
	for i, name := range w.groups.names {
		out = w.definition(out, "DFG", i, "", name)
	}
	for i, f := range w.functions.List {
		out = w.definition(out, "DF", i, "G"+strconv.FormatUint(uint64(f.group), 16), w.functionNames.names[f.name-1])
	}
	return out
}

// definition appends the definition of the thing with a number, from 0.
func (w *Writer) definition(out []byte, word string, number int, fields, name string) []byte {
	fit := quotable.Replace(name)
	if fit != name {
		w.omissions.Names++
	}
	return fmt.Appendf(out, "%s%x%sNM\"%s\"\n", word, number+1, fields, fit)
}

// nameOther gives the process of untraced ends a name that no other has.
func (w *Writer) nameOther() {
	if w.untraced == 0 {
		return
	}
	name := "untraced"
	for w.processes.of[name] != 0 {
		name += "'"
	}
	w.processes.names[w.untraced-1] = name
}

// membersOf are the lists of the processes of each label.
func (w *Writer) membersOf() []string {
	out := make([]string, len(w.labels.names))
	for i, list := range w.members {
		text := []byte(nil)
		for process, is := range list {
			if is {
				text = append(strconv.AppendInt(text, int64(process)+1, 16), ',')
			}
		}
		out[i] = string(text)
	}
	return out
}

// master is the master file: one stream with all processes.
func (w *Writer) master() []byte {
	out := []byte("1:")
	for i := range w.processes.names {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendUint(out, uint64(i)+1, 16)
	}
	return append(out, '\n')
}
