package console

import (
	"context"
	"io"
	"sync"
)

// interruptible is an input whose readers go away when the context ends, even while nobody writes into it.
type interruptible struct {
	ctx   context.Context // whose end ends every Read
	in    io.Reader       // the real input
	begin sync.Once       // starts the copying
	pipe  *io.PipeReader  // what readers wait for instead
}

// Read implements io.Reader. The input is not touched before the first one.
// A read of a terminal or a pipe cannot be interrupted. So a goroutine reads, and its readers wait at a pipe that
// the context closes. The goroutine itself stays until the process ends.
func (i *interruptible) Read(p []byte) (int, error) {
	i.begin.Do(func() {
		var w *io.PipeWriter
		i.pipe, w = io.Pipe()
		context.AfterFunc(i.ctx, func() { w.CloseWithError(i.ctx.Err()) })
		go func() {
			// The wrappers hide ReadFrom and WriteTo, which would copy past the buffer in small steps.
			_, err := io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{i.in}, make([]byte, 1<<20))
			w.CloseWithError(err)
		}()
	})
	return i.pipe.Read(p)
}
