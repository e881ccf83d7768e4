// Package workers runs functions at the same time, as errgroup does, with one difference: a panic in one of them is an
// error of the group and does not end the process. So the other functions stop, files that are half written are removed,
// leases are given back, and the program ends as it does after any other error, with a lake that is sound.
package workers

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sync/errgroup"
)

// Group is an errgroup.Group whose functions may panic. A zero Group is ready for use and cancels nothing. It must not be
// copied.
type Group struct{ group *errgroup.Group }

// of returns the group itself, which a zero Group gets when it is first asked for something. All calls but those in the
// functions are of one goroutine, as with errgroup.
func (g *Group) of() *errgroup.Group {
	if g.group == nil {
		g.group = new(errgroup.Group)
	}
	return g.group
}

// WithContext returns a group, and a context that ends with the first error or panic in it.
func WithContext(ctx context.Context) (*Group, context.Context) {
	group, inner := errgroup.WithContext(ctx)
	return &Group{group}, inner
}

// SetLimit bounds how many functions run at a time. It is called before the first Go.
func (g *Group) SetLimit(n int) { g.of().SetLimit(n) }

// Go runs a function. The first error or panic is what Wait returns.
func (g *Group) Go(do func() error) {
	g.of().Go(func() (err error) {
		defer Recover(&err)
		return do()
	})
}

// Wait returns when all functions have returned, with the first error.
func (g *Group) Wait() error { return g.of().Wait() }

// Panic is the error of a function that panicked: a bug of this program, whatever its input was.
type Panic struct {
	Value any    // what the function panicked with
	Place string // function, file and line
	Stack []byte // of the goroutine, as the runtime prints it
}

// Error says that this is a bug, what happened and where.
func (p *Panic) Error() string {
	return fmt.Sprintf("this is a bug of the program: %v, in %s; the lake is sound", p.Value, p.Place)
}

// Recover makes an error of a panic. It is deferred, with the address of the error that the function returns.
func Recover(err *error) {
	switch value := recover().(type) {
	case nil:
	case *Panic: // it comes from a group whose errors nobody takes
		*err = value
	default:
		*err = &Panic{value, place(), debug.Stack()}
	}
}

// place names where the panic in hand began: the first function on the stack that is not of the runtime.
func place() string {
	var callers [64]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(0, callers[:])])
	panicked := false
	for {
		frame, more := frames.Next()
		if panicked && !strings.HasPrefix(frame.Function, "runtime.") {
			return fmt.Sprintf("%s (%s:%d)", base(frame.Function), base(frame.File), frame.Line)
		}
		panicked = panicked || frame.Function == "runtime.gopanic"
		if !more {
			return "an unknown place"
		}
	}
}

// base is what stands behind the last slash.
func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
