package processes

// maxOpen bounds the open calls that are kept of a thread. A trace that lost its exits would otherwise grow the stack
// without end.
const maxOpen = 1 << 16

// Thread is a lifeline and the calls that are open on it, each as the key of its enter.
type Thread struct {
	lifeline uint32     // number of its name
	process  *Process   // whose modules and name resolve its addresses
	open     []uint32   // innermost last
	named    namedCalls // made so far
	laneOf   int32      // of a lane: the number of its thread and 1; else 0
	deeper   int        // open calls beyond maxOpen, of which only the number is known
}

// threads are threads by number, in pages: they stay where they are when more come.
type threads struct {
	pages []*[pageThreads]Thread
	count int32
}

const pageThreads = 1 << 8

// at returns the thread of a number.
func (t *threads) at(number int32) *Thread { return &t.pages[number/pageThreads][number%pageThreads] }

// add adds a thread and returns its number.
func (t *threads) add(thread Thread) (number int32) {
	number = t.count
	if number%pageThreads == 0 {
		t.pages = append(t.pages, new([pageThreads]Thread))
	}
	t.count++
	*t.at(number) = thread
	return number
}

// Enter opens a call.
func (t *Thread) Enter(key uint32) {
	if len(t.open) < maxOpen {
		t.open = append(t.open, key)
	} else {
		t.deeper++
	}
}

// Exit closes the innermost call if the exit is its own, or if the innermost call is too deep for its key to be known.
// It reports false and changes nothing where another call is innermost or none is open: the reader must then decide
// between Remove and Unwind.
func (t *Thread) Exit(key uint32) bool {
	last := len(t.open) - 1
	if t.deeper > 0 {
		t.deeper--
		return true
	}
	if last < 0 || t.open[last] != key {
		return false
	}
	t.open = t.open[:last]
	return true
}

// Return closes the innermost call for an exit that does not say what it ends. It reports false where no call is open,
// or where the innermost one is too deep for its key to be known.
func (t *Thread) Return() (key uint32, known bool) {
	last := len(t.open) - 1
	if last < 0 || t.deeper > 0 {
		t.deeper = max(0, t.deeper-1)
		return 0, false
	}
	key = t.open[last]
	t.open = t.open[:last]
	return key, true
}

// Has reports whether a call is open.
func (t *Thread) Has(key uint32) bool { return t.deeper > 0 || t.innermost(key) >= 0 }

// Innermost returns the key of the innermost open call, if there is one whose key is known.
func (t *Thread) Innermost() (key uint32, known bool) {
	if last := len(t.open) - 1; last >= 0 && t.deeper == 0 {
		return t.open[last], true
	}
	return 0, false
}

// End closes all open calls and returns their keys, the outermost first. They are valid until the next Enter.
func (t *Thread) End() (closed []uint32) {
	closed, t.open, t.deeper = t.open, t.open[:0], 0
	return closed
}

// innermost returns the position of the innermost open call of a key, -1 if there is none.
func (t *Thread) innermost(key uint32) int {
	for i := len(t.open) - 1; i >= 0; i-- {
		if t.open[i] == key {
			return i
		}
	}
	return -1
}

// Remove closes the innermost open call of a key, if there is one, and leaves the calls above it open.
func (t *Thread) Remove(key uint32) {
	if i := t.innermost(key); i >= 0 {
		t.open = append(t.open[:i], t.open[i+1:]...)
	}
}

// Unwind closes the innermost open call of a key and all above it, and returns their keys, the outermost first. They are
// valid until the next Enter. Where no call of the key is open, it returns none and closes nothing.
func (t *Thread) Unwind(key uint32) (closed []uint32) {
	i := t.innermost(key)
	if i < 0 {
		return nil
	}
	closed, t.open = t.open[i:], t.open[:i]
	return closed
}
