package ccsl

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
	"golang.org/x/tools/txtar"
)

// seeds adds the files of the stories that have an ending.
func seeds(f *testing.F, ending string, add func(data string)) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatal("no stories", err)
	}
	for _, name := range files {
		data := expect.Value(os.ReadFile(name))(f)
		for _, file := range txtar.Parse(data).Files {
			if strings.HasSuffix(file.Name, ending) {
				add(string(file.Data))
			}
		}
	}
}

// either says that reading gave a specification that can be checked, or an error with a place.
func either(t *testing.T, spec *Spec, err error) {
	var at *schema.SyntaxError
	if err != nil {
		if !errors.As(err, &at) || at.Line < 1 || at.Col < 1 || spec != nil {
			t.Fatalf("error without a place: %v", err)
		}
		return
	}
	if len(spec.Clocks) > 1<<12 || len(spec.Constraints) > 1<<12 {
		return
	}
	var outside, all []ClockID
	for id, c := range spec.Clocks {
		if all = append(all, ClockID(id)); c.Definition == NoDefinition {
			outside = append(outside, ClockID(id))
		}
	}
	for _, observed := range [][]ClockID{nil, outside, all} {
		c := NewChecker(spec, observed)
		for i := range 12 {
			c.Step(observed[min(i%3, len(observed)):])
		}
	}
}

func FuzzExtended(f *testing.F) {
	seeds(f, ".extendedCCSL", func(data string) { f.Add(data, "") })
	seeds(f, ".ccslLib", func(data string) {
		f.Add(`ClockConstraintSystem s { imports { import "x.ccslLib" as x; } Block m { Clock a
			Relation r[Buffer](B_write -> a, B_read -> a, B_size -> 1) } }`, data)
	})
	f.Fuzz(func(t *testing.T, main, library string) {
		fsys := fstest.MapFS{"main.extendedCCSL": {Data: []byte(main)}, "x.ccslLib": {Data: []byte(library)}}
		spec, err := ReadExtended(fsys, "main.extendedCCSL", Dialect{ZeroDelay: ZeroDelayIsOne})
		either(t, spec, err)
	})
}

func FuzzLight(f *testing.F) {
	seeds(f, ".lc", func(data string) { f.Add(data) })
	f.Fuzz(func(t *testing.T, main string) {
		fsys := fstest.MapFS{"main.lc": {Data: []byte(main)}}
		spec, err := ReadLight(fsys, "main.lc", Dialect{ZeroDelay: ZeroDelayIsNone})
		either(t, spec, err)
	})
}

func FuzzVCD(f *testing.F) {
	f.Add(head + "#0\n1!1\n#10\n1!2\n#20\nz!1\n")
	f.Add("$var event 1 ! a $end $enddefinitions $end #0 1! #1 $comment x $end")
	f.Fuzz(func(t *testing.T, text string) {
		v, err := OpenVCD(strings.NewReader(text), "x.vcd")
		if err != nil {
			return
		}
		for step, err := range v.Run().Steps {
			for _, i := range step {
				if int(i) >= len(v.Names) {
					t.Fatal("a clock beyond its names")
				}
			}
			if err != nil {
				return
			}
		}
	})
}
