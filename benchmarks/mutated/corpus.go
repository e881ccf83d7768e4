package mutated

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"testing"
	"time"
	"unicode/utf8"
)

// input is the arguments of a body behind its test.
type input []reflect.Value

// inputOf copies arguments, as the body may change what they hold.
func inputOf(args []reflect.Value) input {
	in := slices.Clone(input(args))
	for i, v := range in {
		if v.Kind() == reflect.Slice {
			in[i] = reflect.ValueOf(bytes.Clone(v.Bytes()))
		}
	}
	return in
}

// values are the arguments of a call.
func (in input) values(t *testing.T) []reflect.Value {
	return append([]reflect.Value{reflect.ValueOf(t)}, inputOf(in)...)
}

// version is the first line of a file that has an input.
const version = "go test fuzz v1\n"

// text is an input as the fuzzer of Go writes it: an expression for every argument.
func (in input) text() []byte {
	b := []byte(version)
	for _, v := range in {
		switch v.Kind() {
		case reflect.Slice:
			b = fmt.Appendf(b, "[]byte(%q)\n", v.Bytes())
		case reflect.String:
			b = fmt.Appendf(b, "string(%q)\n", v.String())
		case reflect.Float64:
			if f := v.Float(); math.IsNaN(f) {
				b = fmt.Appendf(b, "math.Float64frombits(0x%x)\n", math.Float64bits(f))
				continue
			}
			b = fmt.Appendf(b, "float64(%v)\n", v.Float())
		default:
			b = fmt.Appendf(b, "%s(%v)\n", v.Kind(), v.Interface())
		}
	}
	return b
}

// name is the name of the file of an input.
func (in input) name() string {
	sum := sha256.Sum256(in.text())
	return fmt.Sprintf("%x", sum[:8])
}

// parseInput reads what the fuzzer of Go wrote, for a body of a type.
func parseInput(text []byte, body reflect.Type) (in input, err error) {
	rest, found := bytes.CutPrefix(text, []byte(version))
	if !found {
		return nil, errors.New("a file of another version")
	}
	for line := range bytes.Lines(rest) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if len(in)+1 >= body.NumIn() {
			return nil, errors.New("more arguments than the target has")
		}
		v, err := parseValue(string(line), body.In(len(in)+1))
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		in = append(in, v)
	}
	if len(in)+1 != body.NumIn() {
		return nil, errors.New("fewer arguments than the target has")
	}
	return in, nil
}

// parseValue reads an expression such as string("a"), int(-5) or math.Float64frombits(0x7ff8000000000001).
func parseValue(text string, as reflect.Type) (v reflect.Value, err error) {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return v, err
	}
	call, is := e.(*ast.CallExpr)
	if !is || len(call.Args) != 1 {
		return v, errors.New("not a conversion")
	}
	literal, negative := call.Args[0], ""
	if unary, is := literal.(*ast.UnaryExpr); is && unary.Op == token.SUB {
		literal, negative = unary.X, "-"
	} else if is {
		literal = unary.X // +Inf
	}
	var word string
	switch l := literal.(type) {
	case *ast.BasicLit:
		word = negative + l.Value
	case *ast.Ident:
		word = negative + l.Name // true, Inf, NaN
	}
	v = reflect.New(as).Elem()
	switch as.Kind() {
	case reflect.Slice:
		word, err = strconv.Unquote(word)
		v.SetBytes([]byte(word))
	case reflect.String:
		word, err = strconv.Unquote(word)
		v.SetString(word)
	case reflect.Bool:
		v.SetBool(word == "true")
	case reflect.Float32, reflect.Float64:
		var f float64
		if _, of := call.Fun.(*ast.SelectorExpr); of {
			var bits uint64
			bits, err = strconv.ParseUint(word, 0, 64)
			f = math.Float64frombits(bits)
		} else {
			f, err = strconv.ParseFloat(word, 64)
		}
		v.SetFloat(f)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		var n uint64
		n, err = number(word, strconv.ParseUint)
		v.SetUint(n)
	default:
		var n int64
		n, err = number(word, strconv.ParseInt)
		v.SetInt(n)
	}
	return v, err
}

// number reads a number that may be written as a letter: bytes are.
func number[T int64 | uint64](word string, parse func(string, int, int) (T, error)) (T, error) {
	if letter, err := strconv.Unquote(word); err == nil && letter != "" {
		r, size := utf8.DecodeRuneInString(letter)
		if r == utf8.RuneError && size == 1 {
			return T(letter[0]), nil
		}
		return T(r), nil
	}
	return parse(word, 0, 64)
}

// corpus is the inputs that are mutated.
type corpus struct {
	inputs  []input
	took    []time.Duration // by each as it is
	until   []float64       // the sums of their weights
	longest int             // bytes of a text
}

// add adds an input.
func (c *corpus) add(in input) {
	c.inputs = append(c.inputs, in)
	for _, v := range in {
		if v.Kind() == reflect.Slice || v.Kind() == reflect.String {
			c.longest = max(c.longest, v.Len())
		}
	}
}

// read adds the inputs of a folder, in the order of their names.
func (c *corpus) read(folder string, body reflect.Type) error {
	files, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			return err
		}
		if in, err := parseInput(text, body); err == nil { // the target may have had other arguments once
			c.add(in)
		}
	}
	return err
}

// weigh gives every input its weight: those that take as long as half of them or longer share the time alike, and not the number of calls.
func (c *corpus) weigh() {
	sorted := slices.Sorted(slices.Values(c.took))
	least := max(sorted[len(sorted)/2]/2, 1)
	var sum float64
	for _, took := range c.took {
		sum += 1 / float64(max(took, least))
		c.until = append(c.until, sum)
	}
}

// choose chooses an input by its weight.
func (c *corpus) choose(r *rand.Rand) input {
	at := r.Float64() * c.until[len(c.until)-1]
	n := sort.Search(len(c.until), func(i int) bool { return cmp.Less(at, c.until[i]) })
	return c.inputs[min(n, len(c.inputs)-1)]
}
