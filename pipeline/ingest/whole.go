package ingest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
)

// wholeBytes is how long a file may be that is parsed in one piece. Parsing takes some twenty times as much memory.
const wholeBytes = 64 << 20

// complete reads the rest of a source into its first piece and passes it on.
func (p *piece) complete(ctx context.Context, s *source, last bool, emit func(*piece) error) (err error) {
	for size := 2 * pieceBytes; !last; size *= 2 {
		if err := ctx.Err(); err != nil {
			return err
		}
		size = min(size, wholeBytes+1)
		p.data = slices.Grow(p.data, size-len(p.data))
		if last, err = p.fill(s, size); err != nil {
			return err
		}
		if len(p.data) > wholeBytes {
			return fmt.Errorf("%s has more than %d MiB, and a trace of its format is read in one piece: cut it into files that are runs of their own",
				s.name, wholeBytes>>20)
		}
	}
	p.whole, p.torn = true, len(p.data) > 0 && !bytes.HasSuffix(p.data, []byte{'\n'})
	return emit(p)
}
