package console

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
)

// plainHandler writes a record as its message and its attributes, without time or level.
type plainHandler struct {
	mu  sync.Mutex
	out io.Writer
}

// All levels are written; attributes and groups of a logger are not used.
func (h *plainHandler) Enabled(context.Context, slog.Level) bool { return true }
func (h *plainHandler) WithAttrs([]slog.Attr) slog.Handler       { return h }
func (h *plainHandler) WithGroup(string) slog.Handler            { return h }

// Handle implements slog.Handler.
// A record is one line, written under a lock, since stages log from several goroutines.
func (h *plainHandler) Handle(_ context.Context, r slog.Record) error {
	line := r.Message
	r.Attrs(func(a slog.Attr) bool {
		line += fmt.Sprintf(" %s=%v", a.Key, a.Value)
		return true
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := fmt.Fprintln(h.out, line)
	return err
}
