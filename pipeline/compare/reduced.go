package compare

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// What subjects are judged by lies apart from their rows, so that the last task holds the one or the other: moments and the tests on
// them take as much memory as the rows do.
const (
	reductionsTable = "bucket_reductions" // a row of every subject
	momentsTable    = "bucket_moments"    // of one subject after the other
)

// stagedReduction is a verdicts.Reduction without its moments, with what messages are ordered by.
type stagedReduction struct {
	Level     string  `parquet:"level,dict"`     // of the judgement
	Component string  `parquet:"component,dict"` // of the subject
	Message   bool    `parquet:"message"`
	Function  string  `parquet:"function,optional,dict"` // of a message
	Peer      string  `parquet:"peer,optional,dict"`     // of a message
	Part      string  `parquet:"part,optional,dict"`     // of a message
	TakenBase int64   `parquet:"taken_base"`
	TakenCand int64   `parquet:"taken_cand"`
	CountBase float64 `parquet:"count_base"`
	CountCand float64 `parquet:"count_cand"`
	CostBase  float64 `parquet:"cost_base"`
	CostCand  float64 `parquet:"cost_cand"`
	TotalBase float64 `parquet:"total_base"`
	TotalCand float64 `parquet:"total_cand"`
	Certain   bool    `parquet:"certain"`
	Spread    float64 `parquet:"spread"`
	Statement string  `parquet:"statement,optional,dict"`
	Ratio     float64 `parquet:"ratio"`
	Share     float64 `parquet:"share"`
	Ns        float64 `parquet:"ns"`
	Moments   int64   `parquet:"moments"` // how many there are
}

// stagedMoments is a verdicts.Moments.
type stagedMoments struct {
	Quantity     int64   `parquet:"quantity"`
	RunsBase     int64   `parquet:"runs_base"`
	RunsCand     int64   `parquet:"runs_cand"`
	Blocks       int64   `parquet:"blocks"`
	Testable     bool    `parquet:"testable"`
	Estimate     float64 `parquet:"estimate"`
	Base         float64 `parquet:"base"`
	Cand         float64 `parquet:"cand"`
	Variance     float64 `parquet:"variance"`
	DF           float64 `parquet:"df"`
	Margin       float64 `parquet:"margin"`
	Plain        float64 `parquet:"plain"`
	BaseVariance float64 `parquet:"base_variance"`
	CandVariance float64 `parquet:"cand_variance"`
}

// stageReduced writes what the subjects of the group are judged by.
func (j *judge) stageReduced(t *pipeline.Task) error {
	return cmp.Or(pipeline.WriteEach(t, reductionsTable, j.eachReduction), pipeline.WriteEach(t, momentsTable, j.eachMoments))
}

// eachReduction hands out the reductions of the subjects: an iter.Seq.
func (j *judge) eachReduction(yield func(stagedReduction) bool) {
	for _, s := range j.subjects {
		r := s.reduced
		row := stagedReduction{
			Level: r.Level, Component: r.Component, TakenBase: int64(r.TakenBase), TakenCand: int64(r.TakenCand),
			CountBase: r.CountBase, CountCand: r.CountCand, CostBase: r.CostBase, CostCand: r.CostCand,
			TotalBase: r.TotalBase, TotalCand: r.TotalCand, Certain: r.Certain, Spread: r.Spread,
			Statement: r.Statement.Kind, Ratio: r.Statement.Ratio, Share: r.Statement.Share, Ns: r.Statement.Ns,
			Moments: int64(len(r.Moments)),
		}
		if s.Change.Level == schema.LevelMessage {
			k := keyOfMessage(s)
			row.Message, row.Function, row.Peer, row.Part = true, k.function, k.peer, k.part
		}
		if !yield(row) {
			return
		}
	}
}

// eachMoments hands out the moments of the subjects: an iter.Seq.
func (j *judge) eachMoments(yield func(stagedMoments) bool) {
	for _, s := range j.subjects {
		for _, m := range s.reduced.Moments {
			row := stagedMoments{
				int64(m.Quantity), int64(m.RunsBase), int64(m.RunsCand), int64(m.Blocks), m.Testable, m.Estimate, m.Base, m.Cand,
				m.Variance, m.DF, m.Margin, m.Plain, m.BaseVariance, m.CandVariance,
			}
			if !yield(row) {
				return
			}
		}
	}
}

// reduction is what a row says, with its moments.
func (row *stagedReduction) reduction(moments []verdicts.Moments) verdicts.Reduction {
	return verdicts.Reduction{
		Level: row.Level, Component: row.Component, TakenBase: int(row.TakenBase), TakenCand: int(row.TakenCand),
		CountBase: row.CountBase, CountCand: row.CountCand, CostBase: row.CostBase, CostCand: row.CostCand,
		TotalBase: row.TotalBase, TotalCand: row.TotalCand, Certain: row.Certain, Spread: row.Spread,
		Statement: verdicts.Statement{Kind: row.Statement, Ratio: row.Ratio, Share: row.Share, Ns: row.Ns}, Moments: moments,
	}
}

// moments is what a row says.
func (m *stagedMoments) moments() verdicts.Moments {
	return verdicts.Moments{
		Quantity: int32(m.Quantity), RunsBase: int32(m.RunsBase), RunsCand: int32(m.RunsCand), Blocks: int32(m.Blocks), Testable: m.Testable,
		Estimate: m.Estimate, Base: m.Base, Cand: m.Cand, Variance: m.Variance, DF: m.DF, Margin: m.Margin, Plain: m.Plain,
		BaseVariance: m.BaseVariance, CandVariance: m.CandVariance,
	}
}

// reductions are what all subjects of groups are judged by, in the order of Observations.Subjects.
type reductions struct {
	all      []verdicts.Reduction // without those of messages
	messages []keyedReduction
}

// keyedReduction is that of a message.
type keyedReduction struct {
	key messageKey
	of  verdicts.Reduction
}

// readReductions reads what all subjects of groups are judged by.
func readReductions(t *pipeline.Task) ([]verdicts.Reduction, error) {
	subjects, err := t.StagedCount(reductionsTable)
	if err != nil {
		return nil, err
	}
	r, texts := reductions{all: make([]verdicts.Reduction, 0, subjects)}, make(sharedTexts)
	for part := range t.Parts() {
		rows, err := pipeline.PartRows[stagedReduction](t, part, reductionsTable)
		if err != nil {
			return nil, err
		}
		moments, err := pipeline.PartRows[stagedMoments](t, part, momentsTable)
		if err != nil {
			return nil, err
		}
		r.add(rows, moments, texts)
	}
	return r.inOrder(), nil
}

// inOrder puts messages behind all others, as Observations.complete does.
func (r *reductions) inOrder() []verdicts.Reduction {
	slices.SortFunc(r.messages, func(a, b keyedReduction) int { return a.key.compare(b.key) })
	for i := range r.messages {
		r.all = append(r.all, r.messages[i].of)
	}
	return r.all
}

// add takes the rows of a bucket.
func (r *reductions) add(rows []stagedReduction, moments []stagedMoments, texts sharedTexts) {
	all := make([]verdicts.Moments, len(moments))
	for i := range moments {
		all[i] = moments[i].moments()
	}
	for i := range rows {
		row := &rows[i]
		for _, text := range []*string{&row.Level, &row.Component, &row.Function, &row.Peer, &row.Part, &row.Statement} {
			texts.replace(text)
		}
		of := row.reduction(all[:row.Moments:row.Moments])
		all = all[row.Moments:]
		if row.Message {
			r.messages = append(r.messages, keyedReduction{messageKey{row.Component, row.Function, row.Peer, row.Part}, of})
		} else {
			r.all = append(r.all, of)
		}
	}
}

// judged are the judgements of the subjects of groups and of the parts of critical paths, by their positions among all subjects.
type judged struct {
	reduced    []*verdicts.Reduction // nil: it is not known what the runs say
	judgements []verdicts.Judgement  // without estimates
}

// judgeStaged judges subjects by what was staged of them, before their rows are read, and the parts of critical paths. It keeps their
// estimates.
func (j *comparison) judgeStaged(t *pipeline.Task, paths []Subject, keep *estimates) (*judged, error) {
	all, err := readReductions(t)
	if err != nil {
		return nil, err
	}
	sides := j.sides(j.models)
	reducer := verdicts.NewReducer(sides, j.Verdicts)
	n := len(all) + len(paths)
	v := &judged{make([]*verdicts.Reduction, n), make([]verdicts.Judgement, n)}
	var asked []*verdicts.Reduction
	var at []int
	for i := range n {
		if i < len(all) {
			v.reduced[i] = &all[i]
		} else {
			v.reduced[i] = paths[i-len(all)].reduction(reducer)
		}
		if v.reduced[i] != nil {
			asked, at = append(asked, v.reduced[i]), append(at, i)
		}
	}
	verdicts.EachReduced(asked, sides, j.Verdicts, func(i int, of *verdicts.Judgement) {
		v.reduced[at[i]].Moments = nil
		keep.put(at[i], of.Estimates)
		v.judgements[at[i]] = *of
		v.judgements[at[i]].Estimates = nil
	})
	return v, nil
}

// applyAll writes judgements into the rows of their subjects.
func (j *comparison) applyAll(o *Observations, v *judged) {
	for i := range o.Subjects {
		if s := &o.Subjects[i]; v.reduced[i] != nil {
			s.reduced = v.reduced[i]
			j.apply(&v.judgements[i], s, &o.Sides)
		}
	}
}
