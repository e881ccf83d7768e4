package claims

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/claims"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	report "github.com/tracelake/tracelake/stages/report/claims"
)

// engine is what brings tables of a lake up to date.
func (f *command) engine(l *lake.Lake) *pipeline.Engine {
	return &pipeline.Engine{Lake: l, Jobs: f.Jobs, Memory: f.TaskMemory()}
}

// filterWords are the filters as tables have them; "" for none.
func (f *command) filterWords() string { return strings.Join(f.filter, " or ") }

// keeping makes SQL see what was stored. What was asked is answered in any case, so that a lake that others may only read is no error; a
// warning tells.
func (f *command) keeping(ctx context.Context, l *lake.Lake, table string, stored bool, err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		f.Logger(f.stderr).Warn("the lake cannot be written, so that its table " + table + " does not have this answer: " + err.Error())
		return nil
	}
	if err != nil || !stored {
		return err
	}
	return views.Follow(ctx, l)
}

// criticalClaims is the table of critical claims.
func (f *criticalCommand) criticalClaims(l *lake.Lake) *claims.Answers[schema.CriticalClaim] {
	return &claims.Answers[schema.CriticalClaim]{
		Engine: f.engine(l), Table: "critical_claims", Key: func(c *schema.CriticalClaim) string { return claims.KeyOf(c.Graph, c.Filter) },
	}
}

// graphWords is the graph as the table has it. The unit of weights is part of it where it is not that of the trace.
func (f *criticalCommand) graphWords(words string) string {
	if f.unit == "" {
		return words
	}
	return words + " in " + f.unit
}

// asked is what the lake is asked for.
func (f *criticalCommand) asked(words string) claims.Asked {
	return claims.Asked{Key: claims.KeyOf(f.graphWords(words), f.filterWords()), Version: 1}
}

// kept is what the lake has of the critical paths of a run; nil where it has nothing of today, or where edges are asked for, or a picture,
// which the table does not have.
func (f *criticalCommand) kept(l *lake.Lake, run, words string) (*report.Critical, error) {
	if f.format == "json" || f.picture != "" {
		return nil, nil
	}
	out := new(report.Critical)
	rows, found, err := f.criticalClaims(l).Answer(run, f.asked(words), out)
	if err != nil || !found {
		return nil, err
	}
	for i := range rows {
		row := &rows[i]
		c := report.Claim{
			Execution: row.Execution, ID: row.ID, Text: row.Claim, Name: row.Name, Resource: row.Resource, StartNs: row.StartNs, EndNs: row.EndNs, Wait: row.Wait,
		}
		if row.After != "" {
			c.After = []string{row.After}
		}
		out.Claims = append(out.Claims, c)
	}
	return out, nil
}

// keepCritical keeps the critical claims of a run.
func (f *criticalCommand) keepCritical(ctx context.Context, l *lake.Lake, found *report.Critical) error {
	if f.store == "no" {
		return nil
	}
	rows := make([]schema.CriticalClaim, 0, len(found.Claims))
	for i := range found.Claims {
		c := &found.Claims[i]
		row := schema.CriticalClaim{
			Graph: f.graphWords(found.Graph), Filter: f.filterWords(), Execution: c.Execution, ID: c.ID, Name: c.Name, Resource: c.Resource,
			StartNs: c.StartNs, EndNs: c.EndNs, Wait: c.Wait,
		}
		if c.Wait {
			row.Claim, row.After = c.Text, strings.Join(c.After, "; ")
		}
		rows = append(rows, row)
	}
	whole := *found
	whole.Claims, whole.Edges = nil, nil
	k := f.criticalClaims(l)
	stored, err := k.Store(ctx, found.Run, f.asked(found.Graph), &whole, rows)
	return f.keeping(ctx, l, k.Table, stored, err)
}
