package otf2

import "github.com/tracelake/tracelake/schema"

// blocks passes on events a block at a time.
type blocks struct {
	*schema.Block
	emit func(*schema.Block) (*schema.Block, error)
}

// next passes the block on and takes an empty one; at first there is none to pass on.
func (b *blocks) next() (err error) {
	if b.Block, err = b.emit(b.Block); err == nil && b.Block != nil {
		b.Grow(schema.BlockEvents)
	}
	return err
}

func (b *blocks) add(ns int64, key, mark uint32, id int64) error {
	b.TimeNs = append(b.TimeNs, ns)
	b.Key = append(b.Key, key)
	b.Mark = append(b.Mark, mark)
	b.MessageID = append(b.MessageID, id)
	if len(b.TimeNs) >= schema.BlockEvents {
		return b.next()
	}
	return nil
}
