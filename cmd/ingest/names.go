package main

import (
	"slices"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	readers "github.com/tracelake/tracelake/stages/ingest"
)

// runName is how a run gets its name from its trace: the prefix, those of the nearest folders that tell it from other traces
// whose files have the same name, and the name of the file. 7.88.0/http/run-01.txt and 8.14.1/http/run-01.txt are
// 7.88.0-run-01 and 8.14.1-run-01, since both lie in a folder http.
type runName struct {
	prefix  string   // of all names of the command
	folders []string // the nearest ones, the outermost first
	used    []bool   // by place from the file, which folders stand in the name
	file    string   // without its endings
}

// named returns the name of a trace without any of its folders.
func (f *flags) named(path string) *runName {
	folders := ingest.Folders(path)
	// No folder stands in the name until another trace makes it necessary.
	return &runName{prefix: f.prefix, folders: folders, used: make([]bool, len(folders)), file: ingest.RunName(path, readers.Formats())}
}

// folder is the folder at a place, 0 for the one in which the file lies, or "".
func (n *runName) folder(place int) string {
	if place >= len(n.folders) {
		return ""
	}
	return n.folders[len(n.folders)-1-place]
}

// String is the name. A file that is named after its folder does not repeat it.
func (n *runName) String() string {
	name := n.file
	// From the file outwards, so that the outermost folder comes first.
	for place, used := range n.used {
		if used && n.folder(place) != n.file {
			name = n.folder(place) + "-" + name
		}
	}
	return n.prefix + name
}

// tellFrom takes the nearest folder into the name that differs from the folder of another trace at the same place. It returns
// false where no folder differs that both traces have, or where all that do are in the name already.
// place counts from the file, so that the nearest folder is tried first.
func (n *runName) tellFrom(others []string) bool {
	for place := range n.folders {
		if place >= len(others) {
			break
		}
		if !n.used[place] && n.folder(place) != others[len(others)-1-place] {
			n.used[place] = true
			return true
		}
	}
	return false
}

// tellApart takes into all names the folders at the places at which they differ, if two of the names are the same. All traces of a
// command are named alike, so that the names say what the folders do.
func tellApart(names []*runName) {
	// 1. Nothing to do where all names differ.
	seen := make(map[string]bool)
	for _, n := range names {
		seen[n.String()] = true
	}
	if len(seen) == len(names) {
		return
	}
	// 2. A place at which any two traces differ stands in the names of all of them.
	for _, n := range names {
		for place := range n.used {
			n.used[place] = slices.ContainsFunc(names, func(o *runName) bool { return o.folder(place) != n.folder(place) })
		}
	}
}

// nameRuns names the runs, and refuses names that two traces would share: the second would take the place of the first.
func (f *flags) nameRuns(traces []string) ([]ingest.Job, []*runName, error) {
	// A name that the user gave takes all traces as the parts of one run.
	if f.run != "" {
		if err := lake.CheckName(f.run); err != nil {
			return nil, nil, &console.UsageError{Err: err}
		}
		return []ingest.Job{{Run: f.run, Paths: traces}}, []*runName{nil}, nil
	}
	var jobs []ingest.Job
	var names []*runName
	for _, path := range traces {
		names = append(names, f.named(path))
	}
	tellApart(names)
	from := make(map[string]string) // the trace of each name so far
	for i, path := range traces {
		name := names[i].String()
		// The standard input has no name, and a file's name may have characters that a run cannot.
		if path == "-" || lake.CheckName(name) != nil {
			return nil, nil, console.Usagef("%s cannot name a run: give it a name with --run", path)
		}
		if other, taken := from[name]; taken {
			return nil, nil, console.Usagef("%s and %s would both be run %s: ingest them apart, with --prefix or --run", other, path, name)
		}
		from[name] = path
		jobs = append(jobs, ingest.Job{Run: name, Paths: []string{path}})
	}
	return jobs, names, nil
}

// place finds the name under which the lake takes a run whose name nobody chose. A trace that the lake has keeps its name. Where
// a trace of another folder has the name, the folder that tells them apart comes before it. A trace of the same folder is
// another recording of the same thing: it keeps the name, and whether it replaces the other --replace says.
func place(j *ingest.Job, name *runName) error {
	// With a name or prefix of the user's there is nothing to choose.
	if name == nil || name.prefix != "" {
		return nil
	}
	folder := strings.Join(name.folders, "/")
	// A trace that was ingested alone has no folders in its name, also when it comes again beside others.
	planned := j.Run
	if j.Run = name.file; j.Run != planned {
		if s, err := j.Standing(); err != nil || s.SameTrace {
			return err
		}
	}
	// Each turn takes one more folder into the name; the loop ends where the name is free, is this trace's, or has no folder left.
	for j.Run = planned; ; j.Run = name.String() {
		have, err := j.Lake.Manifest("runs", lake.Run(j.Run))
		if err != nil || have == nil || have.Folder == "" || have.Folder == folder {
			return err
		}
		if s, err := j.Standing(); err != nil || s.SameTrace || !name.tellFrom(strings.Split(have.Folder, "/")) || lake.CheckName(name.String()) != nil {
			return err
		}
	}
}
