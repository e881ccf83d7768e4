package ingest

// freeList keeps used memory for the next user. Unlike a sync.Pool it survives garbage collections, which would
// have the same memory cleared again and again.
type freeList[T any] struct {
	kept chan T   // up to its capacity; a channel, since several goroutines take and put
	make func() T // makes a new one when none is kept
}

// newFreeList returns a list that keeps at most size values. It makes none in advance.
func newFreeList[T any](size int, make_ func() T) *freeList[T] {
	return &freeList[T]{make(chan T, size), make_}
}

// take returns a value that was put back, with its contents of before, or a new one. It never waits.
func (s *freeList[T]) take() T {
	select {
	case x := <-s.kept:
		return x
	default:
		return s.make()
	}
}

// put gives x back; a full list leaves it to the garbage collector.
func (s *freeList[T]) put(x T) {
	select {
	case s.kept <- x:
	default:
	}
}
