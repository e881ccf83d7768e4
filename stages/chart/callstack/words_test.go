package callstack

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// cut renders the words of a story: each event is a function's letter, in capitals for its exit.
func cut(story string) string {
	var c Cutter[int]
	var out strings.Builder
	for i, r := range story {
		enter := r >= 'a'
		step := Stray
		if enter {
			var frame *int
			frame, step = c.Enter(uint32(r))
			*frame = i
		} else {
			_, step = c.Exit(uint32(r - 'A' + 'a'))
		}
		switch step {
		case Starts:
			fmt.Fprintf(&out, "(%c", r)
		case Cuts:
			fmt.Fprintf(&out, "|(%c", r)
		case Continues:
			fmt.Fprintf(&out, "%c", r)
		case Ends:
			fmt.Fprintf(&out, "%c)", r)
		default:
			fmt.Fprintf(&out, "[%c]", r)
		}
	}
	return out.String()
}

func TestWordsAreCut(t *testing.T) {
	for _, c := range []struct{ story, want string }{
		{"", ""},
		{"fF", "(fF)"},
		{"fgGFfF", "(fgGF)(fF)"},
		{"ffFF", "(ffFF)"},
		{"FfF", "[F](fF)"},
		{"fGF", "(f[G]F)"},
		{"fgFG", "(fgFG)"},
		{"fgF", "(fgF"},
		{"fgFhH", "(fgF|(hH)"},
		{"fgFhHG", "(fgF|(hH)[G]"},
		{"fgFhHhHG", "(fgF|(hH)(hH)[G]"},
		{"fgFhiGIH", "(fgF|(hi[G]IH)"},
		{"fgFgGG", "(fgF|(gG)[G]"},
		{"fgFhGkKH", "(fgF|(h[G]kKH)"},
	} {
		expect.Equal(t, cut(c.story), c.want, "%s", c.story)
	}
}

func TestExitReturnsTheFrameOfItsEnter(t *testing.T) {
	var c Cutter[int]
	enter := func(function uint32, frame int) {
		f, _ := c.Enter(function)
		*f = frame
	}
	enter('f', 1)
	enter('g', 2)
	if *c.At(0) != 1 || *c.At(1) != 2 || c.Open() != 2 {
		t.Fatalf("open calls: %d, %d of %d", *c.At(0), *c.At(1), c.Open())
	}
	c.Exit('f')
	enter('h', 3)
	if *c.At(0) != 3 || c.Open() != 1 {
		t.Errorf("the word under way has %d calls, the first with frame %d", c.Open(), *c.At(0))
	}
	if frame, step := c.Exit('g'); frame == nil || *frame != 2 || step != Stray {
		t.Errorf("exit of an earlier word's call: frame %v, step %d", frame, step)
	}
	if frame, _ := c.Exit('x'); frame != nil {
		t.Error("an exit of a function that is not open matched")
	}
}

// Whatever comes, every word that ends has as many exits as enters.
func TestWordsThatEndAreBalanced(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 2000 {
		story := make([]byte, rng.Intn(30))
		for i := range story {
			story[i] = "abcABC"[rng.Intn(6)]
		}
		open := 0
		for _, r := range cut(string(story)) {
			switch {
			case r == '(':
				open = 0
			case r >= 'a' && r <= 'c':
				open++
			case r >= 'A' && r <= 'C':
				open--
			case r == '[':
				open++ // the stray that follows takes it back
			case r == ')' && open != 0:
				t.Fatalf("%s is cut into %s", story, cut(string(story)))
			}
		}
	}
}

func TestSymbolKeepsItsParts(t *testing.T) {
	s := SymbolOf(1<<31, schema.Exit, schema.Receive, 7)
	if s.Function() != 1<<31 || s.Kind() != schema.Exit || s.Direction() != schema.Receive || s.Peer() != 7 || s.FragmentPeer() != 7 {
		t.Errorf("parts of %x: %d %d %d %d", uint64(s), s.Function(), s.Kind(), s.Direction(), s.Peer())
	}
	s = SymbolOf(3, schema.Enter, schema.Receive, schema.NoCode)
	if s != SymbolOf(3, schema.Enter, schema.NoMessage, schema.NoCode) || s.Peer() != schema.NoCode {
		t.Error("an event whose other end was not traced is not internal")
	}
	expect.Equal(t, SymbolOf(3, schema.Enter, schema.NoMessage, 7).FragmentPeer(), schema.NoCode, "peer of a fragment that starts without a message")
}
