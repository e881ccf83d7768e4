package uftrace

import "math"

// calls are the open calls of a thread.
type calls struct {
	open  []openCall // the outermost first
	trust bool       // the depth of the next record says how many there are
}

// openCall is a call that has been entered.
type openCall struct {
	address uint64 // of the function; 0 in a lost call
	key     uint32 // of its enter; lostCall where that was not recorded
}

// lostCall is the key of a call whose enter was not recorded.
const lostCall = math.MaxUint32

// leave closes the call that an exit is of: the innermost of its address, if it is open. The exit is of a lost call
// where such a one is innermost.
func (c *calls) leave(address uint64) (lost bool) {
	last := len(c.open) - 1
	if last >= 0 && c.open[last].key == lostCall {
		c.open = c.open[:last]
		return true
	}
	// Not beyond a lost call: what lies under it cannot end before it.
	for i := last; i >= 0 && c.open[i].key != lostCall; i-- {
		if c.open[i].address == address {
			c.open = c.open[:i]
			break
		}
	}
	return false
}

// level makes as many calls open as the depth of a record says: those above it are left, and for those that miss
// there is a lost one each.
func (c *calls) level(depth int, kind uint64, left func(key uint32) error) error {
	c.trust = false
	// An exit has the depth of its call, which is open still.
	if kind == kindExit {
		depth++
	}
	height := nearest(depth, len(c.open))
	// Calls that ended in the gap, the innermost first.
	for len(c.open) > height {
		last := len(c.open) - 1
		key := c.open[last].key
		c.open = c.open[:last]
		if key == lostCall {
			continue
		}
		if err := left(key); err != nil {
			return err
		}
	}
	// Calls that began in the gap: their enters are lost, so their exits are not passed on either.
	for len(c.open) < height {
		c.open = append(c.open, openCall{key: lostCall})
	}
	return nil
}

// nearest returns the height that a depth of ten bits means: of those that it may mean, which are 1,024 apart, the one nearest to a
// known one, and never a negative one.
func nearest(depth, known int) int {
	height := known + (depth-known%depths+depths+depths/2)%depths - depths/2
	if height < 0 {
		height += depths
	}
	return height
}
