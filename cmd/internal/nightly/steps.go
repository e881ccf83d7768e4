package nightly

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/runs"
	report "github.com/tracelake/tracelake/stages/report/nightly"
)

// against is the night that a step compares a night with, or nothing where there is none yet. asked is false where the step names no
// other night.
func (n *nights) against(night *report.Night, s *step) (name string, asked bool) {
	selectors := strings.Join(slices.Concat(s.Base, s.Cand, s.Runs), " ")
	good := strings.Contains(selectors, ofGood)
	if !good && !strings.Contains(selectors, ofPrevious) {
		return "", false
	}
	for _, other := range slices.Backward(n.known) {
		if other.Name >= night.Name || other.In(report.Ingested) == 0 {
			continue
		}
		if name == "" {
			name = other.Name // the one before
		}
		old := other.Step(s.kind, s.Name)
		// The first night of all had nothing to be compared with: it is what the second one is held against.
		if !good || old == nil || old.Verdict == report.Passed || old.Verdict == report.Waits {
			return other.Name, true
		}
	}
	return name, true
}

// step does a step of a night.
func (n *nights) step(ctx context.Context, night *report.Night, s *step) (report.Step, error) {
	done := report.Step{Kind: s.kind, Name: s.Name, Verdict: report.Waits}
	if night.In(report.Ingested) == 0 {
		done.Says = "The night has no traces."
		return done, nil
	}
	against, asked := n.against(night, s)
	if asked && against == "" {
		done.Says = "There is no earlier night to compare with."
		return done, nil
	}
	done.Against = against
	fill := strings.NewReplacer(ofNight, night.Name, ofPrevious, against, ofGood, against)
	switch s.kind {
	case compareKind:
		return n.compare(ctx, night, s, done, fill)
	case checkKind:
		return n.check(ctx, night, s, done, fill)
	}
	return n.history(ctx, night, s, done, fill)
}

// flagged puts a flag before each of some selectors.
func flagged(flag string, selectors []string, fill *strings.Replacer) (args []string) {
	for _, selector := range selectors {
		args = append(args, flag, fill.Replace(selector))
	}
	return args
}

// documents are the flags that have a step write its reports, and their names.
func (n *nights) documents(night *report.Night, s *step) (flags, files []string, err error) {
	for _, format := range [][2]string{{"markdown", ".md"}, {"junit", ".xml"}, {"json", ".json"}} {
		file := s.Name + format[1]
		files = append(files, file)
		flags = append(flags, "--report", format[0]+"="+filepath.Join(n.folder(night.Name), file))
	}
	if !n.dry {
		err = os.MkdirAll(n.folder(night.Name), 0o777)
	}
	return flags, files, err
}

// comparison is the name of a comparison in the lake.
func comparison(s, night string) string { return s + "-" + night }

// otherReports are flags of compare with which it writes no documents.
var otherReports = []string{"--method", "--rank"}

// compare compares the runs of a night with others.
func (n *nights) compare(ctx context.Context, night *report.Night, s *step, done report.Step, fill *strings.Replacer) (report.Step, error) {
	id := comparison(s.Name, night.Name)
	args := slices.Concat([]string{"compare"}, flagged("--base", s.Base, fill), flagged("--cand", s.Cand, fill), []string{"--id", id})
	if s.FailOn != "" {
		args = append(args, "--fail-on", s.FailOn)
	}
	args = append(args, s.Options...)
	done.Command = append([]string{"analyze"}, args...)
	documented := !slices.ContainsFunc(s.Options, func(option string) bool {
		flag, _, _ := strings.Cut(option, "=")
		return slices.Contains(otherReports, flag)
	})
	if documented {
		flags, files, err := n.documents(night, s)
		if err != nil {
			return done, err
		}
		args, done.Files = append(args, flags...), files
	}
	out, err := n.do(ctx, n.analyze, args...)
	if err != nil || n.dry {
		return done, err
	}
	judge(&done, out)
	if done.Verdict == report.Failed || !documented {
		return done, nil
	}
	if done.Says, err = headline(filepath.Join(n.folder(night.Name), s.Name+".json"), done.Against); err != nil {
		return done, err
	}
	page := s.Name + ".html"
	if out, err = n.do(ctx, n.analyze, "report", id, "-o", filepath.Join(n.folder(night.Name), page)); err != nil {
		return done, err
	}
	if out.exit != 0 {
		done.Verdict, done.Says = worse(done.Verdict, report.Failed), done.Says+"\nIts page could not be written: "+out.says
		return done, nil
	}
	done.Files = append([]string{page}, done.Files...)
	return done, nil
}

// headline is what a comparison says in short: the verdict with its sentence, and the warnings.
func headline(file, against string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var says struct {
		Verdict  string   `json:"verdict"`
		Summary  string   `json:"summary"`
		Warnings []string `json:"warnings"`
	}
	if err := json.Unmarshal(text, &says); err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	short := strings.ToUpper(says.Verdict)
	if against != "" {
		short += " since night " + against
	}
	return strings.Join(append([]string{short + ": " + says.Summary}, says.Warnings...), "\n"), nil
}

// check holds the runs of a night against requirements.
func (n *nights) check(ctx context.Context, night *report.Night, s *step, done report.Step, fill *strings.Replacer) (report.Step, error) {
	args := []string{"check"}
	for _, selector := range s.Runs {
		args = append(args, fill.Replace(selector))
	}
	args = append(args, "--spec", s.Spec)
	if s.FailOn != "" {
		args = append(args, "--fail-on", s.FailOn)
	}
	args = append(args, s.Options...)
	done.Command = append([]string{"analyze"}, args...)
	flags, files, err := n.documents(night, s)
	if err != nil {
		return done, err
	}
	done.Files = files
	out, err := n.do(ctx, n.analyze, append(args, flags...)...)
	if err == nil && !n.dry {
		judge(&done, out)
	}
	return done, err
}

// history looks at all nights. It belongs to the newest one: what it says of others is left as it is.
func (n *nights) history(ctx context.Context, night *report.Night, s *step, done report.Step, fill *strings.Replacer) (report.Step, error) {
	if old := night.Step(s.kind, s.Name); night != n.newest() {
		if old != nil {
			return *old, nil
		}
		done.Says = "It is made for the newest night."
		return done, nil
	}
	args := []string{"history"}
	for _, selector := range s.Runs {
		args = append(args, fill.Replace(selector))
	}
	args = slices.Concat(args, []string{"--by", s.By, "--id", s.Name}, s.Options)
	if !n.dry {
		if releases, err := n.releases(s.By); err != nil || releases < 2 {
			done.Says = "It takes two values of the label " + s.By + " or more."
			return done, err
		}
	}
	done.Command = append([]string{"analyze"}, args...)
	out, err := n.do(ctx, n.analyze, args...)
	if err != nil || n.dry {
		return done, err
	}
	if judge(&done, out); done.Verdict == report.Failed {
		return done, nil
	}
	done.Files = []string{s.Name + ".txt"}
	if err := os.MkdirAll(n.folder(night.Name), 0o777); err != nil {
		return done, err
	}
	return done, n.write(filepath.Join(n.folder(night.Name), done.Files[0]), func(w io.Writer) error {
		_, err := io.WriteString(w, out.stdout)
		return err
	})
}

// releases counts the values of a label among the runs of the lake.
func (n *nights) releases(by string) (int, error) {
	l, err := n.open()
	if err != nil {
		return 0, err
	}
	names, err := runs.Names(l)
	if err != nil {
		return 0, err
	}
	described, err := runs.Described(l, names)
	if err != nil {
		return 0, err
	}
	values := make(map[string]bool)
	for _, run := range described {
		if value, has := run.Labels[by]; has {
			values[value] = true
		}
	}
	return len(values), nil
}

// mostLines bounds what a summary quotes of an answer.
const mostLines = 24

// judge reads from the exit code of a command what came of a step, and quotes the beginning of its answer.
func judge(s *report.Step, out outcome) {
	switch out.exit {
	case 0:
		s.Verdict = report.Passed
	case 3:
		s.Verdict = report.Stopped
	default:
		s.Verdict, s.Says, s.Files = report.Failed, strings.TrimPrefix(out.says, "analyze: "), nil
		return
	}
	lines := strings.Split(strings.TrimRight(out.stdout, "\n"), "\n")
	if len(lines) > mostLines {
		lines = append(lines[:mostLines], "...")
	}
	s.Says = strings.Join(lines, "\n")
}
