package live

import (
	"context"
	"errors"
	"io"
	"time"
)

const (
	latest    = 40 * time.Millisecond // after which what came is a block
	syncAfter = time.Second
	mostBlock = 1 << 20 // bytes of a block
)

// Source is a trace that is being written. Read returns what came since the last call, nothing if nothing came, and io.EOF when nothing more
// will come. It does not wait for longer than a moment.
type Source interface {
	Read(p []byte) (n int, err error)
	Close() error
}

// Options say when a recording ends, and who is told of it.
type Options struct {
	Idle  time.Duration      // the end, when nothing came for so long; 0: never
	Tell  func(length int64) // is called when blocks were written, with the bytes recorded so far; may be nil
	Show  *Decoder           // shows what comes while it comes; nil: nothing shows before the trace ends
	Rolls Rolls              // begins one recording after the other; nil: there is one
	Room  func(n int64)      // is called before n bytes of the trace are written; may be nil
}

// Rolls says when a recording of a series ends and the next one begins.
type Rolls interface {
	// Due reports whether it is time for the next recording, given how many bytes of the trace the one at hand has.
	Due(length int64, now time.Time) bool
	// Next ends the recording at hand and begins another one, which has a preamble that needs no source.
	Next(preamble []byte) (*Recording, *Decoder, error)
	// Stays is told once that the recording at hand is the last one, since a trace of the format can be read only when it is whole; "" is a
	// format that is not known.
	Stays(format string)
}

// A follower records a source.
type follower struct {
	Options
	r      *Recording
	buffer []byte    // what came and is not recorded
	first  time.Time // when the first byte of it came
}

// Follow records a source until it ends, until nothing comes for a time, or until ctx ends, which is the ordinary end and no error. What came
// is on disk then. An error of the source, or of the disk, ends the recording, and not the source: see Drain.
func Follow(ctx context.Context, s Source, r *Recording, o Options) error {
	f := &follower{Options: o, r: r, buffer: make([]byte, 0, mostBlock)}
	synced, came := time.Now(), time.Now()
	for {
		n, err := s.Read(f.buffer[len(f.buffer):cap(f.buffer)])
		now := time.Now()
		if n > 0 {
			if len(f.buffer) == 0 {
				f.first = now
			}
			f.buffer, came = f.buffer[:len(f.buffer)+n], now
		}
		ended := errors.Is(err, io.EOF) || ctx.Err() != nil && n == 0 || o.Idle > 0 && now.Sub(came) >= o.Idle
		if err != nil && !ended {
			return errors.Join(err, f.flush(), f.r.Sync())
		}
		if ended { // nothing that the next recording would be made of
			f.Rolls = nil
		}
		if ended || len(f.buffer) == cap(f.buffer) || len(f.buffer) > 0 && now.Sub(f.first) >= latest {
			if err := f.flush(); err != nil {
				return errors.Join(err, f.r.Sync())
			}
		}
		if ended {
			return f.r.Sync()
		}
		if now.Sub(synced) >= syncAfter {
			if err := f.r.Sync(); err != nil {
				return err
			}
			synced = now
		}
		if n > 0 {
			continue
		}
		if len(f.buffer) == 0 {
			if err := f.roll(now); err != nil {
				return err
			}
		}
		if f.Show != nil {
			if err := f.Show.Idle(now); err != nil {
				return err
			}
		}
		pause(ctx, latest/4)
	}
}

// flush records what came. Where the recording is to end, what is no whole record goes to the next one.
func (f *follower) flush() (err error) {
	p := f.buffer
	if len(p) == 0 {
		return nil
	}
	f.buffer = f.buffer[:0]
	if f.Room != nil {
		f.Room(int64(len(p)))
	}
	if !f.rolls() || !f.Rolls.Due(f.r.Length()+int64(len(p)), f.first) {
		if err = f.r.Append(p, f.first); err == nil && f.Show != nil {
			err = f.Show.Take(p, f.first)
		}
	} else if err = f.Show.Take(p, f.first); err == nil { // it says where the last record ends
		pending, can := f.Show.Border()
		whole := len(p) - pending
		if can = can && whole > 0; !can { // a record that began in an earlier block ends in none of these bytes
			whole = len(p)
		}
		if err = f.r.Append(p[:whole], f.first); err == nil && can {
			f.buffer = append(f.buffer, p[whole:]...)
			err = f.next()
		}
	}
	if err == nil && f.Tell != nil {
		f.Tell(f.r.Length())
	}
	return err
}

// roll begins the next recording where it is time for that and nothing waits to be recorded.
func (f *follower) roll(now time.Time) error {
	if !f.rolls() || f.r.Length() == f.r.Preamble || !f.Rolls.Due(f.r.Length(), now) {
		return nil
	}
	if pending, can := f.Show.Border(); !can || pending > 0 {
		return nil
	}
	return f.next()
}

// rolls reports whether another recording may follow. A trace that can never be cut stays in the one at hand.
func (f *follower) rolls() bool {
	if f.Rolls == nil {
		return false
	}
	if format, is := f.Show.Whole(); is {
		f.Rolls.Stays(format)
		f.Rolls = nil
	}
	return f.Rolls != nil
}

// next begins the next recording.
func (f *follower) next() (err error) {
	f.r, f.Show, err = f.Rolls.Next(f.Show.Preamble())
	return err
}

// Drain throws away what a source has, until it ends, nothing comes for a time, or ctx ends: who writes to a pipe or a connection is held up
// by a reader that stands still, and may be ended by one that goes away. Files do not care, and who sends OTLP is told.
func Drain(ctx context.Context, s Source, idle time.Duration) {
	if !Drains(s) {
		return
	}
	piece := make([]byte, pieceBytes)
	for came := time.Now(); ctx.Err() == nil; {
		n, err := s.Read(piece)
		if err != nil || idle > 0 && time.Since(came) >= idle {
			return
		}
		if n > 0 {
			came = time.Now()
			continue
		}
		pause(ctx, latest/4)
	}
}

// Drains reports whether Drain does anything.
func Drains(s Source) bool {
	switch s.(type) {
	case *File, *OTLP:
		return false
	}
	return true
}

// pause waits for a moment, or for the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
