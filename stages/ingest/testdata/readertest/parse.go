package readertest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tracelake/tracelake/schema"
)

// Text is what a parser makes of a text, or a plain reader that a test compares it with.
type Text struct {
	Events               []Event // in the order of their lines
	Lines, Bad, Overflow int64   // lines of the text; those that are no events, and whose times do not fit
}

// Parse parses the pieces of a text in turn. Lines count on from one piece to the next.
func Parse(p schema.Parser, pieces ...string) (out Text) {
	for _, piece := range pieces {
		var b schema.Block
		p.Parse([]byte(piece), &b)
		// A new block for each piece: a parser keeps its keys and marks, not its rows.
		for i, e := range Events(&b, p.Keys(), p.Marks()) {
			// A block counts its lines from 0; the text goes on.
			e.Line = int(out.Lines) + int(b.Line[i])
			out.Events = append(out.Events, e)
		}
		out.Lines += b.Lines
		out.Bad += b.Bad.Count
		out.Overflow += b.Overflow.Count
	}
	return out
}

// CheckText returns an error for a block of a text whose columns have unequal lengths, or in which a line is not
// exactly one of good, bad and beyond the times that fit.
func CheckText(text string, b *schema.Block) error {
	lines := int64(strings.Count(text, "\n"))
	if text != "" && !strings.HasSuffix(text, "\n") {
		lines++
	}
	// Columns of a block are rows only as long as they are equally long.
	n := len(b.TimeNs)
	if len(b.Key) != n || len(b.Mark) != n || len(b.MessageID) != n || len(b.Line) != n {
		return fmt.Errorf("%q: %d times, %d keys, %d marks, %d ids, %d lines", text, n, len(b.Key), len(b.Mark), len(b.MessageID), len(b.Line))
	}
	// An event with several messages has several rows of one line, so lines are counted and not rows.
	good := make(map[uint32]bool)
	for _, line := range b.Line {
		good[line] = true
	}
	if b.Lines != lines || int64(len(good))+b.Bad.Count+b.Overflow.Count != lines {
		return fmt.Errorf("%q: %d lines: %d good, %d bad, %d overflow of %d", text, b.Lines, len(good), b.Bad.Count, b.Overflow.Count, lines)
	}
	return nil
}

// Plain reads a text by a function that takes a line without its end, and returns its events or that it is none: the
// obvious reader that a parser is compared with.
func Plain(text string, read func(line string) (events []Event, overflow, ok bool)) (out Text) {
	if text == "" {
		return out
	}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		out.Lines++
		events, overflow, ok := read(strings.TrimSuffix(line, "\r"))
		switch {
		case !ok:
			out.Bad++
		case overflow:
			out.Overflow++
		default:
			for j := range events {
				events[j].Line = i
			}
			out.Events = append(out.Events, events...)
		}
	}
	return out
}

// IsName reports whether a text format may hold a name: valid UTF-8 of at most 4096 bytes without control characters.
func IsName(s string) bool {
	return len(s) <= 4096 && utf8.ValidString(s) &&
		strings.IndexFunc(s, func(r rune) bool { return r < 32 || r == 127 }) < 0
}
