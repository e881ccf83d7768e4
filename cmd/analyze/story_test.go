package main

import (
	"context"
	"flag"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/cmd/internal/testdata/playall"
	"github.com/tracelake/tracelake/cmd/internal/testdata/storytest"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/chrome"
	"github.com/tracelake/tracelake/stages/ingest/etf"
	"github.com/tracelake/tracelake/stages/ingest/otf1"
	"github.com/tracelake/tracelake/stages/ingest/table"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/ingest/tmsct"
)

var update = flag.Bool("update", false, "write the programs' answers into the stories")

func TestStories(t *testing.T) {
	playall.Stories(t, "testdata/*.txtar", map[string]storytest.Program{"analyze": run, "load": load}, *update)
}

// load puts traces into the lake of a story, as ingest would: load TRACE [release=VALUE]. Traces are of package text, unless
// they are called .csv, .tmsct, .json (Chrome's), .etf or .otf.
func load(ctx context.Context, args []string, _ io.Reader, _, _ io.Writer) error {
	l, err := lake.Open("lake", true)
	if err != nil {
		return err
	}
	labels := make(map[string]string)
	for _, pair := range args[1:] {
		key, value, _ := strings.Cut(pair, "=")
		labels[key] = value
	}
	name, _, _ := strings.Cut(filepath.Base(args[0]), ".")
	_, _, err = ingest.Run(ctx, ingest.Job{
		Lake: l, Run: name, Paths: args[:1], Labels: labels, Incomplete: "complete", Untraced: "ignore", Jobs: 1, Memory: 64 << 20,
		Detect: func(file string, head []byte) (schema.Format, error) {
			switch filepath.Ext(file) {
			case ".csv":
				format, _, err := table.Detect(head, table.Options{})
				return format, err
			case ".tmsct":
				return tmsct.Named(head), nil
			case ".json":
				return chrome.Format(), nil
			case ".etf":
				return etf.Format(), nil
			case ".otf":
				format := otf1.Format()
				format.Anchor = true
				return format, nil
			}
			return text.Thesis(), nil
		},
	})
	return err
}
