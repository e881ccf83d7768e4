package kieker

import "github.com/tracelake/tracelake/schema"

// Words of ReadingOptions.Component.
const (
	byClass     = "class"
	byPackage   = "package"
	byComponent = "component"
	byHost      = "host"
)

// Format describes the logs of Kieker. A trace is a folder with a map.
func Format() schema.Format {
	return schema.Format{
		Name:    "kieker",
		Doc:     "Kieker: a folder with kieker.map; text, binary, compressed; operations, component records",
		Remarks: "operation executions, before/after and component records, failed operations, remote calls",
		Components: []schema.ComponentWord{
			{Word: byClass, Doc: "the class of the operation"},
			{Word: byPackage, Doc: "the package of that class"},
			{Word: byComponent, Doc: "the number in component records, as component-1; the class in a log without them"},
			{Word: byHost, Doc: "the host"},
		},
		FindIn:    DetectFolder,
		NewReader: func(r *schema.Reading) schema.Reader { return newReader(r) },
	}
}
