package rawlog

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

var errRemark = errors.New("a remark on a module or on losses is not of the format")

// takeRemark takes a line that begins with "#", and the place of it.
func (r *reader) takeRemark(line string, at *schema.SyntaxError) error {
	bad := func() error {
		at.Err = errRemark
		return r.reading.Bad(schema.BadLine, at)
	}
	if rest, is := strings.CutPrefix(line, "# module "); is {
		m, ok := moduleOf(rest)
		if !ok {
			return bad()
		}
		if !slices.Contains(r.modules, m) { // a log may tell the same at its start and its end
			r.modules = append(r.modules, m)
		}
	}
	if rest, is := strings.CutPrefix(line, "# lost "); is {
		_, count, _ := strings.Cut(rest, " ")
		// The thread of the loss is not kept: the ledger counts by reason, not by lifeline.
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil || n < 0 {
			return bad()
		}
		at.Err = errLost
		r.reading.Ledger.AddMany(schema.LostByTracer, n, at.Error)
	}
	return nil
}

// moduleOf reads "0xstart 0xend 0xbias path".
func moduleOf(text string) (m module, ok bool) {
	f := strings.SplitN(text, " ", 4)
	if len(f) < 4 || f[3] == "" {
		return m, false
	}
	// The three addresses, each with its 0x, before the path, which may hold blanks.
	for i, to := range []*uint64{&m.start, &m.end, &m.bias} {
		digits, hex := strings.CutPrefix(f[i], "0x")
		var err error
		if *to, err = strconv.ParseUint(digits, 16, 64); err != nil || !hex {
			return m, false
		}
	}
	// The folder differs from machine to machine and says nothing about the program.
	m.name = symbols.BaseName(f[3])
	return m, m.start < m.end
}
