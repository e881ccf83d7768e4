package processes

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// keys are the keys of calls by the numbers of their names. A trace of thousands of threads has hundreds of thousands of keys of a few names each, and
// what holds no pointers costs the collector of garbage nothing. The keys of a call lie in a row: that of its exit is behind that of its enter.
type keys struct {
	names  []string // of components, lifelines and functions
	number map[string]uint32
	list   []namedKey
	more   []uint32 // by the key of an enter: that of a message within the call; of an exit: that of one of which the trace has no record; 0: none so far
}

// namedKey is a schema.EventKey whose names are numbers.
type namedKey struct {
	component, lifeline, function uint32
	kind                          schema.Kind
	synthetic                     bool
}

// keyList is a snapshot of keys.
type keyList struct {
	names []string
	list  []namedKey
}

// Len implements schema.KeyList.
func (k keyList) Len() int { return len(k.list) }

// At implements schema.KeyList.
func (k keyList) At(position uint32) schema.EventKey {
	n := &k.list[position]
	return schema.EventKey{
		Component: k.names[n.component], Lifeline: k.names[n.lifeline], Function: k.names[n.function], Kind: n.kind, Synthetic: n.synthetic,
	}
}

// Keys returns what is known so far.
func (k *keys) Keys() schema.KeyList { return keyList{k.names, k.list} }

// name returns the number of a name.
func (k *keys) name(name string) uint32 {
	number, known := k.number[name]
	if !known {
		if k.number == nil {
			k.number = make(map[string]uint32)
		}
		number = k.addName(name)
		k.number[name] = number
	}
	return number
}

// addName numbers a name that no other use has, or that need not share its number.
func (k *keys) addName(name string) uint32 {
	k.names = append(k.names, name)
	return uint32(len(k.names) - 1)
}

// addCall adds the keys of a call and returns that of its enter.
func (k *keys) addCall(component, lifeline, function uint32) (enter uint32) {
	enter = uint32(len(k.list))
	call := namedKey{component: component, lifeline: lifeline, function: function, kind: schema.Enter}
	exit := call
	exit.kind = schema.Exit
	k.add(call)
	k.add(exit)
	return enter
}

// add adds a key.
func (k *keys) add(key namedKey) uint32 {
	// A list that is full is doubled: append would let a long one grow by a quarter, and copy each key five times.
	if len(k.list) == cap(k.list) {
		k.list = slices.Grow(k.list, max(len(k.list), leastKeys))
		k.more = slices.Grow(k.more, cap(k.list)-len(k.more))
	}
	k.list, k.more = append(k.list, key), append(k.more, 0)
	return uint32(len(k.list) - 1)
}

// leastKeys is how many keys a list has room for at first.
const leastKeys = 64

// MessageKey returns the key of a message within a call, by that of its enter. Few calls have messages, so that it is made when
// it is asked for.
func (k *keys) MessageKey(enter uint32) uint32 {
	if k.more[enter] == 0 {
		key := k.list[enter]
		key.kind = schema.Message
		made := k.add(key)
		k.more[enter] = made
	}
	return k.more[enter]
}

// InventedExit returns the key of an exit of which the trace has no record, by that of its enter.
func (k *keys) InventedExit(enter uint32) uint32 {
	exit := enter + uint32(schema.Exit)
	if k.more[exit] == 0 {
		key := k.list[exit]
		key.synthetic = true
		made := k.add(key)
		k.more[exit] = made
	}
	return k.more[exit]
}
