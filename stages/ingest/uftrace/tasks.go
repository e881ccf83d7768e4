package uftrace

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// session is a program that a process runs, with what it has mapped.
type session struct {
	program  string    // base name
	segments []segment // in the order of the map, then libraries as they were opened
	changes  []int64   // when libraries were opened, rising
}

// run is a session of a process from some time on.
type run struct {
	from    int64    // ns
	session *session // from then on
}

// threads holds the processes and threads of task.txt.
type threads struct {
	sessions map[string]*session // by their identifiers
	byPID    map[int64][]run     // sessions of a process, as the file has them
	pidOf    map[int64]int64     // of a thread
	place    map[int64]int       // of a thread in the file
	named    map[string]int      // lifelines of each program
	lines    map[lineOf]string   // lifeline of a thread in a session
	fallback *session            // of threads that the file does not have
}

// lineOf identifies a lifeline: a thread in a session.
type lineOf struct {
	tid     int64    // of the thread
	session *session // a process that executes another program goes on in another one
}

// errTask is what is wrong with a line; the line is left out, and reading goes on.
var errTask = errors.New("a line of task.txt is not of the format")

// readTasks reads task.txt and the maps of its sessions. Where it is missing every thread is of the program that
// info names.
func (r *reader) readTasks(i *info) (*threads, error) {
	// 1. What is known without the file: the program that info names.
	t := &threads{
		sessions: make(map[string]*session), byPID: make(map[int64][]run), pidOf: make(map[int64]int64),
		place: make(map[int64]int), named: make(map[string]int), lines: make(map[lineOf]string),
		fallback: &session{program: i.program},
	}
	modules := &modules{fsys: r.fsys, dir: r.dir, info: i, byPath: make(map[string]*module)}
	name := path.Join(r.dir, "task.txt")
	file, err := r.fsys.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		r.reading.Ledger.Add(schema.UndefinedToken, func() string { return name + ": missing" })
		return t, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	// 2. Line by line, in the order in which things happened.
	lines := bufio.NewScanner(file)
	for number := int64(1); lines.Scan(); number++ {
		if err := t.line(lines.Text(), modules); err != nil {
			if err := r.reading.Bad(schema.BadRecord, &schema.SyntaxError{File: name, Line: number, Col: 1, Err: err}); err != nil {
				return nil, err
			}
		}
	}
	return t, lines.Err()
}

// line takes a line of task.txt.
func (t *threads) line(text string, modules *modules) error {
	// The first word says what follows; fields stand in any order.
	kind, rest, _ := strings.Cut(text, " ")
	f, err := fieldsOf(rest)
	if err != nil {
		return err
	}
	switch kind {
	case "SESS":
		// A process that executes another program has a session for each.
		s := &session{program: symbols.BaseName(f.text["exename"])}
		s.segments = modules.mapped(f.text["sid"], s.program)
		t.sessions[f.text["sid"]] = s
		t.byPID[f.number["pid"]] = append(t.byPID[f.number["pid"]], run{from: f.time, session: s})
	case "TASK":
		t.addThread(f.number["tid"], f.number["pid"], f.time)
	case "FORK":
		child, parent := f.number["pid"], f.number["ppid"]
		// A thread may fork: the child has the session of its process.
		if of, ok := t.pidOf[parent]; ok {
			parent = of
		}
		if s := sessionAt(t.byPID[parent], f.time); s != nil {
			t.byPID[child] = append(t.byPID[child], run{from: f.time, session: s})
		}
		t.addThread(child, child, f.time)
	case "DLOP":
		s := t.sessions[f.text["sid"]]
		if s == nil {
			return fmt.Errorf("%w: no session %q", errTask, f.text["sid"])
		}
		// Lines are in the order of time but for races of threads, so changes are sorted.
		s.segments = append(s.segments, modules.opened(f.text["libname"], f.number["base"], f.time))
		s.changes = append(s.changes, f.time)
		slices.Sort(s.changes)
	default:
		return errTask
	}
	return nil
}

// addThread takes a thread that starts, or a process after it has forked or executed a program.
func (t *threads) addThread(tid, pid, time int64) {
	// The first line of a thread gives its place, the last one its process.
	if _, ok := t.place[tid]; !ok {
		t.place[tid] = len(t.place)
	}
	t.pidOf[tid] = pid
	if s := sessionAt(t.byPID[pid], time); s != nil {
		t.lifeline(tid, s) // which numbers it
	}
}

// lifeline names the lifeline of a thread in a session.
func (t *threads) lifeline(tid int64, s *session) string {
	of := lineOf{tid, s}
	if t.lines[of] == "" {
		t.named[s.program]++
		t.lines[of] = s.program + "/" + strconv.Itoa(t.named[s.program])
	}
	return t.lines[of]
}

// sessionAt returns the session of a time: the last that had started, or the first.
// Of runs that began at the same time the last one in the file counts.
func sessionAt(runs []run, time int64) *session {
	if len(runs) == 0 {
		return nil
	}
	best := runs[0]
	for _, r := range runs {
		if r.from <= time && r.from >= best.from {
			best = r
		}
	}
	return best.session
}

// runsOf returns the sessions that a thread is in, in the order of time. There is one at least.
// A thread may fork or execute, so its process has several sessions.
func (t *threads) runsOf(tid int64) []run {
	pid, ok := t.pidOf[tid]
	if !ok {
		// A thread that the file does not have may still be the main thread of a process that it has.
		pid = tid
	}
	runs := slices.Clone(t.byPID[pid])
	if len(runs) == 0 {
		runs = []run{{session: t.fallback}}
	}
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(a.from, b.from) })
	return runs
}

// compareThreads orders threads by their place in the file, then by their numbers.
// Known threads before unknown ones, which keeps lifelines in the order of the file.
func (t *threads) compareThreads(a, b int64) int {
	i, known := t.place[a]
	j, other := t.place[b]
	switch {
	case known && other:
		return cmp.Compare(i, j)
	case known != other:
		return map[bool]int{true: -1, false: 1}[known]
	}
	return cmp.Compare(a, b)
}

// fields are the values of a line of task.txt.
type fields struct {
	time   int64             // timestamp in ns
	number map[string]int64  // pid, ppid and tid, in decimal, and base, in hexadecimal
	text   map[string]string // all other values, by name
}

// fieldsOf splits "key=value key="value" ...".
func fieldsOf(line string) (f fields, err error) {
	f.number, f.text = make(map[string]int64), make(map[string]string)
	// The value of a key that occurs twice is the last one.
	// Each turn takes a key and a value; quoted values may hold blanks.
	for line = strings.TrimLeft(line, " "); line != ""; line = strings.TrimLeft(line, " ") {
		key, rest, ok := strings.Cut(line, "=")
		if !ok {
			return f, errTask
		}
		var value string
		if quoted, is := strings.CutPrefix(rest, `"`); is {
			value, line, ok = strings.Cut(quoted, `"`)
		} else {
			value, line, _ = strings.Cut(rest, " ")
		}
		switch {
		case !ok:
			return f, fmt.Errorf("%w: no closing quote", errTask)
		case key == "timestamp":
			f.time, ok = seconds(value)
		case key == "pid" || key == "ppid" || key == "tid":
			f.number[key], err = strconv.ParseInt(value, 10, 64)
		case key == "base":
			f.number[key], err = strconv.ParseInt(value, 16, 64)
		default:
			f.text[key] = strings.Clone(value)
		}
		if err != nil || !ok {
			return f, fmt.Errorf("%w: %s", errTask, key)
		}
	}
	return f, nil
}

// seconds reads a time with nine decimals as nanoseconds.
func seconds(text string) (ns int64, ok bool) {
	whole, decimals, ok := strings.Cut(text, ".")
	if !ok || len(decimals) != 9 || whole == "" {
		return 0, false
	}
	for _, c := range []byte(whole + decimals) {
		// Digit by digit, since a float64 would round nanoseconds.
		if c < '0' || c > '9' || ns > (1<<63-10)/10 {
			return 0, false
		}
		ns = 10*ns + int64(c-'0')
	}
	return ns, true
}
