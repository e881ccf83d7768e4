package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// Two people mark 10, and 10 and 20, in 30 values; 11 is found. By hand: all of found is marked; of the marks and the beginning the first
// person's are found and two thirds of the second one's. Segments of 10 and 20 against 11 and 19 have in common 10/11 and 19/20;
// those of 10, 10 and 10 have 10/11, 9/20 and 10/19.
func TestRate(t *testing.T) {
	s := annotated{length: 30, marks: [][]int{{10}, {10, 20}}}
	got := s.rate([]int{11}, 5)
	first, second := (10*10./11+20*19./20)/30, (10*10./11+10*9./20+10*10./19)/30
	if want := 2 * (5. / 6) / (1 + 5./6); math.Abs(got.f1-want) > 1e-12 {
		t.Errorf("F1 %g, want %g", got.f1, want)
	}
	if want := (first + second) / 2; math.Abs(got.covering-want) > 1e-12 {
		t.Errorf("covering %g, want %g", got.covering, want)
	}
	expect.Equal(t, s.rate([]int{10, 20}, 0).covering > got.covering, true, "marks cover more than what is near them")
	expect.Equal(t, matched([]int{0, 10, 12}, []int{0, 11}, 5), 2, "marks with a change point of their own")
}

// A folder is read as it lies: a step with a gap before it, a bend, series of two dimensions and series without marks.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	write := func(path, text string) {
		path = filepath.Join(dir, path)
		expect.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		expect.OK(t, os.WriteFile(path, []byte(text), 0o644))
	}
	var step, bend []string
	for i := range 60 {
		noise := math.Sin(float64(i * i))
		step = append(step, fmt.Sprintf("%.3f", noise+10*float64(i/30)))
		bend = append(bend, fmt.Sprintf("%.3f", noise+math.Min(float64(i), 60-float64(i))))
	}
	step[7] = "null"
	series := func(name string, values ...[]string) {
		var all []string
		for _, v := range values {
			all = append(all, fmt.Sprintf(`{"raw": [%s]}`, strings.Join(v, ",")))
		}
		write("datasets/"+name+"/"+name+".json", fmt.Sprintf(`{"name": %q, "series": [%s]}`, name, strings.Join(all, ",")))
	}
	series("step", step)
	series("bend", bend)
	series("two", step, bend)
	series("unknown", step)
	write("annotations.json", `{"step": {"1": [30], "2": [30]}, "bend": {"1": [30]}, "two": {"1": [30]}}`)
	var out bytes.Buffer
	expect.OK(t, run(context.Background(), &out, io.Discard, []string{dir}))
	lines := strings.Split(out.String(), "\n")
	expect.Equal(t, strings.Join(strings.Fields(lines[2]), " "), "step 59 1.000 1.000 30", "a step behind a gap")
	if f := strings.Fields(lines[1]); len(f) < 3 || f[0] != "bend" || f[2] != "1.000" {
		t.Errorf("a bend: %s", lines[1])
	}
	expect.Equal(t, len(lines), 6, "lines of\n%s", out.String())
	for _, args := range [][]string{nil, {t.TempDir()}, {dir, dir}} {
		if err := run(context.Background(), io.Discard, io.Discard, args); err == nil {
			t.Errorf("%q is no error", args)
		}
	}
}
