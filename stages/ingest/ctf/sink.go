package ctf

import "github.com/tracelake/tracelake/schema"

// sink fills blocks.
type sink struct {
	emit  func(*schema.Block) (*schema.Block, error)
	block *schema.Block
}

func (k *sink) start(emit func(*schema.Block) (*schema.Block, error)) error {
	k.emit = emit
	return k.next(nil)
}

// next passes a full block on.
func (k *sink) next(full *schema.Block) (err error) {
	if k.block, err = k.emit(full); err == nil {
		k.block.Grow(schema.BlockEvents)
	}
	return err
}

func (k *sink) put(ns int64, key uint32) error {
	b := k.block
	b.TimeNs = append(b.TimeNs, ns)
	b.Key = append(b.Key, key)
	if len(b.Key) < schema.BlockEvents {
		return nil
	}
	k.fill()
	return k.next(b)
}

// fill gives the rows of the block no messages.
func (k *sink) fill() {
	for range k.block.Key {
		k.block.Mark = append(k.block.Mark, schema.NoMark)
		k.block.MessageID = append(k.block.MessageID, schema.NoValue)
	}
}

func (k *sink) end() error {
	k.fill()
	_, err := k.emit(k.block)
	return err
}
