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
// The flag -update writes what the programs answer into the stories.
package storytest

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/cmd/internal/console"
)

var update = flag.Bool("update", false, "write the programs' answers into the stories")

// Program is the body of a program.
type Program func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error

// Play plays the stories of a folder with the programs that they use, by name.
func Play(t *testing.T, folder string, programs map[string]Program) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no stories in %s: %v", folder, err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			if path, err = filepath.Abs(path); err != nil {
				t.Fatal(err)
			}
			play(t, path, programs)
		})
	}
}

func play(t *testing.T, path string, programs map[string]Program) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	var story *txtar.File
	for i, f := range archive.Files {
		if f.Name == "story" {
			story = &archive.Files[i]
			continue
		}
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if story == nil {
		t.Fatalf("%s has no story", path)
	}
	got := tell(t, string(story.Data), programs)
	if *update {
		story.Data = []byte(got)
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if got != string(story.Data) {
		t.Errorf("the story goes another way:\n%s\nwanted:\n%s", got, story.Data)
	}
}

// tell plays the commands of a story and returns the story as it went.
func tell(t *testing.T, story string, programs map[string]Program) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
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
		fmt.Fprintf(&out, "$ %s\n", command)
		out.WriteString(neutral(answer(t, words(command), programs), dir))
	}
	return out.String()
}

// answer runs one command.
func answer(t *testing.T, args []string, programs map[string]Program) string {
	t.Helper()
	var stdin io.Reader = strings.NewReader("")
	if n := len(args); n > 2 && args[n-2] == "<" {
		text, err := os.ReadFile(args[n-1])
		if err != nil {
			t.Fatal(err)
		}
		stdin, args = bytes.NewReader(text), args[:n-2]
	}
	program := programs[args[0]]
	if program == nil {
		t.Fatalf("no program %s", args[0])
	}
	var stdout, stderr bytes.Buffer
	err := program(t.Context(), args[1:], stdin, &stdout, &stderr)
	code := console.Report(args[0], err, &stderr)
	text := marked("", readable(stdout.Bytes())) + marked("! ", stderr.String())
	if code != console.OK {
		text += fmt.Sprintf("= %d\n", code)
	}
	return text
}

// readable is an output as text; of a binary one only the beginning.
func readable(output []byte) string {
	if bytes.IndexByte(output, 0) >= 0 {
		return fmt.Sprintf("(binary, beginning with %q)\n", output[:4])
	}
	return string(output)
}

func marked(mark, text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(strings.TrimRight(mark+line, " \n") + "\n")
	}
	return out.String()
}

var cores = regexp.MustCompile(`(how many cores to use \(default) \d+\)`)

// neutral takes out what differs from one machine to another.
func neutral(text, dir string) string {
	return cores.ReplaceAllString(strings.ReplaceAll(text, dir, "$DIR"), "$1 N)")
}

// words splits a command line at blanks outside quotes.
func words(command string) (out []string) {
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
