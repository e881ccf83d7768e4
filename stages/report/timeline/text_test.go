package timeline

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/testdata/expect"
)

func TestLength(t *testing.T) {
	for l, want := range map[Length]string{0: "0", 100: "1", 105: "1.05", 150: "1.5", -5: "-0.05", 1234567: "12345.67"} {
		expect.Equal(t, l.String(), want, "%d is written", int64(l))
	}
}

// TestFit checks that what fits is left alone, and that what is shortened fits and is a beginning.
func TestFit(t *testing.T) {
	const name = "Curl_http_write_response_ñ日本"
	for width := Length(0); width < canvas.TextWidth(name, labelSize)+px; width += 37 {
		got := fit(name, labelSize, width)
		if canvas.TextWidth(got, labelSize) > width || !strings.HasPrefix(name, strings.TrimSuffix(got, "…")) {
			t.Errorf("%q in %v", got, width)
		}
	}
	expect.Equal(t, fit(name, labelSize, canvas.TextWidth(name, labelSize)), name, "a name that fits")
}

// TestAxis checks that any window has some labels, all different, each on the axis, and not one over the other.
func TestAxis(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		from := r.Int64N(1 << (1 + r.IntN(50)))
		w := newBuilder().cut(from, from+1+r.Int64N(1<<(1+r.IntN(50))))
		w.Path = nil
		c := Layout(w, Options{Width: 480 + r.IntN(2000)})
		seen, last := make(map[string]bool), -tickDistance
		for _, tick := range c.axis().ticks {
			if tick.at < c.scale.left || tick.at > c.scale.right {
				t.Fatalf("%d to %d: a mark at %v", w.FromNs, w.ToNs, tick.at)
			}
			if tick.label == "" {
				continue
			}
			if seen[tick.label] || tick.at-last < canvas.TextWidth(tick.label, textSize) {
				t.Fatalf("%d to %d: label %q, %v after another", w.FromNs, w.ToNs, tick.label, tick.at-last)
			}
			seen[tick.label], last = true, tick.at
		}
		if len(seen) == 0 || len(seen) > 30 {
			t.Fatalf("%d to %d: %d labels", w.FromNs, w.ToNs, len(seen))
		}
	}
}

// TestColour checks that the colours of some functions are what they were: pictures of today compare with old ones.
func TestColour(t *testing.T) {
	for name, want := range map[string]int{"main": 1, "Curl_poll": 2, "operate": 0, "curl_multi_poll": 6} {
		expect.Equal(t, colour(name), want, "%s has colour", name)
	}
}
