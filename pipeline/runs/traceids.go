package runs

import (
	"context"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// TraceIDs returns the ids of the traces that some root executions of a run belong to, nil for all of them, as far as the run has them: ingest keeps them where
// --attributes asks for trace_id.
func TraceIDs(ctx context.Context, l *lake.Lake, run string, of map[int64]bool) (map[int64]string, error) {
	m, err := l.Manifest("attributes", lake.Run(run))
	if err != nil || m == nil {
		return nil, err
	}
	ids := make(map[int64]string)
	a := schema.NewAttributes(&schema.AttributeNames{Names: new(schema.Dictionary), Values: new(schema.Dictionary)})
	err = l.ScanTable(ctx, "attributes", run, a, lake.ScanOptions{}, func() error {
		for i, about := range a.About {
			if about == schema.OfClaim && (of == nil || of[a.Ref[i]]) && a.Texts.Names.Name(a.Name[i]) == schema.TraceIDAttribute {
				ids[a.Ref[i]] = a.Texts.Values.Name(a.Value[i])
			}
		}
		return nil
	})
	return ids, err
}
