package ingest

// freeList keeps used memory for the next user. Unlike a sync.Pool it survives garbage collections, which would
// have the same memory cleared again and again.
type freeList[T any] struct {
	kept chan T
	make func() T
}

func newFreeList[T any](size int, make_ func() T) *freeList[T] {
	return &freeList[T]{make(chan T, size), make_}
}

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
