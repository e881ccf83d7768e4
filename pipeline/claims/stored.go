package claims

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
)

// Asked is a question to which a table of a run has the answer. The options of the stage that writes the table are all of them.
type Asked struct {
	Key     string          // what tells the rows of its answer from those of others
	Of      []string        `json:",omitempty"` // of the other runs that it is about, by their order: what Inputs says of them
	Version int             // changes when the answer to the same question does
	Totals  json.RawMessage // what is said of the whole, which no row says; Store sets it
}

// same reports whether two questions are equal, whatever is said of the whole.
func (a *Asked) same(b *Asked) bool {
	return a.Key == b.Key && a.Version == b.Version && slices.Equal(a.Of, b.Of)
}

// Answers is a table of runs that has the answers to several questions side by side, such as the critical claims of several graphs. An
// answer stays until what Read reads of its run is another.
type Answers[R any] struct {
	*pipeline.Engine
	Table string
	Key   func(*R) string // that of the question to which a row belongs
}

// stage declares a table that is made of what Read reads. The rows are there before its task runs.
func (k *Answers[R]) stage(all []Asked, rows []R) pipeline.Stage {
	return pipeline.Stage{
		Name: k.Table, Version: 1, Doc: "keeps what was asked about the claims of the run", Options: all,
		Reads: []string{"executions"}, Uses: []string{"events", "messages", "attributes", "resources", "claims", "dependencies", "signals", "fragments_of_signals"},
		Writes: []string{k.Table}, Whole: true,
		Run: func(t *pipeline.Task) error { return pipeline.WriteRows(t, k.Table, rows) },
	}
}

// inputs are the tables that an answer about a run is made from, as they are.
func (k *Answers[R]) inputs(v *lake.Inventory) (inputs []lake.Input) {
	s := k.stage(nil, nil)
	for _, table := range slices.Concat(s.Reads, s.Uses) {
		if of := v.Table(table); of != nil {
			inputs = append(inputs, lake.Input{Name: table, Fingerprint: of.Fingerprint})
		}
	}
	return inputs
}

// Inputs tells the tables of a run from those of other times, for Asked.Of. The first file of its executions does so in rows: the name of
// a file has the fingerprint of its table. It is named without its ending, from the folder of the table on; "" where there are none.
func (k *Answers[R]) Inputs(run string) (inputs, file string, err error) {
	v, err := k.Lake.Inventory(lake.Run(run))
	if err != nil {
		return "", "", err
	}
	if m := v.Table("executions"); m != nil && len(m.Files) > 0 {
		file = shortName(m, m.Files[0])
	}
	text, err := json.Marshal(k.inputs(v))
	return string(text), file, err
}

// answered lists the questions whose answers a run has, as they are up to date.
func (k *Answers[R]) answered(v *lake.Inventory) (all []Asked) {
	m := v.Table(k.Table)
	if m == nil || m.Version != k.stage(nil, nil).Version || !slices.Equal(m.Inputs, k.inputs(v)) || json.Unmarshal([]byte(m.Options), &all) != nil {
		return nil
	}
	return all
}

// Answer reads the answer that the lake has to a question about a run, and what is said of the whole into totals. found says whether it
// has one of today. A lake that cannot be brought in order has none.
func (k *Answers[R]) Answer(run string, a Asked, totals any) (rows []R, found bool, err error) {
	p := lake.Run(run)
	if k.Lake.Recover(p) != nil {
		return nil, false, nil
	}
	v, err := k.Lake.Inventory(p)
	if err != nil {
		return nil, false, err
	}
	all := k.answered(v)
	i := slices.IndexFunc(all, func(b Asked) bool { return b.same(&a) })
	if i < 0 {
		return nil, false, nil
	}
	if err := lake.ReadInto(&rows, k.Lake, k.Table, p); err != nil {
		return nil, false, err
	}
	rows = slices.DeleteFunc(rows, func(r R) bool { return k.Key(&r) != a.Key })
	return rows, true, json.Unmarshal(all[i].Totals, totals)
}

// Store keeps the answer to a question about a run beside those to others; stored says whether the lake had not kept it so before. The
// lease keeps other processes from storing theirs in between.
func (k *Answers[R]) Store(ctx context.Context, run string, a Asked, totals any, rows []R) (stored bool, err error) {
	if a.Totals, err = json.Marshal(totals); err != nil {
		return false, err
	}
	p := lake.Run(run)
	release, err := k.Lake.Lease(ctx, p)
	if err != nil {
		return false, err
	}
	defer release()
	v, err := k.Lake.Inventory(p)
	if err != nil {
		return false, err
	}
	all := slices.DeleteFunc(k.answered(v), func(b Asked) bool { return b.Key == a.Key })
	var others []R
	if len(all) > 0 {
		if err := lake.ReadInto(&others, k.Lake, k.Table, p); err != nil {
			return false, err
		}
		others = slices.DeleteFunc(others, func(r R) bool { return k.Key(&r) == a.Key })
	}
	// In the order of the questions, so that the same ones leave the same bytes in whatever order they came.
	all, others = append(all, a), append(others, rows...)
	slices.SortFunc(all, func(a, b Asked) int { return strings.Compare(a.Key, b.Key) })
	slices.SortStableFunc(others, func(a, b R) int { return strings.Compare(k.Key(&a), k.Key(&b)) })
	out, err := k.RunStage(ctx, p, k.stage(all, others))
	return err == nil && !out.Fresh, err
}

// KeyOf is the key of a question, of what its rows say of it.
func KeyOf(parts ...string) string { return strings.Join(parts, "\x00") }
