package schema

import (
	"math"
	"slices"
	"strings"
)

// Code is the position of a name in a Dictionary.
type Code = uint32

const (
	// NoCode is the code of a missing name; Parquet and SQL show it as NULL.
	NoCode Code = math.MaxUint32
	// NoValue is the missing value of an integer column; Parquet and SQL show it as NULL.
	NoValue int64 = math.MinInt64
)

// Dictionary gives every distinct name a code, counting from 0 in order of first appearance.
// The zero value is empty and ready to use. It is not safe for concurrent use.
type Dictionary struct {
	names []string
	codes map[string]Code
}

// Code returns the code of name, which it adds when it is new.
func (d *Dictionary) Code(name string) Code {
	if c, ok := d.codes[name]; ok {
		return c
	}
	return d.add(name)
}

// CodeBytes is Code for a name that is still in a read buffer; it copies only new names.
func (d *Dictionary) CodeBytes(name []byte) Code {
	if c, ok := d.codes[string(name)]; ok {
		return c
	}
	return d.add(string(name))
}

func (d *Dictionary) add(name string) Code {
	if d.codes == nil {
		d.codes = make(map[string]Code)
	}
	c := Code(len(d.names))
	d.names = append(d.names, name)
	d.codes[name] = c
	return c
}

// Lookup returns the code of name and whether it has one.
func (d *Dictionary) Lookup(name string) (Code, bool) {
	c, ok := d.codes[name]
	return c, ok
}

// Name returns the name behind a code, and "" for NoCode.
func (d *Dictionary) Name(c Code) string {
	if c == NoCode {
		return ""
	}
	return d.names[c]
}

// Sorted lists the codes in the order of their names.
func (d *Dictionary) Sorted() []Code {
	codes := make([]Code, len(d.names))
	for i := range codes {
		codes[i] = Code(i)
	}
	slices.SortFunc(codes, func(a, b Code) int { return strings.Compare(d.names[a], d.names[b]) })
	return codes
}

// Names lists the names by their codes. The caller does not change them.
func (d *Dictionary) Names() []string { return d.names }

// Len is the number of names.
func (d *Dictionary) Len() int { return len(d.names) }

// GrowTo returns a table by code with room for n codes; new elements are zero. Dictionaries grow with every batch of a
// trace, so that tables by code must follow, in amortised constant time.
func GrowTo[T any](table []T, n int) []T {
	if n <= len(table) {
		return table
	}
	return append(table, make([]T, n-len(table))...)
}

// Names are the dictionaries that the columns of a partition share. Component and peer share one, so
// their codes compare. Codes mean something only together with their Names: two partitions number
// the same names differently.
type Names struct {
	Components Dictionary
	Lifelines  Dictionary
	Functions  Dictionary
	Fragments  Dictionary
	Messages   Dictionary // message labels
	Series     Dictionary // the part of a message identifier before its number
	Types      Dictionary // execution types, where the trace carries them
	CallPaths  Dictionary // numbers of call paths
}

// Optional returns the code of a name as Code does, or NoCode for the empty name.
func (d *Dictionary) Optional(name string) Code {
	if name == "" {
		return NoCode
	}
	return d.Code(name)
}

// AppendKnown appends the values that are not null.
func AppendKnown(to, values []int64) []int64 {
	for _, v := range values {
		if v != NoValue {
			to = append(to, v)
		}
	}
	return to
}
