package processes

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// keys are the keys of calls. Those of a call lie in a row: that of its exit is behind that of its enter.
type keys struct {
	coded  schema.CodedKeys
	number map[string]uint32 // of the names of components and functions
	more   []uint32          // by the key of an enter: that of a message within the call; of an exit: that of one of which the trace has no record; 0: none so far
}

// Keys returns what is known so far.
func (k *keys) Keys() schema.KeyList { return k.coded }

// name returns the number of a name.
func (k *keys) name(name string) uint32 {
	number, known := k.number[name]
	if !known {
		if k.number == nil {
			k.number = make(map[string]uint32)
		}
		number = k.coded.AddName(name)
		k.number[name] = number
	}
	return number
}

// addCall adds the keys of a call and returns that of its enter.
func (k *keys) addCall(call schema.CodedKey) (enter uint32) {
	call.Kind = schema.Enter
	enter = k.add(call)
	call.Kind = schema.Exit
	k.add(call)
	return enter
}

// add adds a key.
func (k *keys) add(key schema.CodedKey) uint32 {
	at := k.coded.Add(key)
	if len(k.more) == cap(k.more) {
		k.more = slices.Grow(k.more, cap(k.coded.List)-len(k.more))
	}
	k.more = append(k.more, 0)
	return at
}

// MessageKey returns the key of a message within a call, by that of its enter. Few calls have messages, so that it is made when
// it is asked for.
func (k *keys) MessageKey(enter uint32) uint32 {
	if k.more[enter] == 0 {
		key := k.coded.List[enter]
		key.Kind = schema.Message
		made := k.add(key)
		k.more[enter] = made
	}
	return k.more[enter]
}

// InventedExit returns the key of an exit of which the trace has no record, by that of its enter.
func (k *keys) InventedExit(enter uint32) uint32 {
	exit := enter + uint32(schema.Exit)
	if k.more[exit] == 0 {
		key := k.coded.List[exit]
		key.Synthetic = true
		made := k.add(key)
		k.more[exit] = made
	}
	return k.more[exit]
}
