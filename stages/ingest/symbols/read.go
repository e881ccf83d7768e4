package symbols

import (
	"bytes"
	"fmt"
)

// Read reads what stands in a file: a program or library of ELF, or else a table of functions as text. The magic number decides and not
// the name, as programs have none of their own. Errors begin with the file.
func Read(data []byte, file string) (*Table, error) {
	if !bytes.HasPrefix(data, []byte("\x7fELF")) {
		return FromTable(bytes.NewReader(data), file)
	}
	t, err := FromELF(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return t, nil
}
