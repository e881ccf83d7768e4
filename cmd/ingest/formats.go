package main

import (
	"io/fs"
	"path"
	"slices"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/babeltrace"
	"github.com/tracelake/tracelake/stages/ingest/chrome"
	"github.com/tracelake/tracelake/stages/ingest/ctf"
	"github.com/tracelake/tracelake/stages/ingest/etf"
	"github.com/tracelake/tracelake/stages/ingest/jaeger"
	"github.com/tracelake/tracelake/stages/ingest/kieker"
	"github.com/tracelake/tracelake/stages/ingest/otf1"
	"github.com/tracelake/tracelake/stages/ingest/otf2"
	"github.com/tracelake/tracelake/stages/ingest/otlp"
	"github.com/tracelake/tracelake/stages/ingest/rawlog"
	"github.com/tracelake/tracelake/stages/ingest/uftrace"
	"github.com/tracelake/tracelake/stages/ingest/zipkin"
)

// known is a format that a Reader reads, and how a trace of it is recognised.
type known struct {
	format     schema.Format
	what       string                                         // of what: a line of the help
	components string                                         // what --component may say, the default first
	file       func(head []byte) bool                         // a file by its beginning; nil where the trace is a folder
	folder     func(fsys fs.FS, dir string) (traces []string) // the traces right in a folder; nil where there is none
}

// readers are the formats with a Reader, in the order in which a trace is tried.
var readers = []known{
	{anchored(otf2.Format()), "Open Trace Format 2 (Score-P, EZTrace): the anchor file NAME.otf2",
		"file process", otf2.Detect, named("*.otf2")},
	{anchored(otf1.Format()), "Open Trace Format 1 (VampirTrace): the file NAME.otf; also compressed streams .z",
		"group file process", otf1.Detect, otf1.DetectFolder},
	{ctf.Format(), "Common Trace Format 1.8 (LTTng): a folder with metadata; function and begin-end events",
		"unit module process", nil, ctf.DetectFolder},
	{uftrace.Format(), "uftrace: its data folder",
		"module unit", nil, uftrace.DetectFolder},
	{kieker.Format(), "Kieker: a folder with kieker.map; text, binary, compressed; operations, component records",
		"class package component host", nil, kieker.DetectFolder},
	{uftrace.DumpFormat(), "the text of uftrace dump",
		"module unit", uftrace.Detect, nil},
	{babeltrace.Format(), "the text of babeltrace2",
		"unit module process", babeltrace.Detect, nil},
	{rawlog.Format(), "logs of -finstrument-functions, text or binary; see ingest record",
		"unit module", rawlog.Detect, nil},
	{etf.Format(), "TRACE4CPS: claims are executions, dependencies messages",
		"resource ATTRIBUTE", etf.Detect, nil},
	{otlp.Format(), "OpenTelemetry spans, JSON or protobuf; several files",
		"service", otlp.Detect, otlp.DetectFolder},
	{jaeger.Format(), "Jaeger spans, JSON; several files",
		"service", jaeger.Detect, jaeger.DetectFolder},
	{zipkin.Format(), "Zipkin v2 spans, JSON; several files",
		"service", zipkin.Detect, zipkin.DetectFolder},
	{chrome.Format(), "Chrome trace events, as Perfetto and speedscope open, JSON",
		"process thread category", chrome.Detect, nil},
}

// anchored is a format whose traces are named by one of their files.
func anchored(f schema.Format) schema.Format {
	f.Anchor = true
	return f
}

// named finds the traces of a format by the names of their files.
func named(pattern string) func(fs.FS, string) []string {
	return func(fsys fs.FS, dir string) []string {
		traces, _ := fs.Glob(fsys, path.Join(dir, pattern))
		return traces
	}
}

// readerOf finds the format of a file that a Reader reads.
func readerOf(head []byte) (schema.Format, bool) {
	for _, k := range readers {
		if k.file != nil && k.file(head) {
			return k.format, true
		}
	}
	return schema.Format{}, false
}

// readerNamed is the format of that name.
func readerNamed(name string) (schema.Format, bool) {
	for _, k := range readers {
		if k.format.Name == name {
			return k.format, true
		}
	}
	return schema.Format{}, false
}

// finder finds the traces in a folder and those below it, of one format or of any ("auto"). A folder that is a trace is
// not looked into.
func finder(format string) ingest.Find {
	return func(folder fs.FS) (found []ingest.Found, err error) {
		err = fs.WalkDir(folder, ".", func(dir string, e fs.DirEntry, err error) error {
			if err != nil || !e.IsDir() {
				return err
			}
			here := findIn(folder, dir, format)
			found = append(found, here...)
			if slices.ContainsFunc(here, func(f ingest.Found) bool { return f.Path == dir || f.Format.Anchor }) {
				return fs.SkipDir
			}
			return nil
		})
		return found, err
	}
}

// findIn finds the traces right in a folder, of the first format that has some there.
func findIn(folder fs.FS, dir, format string) (found []ingest.Found) {
	for _, k := range readers {
		if k.folder == nil || format != "auto" && k.format.Name != format {
			continue
		}
		traces := k.folder(folder, dir)
		slices.Sort(traces)
		for _, t := range traces {
			found = append(found, ingest.Found{Format: k.format, Path: t})
		}
		if len(found) > 0 {
			break
		}
	}
	return found
}
