package callkeys

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Table holds the keys of calls. The zero Table is ready to use and keeps two keys a call: that of the enter, and that
// of the exit behind it. A reader that embeds a Table has the method Keys of schema.Reader from it.
type Table struct {
	// Messages makes room for a third key a call, of kind schema.Message, behind that of the exit. It is set before
	// the first call and not changed later.
	Messages bool

	keys    []schema.EventKey
	enterOf map[schema.EventKey]uint32 // by key, whose kind is schema.Enter
}

// Keys implements schema.Reader and schema.Parser. The list only grows; the caller must not change it.
func (t *Table) Keys() schema.KeyList { return schema.EventKeys(t.keys) }

// Call returns the number of the enter of a call, and adds the keys of the call where it is new. The kind of the key
// is not looked at.
func (t *Table) Call(key schema.EventKey) (enter uint32) {
	key.Kind = schema.Enter
	enter, known := t.enterOf[key]
	if !known {
		enter = t.Append(key)
		if t.enterOf == nil {
			t.enterOf = make(map[schema.EventKey]uint32)
		}
		t.enterOf[key] = enter
	}
	return enter
}

// AppendOne adds a key of one kind of a call that has other keys already.
func (t *Table) AppendOne(key schema.EventKey, kind schema.Kind) uint32 {
	key.Kind = kind
	t.makeRoom(1)
	t.keys = append(t.keys, key)
	return uint32(len(t.keys) - 1)
}

// makeRoom doubles the list where it is full. Append would let a long one grow by a quarter, and copy each key five times.
func (t *Table) makeRoom(keys int) {
	if len(t.keys)+keys > cap(t.keys) {
		t.keys = slices.Grow(t.keys, max(len(t.keys), keys, leastKeys))
	}
}

// leastKeys is how many keys a list has room for at first.
const leastKeys = 64

// Append adds the keys of a call without a look whether they are there: for readers that know that a call is new, and
// want to do without the map.
func (t *Table) Append(key schema.EventKey) (enter uint32) {
	enter = uint32(len(t.keys))
	t.makeRoom(int(schema.Message) + 1)
	kinds := []schema.Kind{schema.Enter, schema.Exit, schema.Message}
	if !t.Messages {
		kinds = kinds[:schema.Message]
	}
	for _, key.Kind = range kinds {
		t.keys = append(t.keys, key)
	}
	return enter
}
