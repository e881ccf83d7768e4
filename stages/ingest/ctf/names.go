package ctf

import (
	"bytes"

	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// text returns the text that a register points at, up to its zero byte or the end of its field.
func (s *stream) text(reg register) string {
	at := int(s.regs[reg]) + s.delta
	if at < 0 || at >= len(s.buf) {
		return ""
	}
	b := s.buf[at:min(len(s.buf), at+processes.MaxName)]
	if room := s.event.room[reg]; room != 0 {
		b = b[:min(uint64(len(b)), room)]
	}
	if n := bytes.IndexByte(b, 0); n >= 0 {
		b = b[:n]
	}
	return processes.Clean(b)
}
