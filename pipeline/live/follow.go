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
	Idle time.Duration      // the end, when nothing came for so long; 0: never
	Tell func(length int64) // is called when blocks were written, with the bytes recorded so far; may be nil
	Show *Decoder           // shows what comes while it comes; nil: nothing shows before the trace ends
}

// Follow records a source until it ends, until nothing comes for a time, or until ctx ends, which is the ordinary end and no error. What came
// is on disk then.
func Follow(ctx context.Context, s Source, r *Recording, o Options) error {
	buffer := make([]byte, 0, mostBlock)
	var first time.Time // when the first byte of the buffer came
	synced, came := time.Now(), time.Now()
	flush := func() error {
		if len(buffer) == 0 {
			return nil
		}
		err := r.Append(buffer, first)
		if err == nil && o.Show != nil {
			err = o.Show.Take(buffer, first)
		}
		buffer = buffer[:0]
		if err == nil && o.Tell != nil {
			o.Tell(r.Length())
		}
		return err
	}
	for {
		n, err := s.Read(buffer[len(buffer):cap(buffer)])
		now := time.Now()
		if n > 0 {
			if len(buffer) == 0 {
				first = now
			}
			buffer, came = buffer[:len(buffer)+n], now
		}
		ended := errors.Is(err, io.EOF) || ctx.Err() != nil && n == 0 || o.Idle > 0 && now.Sub(came) >= o.Idle
		if err != nil && !ended {
			return errors.Join(err, flush(), r.Sync())
		}
		if ended || len(buffer) == cap(buffer) || len(buffer) > 0 && now.Sub(first) >= latest {
			if err := flush(); err != nil {
				return errors.Join(err, r.Sync())
			}
		}
		if ended {
			return r.Sync()
		}
		if now.Sub(synced) >= syncAfter {
			if err := r.Sync(); err != nil {
				return err
			}
			synced = now
		}
		if n == 0 && o.Show != nil {
			if err := o.Show.Idle(now); err != nil {
				return err
			}
		}
		if n == 0 {
			pause(ctx, latest/4)
		}
	}
}

// pause waits for a moment, or for the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
