package console

import (
	"context"
	"sync/atomic"
	"time"
)

// grace is how long a command has to end by itself after an interrupt: to remove its temporary files, and to say what it has so far. Most end
// within some milliseconds. Some functions that judge or infer for seconds know of no context; what they are about is committed by a rename or
// not at all, so that a process may end anywhere among them, as it may be killed. Main removes the temporary files that such a command has
// outside of the lake. The rest of a second is for that, and for giving back the memory of a large command, which takes up to .4 s.
const grace = 500 * time.Millisecond

// lingering is the key of what a command said about its end.
type lingering struct{}

// withGrace returns a context for a command, and a channel that is closed when the command should have ended and has not.
func withGrace(ctx context.Context) (of context.Context, late <-chan struct{}) {
	lingers := new(atomic.Bool)
	closed := make(chan struct{})
	context.AfterFunc(ctx, func() {
		time.Sleep(grace)
		if !lingers.Load() {
			close(closed)
		}
	})
	return context.WithValue(ctx, lingering{}, lingers), closed
}

// Linger says that a command is not left where it is after an interrupt. It ends in its own time, since others wait for it: a trace that it
// records is made a run, jobs that it submitted are cancelled, programs that it started end first.
func Linger(ctx context.Context) {
	if lingers, in := ctx.Value(lingering{}).(*atomic.Bool); in {
		lingers.Store(true)
	}
}
