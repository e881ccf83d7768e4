package kieker

import "github.com/tracelake/tracelake/schema"

// Words of ReadingOptions.Component.
const (
	byClass     = "class"
	byPackage   = "package"
	byComponent = "component"
	byHost      = "host"
)

// components are the words of both formats.
var components = []schema.ComponentWord{
	{Word: byClass, Doc: "the class of the operation"},
	{Word: byPackage, Doc: "the package of that class"},
	{Word: byComponent, Doc: "the number in component records, as component-1; the class in a log without them"},
	{Word: byHost, Doc: "the host"},
}

// Format describes the logs of Kieker. A trace is a folder with a map.
func Format() schema.Format {
	return schema.Format{
		Name:       "kieker",
		Doc:        "Kieker: a folder with kieker.map; text, binary, compressed; operations, component records",
		Remarks:    "operation executions, before/after and component records, failed operations, remote calls",
		Components: components,
		Attributes: true,
		FindIn:     DetectFolder,
		NewReader:  func(r *schema.Reading) schema.Reader { return newReader(r) },
	}
}

// StreamFormat describes what Kieker's TCP writers send: the entries of their registry and the records in one file.
func StreamFormat() schema.Format {
	return schema.Format{
		Name:       "kieker-stream",
		Doc:        "what Kieker's TCP writers send, as ingest --follow kieker: records it",
		Remarks:    "the same records as the folder, with the texts of the map between them",
		Components: components,
		Attributes: true,
		IsFile:     DetectStream,
		NewReader: func(r *schema.Reading) schema.Reader {
			reader := newReader(r)
			reader.sent = true
			return reader
		},
		NewGrowing: newGrowing,
	}
}
