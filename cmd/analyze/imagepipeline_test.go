package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// A pipelineStage is a task of the image pipeline of Hendriks et al. 2024, Example 1: what it runs on, how long it takes in ms, and after which
// stages of the same image.
type pipelineStage struct {
	name     string
	resource int // 0 is the CPU, of which two stages that run at once have half each
	ms       int
	after    []int
}

// The stages, and the resources of which the last is memory M2: it holds an image from the start of B to the end of G.
var (
	pipelineStages    = []pipelineStage{{"A", 0, 5, nil}, {"B", 1, 4, []int{0}}, {"C", 2, 5, []int{1}}, {"D", 3, 3, []int{1}}, {"E", 4, 6, []int{2, 3}}, {"F", 5, 4, []int{4}}, {"G", 0, 3, []int{5}}}
	pipelineResources = []string{"CPU", "F1", "F2", "F3", "GPU", "F4", "M2"}
)

const stageA, stageB, stageF, stageG, memory = 0, 1, 5, 6, 6

// pipelineRun is a simulated run: when each stage of each image starts and ends in half ms, and which images waited for memory before B.
type pipelineRun struct {
	start, end [][]int
	blocked    []bool
}

// simulatePipeline runs images through the stages, in their order in every stage, as soon as they can, with memory for so many. F is left
// out but for each third image, and takes no time there.
func simulatePipeline(images, room int) *pipelineRun {
	r := &pipelineRun{blocked: make([]bool, images)}
	left := make([][]int, images) // of the stages that run, in quarters of a ms
	for range images {
		row := slices.Repeat([]int{-1}, len(pipelineStages))
		r.start, r.end = append(r.start, row), append(r.end, slices.Clone(row))
	}
	for i := range left {
		left[i] = make([]int, len(pipelineStages))
	}
	next := make([]int, len(pipelineStages)) // the image that a stage takes next
	for now, held := 0, 0; next[stageG] < images || r.end[images-1][stageG] < 0; now++ {
		for s := range pipelineStages {
			if i := next[s] - 1; i >= 0 && r.end[i][s] < 0 && left[i][s] <= 0 {
				if r.end[i][s] = now; s == stageG {
					held--
				}
			}
		}
		for s := range pipelineStages {
			i := next[s]
			if i == images || i > 0 && r.end[i-1][s] < 0 {
				continue
			}
			if slices.ContainsFunc(pipelineStages[s].after, func(a int) bool { return r.end[i][a] < 0 || r.end[i][a] > now }) {
				continue
			}
			if s == stageB && held == room {
				r.blocked[i] = true
				continue
			}
			if next[s]++; s == stageB {
				held++
			}
			r.start[i][s], left[i][s] = now, 4*pipelineStages[s].ms
			if s == stageF && i%3 > 0 {
				r.end[i][s] = now
			}
		}
		running := func(s int) bool { i := next[s] - 1; return i >= 0 && r.end[i][s] < 0 }
		for s := range pipelineStages {
			if running(s) {
				speed := 2
				if (s == stageA || s == stageG) && running(stageA) && running(stageG) {
					speed = 1
				}
				left[next[s]-1][s] -= speed
			}
		}
	}
	return r
}

// etf writes the run as a trace, with the dependencies of the application.
func (r *pipelineRun) etf() string {
	var out strings.Builder
	out.WriteString("TU MICROSECONDS\n")
	for k, name := range pipelineResources {
		fmt.Fprintf(&out, "R %d 9 false;name=%s\n", k, name)
	}
	dependencies := 0
	depends := func(from, to int) {
		fmt.Fprintf(&out, "D %d 2 %d %d;\n", dependencies, from, to)
		dependencies++
	}
	id := func(i, s int) int { return i*(len(pipelineStages)+1) + s }
	for i := range r.start {
		claim := func(id, from, to, resource int, name string) {
			fmt.Fprintf(&out, "C %d %d %d %d 1;name=%s,id=%d\n", id, 500*from, 500*to, resource, name, i)
		}
		for s := range pipelineStages {
			if r.start[i][s] == r.end[i][s] {
				continue
			}
			claim(id(i, s), r.start[i][s], r.end[i][s], pipelineStages[s].resource, pipelineStages[s].name)
			for _, a := range pipelineStages[s].after {
				if r.start[i][a] == r.end[i][a] { // left out
					a--
				}
				depends(id(i, a), id(i, s))
			}
		}
		claim(id(i, len(pipelineStages)), r.start[i][stageB], r.end[i][stageG], memory, "M")
		depends(id(i, stageA), id(i, len(pipelineStages)))
	}
	return out.String()
}

// TestImagePipeline looks at 200 images of the pipeline with too little memory M2 and with enough, whose runs are simulated. Example 14: on
// the critical path every B that waited for memory follows a G and no dependency, nothing else waits once memory is full, and with enough memory no B
// does. Example 15: then A is most of the critical path. Example 9: the images that take longer than a bound are those of the simulation.
func TestImagePipeline(t *testing.T) {
	const images, boundMs = 200, 45
	t.Chdir(t.TempDir())
	expect.OK(t, os.WriteFile("bounds.etl", []byte(fmt.Sprintf(`def start_A(i) : start {'name'='A', 'id'=i}
def end_G(i) : end {'name'='G', 'id'=i}
check latency : forall (i : 0 ... %d) globally if start_A(i) then within [0, %d] ms end_G(i)
`, images-1, boundMs)), 0o666))
	for name, room := range map[string]int{"little": 2, "enough": images} {
		r := simulatePipeline(images, room)
		expect.OK(t, os.WriteFile(name+".etf", []byte(r.etf()), 0o666))
		expect.OK(t, load(t.Context(), []string{name + ".etf"}, nil, io.Discard, io.Discard))
		said(t, "run", name)
		type claim struct {
			Name, Claim string
			StartNs     int64 `json:"start_ns"`
			EndNs       int64 `json:"end_ns"`
			Wait        bool  `json:"without_application_predecessor"`
			After       []string
		}
		found := into[struct{ Claims []claim }](t, said(t, "critical-path", name, "--graph", "claims", "--format", "json")).Claims
		var bright, blocked []int64 // when critical Bs start: those that have no critical predecessor by a dependency, and those that waited for memory
		onPath := make(map[string]int64)
		for _, c := range found {
			if c.Name != "M" {
				onPath[c.Name] += c.EndNs - c.StartNs
			}
			if c.Name != "B" {
				if _, id, _ := strings.Cut(c.Claim, "id="); c.Wait && room < images && c.Name != "A" && c.Name != "M" && id != "0" && id != "1" {
					t.Errorf("%s: %s waits for %v", name, c.Claim, c.After)
				}
				continue
			}
			if i := slices.IndexFunc(r.start, func(start []int) bool { return int64(start[stageB])*500_000 == c.StartNs }); r.blocked[i] {
				blocked = append(blocked, c.StartNs)
			}
			if c.Wait {
				bright = append(bright, c.StartNs)
				if !slices.ContainsFunc(c.After, func(a string) bool { return strings.HasPrefix(a, "G ") }) {
					t.Errorf("%s: %s waited for %v, not for a G", name, c.Claim, c.After)
				}
			}
		}
		expect.Slice(t, bright, blocked, "%s: Bs that waited", name)
		if room == images {
			expect.Equal(t, len(bright), 0, "Bs that wait with enough memory")
			for other, ns := range onPath {
				if other != "A" && ns >= onPath["A"] {
					t.Errorf("%s is %d ns of the critical path, and A %d", other, ns, onPath["A"])
				}
			}
		} else if len(bright) < images/2 {
			t.Errorf("only %d Bs waited", len(bright))
		}
		var late []string
		for i := range r.start {
			if r.end[i][stageG]-r.start[i][stageA] > 2*boundMs {
				late = append(late, fmt.Sprint(i))
			}
		}
		slices.Sort(late)
		analyze(t.Context(), "check", name, "--spec", "bounds.etl", "--quiet") // ends with the exit code of a gate
		failed := strings.Fields(string(said(t, "query", "--format", "csv", "SELECT value FROM checks WHERE run = '"+name+"' AND verdict = 'BAD' ORDER BY value")))[1:]
		expect.Slice(t, failed, late, "%s: images that are late", name)
		t.Logf("%s: %d claims critical, %d Bs waited for memory, %d images late", name, len(found), len(bright), len(late))
	}
}
