package pipeline

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestAwaitRoom checks that no task starts beside one that holds more than was planned, that one starts when it ends, or when it holds
// less, and that the wait ends with the context.
func TestAwaitRoom(t *testing.T) {
	const budget = 1 << 30
	var held atomic.Int64
	l := NewLocal(&Engine{Jobs: 3, Memory: budget})
	l.held = held.Load
	held.Store(2 * budget)
	expect.OK(t, l.acquire(t.Context(), 1)) // nothing else runs
	soon, cancel := context.WithTimeout(t.Context(), 4*roomPause)
	defer cancel()
	if err := l.acquire(soon, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("a second task starts beside the first one: %v", err)
	}
	time.AfterFunc(2*roomPause, func() { held.Store(budget) })
	expect.OK(t, l.acquire(t.Context(), 1))
	expect.OK(t, l.acquire(t.Context(), budget-2)) // what did not start gave its job and its memory back
}
