package signals

import (
	"errors"
	"io"
)

// Pieces gives the pieces of a signal in the order of time, one a call, and io.EOF behind the last. Another error ends them early.
type Pieces func() (Piece, error)

// Stream is a signal that is made while it is read, and made again whenever it is opened, so that it is nowhere in memory as a whole.
type Stream struct {
	Name, Unit string // of the signal, and of its values; "" for numbers
	StepNs     int64  // unit of time of B and A
	Open       func() Pieces
}

// Stream is the signal as one that is read. Its pieces are not copied.
func (s *Named) Stream() Stream {
	return Stream{Name: s.Name, Unit: s.Unit, StepNs: s.StepNs, Open: s.pieces}
}

// pieces reads the pieces of a signal.
func (s *Signal) pieces() Pieces {
	i := 0
	return func() (Piece, error) {
		if i == len(s.Pieces) {
			return Piece{}, io.EOF
		}
		i++
		return s.Pieces[i-1], nil
	}
}

// Each visits the pieces of the signal. It stops at the first error.
func (s *Stream) Each(visit func(*Piece) error) error {
	next := s.Open()
	var p Piece // one for all, as what is visited is on the heap
	var err error
	for {
		if p, err = next(); err != nil {
			return unlessEnd(err)
		}
		if err := visit(&p); err != nil {
			return err
		}
	}
}

// Signal reads the whole signal into memory.
func (s *Stream) Signal() (Named, error) {
	out := Named{Name: s.Name, Unit: s.Unit, Signal: Signal{StepNs: s.StepNs}}
	err := s.Each(func(p *Piece) error {
		out.append(*p)
		return nil
	})
	return out, err
}

// batchPieces is how many pieces Then hands to an operation at once.
const batchPieces = 1 << 10

// Then is the signal with operations done to it one after the other. Each of them makes of every piece another one, whatever the others are.
func (s Stream) Then(operations []Operation) Stream {
	if len(operations) == 0 {
		return s
	}
	open := s.Open
	s.Open = func() Pieces {
		next, ended := open(), error(nil)
		var batch, done Signal
		batch.StepNs = s.StepNs
		return joined(func() (Piece, error) {
			for len(done.Pieces) == 0 && ended == nil {
				batch.Pieces = batch.Pieces[:0]
				for len(batch.Pieces) < batchPieces && ended == nil {
					var p Piece
					if p, ended = next(); ended == nil {
						batch.Pieces = append(batch.Pieces, p)
					}
				}
				done = batch
				for _, operation := range operations {
					done = operation(&done)
				}
			}
			if len(done.Pieces) == 0 {
				return Piece{}, ended
			}
			p := done.Pieces[0]
			done.Pieces = done.Pieces[1:]
			return p, nil
		})
	}
	return s
}

// joined makes one piece of neighbours that are one constant, and leaves out pieces of no length.
func joined(next Pieces) Pieces {
	var held Piece // what the next pieces may go on; of no length: nothing
	return func() (Piece, error) {
		for {
			p, err := next()
			switch {
			case err != nil && held.ToNs > held.FromNs:
				out := held
				held = Piece{}
				if !errors.Is(err, io.EOF) {
					return Piece{}, err
				}
				next = func() (Piece, error) { return Piece{}, io.EOF }
				return out, nil
			case err != nil:
				return Piece{}, err
			case p.ToNs <= p.FromNs:
			case held.ToNs <= held.FromNs:
				held = p
			case held.same(&p):
				held.ToNs = p.ToNs
			default:
				out := held
				held = p
				return out, nil
			}
		}
	}
}
