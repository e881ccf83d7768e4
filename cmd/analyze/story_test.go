package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/testdata/playall"
	"github.com/tracelake/tracelake/cmd/internal/testdata/storytest"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/chrome"
	"github.com/tracelake/tracelake/stages/ingest/etf"
	"github.com/tracelake/tracelake/stages/ingest/otf1"
	"github.com/tracelake/tracelake/stages/ingest/spantable"
	"github.com/tracelake/tracelake/stages/ingest/table"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/ingest/tmsct"
)

var update = flag.Bool("update", false, "write the programs' answers into the stories")

func TestStories(t *testing.T) {
	releases, err := filepath.Abs("../../testdata/releases") // stories are played in folders of their own
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string]storytest.Program{"analyze": run, "load": load, "recorded": recorded(releases), "demo": demo(filepath.Join(releases, "../demo"))}
	playall.Stories(t, "testdata/*.txtar", programs, *update, "recorded", "demo")
}

// recorded puts recordings of the two releases of curl in testdata/releases into the lake of a story: recorded SCENARIO.
func recorded(releases string) storytest.Program {
	return func(ctx context.Context, args []string, _ io.Reader, _, _ io.Writer) error {
		paths, err := filepath.Glob(filepath.Join(releases, "*", args[0], "*"))
		if err != nil || len(paths) == 0 {
			return fmt.Errorf("no recordings of %s: %w", args[0], err)
		}
		for _, path := range paths {
			release := filepath.Base(filepath.Dir(filepath.Dir(path)))
			file, _, _ := strings.Cut(filepath.Base(path), ".")
			labels := map[string]string{"release": release, "scenario": args[0]}
			if err := loadAs(ctx, release+"-"+args[0]+"-"+file, path, labels); err != nil {
				return err
			}
		}
		return nil
	}
}

// demo puts the recordings of the demo into the lake of a story, and its specification beside it.
func demo(folder string) storytest.Program {
	return func(ctx context.Context, _ []string, _ io.Reader, _, _ io.Writer) error {
		spec, err := os.ReadFile(filepath.Join(folder, "requirements.etl"))
		if err != nil {
			return err
		}
		if err := os.WriteFile("requirements.etl", spec, 0o644); err != nil {
			return err
		}
		for _, server := range []string{"fast", "slow"} {
			for i := 1; i <= 5; i++ {
				name := fmt.Sprintf("%s-%d", server, i)
				if err := loadAs(ctx, name, filepath.Join(folder, server, name+".txt.zst"), map[string]string{"server": server}); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// load puts traces into the lake of a story, as ingest would: load TRACE [release=VALUE] [split=10s] [attributes=NAME]. Traces are of package text, unless
// they are called .csv, .spans (tables of spans), .tmsct, .json (Chrome's), .etf or .otf.
func load(ctx context.Context, args []string, _ io.Reader, _, _ io.Writer) error {
	labels := make(map[string]string)
	for _, pair := range args[1:] {
		key, value, _ := strings.Cut(pair, "=")
		labels[key] = value
	}
	name, _, _ := strings.Cut(filepath.Base(args[0]), ".")
	return loadAs(ctx, name, args[0], labels)
}

// loadAs puts a trace into the lake of a story as a run.
func loadAs(ctx context.Context, name, path string, labels map[string]string) error {
	l, err := lake.Open("lake", true)
	if err != nil {
		return err
	}
	job := ingest.Job{
		Lake: l, Run: name, Paths: []string{path}, Labels: labels, Incomplete: "complete", Untraced: "ignore", Jobs: 1, Memory: 64 << 20,
		Replace: true,
		Detect: func(file string, head []byte) (schema.Format, error) {
			switch filepath.Ext(file) {
			case ".csv":
				format, _, err := table.Detect(head, table.Options{})
				return format, err
			case ".spans":
				return spantable.Format(), nil
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
	}
	if name := labels["attributes"]; name != "" {
		job.Options.Attributes = []string{name}
	}
	if every, err := time.ParseDuration(labels["split"]); err == nil {
		split := ingest.Split{Job: job, By: schema.Split{EveryNs: every.Nanoseconds()}, Text: labels["split"]}
		return split.Ingest(ctx, func(string, *schema.Run, []schema.Loss) error { return nil })
	}
	_, _, err = ingest.Run(ctx, job)
	return err
}
