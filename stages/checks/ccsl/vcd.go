package ccsl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// A TimeSquare VCD file is a value change dump whose variables are events, that is clocks:
//
//	$comment alias main__a "main::a" $end     the path of a clock; without it "__" in the name is read as "::"
//	$var event 1 !1 main__a $end              a clock, and the code that stands for it
//	$enddefinitions $end
//	#0                                        a step begins. The number counts up; by how much has no meaning
//	1!1                                       the clock ticks
//	z!1                                       its recording ends; 0!1 and x!1 are no ticks either
//
// A last step in which clocks only end is no step. Sections other than these are passed over.

// VCD is a run that TimeSquare recorded. It is read as its steps are asked for, once.
type VCD struct {
	Names   []string // of its clocks
	codes   map[string]int32
	aliases map[string]string
	in      *bufio.Reader
	file    string
	line    int64
	word    []byte
	pending bool // "#n" has been read, and the step it begins has not been passed on
}

// OpenVCD reads the head of a recorded run: its clocks. The file is named in errors.
func OpenVCD(r io.Reader, file string) (*VCD, error) {
	v := &VCD{codes: map[string]int32{}, aliases: map[string]string{}, in: bufio.NewReaderSize(r, 64<<10), file: file, line: 1}
	for {
		if err := v.next(); err != nil {
			return nil, v.at(fmt.Errorf("expected $enddefinitions: %w", atEnd(err)))
		}
		if v.word[0] != '$' {
			return nil, v.at(fmt.Errorf("expected a section of the head, found %q", v.word))
		}
		name := string(v.word)
		parts, err := v.section()
		if err != nil {
			return nil, v.at(fmt.Errorf("section %s has no $end: %w", name, atEnd(err)))
		}
		switch {
		case name == "$enddefinitions":
			return v, v.rename()
		case name == "$comment" && len(parts) >= 3 && parts[0] == "alias":
			v.aliases[parts[1]] = strings.Trim(strings.Join(parts[2:], " "), `"`)
		case name == "$var":
			if err := v.declare(parts); err != nil {
				return nil, v.at(err)
			}
		}
	}
}

// Run is the run whose steps the file has.
func (v *VCD) Run() Run {
	return Run{v.Names, func(yield func([]int32, error) bool) {
		var step []int32
		for {
			var err error
			if step, err = v.step(step[:0]); err == io.EOF {
				return
			}
			if !yield(step, err) || err != nil {
				return
			}
		}
	}}
}

// mostClocks bounds the clocks of a run.
const mostClocks = 1 << 20

// declare reads "event 1 code name".
func (v *VCD) declare(parts []string) error {
	if len(parts) < 4 || parts[0] != "event" {
		return fmt.Errorf("expected $var event 1 code name $end, found %q", parts)
	}
	code, name := parts[2], parts[3]
	if _, twice := v.codes[code]; twice {
		return fmt.Errorf("code %q stands for two clocks", code)
	}
	if len(v.Names) == mostClocks {
		return fmt.Errorf("more than %d clocks", mostClocks)
	}
	v.codes[code] = int32(len(v.Names))
	v.Names = append(v.Names, name)
	return nil
}

// rename gives the clocks their paths.
func (v *VCD) rename() error {
	for i, name := range v.Names {
		if path, ok := v.aliases[name]; ok {
			v.Names[i] = path
		} else {
			v.Names[i] = alias(name)
		}
	}
	return nil
}

// step appends the clocks that tick in the next step, or returns io.EOF.
func (v *VCD) step(ticks []int32) ([]int32, error) {
	began, ended := v.pending, false
	v.pending = false
	for {
		err := v.next()
		switch {
		case err == io.EOF && (!began || ended && len(ticks) == 0):
			return ticks, io.EOF
		case err == io.EOF:
			return ticks, nil
		case err != nil:
			return ticks, v.at(err)
		case v.word[0] == '#':
			if began {
				v.pending = true
				return ticks, nil
			}
			began = true
		case v.word[0] == '$':
			if _, err := v.section(); err != nil {
				return ticks, v.at(atEnd(err))
			}
		default:
			id, known := v.codes[string(v.word[1:])]
			if !known || !began {
				return ticks, v.at(fmt.Errorf("expected # and a step, or a change of a known clock, found %q", v.word))
			}
			if v.word[0] == '1' {
				ticks = append(ticks, id)
			}
			ended = ended || v.word[0] == 'z'
		}
	}
}

// section reads words up to $end.
func (v *VCD) section() ([]string, error) {
	var parts []string
	for size := 0; ; {
		if err := v.next(); err != nil {
			return nil, err
		}
		if string(v.word) == "$end" {
			return parts, nil
		}
		if size += len(v.word); size > mostWord {
			return nil, fmt.Errorf("a section of more than %d bytes", mostWord)
		}
		parts = append(parts, string(v.word))
	}
}

// mostWord bounds a word and a section, in bytes.
const mostWord = 1 << 20

// next reads the next word.
func (v *VCD) next() error {
	v.word = v.word[:0]
	for {
		c, err := v.in.ReadByte()
		if err != nil {
			if err == io.EOF && len(v.word) > 0 {
				return nil
			}
			return err
		}
		if bytes.IndexByte([]byte(" \t\r\n"), c) < 0 {
			if len(v.word) == mostWord {
				return fmt.Errorf("a word of more than %d bytes", mostWord)
			}
			v.word = append(v.word, c)
			continue
		}
		if len(v.word) > 0 {
			return v.in.UnreadByte()
		}
		if c == '\n' {
			v.line++
		}
	}
}

func (v *VCD) at(err error) error {
	return &schema.SyntaxError{File: v.file, Line: v.line, Col: 1, Err: err}
}

// atEnd says that a file ends too early.
func atEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
