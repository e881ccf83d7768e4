package schema

import "fmt"

// SyntaxError reports a record that is not of its format. It names the place: in a text file line and column,
// both from 1, columns counted in bytes; in a binary file, where line and column are 0, the offset in bytes.
type SyntaxError struct {
	File      string
	Line, Col int64
	Offset    int64
	Err       error
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 && e.Col == 0 {
		return fmt.Sprintf("%s@%#x: %v", e.File, e.Offset, e.Err)
	}
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Col, e.Err)
}

func (e *SyntaxError) Unwrap() error { return e.Err }
