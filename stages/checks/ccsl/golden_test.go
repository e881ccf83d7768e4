package ccsl

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/testdata/expect"
)

var update = flag.Bool("update", false, "rewrite what the stories want")

// A story is a specification in `main.lc` or `main.extendedCCSL` (and libraries), perhaps `dialect`, words of the
// dialect; `spec`, how it is flattened; and runs, `run...`, each with what is said of it, `want...`. A run is steps
// between blanks: "a" or "(a b)", and "." for a step in which nothing ticks; its first word may be "clocks=a,b,c",
// clocks that it has though they may not tick.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { story(t, file) })
	}
}

func story(t *testing.T, file string) {
	data := expect.Value(os.ReadFile(file))(t)
	archive := txtar.Parse(data)
	got := map[string]string{}
	spec := expect.Value(readArchive(archive))(t)
	for _, f := range archive.Files {
		switch {
		case f.Name == "spec":
			got[f.Name] = dump(spec)
		case strings.HasPrefix(f.Name, "run"):
			result := expect.Value(Check(spec, textRun(string(f.Data))))(t)
			got["want"+strings.TrimPrefix(f.Name, "run")] = told(spec, result)
		}
	}
	changed := false
	for i := range archive.Files {
		f := &archive.Files[i]
		g, isGolden := got[f.Name]
		if !isGolden || g == string(f.Data) {
			continue
		}
		if !*update {
			t.Errorf("%s, %s: got\n%swant\n%s", file, f.Name, g, f.Data)
		}
		f.Data, changed = []byte(g), true
	}
	if changed && *update {
		expect.OK(t, os.WriteFile(file, txtar.Format(archive), 0o644))
	}
}

func readArchive(archive *txtar.Archive) (*Spec, error) {
	fsys := fstest.MapFS{}
	var dialect Dialect
	for _, f := range archive.Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data}
		if f.Name == "dialect" {
			dialect = parseDialect(string(f.Data))
		}
	}
	return readMain(fsys, dialect)
}

func readMain(fsys fs.FS, dialect Dialect) (*Spec, error) {
	if _, err := fs.Stat(fsys, "main.lc"); err == nil {
		return ReadLight(fsys, "main.lc", dialect)
	}
	return ReadExtended(fsys, "main.extendedCCSL", dialect)
}

func parseDialect(words string) Dialect {
	var d Dialect
	for _, w := range strings.Fields(words) {
		switch w {
		case "zero=one":
			d.ZeroDelay = ZeroDelayIsOne
		case "zero=none":
			d.ZeroDelay = ZeroDelayIsNone
		case "sampling=drops":
			d.Sampling = StrictDrops
		case "sampling=nonstrict":
			d.Sampling = NonStrict
		case "alternates=mrtccsl":
			d.NonStrictAlternates = PrecedesThenCauses
		case "deaths=local":
			d.Deaths = DeathsLocal
		default:
			panic("dialect " + w)
		}
	}
	return d
}

// dump writes a specification, a line for each constraint.
func dump(s *Spec) string {
	if s == nil {
		return ""
	}
	var b strings.Builder
	name := func(id ClockID) string { return s.Clocks[id].Name }
	for i := range s.Constraints {
		c := &s.Constraints[i]
		fmt.Fprintf(&b, "%s:", c.Name)
		if !c.IsRelation() && name(c.Defines) != c.Name {
			fmt.Fprintf(&b, " %s =", name(c.Defines))
		}
		fmt.Fprintf(&b, " %v", c.Kind)
		for _, id := range c.Clocks {
			fmt.Fprintf(&b, " %s", name(id))
		}
		if c.Kind == Precedence {
			fmt.Fprintf(&b, " [init %d max %d strict %v %v]", c.Bound.Init, c.Bound.Max, c.Bound.Strict, c.Bound.StrictMax)
		}
		if text := c.Sequence.String(); text != "" {
			fmt.Fprintf(&b, " by %s", text)
		}
		if c.Kind == SampledOn || c.Kind == Sample || c.Kind == UpTo {
			fmt.Fprintf(&b, " [strict %v drop %v delay %d]", c.Strict, c.Drop, c.Delay)
		}
		fmt.Fprintf(&b, " (%s, %v", c.Word, c.At)
		for _, at := range c.Via {
			fmt.Fprintf(&b, " for %v", at)
		}
		b.WriteString(")\n")
	}
	return b.String()
}

// told writes the verdicts on a run.
func told(s *Spec, r Result) string {
	var b strings.Builder
	holds := 0
	for i, v := range r.Verdicts {
		c := &s.Constraints[i]
		switch v.Outcome {
		case Holds:
			holds++
		case Violated:
			fmt.Fprintf(&b, "%v: %s is violated in step %d: %s\n", c.At, c.Name, v.Step, v.Reason)
		case Unchecked:
			fmt.Fprintf(&b, "%v: %s is unchecked: %s\n", c.At, c.Name, v.Reason)
		}
	}
	fmt.Fprintf(&b, "%d of %d hold for %d steps\n", holds, len(r.Verdicts), r.Steps)
	if len(r.Unknown) > 0 {
		fmt.Fprintf(&b, "unknown: %s\n", strings.Join(r.Unknown, " "))
	}
	return b.String()
}

// textRun reads a run as stories write it.
func textRun(text string) Run {
	var run Run
	ids := map[string]int32{}
	clock := func(name string) int32 {
		id, known := ids[name]
		if !known {
			id = int32(len(run.Names))
			ids[name] = id
			run.Names = append(run.Names, name)
		}
		return id
	}
	var steps [][]int32
	inside := false
	for _, w := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text)) {
		if list, ok := strings.CutPrefix(w, "clocks="); ok {
			for _, name := range strings.Split(list, ",") {
				clock(name)
			}
			continue
		}
		if w == ")" {
			inside = false
			continue
		}
		if !inside {
			steps = append(steps, nil)
		}
		switch w {
		case "(":
			inside = true
		case ".":
		default:
			steps[len(steps)-1] = append(steps[len(steps)-1], clock(w))
		}
	}
	run.Steps = func(yield func([]int32, error) bool) {
		for _, s := range steps {
			if !yield(s, nil) {
				return
			}
		}
	}
	return run
}
