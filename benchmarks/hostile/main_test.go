package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestPlayed has programs that say what commands say: one does its work, one ends with the sentence until it has enough, one fails, and the
// server gives no address.
func TestPlayed(t *testing.T) {
	bin := t.TempDir()
	program := func(name, script string) {
		expect.OK(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script), 0o777))
	}
	program("ingest", "exit 0\n")
	program("analyze", `case "$1 $*" in
check*) exit 3;;
compare*--memory?256MiB) echo "analyze: names need more memory than --memory 256MiB: raise it to 512MiB or more; the lake is sound" >&2; exit 1;;
what-if*) echo "analyze: broken" >&2; exit 1;;
esac
`)
	var out, log bytes.Buffer
	err := run(context.Background(), &out, &log, []string{"-bin", bin, "-many", "40", "-shape", "few.txt"})
	if err == nil || err.Error() != "`what-if` of few.txt: exit status 1: analyze: broken\n\n`serve`, a few pages of few.txt: no address: EOF" {
		t.Errorf("it says %v", err)
	}
	var ended, wrong []string
	for line := range strings.Lines(out.String()) {
		row, cell, _ := strings.Cut(strings.Trim(line, "| \n"), " | ")
		switch {
		case strings.HasSuffix(cell, ", ends"):
			ended = append(ended, row)
		case strings.HasSuffix(cell, "!"):
			wrong = append(wrong, row)
		}
	}
	expect.Slice(t, ended, []string{"`compare`"}, "what ends")
	expect.Slice(t, wrong, []string{"`what-if`", "`serve`, a few pages"}, "what is wrong")
	expect.Equal(t, strings.Count(out.String(), "\n"), 2+len(commands)+1, "lines")
}

// Each shape has as many things as its heading says.
func TestShapes(t *testing.T) {
	const many = 60
	for _, c := range []struct{ file, first, last string }{
		{"few.txt", "0 Parser0 > function_number_0", "11 Parser5 < function_number_5"},
		{"functions.txt", "0 Parser0 > function_number_0", "119 Parser19 < function_number_59"},
		{"components.txt", "0 Component0 > f", "119 Component59 < f"},
		{"threads.csv", "time,component,thread,function,kind", "119,C,T59,f,finish"},
		{"leaked.txt", "0 C > f", "59 C > f"},
		{"word.txt", "0 C > root", "61 C < root"},
	} {
		for _, s := range shapes {
			if s.file != c.file {
				continue
			}
			path := expect.Value(s.made(t.TempDir(), many))(t)
			lines := strings.Split(strings.TrimSpace(string(expect.Value(os.ReadFile(path))(t))), "\n")
			expect.Equal(t, lines[0], c.first, "first line of %s", c.file)
			expect.Equal(t, lines[len(lines)-1], c.last, "last line of %s", c.file)
			expect.Equal(t, fmt.Sprintf(s.name, many/s.share) != s.name, true, "%s has its number", s.name)
		}
	}
}
