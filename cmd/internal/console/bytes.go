package console

import (
	"fmt"
	"strconv"
	"strings"
)

// Bytes is a size in bytes as a flag: 512MiB, 4GiB, 2GB, or a plain number.
type Bytes int64

var units = []struct {
	name string
	size float64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1},
}

// Set implements pflag.Value.
func (b *Bytes) Set(text string) error {
	number, size := text, 1.0
	for _, u := range units {
		if rest, cut := strings.CutSuffix(text, u.name); cut {
			number, size = rest, u.size
			break
		}
	}
	value, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(value >= 0 && value*size < 1<<62) { // NaN is neither
		return fmt.Errorf("%q is not a size such as 512MiB or 4GiB", text)
	}
	*b = Bytes(value * size)
	return nil
}

// String implements pflag.Value.
func (b Bytes) String() string {
	for i := 3; i >= 0; i-- {
		if size := int64(units[i].size); int64(b) >= size && int64(b)%size == 0 {
			return strconv.FormatInt(int64(b)/size, 10) + units[i].name
		}
	}
	return strconv.FormatInt(int64(b), 10) + "B"
}

// Type implements pflag.Value.
func (b *Bytes) Type() string { return "size" }
