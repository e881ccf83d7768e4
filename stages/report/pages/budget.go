package pages

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Resource is data that a page asks for by name.
type Resource struct {
	Name string
	JSON []byte
}

// Budget collects what fits into a file.
type Budget struct {
	Most     int64 // bytes of the whole file
	Overhead int64 // bytes that the file takes for a resource beside its JSON

	used      int64
	reserved  int64 // of used, for the first resource
	resources []Resource
	left      map[string]int64
}

// LeftOut is what a file lacks because it did not fit.
type LeftOut struct {
	What  string `json:"what"` // in the plural
	Count int64  `json:"count"`
}

// contentsBytes are kept free for the list of what the file has, beside what every resource adds to it.
const contentsBytes = 4096

// Use takes bytes of the file for something else than resources.
func (b *Budget) Use(bytes int) { b.used += int64(bytes) }

// Reserve keeps bytes free for the first resource, as far as its value is known before all others. It is an error if these do not fit.
func (b *Budget) Reserve(value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("the first page: %w", err)
	}
	b.reserved = int64(len(data))
	if b.used += b.reserved; b.used+contentsBytes > b.Most {
		return &TooSmallError{Needed: b.used + contentsBytes}
	}
	return nil
}

// Add adds a resource if it fits, and reports whether it did.
func (b *Budget) Add(name string, value any) (bool, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return false, fmt.Errorf("%s of the page: %w", name, err)
	}
	return b.add(name, data, b.Most-contentsBytes), nil
}

// add adds a resource if the file stays below a size.
func (b *Budget) add(name string, data []byte, most int64) bool {
	bytes := int64(len(data)+len(name)) + b.Overhead
	if b.used+bytes > most {
		return false
	}
	b.used += bytes
	b.resources = append(b.resources, Resource{name, data})
	return true
}

// AddMost adds as many rows of a resource as fit into a share of the whole file, from the first on. Value makes the resource of a number
// of rows. What does not fit is counted.
func (b *Budget) AddMost(name, what string, rows int, share float64, value func(rows int) any) error {
	most := min(b.Most-contentsBytes, b.used+int64(share*float64(b.Most)))
	for n := rows; ; n /= 2 {
		data, err := json.Marshal(value(n))
		if err != nil {
			return fmt.Errorf("%s of the page: %w", name, err)
		}
		if b.add(name, data, most) {
			b.Leave(what, int64(rows-n))
			return nil
		}
		if n == 0 {
			b.Leave(what, int64(rows))
			return nil
		}
	}
}

// Leave counts what was left out; what is in the plural.
func (b *Budget) Leave(what string, n int64) {
	if n > 0 {
		if b.left == nil {
			b.left = make(map[string]int64)
		}
		b.left[what] += n
	}
}

// LeftOut lists what was left out, by name.
func (b *Budget) LeftOut() []LeftOut {
	all := []LeftOut{}
	for _, what := range slices.Sorted(maps.Keys(b.left)) {
		all = append(all, LeftOut{what, b.left[what]})
	}
	return all
}

// Finish adds the first resource of a page, which is asked for before all others and always there, and returns all of them. It is an error
// if that alone does not fit.
func (b *Budget) Finish(name string, value any) ([]Resource, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("%s of the page: %w", name, err)
	}
	if size := b.used - b.reserved + int64(len(data)+len(name)) + b.Overhead; size > b.Most {
		return nil, &TooSmallError{Needed: size}
	}
	return append([]Resource{{name, data}}, b.resources...), nil
}

// TooSmallError says that not even what every report has fits into a file.
type TooSmallError struct {
	Needed int64 // bytes
}

// Error implements error. Sizes are rounded up to tenths of a megabyte: the script of the page, which is a part, changes with the program.
func (e *TooSmallError) Error() string {
	return fmt.Sprintf("the verdict and its numbers alone take %.1f MB", float64((e.Needed+99_999)/100_000)/10)
}
