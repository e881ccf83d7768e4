package serve

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/tracelake/tracelake/pipeline/memory"
)

// underWay are the requests that are being answered. Where they need more memory than there is they are given up, each with a sentence, so that the server
// does not end for all who look.
type underWay struct {
	lock   sync.Mutex
	cancel map[*http.Request]context.CancelCauseFunc
}

// begin adds a request, and returns it with a context that ends where it is given up. The function that is returned ends it.
func (u *underWay) begin(r *http.Request) (of *http.Request, end func()) {
	ctx, cancel := context.WithCancelCause(r.Context())
	of = r.WithContext(ctx)
	u.lock.Lock()
	defer u.lock.Unlock()
	if u.cancel == nil {
		u.cancel = make(map[*http.Request]context.CancelCauseFunc)
	}
	u.cancel[of] = cancel
	return of, func() {
		u.lock.Lock()
		defer u.lock.Unlock()
		delete(u.cancel, of)
		cancel(nil)
	}
}

// giveUp gives up all requests for an error.
func (u *underWay) giveUp(why error) {
	u.lock.Lock()
	defer u.lock.Unlock()
	for _, cancel := range u.cancel {
		cancel(why)
	}
}

// why is the error of a request: where its memory was short that, whatever failed by it.
func why(r *http.Request, err error) error {
	var short *memory.ExceededError
	if err == nil || !errors.As(context.Cause(r.Context()), &short) {
		return err
	}
	return &memory.ExceededError{What: "the pages that are made at the moment", Budget: short.Budget}
}
