package claims

import (
	"cmp"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/claimorder"
	"github.com/tracelake/tracelake/stages/ingest/etf"
	"github.com/tracelake/tracelake/stages/timing/claimgraph"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// load ingests texts in ETF as runs a, b and so on, finds their executions, and reads them.
func load(t *testing.T, texts ...string) *Set {
	t.Helper()
	l, names := loaded(t, texts...)
	return expect.Value(Read(t.Context(), l, names, 0))(t)
}

// loaded is the lake of load, with the names of its runs.
func loaded(t *testing.T, texts ...string) (*lake.Lake, []string) {
	t.Helper()
	folder := t.TempDir()
	l := expect.Value(lake.Open(filepath.Join(folder, "lake"), true))(t)
	var names []string
	for i, text := range texts {
		name := string(rune('a' + i))
		names = append(names, name)
		path := filepath.Join(folder, name+".etf")
		expect.OK(t, os.WriteFile(path, []byte(text), 0o666))
		_, _, err := ingest.Run(t.Context(), ingest.Job{
			Lake: l, Run: name, Paths: []string{path}, Incomplete: "complete", Untraced: "ignore", Jobs: 1, Memory: 1 << 20,
			Detect: func(string, []byte) (schema.Format, error) { return etf.Format(), nil },
		})
		expect.OK(t, err)
		stages := plan.Needed(plan.Stages(plan.Options{Constraints: constraints.Defaults()}), []string{"executions"})
		e := &pipeline.Engine{Lake: l, Stages: stages, Jobs: 1}
		_, err = e.Run(t.Context(), []lake.Partition{lake.Run(name)})
		expect.OK(t, err)
	}
	return l, names
}

// expected are the results for a case, in ms.
type expected struct {
	Eps0, Eps1, Deps struct {
		Weight string
		Claims []int64
		Edges  [][2]int64
	}
	Violated       [][2]int64 `json:"violated_at_weight_1"`
	ByName         [][]string `json:"behaviours_by_name"`
	ByAll          [][]string `json:"behaviours_all"`
	Reduced, Whole struct {
		Vertices, Edges, D int64
		F                  float64
		Sizes              [4]int64
	}
}

// TestPipeline holds critical paths, constraints, behaviours and distances of generated pipelines against an exact evaluator.
// With TRACELAKE_CHECKS=FOLDER the cases of FOLDER/pipeline are read instead of those beside the test.
func TestPipeline(t *testing.T) {
	for name, files := range cases(t) {
		t.Run(name, func(t *testing.T) {
			var want expected
			text := strings.NewReplacer(`"distance_reduced"`, `"reduced"`, `"distance_full"`, `"whole"`).Replace(files["json"])
			expect.OK(t, json.Unmarshal([]byte(text), &want))
			s := load(t, files["etf"], files["sister"])
			r := s.Runs[0]
			agree(t, r, s.CriticalByEnds(r, 0), want.Eps0.Weight, want.Eps0.Claims, want.Eps0.Edges)
			agree(t, r, s.CriticalByEnds(r, 1e6), want.Eps1.Weight, want.Eps1.Claims, want.Eps1.Edges)
			c := expect.Value(s.CriticalByDependencies(r, Weight{}))(t)
			agree(t, r, c, want.Deps.Weight, want.Deps.Claims, want.Deps.Edges)
			kept := expect.Value(s.Satisfies(r, r, Weight{Ns: 1e6}, nil))(t)
			var violated [][2]int64
			for _, b := range kept.Broken {
				violated = append(violated, [2]int64{r.ID[b.Dependency.From.Vertex], r.ID[b.Dependency.To.Vertex]})
			}
			expect.Deep(t, sortedPairs(violated), sortedPairs(want.Violated), "constraints that are not kept")
			for full, w := range map[bool]*struct {
				Vertices, Edges, D int64
				F                  float64
				Sizes              [4]int64
			}{false: &want.Reduced, true: &want.Whole} {
				d := expect.Value(s.Distance(r, s.Runs[1], nil, full))(t)
				expect.Deep(t, []int64{d.Vertices, d.Edges, d.D()}, []int64{w.Vertices, w.Edges, w.D}, "distance, full %v", full)
				expect.Deep(t, [4]int64{d.Size[0].Vertices, d.Size[0].Edges, d.Size[1].Vertices, d.Size[1].Edges}, w.Sizes, "sizes, full %v", full)
				if math.Abs(d.F()-w.F) > 1e-12 {
					t.Errorf("F %v, %v expected", d.F(), w.F)
				}
			}
			expect.Deep(t, behaviours(s, r, []string{"name"}), want.ByName, "behaviours by name")
			expect.Deep(t, behaviours(s, r, nil), want.ByAll, "behaviours by all attributes")
		})
	}
}

// cases are the files of every case.
func cases(t *testing.T) map[string]map[string]string {
	all := make(map[string]map[string]string)
	if folder := os.Getenv("TRACELAKE_CHECKS"); folder != "" {
		for _, path := range expect.Value(filepath.Glob(filepath.Join(folder, "pipeline", "*.expected.json")))(t) {
			stem := strings.TrimSuffix(path, ".expected.json")
			read := func(end string) string { return string(expect.Value(os.ReadFile(stem + end))(t)) }
			var graphs struct{ Graphs json.RawMessage }
			expect.OK(t, json.Unmarshal([]byte(read(".expected.json")), &graphs))
			all[filepath.Base(stem)] = map[string]string{"etf": read(".etf"), "sister": read(".sister.etf"), "json": string(graphs.Graphs)}
		}
		return all
	}
	for _, f := range expect.Value(txtar.ParseFile("testdata/pipeline.txtar"))(t).Files {
		name, end, _ := strings.Cut(f.Name, ".")
		if all[name] == nil {
			all[name] = make(map[string]string)
		}
		all[name][strings.TrimSuffix(end, ".etf")] = string(f.Data)
	}
	return all
}

// agree compares critical claims and edges.
func agree(t *testing.T, r *Run, got *Critical, weight string, claims []int64, edges [][2]int64) {
	t.Helper()
	ms, _ := new(big.Rat).SetString(weight)
	ns, _ := ms.Mul(ms, big.NewRat(1e6, 1)).Float64()
	expect.Equal(t, got.WeightNs, int64(ns), "weight")
	var ids []int64
	for _, i := range got.Claims {
		ids = append(ids, r.ID[i])
	}
	slices.Sort(ids)
	slices.Sort(claims)
	expect.Deep(t, ids, claims, "critical claims")
	var pairs [][2]int64
	for _, e := range got.Edges {
		pairs = append(pairs, [2]int64{r.ID[e.From], r.ID[e.To]})
	}
	expect.Deep(t, sortedPairs(pairs), sortedPairs(edges), "critical edges")
	expect.Equal(t, got.Count, int64(len(edges)), "number of critical edges")
}

// sortedPairs sorts pairs.
func sortedPairs(pairs [][2]int64) [][2]int64 {
	out := append([][2]int64{}, pairs...)
	slices.SortFunc(out, func(a, b [2]int64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return out
}

// behaviours are the items of each class.
func behaviours(s *Set, r *Run, by []string) (all [][]string) {
	one := &Set{Runs: []*Run{r}, vocabulary: s.vocabulary}
	items := one.Items("id", by, false)
	var classes []uint32
	for _, it := range items {
		classes = append(classes, it.Class)
	}
	for _, b := range claimorder.Behaviours(classes) {
		var of []string
		for _, i := range b.Items {
			of = append(of, items[i].Value)
		}
		all = append(all, of)
	}
	return all
}

// TestByHand sees the values that Definitions 20 to 22 give by hand: two claims with a dependency of weight 0.5 s.
func TestByHand(t *testing.T) {
	const text = "TU SECONDS\nR 0 1 false;name=r\nC 0 0 2 0 1;name=a\nC 1 3 4 0 1;name=b\nD 0 2 0 1;weight=0.5\n"
	s := load(t, text, text+"D 1 2 1 0;weight=0.5\n")
	r := s.Runs[0]
	seconds := Weight{Attribute: "weight", UnitNs: 1e9}
	expect.Equal(t, expect.Value(s.CriticalByDependencies(r, Weight{}))(t).WeightNs, int64(3e9), "at weight 0")
	expect.Equal(t, expect.Value(s.CriticalByDependencies(r, seconds))(t).WeightNs, int64(3.5e9), "by the attribute")
	expect.Equal(t, len(expect.Value(s.Satisfies(r, r, Weight{Ns: 1e9}, nil))(t).Broken), 0, "satisfied at 1")
	expect.Equal(t, expect.Value(s.Satisfies(r, r, Weight{Ns: 2e9}, nil))(t).Broken[0].ByNs, int64(1e9), "violated by 1 at 2")
	_, err := s.CriticalByDependencies(s.Runs[1], seconds)
	expect.Refused(t, err, "run b: no trace keeps these dependencies, as a cycle of them asks for 4000000000 ns more than there is: a -> b -> a; give smaller weights", "error")
	_, err = s.CriticalByDependencies(r, Weight{Attribute: "weight"})
	expect.Refused(t, err, "run a does not say in which unit of time weight counts, as its trace has no signals: give --unit, the unit of the trace (s, ms, us, ns)", "error")
	_, err = s.CriticalByDependencies(r, Weight{Attribute: "cost", UnitNs: 1})
	expect.Refused(t, err, "none of the 1 dependencies of run a has a number as its attribute cost", "error")
	// One after another, against two together and then the third.
	const head = "TU SECONDS\nR 0 9 false;name=r\nR 1 9 false;name=s\n"
	s = load(t, head+"C 0 0 1 0 1;name=A\nC 1 1 2 0 1;name=B\nC 2 2 3 0 1;name=C\n", head+"C 0 0 1 0 1;name=A\nC 1 0 1 1 1;name=B\nC 2 1 2 0 1;name=C\n")
	d := expect.Value(s.Distance(s.Runs[0], s.Runs[1], nil, false))(t)
	expect.Deep(t, []float64{float64(d.D()), d.F()}, []float64{2, 0.875}, "reduced")
	expect.Deep(t, d.Claims[0], []claimorder.Share{{From: 1}, {To: 1}, {}}, "of the first: A before B is missing in the second")
	d = expect.Value(s.Distance(s.Runs[0], s.Runs[1], nil, true))(t)
	expect.Deep(t, []float64{float64(d.D()), d.F()}, []float64{1, 16. / 17}, "full")
}

// TestInfiniteEpsilon: with an infinite epsilon the longest path is over all claims that do not overlap.
func TestInfiniteEpsilon(t *testing.T) {
	s := load(t, "TU SECONDS\nR 0 9 false;name=r\nC 0 0 1 0 1;name=A\nC 1 5 7 0 1;name=B\nC 2 5 6 0 1;name=C\nC 3 9 9 0 1;name=D\n")
	c := s.CriticalByEnds(s.Runs[0], claimgraph.Infinite)
	expect.Deep(t, []int64{c.WeightNs, int64(len(c.Claims)), c.Count}, []int64{3e9, 3, 2}, "A, B and D; from A to D it is shorter")
}

// TestDigests sees that equal behaviours have equal digests and others do not, whatever runs were read before, in whatever order lines stand.
func TestDigests(t *testing.T) {
	const resources = "TU MILLISECONDS\nR 0 1 false;name=r\n"
	one := resources + "C 0 0 2 0 1;id=1,name=a,kind=x\nC 1 3 4 0 1;id=1,name=b,kind=x\nC 2 5 6 0 1;id=2,name=b,kind=x\nC 3 7 8 0 1;id=2,name=a,kind=x\n"
	other := resources + "C 9 50 60 0 1;kind=y,id=7,name=c\nC 3 7 8 0 1;kind=x,name=a,id=4\nC 2 5 6 0 1;name=b,kind=x,id=4\nC 1 3 4 0 1;name=b,kind=x,id=3\nC 0 0 2 0 1;kind=x,name=a,id=3\n"
	digests := func(s *Set) map[string]string {
		all := make(map[string]string)
		for _, it := range s.Items("id", nil, false) {
			all[it.Value] = s.Digest(it.Run, s.Graphs(it.Run, "id", []string{it.Value})[it.Value], "id", nil, false)
		}
		return all
	}
	l, names := loaded(t, one, other)
	var all []map[string]string
	for _, order := range [][]string{names, {names[1], names[0]}} {
		all = append(all, digests(expect.Value(Read(t.Context(), l, order, 0))(t)))
	}
	expect.Deep(t, all[1], all[0], "digests of runs that are read in another order")
	expect.Equal(t, all[0]["3"], all[0]["1"], "a, then b")
	expect.Equal(t, all[0]["4"], all[0]["2"], "b, then a")
	expect.Equal(t, all[0]["1"] == all[0]["2"], false, "another order has the digest of the first")
	expect.Equal(t, all[0]["7"] == all[0]["1"], false, "other claims have the digest of the first")
}
