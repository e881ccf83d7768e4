package schema

import "fmt"

// SyntaxError is a record that is not of its format. It names the place: file, line and column,
// both from 1, columns counted in bytes.
type SyntaxError struct {
	File      string
	Line, Col int64
	Err       error
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %v", e.File, e.Line, e.Col, e.Err)
}

func (e *SyntaxError) Unwrap() error { return e.Err }
