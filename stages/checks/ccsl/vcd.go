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

// VCD is a run that TimeSquare recorded. Its steps are read as they are asked for, once, in constant memory.
type VCD struct {
	Names   []string          // of its clocks
	codes   map[string]int32  // by code of the file: position in Names
	aliases map[string]string // by name of the file: the path of the clock
	in      *bufio.Reader     // the file
	file    string
	line    int64  // number of the line being read, from 1
	word    []byte // the last word; its memory is reused
	pending bool   // "#n" has been read, and the step it begins has not been passed on
}

// OpenVCD reads the head of a recorded run: its clocks. The file name appears in errors only.
func OpenVCD(r io.Reader, file string) (*VCD, error) {
	v := &VCD{codes: map[string]int32{}, aliases: map[string]string{}, in: bufio.NewReaderSize(r, schema.ReadAhead(r, 64<<10)), file: file, line: 1}
	// Sections come in any order, up to $enddefinitions.
	for {
		if err := v.readWord(); err != nil {
			return nil, v.errorHere(fmt.Errorf("expected $enddefinitions: %w", unexpectedEnd(err)))
		}
		if v.word[0] != '$' {
			return nil, v.errorHere(fmt.Errorf("expected a section of the head, found %q", v.word))
		}
		name := string(v.word)
		parts, err := v.readSection()
		if err != nil {
			return nil, v.errorHere(fmt.Errorf("section %s has no $end: %w", name, unexpectedEnd(err)))
		}
		switch {
		case name == "$enddefinitions":
			v.resolvePaths()
			return v, nil
		// Only comments of this form have a meaning.
		case name == "$comment" && len(parts) >= 3 && parts[0] == "alias":
			v.aliases[parts[1]] = strings.Trim(strings.Join(parts[2:], " "), `"`)
		case name == "$var":
			if err := v.declareClock(parts); err != nil {
				return nil, v.errorHere(err)
			}
		}
	}
}

// Run returns the run, whose steps are read from the file as they are iterated.
func (v *VCD) Run() Run {
	return Run{v.Names, func(yield func([]int32, error) bool) {
		var step []int32
		for {
			var err error
			if step, err = v.readStep(step[:0]); err == io.EOF {
				return
			}
			if !yield(step, err) || err != nil {
				return
			}
		}
	}}
}

// maxClocks bounds the clocks of a run.
const maxClocks = 1 << 20

// declareClock reads "event 1 code name".
func (v *VCD) declareClock(parts []string) error {
	if len(parts) < 4 || parts[0] != "event" {
		return fmt.Errorf("expected $var event 1 code name $end, found %q", parts)
	}
	code, name := parts[2], parts[3]
	if _, twice := v.codes[code]; twice {
		return fmt.Errorf("code %q stands for two clocks", code)
	}
	// A file that declares clocks without end must not fill the memory.
	if len(v.Names) == maxClocks {
		return fmt.Errorf("more than %d clocks", maxClocks)
	}
	v.codes[code] = int32(len(v.Names))
	v.Names = append(v.Names, name)
	return nil
}

// resolvePaths gives the clocks their paths: the alias that the file declares, or else what the name encodes.
func (v *VCD) resolvePaths() {
	for i, name := range v.Names {
		if path, ok := v.aliases[name]; ok {
			v.Names[i] = path
		} else {
			v.Names[i] = unescapePath(name)
		}
	}
}

// readStep appends the clocks that tick in the next step, or returns io.EOF.
func (v *VCD) readStep(ticks []int32) ([]int32, error) {
	// The mark of a step is read by the step before it, which ends there.
	began, ended := v.pending, false
	v.pending = false
	for {
		err := v.readWord()
		switch {
		case err == io.EOF && (!began || ended && len(ticks) == 0):
			return ticks, io.EOF
		case err == io.EOF:
			return ticks, nil
		case err != nil:
			return ticks, v.errorHere(err)
		case v.word[0] == '#':
			if began {
				v.pending = true
				return ticks, nil
			}
			began = true
		case v.word[0] == '$':
			if _, err := v.readSection(); err != nil {
				return ticks, v.errorHere(unexpectedEnd(err))
			}
		default:
			id, known := v.codes[string(v.word[1:])]
			if !known || !began {
				return ticks, v.errorHere(fmt.Errorf("expected # and a step, or a change of a known clock, found %q", v.word))
			}
			if v.word[0] == '1' {
				ticks = append(ticks, id)
			}
			ended = ended || v.word[0] == 'z'
		}
	}
}

// readSection reads words up to $end.
func (v *VCD) readSection() ([]string, error) {
	var parts []string
	for size := 0; ; {
		if err := v.readWord(); err != nil {
			return nil, err
		}
		if string(v.word) == "$end" {
			return parts, nil
		}
		if size += len(v.word); size > maxWordBytes {
			return nil, fmt.Errorf("a section of more than %d bytes", maxWordBytes)
		}
		parts = append(parts, string(v.word))
	}
}

// maxWordBytes bounds a word and a section.
const maxWordBytes = 1 << 20

// readWord reads the next word, separated by white space.
func (v *VCD) readWord() error {
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
			if len(v.word) == maxWordBytes {
				return fmt.Errorf("a word of more than %d bytes", maxWordBytes)
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

// errorHere places an error at the line being read.
func (v *VCD) errorHere(err error) error {
	return &schema.SyntaxError{File: v.file, Line: v.line, Col: 1, Err: err}
}

// unexpectedEnd turns the end of a file that ends too early into io.ErrUnexpectedEOF.
func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
