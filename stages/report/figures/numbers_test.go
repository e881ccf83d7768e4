package figures

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/testdata/expect"
)

// linear is the three parts of a colour in linear light (IEC 61966-2-1).
func linear(colour uint32) (c [3]float64) {
	for i := range c {
		v := float64(colour>>(16-8*i)&0xff) / 255
		if c[i] = v / 12.92; v > .04045 {
			c[i] = math.Pow((v+.055)/1.055, 2.4)
		}
	}
	return c
}

// lab is a colour in CIELAB under D65.
func lab(colour uint32) [3]float64 {
	c := linear(colour)
	f := func(t float64) float64 {
		if t > 216./24389 {
			return math.Cbrt(t)
		}
		return (24389./27*t + 16) / 116
	}
	x := f((.4124*c[0] + .3576*c[1] + .1805*c[2]) / .95047)
	y := f(.2126*c[0] + .7152*c[1] + .0722*c[2])
	z := f((.0193*c[0] + .1192*c[1] + .9505*c[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// TestShadesAreEven sees tenths at the same distance of each other, and lightness fall all the way.
func TestShadesAreEven(t *testing.T) {
	distance := func(a, b [3]float64) float64 { return math.Hypot(a[0]-b[0], math.Hypot(a[1]-b[1], a[2]-b[2])) }
	for h := 1; h <= 100; h++ {
		if a, b := lab(shade(h-1)), lab(shade(h)); b[0] >= a[0] {
			t.Errorf("%d is as light as %d: %v, %v", h, h-1, b[0], a[0])
		}
		if h%10 == 0 {
			if d := distance(lab(shade(h-10)), lab(shade(h))); d < 10.8 || d > 12.8 {
				t.Errorf("%d and %d differ by %v", h-10, h, d)
			}
		}
	}
}

// TestTextIsReadable sees a contrast of 4.5 everywhere, and the better of black and white.
func TestTextIsReadable(t *testing.T) {
	for h := range 101 {
		c := linear(shade(h))
		luminance := .2126*c[0] + .7152*c[1] + .0722*c[2]
		black, white := (luminance+.05)/.05, 1.05/(luminance+.05)
		want := "#000000"
		if white > black {
			want = "#ffffff"
		}
		if inkOn(h) != want || max(black, white) < 4.5 {
			t.Errorf("%s on %d: black has %.2f, white %.2f", inkOn(h), h, black, white)
		}
	}
}

// TestLog compares with the logarithm.
func TestLog(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		x := math.Exp2(2000*r.Float64() - 1020)
		if got, want := float64(log(x))/(1<<logBits), math.Log2(x); got > want+1e-9 || got < want-1.1/(1<<logBits) {
			t.Errorf("log(%v) = %v, want %v", x, got, want)
		}
	}
	expect.Equal(t, log(math.SmallestNonzeroFloat64), -1074<<logBits, "least")
}

// TestLogTicks reads the numbers of axes, and sees them where they belong.
func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		least, greatest float64
		want            string
	}{
		{1, 100, "1 2 5 10 20 50 100"},
		{.1, .5, "0.1 0.2 0.5"},
		{5, 5, "5 10"},
		{.01, 1e5, "0.01 0.1 1 10 100 1000 10000 100000"},
		{1e-300, 1e300, "1e-316 1e-237 1e-158 1e-79 1 1e79 1e158 1e237"},
	} {
		s := newLogScale(c.least, c.greatest, 0, panelWidth)
		var got []string
		last := Length(-1 << 30)
		for _, tick := range s.ticks() {
			got = append(got, tick.label)
			half := canvas.TextWidth(tick.label, smallSize) / 2
			if tick.at != s.at(float(tick.label)) || tick.at-half < last {
				t.Errorf("%v to %v: %s at %v, the one before ends at %v", c.least, c.greatest, tick.label, tick.at, last)
			}
			last = tick.at + half
		}
		expect.Equal(t, strings.Join(got, " "), c.want, "%v to %v", c.least, c.greatest)
	}
}

// TestTimeScale reads the marks of axes back, and sees all times between the first and the last.
func TestTimeScale(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		low := (r.Float64() - .3) * math.Exp2(62*r.Float64())
		high := low + r.Float64()*math.Exp2(62*r.Float64())
		s := newTimeScale(low, high)
		ticks := s.ticks()
		inside := float64(s.fromNs) <= max(low, -longestNs) && float64(s.toNs) >= min(high, longestNs)
		if !inside || len(ticks) < 2 || len(ticks) > mostSteps+3 {
			t.Fatalf("%v to %v: %d ticks from %d to %d", low, high, len(ticks), s.fromNs, s.toNs)
		}
		for _, ns := range ticks {
			value, err := strconv.ParseFloat(strings.Replace(s.label(ns), "−", "-", 1), 64)
			got := int64(math.Round(value * float64(s.unit.Ns)))
			if err != nil || math.Abs(float64(got-ns)) > 1e-15*math.Abs(float64(ns)) {
				t.Fatalf("%d is written %s %s", ns, s.label(ns), s.unit.Name)
			}
		}
		if a, b := s.share(low), s.share(high); a < 0 || b > 1 || a > b {
			t.Fatalf("%v to %v: shares %v and %v", low, high, a, b)
		}
	}
}

// TestTimeAxes reads axes of known times.
func TestTimeAxes(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0, 0, "−2 −1 0 1 2 ns"},
		{3, 3, "1 2 3 4 5 ns"},
		{20.1e6, 25e6, "20 21 22 23 24 25 ms"},
		{300, 900, "0.0 0.2 0.4 0.6 0.8 1.0 us"},
		{950e3, 1.05e6, "0.94 0.96 0.98 1.00 1.02 1.04 1.06 ms"},
		{-3e9, 4e9, "−4 −2 0 2 4 s"},
		{-30e6, -1, "−30 −25 −20 −15 −10 −5 0 ms"},
	} {
		s := newTimeScale(c.low, c.high)
		var got []string
		for _, ns := range s.ticks() {
			got = append(got, s.label(ns))
		}
		expect.Equal(t, strings.Join(got, " ")+" "+s.unit.Name, c.want, "%v to %v", c.low, c.high)
	}
}

// TestMedian leaves out what is not finite.
func TestMedian(t *testing.T) {
	for _, c := range []struct {
		runs []float64
		want float64
	}{{[]float64{3, 1, 2}, 2}, {[]float64{4, 1, math.NaN(), 2, math.Inf(1), 3}, 2.5}, {[]float64{1.5e308, 1.7e308}, 1.6e308}} {
		expect.Equal(t, (&Release{RunsNs: c.runs}).median(), c.want, "%v", c.runs)
	}
	if got := (&Release{}).median(); !math.IsNaN(got) {
		t.Errorf("the median of nothing is %v", got)
	}
}

// TestTextsAreShortened keeps both ends, and as much as there is room for.
func TestTextsAreShortened(t *testing.T) {
	expect.Equal(t, canvas.Shorten("Curl_conn_connect_multi", 10*px, 80*px), "Curl_co…t_multi", "shortened")
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		s, width := word(r)+word(r), Length(r.IntN(20000))
		switch got := canvas.Shorten(s, textSize, width); {
		case got == s:
		case got != "…" && canvas.TextWidth(got, textSize) > width:
			t.Errorf("%q is wider than %v", got, width)
		case canvas.TextWidth(s, textSize) <= width:
			t.Errorf("%q was shortened to %q for %v", s, got, width)
		}
	}
}

// TestCommandsAreWrapped loses no letter.
func TestCommandsAreWrapped(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		s, letters := word(r)+" "+word(r)+" "+word(r), 1+r.IntN(60)
		lines := wrap(s, letters)
		for _, line := range lines {
			if n := len([]rune(line)); n == 0 || n > letters {
				t.Errorf("%d letters where %d have room", n, letters)
			}
		}
		expect.Equal(t, strings.ReplaceAll(strings.Join(lines, ""), " ", ""), strings.ReplaceAll(s, " ", ""), "%q became", s)
	}
}
