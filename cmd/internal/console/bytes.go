package console

import "github.com/tracelake/tracelake/stages/report/texttab"

// Bytes is a size in bytes as a flag: 512MiB, 4GiB, 2GB, or a plain number.
type Bytes int64

// Set implements pflag.Value.
func (b *Bytes) Set(text string) error {
	n, err := texttab.ParseBytes(text)
	if err != nil {
		return err
	}
	*b = Bytes(n)
	return nil
}

// String implements pflag.Value.
func (b Bytes) String() string { return texttab.Bytes(int64(b)) }

// Type implements pflag.Value.
func (b *Bytes) Type() string { return "size" }
