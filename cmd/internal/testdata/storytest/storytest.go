// Package storytest plays stories: what a user types at a program and what the program answers.
//
// A story is a txtar archive. Its comment says what it shows, its files are put into a fresh folder, and the
// file "story" is played there:
//
//	$ analyze describe nothing          a command; words in quotes stay together, < FILE is the input
//	a line of standard output
//	! a line of standard error
//	= 2                                 the exit code, where it is not 0
//
// Tests play stories with the bodies of the programs, in their own process, and can write what the programs answer into the
// stories.
package storytest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/cmd/internal/console"
)

// Program is the body of a program. Its error decides the exit code as console.Report has it.
type Program func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error

// Play plays a story in the working directory, which should be empty, with the programs that it uses, by name. It
// returns an error where the story goes another way than it is written; with update it writes the story anew instead.
func Play(ctx context.Context, path string, programs map[string]Program, update bool) error {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return err
	}
	// (1) Put the files into the folder. The one that is named story is the script.
	var story *txtar.File
	for i, f := range archive.Files {
		if f.Name == "story" {
			story = &archive.Files[i]
			continue
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(f.Name), 0o777), os.WriteFile(f.Name, f.Data, 0o666)); err != nil {
			return err
		}
	}
	if story == nil {
		return fmt.Errorf("%s has no story", path)
	}
	// (2) Play it, and compare all answers at once, so that a difference shows in its context.
	got, err := playCommands(ctx, string(story.Data), programs)
	switch {
	case err != nil:
		return err
	case update:
		story.Data = []byte(got)
		return os.WriteFile(path, txtar.Format(archive), 0o666)
	case got != string(story.Data):
		return fmt.Errorf("the story goes another way:\n%s\nwanted:\n%s", got, story.Data)
	}
	return nil
}

// playCommands plays the commands of a story and returns the story as it went.
// Lines that are no commands are answers of before; they are made again.
func playCommands(ctx context.Context, story string, programs map[string]Program) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for line := range strings.Lines(story) {
		command, is := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "$ ")
		if !is {
			continue
		}
		if out.Len() > 0 {
			out.WriteString("\n")
		}
		answer, err := runCommand(ctx, splitWords(command), programs)
		if err != nil {
			return "", fmt.Errorf("%s: %w", command, err)
		}
		fmt.Fprintf(&out, "$ %s\n%s", command, neutral(answer, dir))
	}
	return out.String(), nil
}

// runCommand runs one command and returns its outputs, marked, and its exit code.
// A program that is not known is a fault of the story.
func runCommand(ctx context.Context, args []string, programs map[string]Program) (string, error) {
	var stdin io.Reader = strings.NewReader("")
	if n := len(args); n > 2 && args[n-2] == "<" {
		text, err := os.ReadFile(args[n-1])
		if err != nil {
			return "", err
		}
		stdin, args = bytes.NewReader(text), args[:n-2]
	}
	program := programs[args[0]]
	if program == nil {
		return "", errors.New("no such program")
	}
	var stdout, stderr bytes.Buffer
	err := program(ctx, args[1:], stdin, &stdout, &stderr)
	code := console.Report(args[0], err, &stderr)
	text := marked("", readable(stdout.Bytes())) + marked("! ", stderr.String())
	if code != console.OK {
		text += fmt.Sprintf("= %d\n", code)
	}
	return text, nil
}

// readable is an output as text; of a binary one only the beginning.
// Parquet and Arrow begin with a magic number, by which a story can tell them.
func readable(output []byte) string {
	if bytes.IndexByte(output, 0) >= 0 {
		return fmt.Sprintf("(binary, beginning with %q)\n", output[:4])
	}
	return string(output)
}

// marked puts a mark before every line, and drops blanks at the ends of lines, which editors drop too.
func marked(mark, text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(strings.TrimRight(mark+line, " \n") + "\n")
	}
	return out.String()
}

var cores = regexp.MustCompile(`(how many cores to use \(default) \d+\)`)

// neutral replaces the working directory and the number of cores, which differ from one machine to another.
// Stories then are the same on every machine.
func neutral(text, dir string) string {
	return cores.ReplaceAllString(strings.ReplaceAll(text, dir, "$DIR"), "$1 N)")
}

// splitWords splits a command line at blanks outside quotes.
// There are no escapes: a word in single quotes may contain double quotes and the other way round.
func splitWords(command string) (out []string) {
	var word strings.Builder
	var quote rune
	begun := false
	for _, r := range command {
		switch {
		case quote == 0 && r == ' ':
			if begun {
				out = append(out, word.String())
			}
			word.Reset()
			begun = false
		case quote == 0 && (r == '"' || r == '\''):
			quote, begun = r, true
		case r == quote:
			quote = 0
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if begun {
		out = append(out, word.String())
	}
	return out
}
