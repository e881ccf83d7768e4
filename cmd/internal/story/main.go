// Story plays stories with the programs that were built, as a user would type them, and shows where a program answers
// otherwise than the story says:
//
//	make build && go run ./cmd/internal/story cmd/analyze/testdata/tables.txtar
//
// With -update it writes the answers into the stories. With -keep it leaves the folder of the story in place, to look
// into the lake that it made. The tests of the programs play the same stories in their own process.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/storytest"
)

func main() {
	bin := flag.String("bin", "bin", "folder of the programs")
	update := flag.Bool("update", false, "write the programs' answers into the stories")
	keep := flag.Bool("keep", false, "leave the folder of each story in place and print its name")
	flag.Parse()
	if err := playAll(flag.Args(), *bin, *update, *keep); err != nil {
		fmt.Fprintln(os.Stderr, "story:", err)
		os.Exit(1)
	}
}

// playAll plays every story in a fresh folder and returns what went another way in all of them.
// A story that goes another way does not stop the others.
func playAll(paths []string, bin string, update, keep bool) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	programs := map[string]storytest.Program{
		"ingest": built(bin, "ingest"), "analyze": built(bin, "analyze"), "load": load(built(bin, "ingest")),
	}
	var failed []error
	for _, path := range paths {
		path, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		dir, err := os.MkdirTemp("", "story-*")
		if err != nil {
			return err
		}
		if err := os.Chdir(dir); err != nil {
			return err
		}
		if err := storytest.Play(context.Background(), path, programs, update); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", path, err))
		}
		if keep {
			fmt.Println(dir)
		} else if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return errors.Join(failed...)
}

// built is a program of the folder bin.
// Its exit code becomes the error of the body of a program, so that the story player sees no difference.
func built(bin, name string) storytest.Program {
	return func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
		c := exec.CommandContext(ctx, filepath.Join(bin, name), args...)
		c.Stdin, c.Stdout, c.Stderr = stdin, stdout, stderr
		err := c.Run()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return console.Exit(exit.ExitCode()) // the program reported why
		}
		return err
	}
}

// load is the command by which stories of analyze put traces into their lake: load TRACE [LABEL=VALUE].... Executions
// without an end are completed and messages without an end ignored. Other than the tests it writes the table losses, as ingest
// does, so that a list of all tables goes another way.
func load(ingest storytest.Program) storytest.Program {
	return func(ctx context.Context, args []string, stdin io.Reader, _, stderr io.Writer) error {
		name, _, _ := strings.Cut(filepath.Base(args[0]), ".")
		all := []string{"--lake", "lake", "--run", name, "--incomplete", "complete", "--untraced", "ignore", "--quiet"}
		for _, label := range args[1:] {
			all = append(all, "--label", label)
		}
		return ingest(ctx, append(all, args[0]), stdin, io.Discard, stderr)
	}
}
