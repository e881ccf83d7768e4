package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/schema"
	readers "github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
	"github.com/tracelake/tracelake/stages/timing/constraints"
)

// readingBytes is the memory in which a recording is read.
const readingBytes = 256 << 20

// runsOf returns the runs of a condition in the lake, in the order of their recordings. It ingests and analyzes what the lake lacks.
func (j *job) runsOf(ctx context.Context, l *lake.Lake, c *cell, condition string) (names []string, err error) {
	files, err := c.recordings(condition)
	if err != nil {
		return nil, err
	}
	// 1. How the recordings are read. The mapping is part of the fingerprint of a run: another table of symbols ingests again.
	options := schema.ReadingOptions{Component: c.Component}
	// The text of the mapping is empty where traces have names.
	mapping := ""
	if c.Symbols != "" {
		if options.Symbols, mapping, err = readSymbols(c.Symbols); err != nil {
			return nil, err
		}
	}
	formats := readers.Formats()
	// 2. One run a recording. A run that stands from an earlier call is fresh and is not ingested again.
	var partitions []lake.Partition
	for i, path := range files {
		run := fmt.Sprintf("%s-%s-%02d", name(c.Name), name(condition), i+1)
		// What ingest would do with the same flags; a run of another trace under the name is replaced.
		t := ingest.Job{
			Lake: l, Run: run, Paths: []string{path}, Options: options, Mapping: mapping, Jobs: j.jobs, Memory: readingBytes,
			Detect: ingest.DetectAmong(formats, ingest.AnyFormat, options), Find: ingest.FindAmong(formats, ingest.AnyFormat),
			Incomplete: "complete", Untraced: "ignore", Format: ingest.AnyFormat, Replace: true,
		}
		have, err := t.Standing()
		if err == nil && !have.Fresh {
			_, _, err = ingest.Run(ctx, t)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		names, partitions = append(names, run), append(partitions, lake.Run(run))
	}
	// 3. All stages of analyze run; what is fresh is skipped.
	stages, err := pipeline.Order(plan.Stages(plan.Options{Constraints: constraints.Defaults()}), plan.Given...)
	if err != nil {
		return nil, err
	}
	_, err = (&pipeline.Engine{Lake: l, Stages: stages, Jobs: j.jobs}).Run(ctx, partitions)
	return names, err
}

// name makes a text fit for the name of a run: all but letters of ASCII, digits and points becomes a dash.
func name(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.':
			return r
		}
		return '-'
	}, text)
}

// readSymbols reads a program or a table of addresses, which may be compressed. The text that it returns changes with the file.
func readSymbols(path string) (s schema.Symbols, hash string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	// The ending decides, as the recordings name their files; the content is not looked at.
	if strings.HasSuffix(path, ".zst") {
		// The decoder needs no reader: the whole file is decoded at once.
		d, err := zstd.NewReader(nil)
		if err != nil {
			return nil, "", err
		}
		defer d.Close()
		if data, err = d.DecodeAll(data, nil); err != nil {
			return nil, "", fmt.Errorf("%s: %w", path, err)
		}
	}
	sum := sha256.Sum256(data)
	s, err = symbols.Read(data, path)
	return s, "symbols " + hex.EncodeToString(sum[:]), err
}
