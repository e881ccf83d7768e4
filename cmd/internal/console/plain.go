package console

import (
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Plain writes text for people: line ends and tabs pass, and every other control character becomes the letters that
// texttab.Printable has for it. Names of a trace may hold sequences that clear a screen or type into a terminal; whatever a
// report does with them, they pass through here. JSON stays the same JSON, because it has no raw control character but U+007F
// and C1, whose letters are its own escapes.
type Plain struct {
	out  io.Writer
	rest []byte // the beginning of a character whose other bytes are still to come: at most three bytes
	line []byte // the buffer of Write
}

// NewPlain returns a writer to out.
func NewPlain(out io.Writer) *Plain { return &Plain{out: out} }

// Raw returns what Plain writes to, for formats that are data and no text. A terminal never gets raw bytes: for one it returns
// the writer itself.
func (p *Plain) Raw() io.Writer {
	if p.IsTerminal() {
		return p
	}
	return p.out
}

// IsTerminal reports whether a person reads what is written.
func (p *Plain) IsTerminal() bool { return isTerminal(p.out) }

// isTerminal reports whether a writer is a terminal, also behind a Plain.
func isTerminal(out io.Writer) bool { return terminal(out) != nil }

// terminal returns the terminal that a writer is, also behind a Plain, or nil.
func terminal(out io.Writer) *os.File {
	if p, is := out.(*Plain); is {
		out = p.out
	}
	if f, isFile := out.(*os.File); isFile && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// Write implements io.Writer. Text of printable ASCII and line ends, which is nearly all there is, is passed on without a copy.
func (p *Plain) Write(text []byte) (int, error) {
	if len(p.rest) == 0 && isPlain(text) {
		return p.out.Write(text)
	}
	p.line = append(append(p.line[:0], p.rest...), text...)
	whole := len(p.line) - unfinished(p.line)
	p.rest = append(p.rest[:0], p.line[whole:]...)
	_, err := p.out.Write(texttab.AppendPrintable(nil, p.line[:whole], "\n\t"))
	return len(text), err
}

// Close writes what is left of a character that never was complete. It does not close what Plain writes to.
func (p *Plain) Close() error {
	rest := texttab.AppendPrintable(nil, p.rest, "")
	p.rest = p.rest[:0]
	if len(rest) == 0 {
		return nil
	}
	_, err := p.out.Write(rest)
	return err
}

// isPlain reports whether a text has nothing but printable ASCII, line ends and tabs.
func isPlain(text []byte) bool {
	for _, c := range text {
		if c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

// unfinished returns how many bytes at the end of a text begin a character of which bytes are missing.
func unfinished(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
