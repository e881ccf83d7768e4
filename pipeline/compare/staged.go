package compare

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// The tables that the tasks of the buckets hand to the last one. They are staged and never committed. A subject takes two of
// them, because the fields of an embedded row lose their nulls in Parquet. What it is judged by stands in two more (reduced.go).
const (
	subjectsTable  = "bucket_subjects"
	changesTable   = "bucket_changes"         // of the subjects
	runsTable      = "bucket_subject_numbers" // of one subject after the other
	costsTable     = "bucket_costs"           // of the subjects, where costs alone are compared
	matchesTable   = "bucket_matches"
	functionsTable = "bucket_functions"
	numbersTable   = "bucket_function_numbers" // of one function after the other
)

// stagedSubject is a row of the table of subjects.
type stagedSubject struct {
	Awaited string `parquet:"awaited,optional,dict"`
	Running string `parquet:"running,optional,dict"`
	Initial bool   `parquet:"initial"`
	Within  bool   `parquet:"within"`
	Behind  bool   `parquet:"behind"`
	Numbers int64  `parquet:"numbers"` // how many there are of all runs; 0 where what they say is reduced: see appendRun
}

// stagedCosts is what a subject costs in every run: see appendCost.
type stagedCosts struct {
	Costs []byte `parquet:"costs"`
}

// stagedFunction is the summary of a function, or of the lifetimes of one name, in one run.
type stagedFunction struct {
	Run       int64   `parquet:"run"` // position among the models
	Lifetimes bool    `parquet:"lifetimes"`
	Component string  `parquet:"component,dict"`
	Function  string  `parquet:"function,dict"`
	Numbers   int64   `parquet:"numbers"`    // how many there are: see appendRun
	LongestNs float64 `parquet:"longest_ns"` // the greatest value, which is none of them
}

// stagedNumber is a number of a subject or of a function in one run.
type stagedNumber struct {
	Value float64 `parquet:"value"`
}

// appendRun appends the numbers of a run: its four sums, how many quantiles follow, and these. Quantiles that are all the same, as of
// one value, are one number.
func appendRun(to []float64, r *verdicts.Run) []float64 {
	to = append(to, r.Count, r.N, r.TotalNs, r.ArrivalNs)
	if r.Quantiles == nil {
		return append(to, 0)
	}
	first := math.Float64bits(r.Quantiles[0])
	if !slices.ContainsFunc(r.Quantiles[1:], func(q float64) bool { return math.Float64bits(q) != first }) {
		return append(to, 1, r.Quantiles[0])
	}
	return append(append(to, float64(len(r.Quantiles))), r.Quantiles[:]...)
}

// numbersOf is how many numbers appendRun appends.
func numbersOf(r *verdicts.Run) int {
	var to [5 + len(verdicts.Quantiles)]float64
	return len(appendRun(to[:0], r))
}

// runOf reads the numbers of a run, and returns those behind them.
func runOf(of []float64) (verdicts.Run, []float64) {
	r := verdicts.Run{Count: of[0], N: of[1], TotalNs: of[2], ArrivalNs: of[3]}
	quantiles, rest := of[5:5+int(of[4])], of[5+int(of[4]):]
	if len(quantiles) > 0 {
		r.Quantiles = spread(quantiles)
	}
	return r, rest
}

// stage writes what the judge of a group found.
func (j *judge) stage(t *pipeline.Task) error {
	if j.reducer != nil {
		if err := j.stageReduced(t); err != nil {
			return err
		}
	}
	functions, numbers := j.stagedFunctions()
	return cmp.Or(
		pipeline.WriteEach(t, changesTable, j.eachChange), pipeline.WriteEach(t, subjectsTable, j.eachSubject),
		pipeline.WriteEach(t, runsTable, j.eachNumber), pipeline.WriteEach(t, costsTable, j.eachCosts),
		pipeline.WriteRows(t, functionsTable, functions), pipeline.WriteEach(t, numbersTable, eachNumber(numbers)),
		pipeline.WriteRows(t, matchesTable, j.matches),
	)
}

// eachChange hands out the changes of the subjects: an iter.Seq.
func (j *judge) eachChange(yield func(schema.Change) bool) {
	for _, s := range j.subjects {
		if !yield(s.Change) {
			return
		}
	}
}

// eachSubject hands out the rows of the subjects: an iter.Seq.
func (j *judge) eachSubject(yield func(stagedSubject) bool) {
	for _, s := range j.subjects {
		row := stagedSubject{Awaited: s.Awaited, Running: s.Function, Initial: s.Initial, Within: s.within, Behind: s.behind}
		for r := range s.Observed.Runs {
			row.Numbers += int64(numbersOf(&s.Observed.Runs[r]))
		}
		if !yield(row) {
			return
		}
	}
}

// eachNumber hands out what the runs say of the subjects for which that is not reduced: an iter.Seq.
func (j *judge) eachNumber(yield func(stagedNumber) bool) {
	var numbers []float64
	for _, s := range j.subjects {
		numbers = numbers[:0]
		for r := range s.Observed.Runs {
			numbers = appendRun(numbers, &s.Observed.Runs[r])
		}
		for _, n := range numbers {
			if !yield(stagedNumber{n}) {
				return
			}
		}
	}
}

// eachCosts hands out the costs of the subjects, or none: an iter.Seq.
func (j *judge) eachCosts(yield func(stagedCosts) bool) {
	if !j.costsOnly {
		return
	}
	for _, s := range j.subjects {
		if !yield(stagedCosts{s.costs}) {
			return
		}
	}
}

// stagedFunctions lists the functions and lifetimes of the group in all runs, with the numbers of one after the other.
func (j *judge) stagedFunctions() (rows []stagedFunction, numbers []float64) {
	for run := range j.functions {
		for i, of := range []map[functionKey]verdicts.Run{j.functions[run], j.lifetimes[run]} {
			for _, k := range slices.SortedFunc(maps.Keys(of), functionKey.compare) {
				r, before := of[k], len(numbers)
				numbers = appendRun(numbers, &r)
				rows = append(rows, stagedFunction{int64(run), i == 1, k.component, k.function, int64(len(numbers) - before), r.LongestNs})
			}
		}
	}
	return rows, numbers
}

// eachNumber hands out rows of numbers.
func eachNumber(numbers []float64) iter.Seq[stagedNumber] {
	return func(yield func(stagedNumber) bool) {
		for _, n := range numbers {
			if !yield(stagedNumber{n}) {
				return
			}
		}
	}
}

// gathered are the subjects of all buckets, then those that belong to none: parts of critical paths. Buckets are read one after the other, so that what was
// staged and what becomes of it are in memory together for one of them only.
func (j *comparison) gathered(t *pipeline.Task, paths []Subject) (*Observations, error) {
	o := &Observations{Sides: j.sides(j.models), of: j}
	functions, err := j.gatherFunctions(t)
	if err != nil {
		return nil, err
	}
	subjects, err := t.StagedCount(subjectsTable)
	if err != nil {
		return nil, err
	}
	texts := make(sharedTexts)
	// Where the list grew as subjects come, it would be in memory twice while it moves.
	o.Subjects = make([]Subject, 0, int(subjects)+len(paths)+functions)
	for part := range t.Parts() {
		rows, err := pipeline.PartRows[stagedSubject](t, part, subjectsTable)
		if err != nil {
			return nil, err
		}
		changes, err := pipeline.PartRows[schema.Change](t, part, changesTable)
		if err != nil {
			return nil, err
		}
		staged, err := pipeline.PartRows[stagedNumber](t, part, runsTable)
		if err != nil {
			return nil, err
		}
		costs, err := pipeline.PartRows[stagedCosts](t, part, costsTable)
		if err != nil {
			return nil, err
		}
		var numbers []float64
		for i := range rows {
			texts.share(&changes[i])
			texts.shareOf(&rows[i])
			numbers, staged = take(numbers[:0], staged, rows[i].Numbers)
			s := rows[i].subject(changes[i], numbers, len(j.models))
			if j.costsOnly {
				s.costs = costs[i].Costs
			}
			o.Subjects = append(o.Subjects, s)
		}
	}
	o.complete(paths)
	return o, nil
}

// sharedTexts has every text of changes once: rows that are read have each their own.
type sharedTexts map[string]string

// share replaces the texts of a change by those that are kept.
func (t sharedTexts) share(c *schema.Change) {
	for _, text := range []*string{
		&c.Level, &c.Component, &c.Fragment, &c.CandFragment, &c.MovedFrom, &c.Subject, &c.Metric, &c.Function, &c.Kind,
		&c.Direction, &c.Peer, &c.Normalisation, &c.Shift, &c.Method, &c.Verdict, &c.Quantity, &c.Statement,
	} {
		t.replace(text)
	}
}

// shareOf replaces the texts of a row by those that are kept.
func (t sharedTexts) shareOf(row *stagedSubject) {
	for _, text := range []*string{&row.Awaited, &row.Running} {
		t.replace(text)
	}
}

// replace replaces a text by the one that is kept.
func (t sharedTexts) replace(text *string) {
	kept, is := t[*text]
	if !is {
		kept = *text
		t[kept] = kept
	}
	*text = kept
}

// gatherFunctions gives the models the summaries of functions and lifetimes of all buckets, and returns how many subjects functions may be: each
// that any run has is one at most, alone or with its counterpart.
func (j *comparison) gatherFunctions(t *pipeline.Task) (most int, err error) {
	known := make(map[functionKey]bool)
	for part := range t.Parts() {
		rows, err := pipeline.PartRows[stagedFunction](t, part, functionsTable)
		if err != nil {
			return 0, err
		}
		staged, err := pipeline.PartRows[stagedNumber](t, part, numbersTable)
		if err != nil {
			return 0, err
		}
		var numbers []float64
		for _, f := range rows {
			numbers, staged = take(numbers[:0], staged, f.Numbers)
			k, of := functionKey{f.Component, f.Function}, j.models[f.Run].summaries.functions
			if f.Lifetimes {
				of = j.models[f.Run].summaries.lifetimes
			} else {
				known[k] = true
			}
			r, _ := runOf(numbers)
			r.LongestNs = f.LongestNs
			of[k] = r
		}
	}
	if !j.ByRuns {
		return 0, nil
	}
	return len(known), nil
}

// take appends the first n numbers of rows, and returns the rows behind them.
func take(to []float64, rows []stagedNumber, n int64) ([]float64, []stagedNumber) {
	for _, row := range rows[:n] {
		to = append(to, row.Value)
	}
	return to, rows[n:]
}

// subject is the subject of a row, of which the runs say these numbers, or none.
func (row *stagedSubject) subject(c schema.Change, numbers []float64, runs int) Subject {
	s := Subject{Change: c, Awaited: row.Awaited, Function: row.Running, Initial: row.Initial, within: row.Within, behind: row.Behind}
	s.Observed.Level, s.Observed.Component = s.level(), c.Component
	if len(numbers) > 0 {
		s.Observed.Runs = make([]verdicts.Run, 0, runs)
	}
	for rest := numbers; len(rest) > 0; {
		var r verdicts.Run
		r, rest = runOf(rest)
		s.Observed.Runs = append(s.Observed.Runs, r)
	}
	return s
}
