package etf

import "github.com/tracelake/tracelake/schema"

// Format describes TRACE4CPS's Execution Trace Format.
func Format() schema.Format {
	return schema.Format{
		Name:    "etf",
		Doc:     "TRACE4CPS: claims are executions, dependencies messages",
		Remarks: "claims are executions on their resource",
		Components: []schema.ComponentWord{
			{Word: "resource", Doc: "the resource of the claim"},
			{Word: "ATTRIBUTE", Doc: "the value of this attribute of the claim, or else of the resource; the resource where neither has it", Any: true},
		},
		Endings: []string{".etf"},
		IsFile:  Detect,
		NewReader: func(r *schema.Reading) schema.Reader {
			return &reader{
				given: r, document: newDocument(), labels: map[string]uint32{}, marks: []schema.MessageMark{{}},
				places: map[int64]uint32{}, taken: map[string]int{},
			}
		},
	}
}
