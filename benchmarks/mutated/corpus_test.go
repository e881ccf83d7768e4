package mutated

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"github.com/tracelake/tracelake/testdata/expect"
)

// What the fuzzer of Go writes is read as it is meant, and what is written here is read as it was.
func TestParseInput(t *testing.T) {
	body := reflect.TypeFor[func(*testing.T, []byte, string, bool, byte, rune, int64, uint16, float64, float64, float64)]()
	text := version + `[]byte("a\x00\xff\"")
string("é\n")
bool(true)
byte('\xff')
rune('é')
int64(-9223372036854775808)
uint16(65535)
float64(-1.5e-300)
float64(-Inf)
math.Float64frombits(0x7ff8000000000007)
`
	check := func(text string) input {
		in := expect.Value(parseInput([]byte(text), body))(t)
		got := make([]any, len(in))
		for i, v := range in {
			got[i] = v.Interface()
		}
		expect.Equal(t, math.Float64bits(got[9].(float64)), 0x7ff8000000000007, "bits of a number that is none")
		expect.Deep(t, got[:9], []any{[]byte("a\x00\xff\""), "é\n", true, byte(255), 'é', int64(math.MinInt64), uint16(65535), -1.5e-300, math.Inf(-1)}, "input")
		return in
	}
	in := check(text)
	check(string(in.text()))
	for _, wrong := range []string{"", "go test fuzz v2\n", version, version + "string(\"a\")\n", text + "int(5)\n", version + "[]byte(\n", version + "5\n"} {
		if in, err := parseInput([]byte(wrong), body); err == nil {
			t.Errorf("%q: %v", wrong, in)
		}
	}
	// The body may change what it is given.
	in.values(t)[1].Bytes()[0] = 'b'
	check(string(in.text()))
}

// Every kind of argument is changed, in all the ways that there are, and the input in the corpus stays as it is. The same number gives the same inputs.
func TestMutated(t *testing.T) {
	var c corpus
	for n, text := range []string{"one 17 word", "two, 4711 words: some more of them", ""} {
		c.add(inputOf([]reflect.Value{reflect.ValueOf([]byte(text)), reflect.ValueOf(text), reflect.ValueOf(n > 1), reflect.ValueOf(float64(n)), reflect.ValueOf(int32(n)), reflect.ValueOf(uint16(n))}))
	}
	c.took = []time.Duration{1, 1, 1}
	c.weigh()
	before := fmt.Sprint(c.inputs)
	different := make([]map[string]bool, 6)
	draw := func(seed uint64) (all string) {
		r := rand.New(rand.NewPCG(seed, 1))
		for range 3000 {
			in := c.mutated(r)
			all += string(in.text())
			for i, v := range in {
				if different[i] == nil {
					different[i] = make(map[string]bool)
				}
				different[i][fmt.Sprint(v.Interface())] = true
			}
			if n := in[0].Len(); n > 4*c.longest+1200 {
				t.Fatalf("a text of %d bytes", n)
			}
		}
		return all
	}
	if first := draw(7); first != draw(7) || first == draw(8) {
		t.Error("the inputs of a number are others, or those of another number are the same")
	}
	expect.Equal(t, fmt.Sprint(c.inputs), before, "corpus")
	for i, least := range []int{1000, 1000, 2, 100, 100, 100} {
		expect.Equal(t, len(different[i]) >= least, true, "%d different arguments %d, at least %d", len(different[i]), i, least)
	}
}

// An input that takes long is chosen less often, so that it has no more of the time than others; fast ones have no more of the calls.
func TestWeigh(t *testing.T) {
	c := corpus{took: []time.Duration{1, 100, 100, 1000}}
	for n := range c.took {
		c.add(input{reflect.ValueOf(n)})
	}
	c.weigh()
	var chosen [4]int
	r := rand.New(rand.NewPCG(1, 1))
	for range 10000 {
		chosen[c.choose(r)[0].Int()]++
	}
	for n, share := range []float64{2 / 4.1, 1 / 4.1, 1 / 4.1, .1 / 4.1} {
		if math.Abs(float64(chosen[n])/10000-share) > .02 {
			t.Errorf("input %d was chosen %d times of 10,000, expected a share of %.3f", n, chosen[n], share)
		}
	}
}
