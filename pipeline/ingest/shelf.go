package ingest

// shelf keeps used memory for the next user. Unlike a sync.Pool it survives garbage collections, which would
// have the same memory cleared again and again.
type shelf[T any] struct {
	kept chan T
	make func() T
}

func newShelf[T any](size int, make_ func() T) *shelf[T] {
	return &shelf[T]{make(chan T, size), make_}
}

func (s *shelf[T]) take() T {
	select {
	case x := <-s.kept:
		return x
	default:
		return s.make()
	}
}

// put gives x back; a full shelf leaves it to the garbage collector.
func (s *shelf[T]) put(x T) {
	select {
	case s.kept <- x:
	default:
	}
}
