package console

import (
	"context"
	"sync/atomic"
)

// easing is the key of what a command gives up where its memory becomes short.
type easing struct{}

// withEase returns a context for a command, and what asks the command to give up a part of its work, for an error.
func withEase(ctx context.Context) (of context.Context, ease func(error)) {
	gives := new(atomic.Pointer[func(error)])
	return context.WithValue(ctx, easing{}, gives), func(why error) {
		if give := gives.Load(); give != nil {
			(*give)(why)
		}
	}
}

// Ease says what a command gives up where its memory becomes short, before it is ended: a server answers those who ask for too much with the error, and goes on
// for all others.
func Ease(ctx context.Context, give func(error)) {
	if gives, in := ctx.Value(easing{}).(*atomic.Pointer[func(error)]); in {
		gives.Store(&give)
	}
}
