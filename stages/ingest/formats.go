package ingest

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/babeltrace"
	"github.com/tracelake/tracelake/stages/ingest/chrome"
	"github.com/tracelake/tracelake/stages/ingest/cpuprofile"
	"github.com/tracelake/tracelake/stages/ingest/ctf"
	"github.com/tracelake/tracelake/stages/ingest/etf"
	"github.com/tracelake/tracelake/stages/ingest/jaeger"
	"github.com/tracelake/tracelake/stages/ingest/kieker"
	"github.com/tracelake/tracelake/stages/ingest/otf1"
	"github.com/tracelake/tracelake/stages/ingest/otf2"
	"github.com/tracelake/tracelake/stages/ingest/otlp"
	"github.com/tracelake/tracelake/stages/ingest/rawlog"
	"github.com/tracelake/tracelake/stages/ingest/spantable"
	"github.com/tracelake/tracelake/stages/ingest/table"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/ingest/tmsct"
	"github.com/tracelake/tracelake/stages/ingest/uftrace"
	"github.com/tracelake/tracelake/stages/ingest/zipkin"
)

// Formats lists the formats of traces, in the order in which a trace is tried. What a format shows at its beginning
// decides the order: formats with a magic number come first, then those whose lines or members are like no other's,
// and last the texts whose lines are good in several formats. A table, which any line with separators may begin, is the
// last resort.
func Formats() []schema.Format {
	return []schema.Format{
		otf2.Format(),
		otf1.Format(),
		ctf.Format(),
		uftrace.Format(),
		kieker.Format(),
		kieker.StreamFormat(),
		uftrace.StreamFormat(),
		uftrace.DumpFormat(),
		babeltrace.Format(),
		rawlog.Format(),
		etf.Format(),
		otlp.Format(),
		jaeger.Format(),
		zipkin.Format(),
		cpuprofile.Format(),
		chrome.Format(),
		spantable.Format(),
		tmsct.Format(),
		text.Thesis(),
		text.Tmsctrace(),
		table.Format(),
	}
}
