package console

import (
	"context"
	"io"
	"sync"
)

// interruptible is an input whose readers go away when the context ends, even while nobody writes into it.
type interruptible struct {
	ctx   context.Context
	in    io.Reader
	begin sync.Once
	pipe  *io.PipeReader
}

// Read implements io.Reader. The input is not touched before the first one.
func (i *interruptible) Read(p []byte) (int, error) {
	i.begin.Do(func() {
		var w *io.PipeWriter
		i.pipe, w = io.Pipe()
		context.AfterFunc(i.ctx, func() { w.CloseWithError(i.ctx.Err()) })
		go func() {
			_, err := io.CopyBuffer(struct{ io.Writer }{w}, struct{ io.Reader }{i.in}, make([]byte, 1<<20))
			w.CloseWithError(err)
		}()
	})
	return i.pipe.Read(p)
}
