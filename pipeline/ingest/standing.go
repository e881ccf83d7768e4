package ingest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// Standing is what a lake has under the name of a run, seen from a trace that is to be ingested under that name.
type Standing struct {
	Run         *lake.Manifest // of the table runs; nil: no run has the name
	Read        bool           // the trace could be read to compare it; false for the standard input, which is read once
	SameTrace   bool           // the run was made from these bytes, in the same order
	SameOptions bool           // and with these options and labels, whatever the files are called
	Fresh       bool           // all its tables are what this program would make of them now
}

// Standing compares the job with the run that has its name. It hashes the files, which takes much less time than to parse
// them, unless there is no such run.
func (j *Job) Standing() (Standing, error) {
	have, err := j.Lake.Inventory(lake.Run(j.Run))
	if err != nil || have.Table("runs") == nil {
		return Standing{}, err
	}
	files, err := j.files()
	if err != nil || files == nil {
		return Standing{Run: have.Table("runs")}, err
	}
	hash, err := HashFiles(j.Jobs, files)
	if err != nil {
		return Standing{}, err
	}
	return j.standingOf(have, hash), nil
}

// standingOf is Standing for a trace of which the hash is known.
func (j *Job) standingOf(have *lake.Inventory, hash string) Standing {
	origin := j.origin(hash)
	s := Standing{Run: have.Table("runs"), Read: true}
	if s.Run == nil {
		return s
	}
	s.SameTrace = s.Run.Stage == origin.Stage && slices.Equal(s.Run.Inputs, origin.Inputs)
	s.SameOptions = s.SameTrace && withoutSource(s.Run.Options) == withoutSource(lake.OptionText(origin.Options))
	s.Fresh = have.Fresh(origin.Fingerprint(), RunTables()...) // a table may have been dropped, since it was damaged
	return s
}

// withoutSource returns the options of an ingest without the names of the files, as the same trace may be kept under another
// name. Options that are none of an ingest are returned as they are.
func withoutSource(text string) string {
	var o options
	if json.Unmarshal([]byte(text), &o) != nil {
		return text
	}
	o.Source = ""
	return lake.OptionText(o)
}

// Replaces reports whether an ingest takes away what the lake has: a run that was made from another trace or with other
// options. The same trace in another version of the program, or under another name of its file, is no other one.
func (s Standing) Replaces() bool { return s.Run != nil && !s.SameOptions }

// ReplaceError says that the lake has another run of the name, and that the job does not ask to replace it.
type ReplaceError struct {
	Run       string // the name of both
	SameTrace bool   // it was made from the same bytes, with other options or labels
	Source    string // what the run that the lake has was made from
}

// Error implements error.
func (e *ReplaceError) Error() string {
	if e.SameTrace {
		return fmt.Sprintf("the lake has run %s of the same trace with other options or labels, and keeps it; with --replace the new one takes its place, and --run gives the new one another name", e.Run)
	}
	return fmt.Sprintf("the lake has another trace as run %s (%s), and keeps it; with --replace the new one takes its place, and --run or --prefix give the new one another name", e.Run, e.Source)
}

// checkReplace returns a *ReplaceError where the job would take the place of another run without being asked to.
func (j *Job) checkReplace(s Standing) error {
	if j.Replace || !s.Replaces() {
		return nil
	}
	source := "made by the stage " + s.Run.Stage
	if s.Run.Stage == StageName {
		var o options
		if err := json.Unmarshal([]byte(s.Run.Options), &o); err != nil {
			return err
		}
		source = path.Join(s.Run.Folder, o.Source)
	}
	return &ReplaceError{Run: j.Run, SameTrace: s.SameTrace, Source: source}
}

// checkBefore is checkReplace before the trace is read, as far as it can be read twice.
func (j *Job) checkBefore() error {
	if j.Replace {
		return nil
	}
	standing, err := j.Standing()
	if err != nil || !standing.Read {
		return err
	}
	return j.checkReplace(standing)
}

// mostFolders bounds how many folders of a trace are kept with its run: a release, a machine and a scenario.
const mostFolders = 3

// Folders returns the nearest folders of a trace, the outermost first, as far as its path names them: at most three. They tell
// apart traces whose files have one name.
func Folders(path string) []string {
	if path == "-" {
		return nil
	}
	var folders []string
	for _, folder := range strings.Split(filepath.ToSlash(filepath.Dir(filepath.Clean(path))), "/") {
		if folder != "" && folder != "." && folder != ".." {
			folders = append(folders, folder)
		}
	}
	return folders[max(0, len(folders)-mostFolders):]
}

// folder is what the manifest of the run keeps of the folders of its first part.
func (j *Job) folder() string { return strings.Join(Folders(cmp.Or(j.Place, j.Paths[0])), "/") }
