package sql

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/testdata/expect"
)

// partitions are what a catalog has, by partition, as a lake tells it to Follow. A test changes and removes them.
type partitions struct {
	folder string
	stamps map[string]string
	files  map[string]map[string][]string // by partition and table
	read   []string                       // partitions whose files were asked for
}

// partitionsOf sorts the files of a catalog by partition: the second part of their paths.
func partitionsOf(c Catalog) *partitions {
	p := &partitions{folder: c.Folder, stamps: make(map[string]string), files: make(map[string]map[string][]string)}
	for table, files := range c.Files {
		for _, f := range files {
			name := strings.Split(f, "/")[1]
			if p.files[name] == nil {
				p.files[name], p.stamps[name] = make(map[string][]string), "1"
			}
			p.files[name][table] = append(p.files[name][table], f)
		}
	}
	return p
}

func (p *partitions) contents() Contents {
	return Contents{
		Folder: p.folder,
		Stamps: func() (map[string]string, error) { return maps.Clone(p.stamps), nil },
		Files: func(name string) (map[string][]string, error) {
			p.read = append(p.read, name)
			return p.files[name], nil
		},
		Newest: func() (string, error) { return slices.Max(append(slices.Collect(maps.Keys(p.stamps)), "")), nil },
	}
}

// drop removes a partition.
func (p *partitions) drop(name string) {
	delete(p.stamps, name)
	delete(p.files, name)
}

// following brings a database up to date and checks that nothing is left beside it.
func following(t *testing.T, path string, p *partitions, modified time.Time) {
	t.Helper()
	p.read = nil
	expect.OK(t, Follow(t.Context(), path, modified, p.contents()))
	if info, err := os.Stat(path); err != nil || !info.ModTime().Equal(modified) {
		t.Errorf("the database has another time of modification: %v", err)
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// opened is what a client finds that opens the database itself.
func opened(t *testing.T, path, query string) string {
	t.Helper()
	db := expect.Value(connectTo(path))(t)
	defer db.Close()
	var got string
	expect.OK(t, db.QueryRowContext(t.Context(), query).Scan(&got))
	return got
}

func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace?lake's.duckdb")
	now := time.Unix(1_800_000_000, 123_000_000)
	empty := partitionsOf(Catalog{})
	following(t, path, empty, now)
	following(t, path, partitionsOf(tinyLake(t)), now.Add(time.Second)) // of another folder: it replaces the first
	db := expect.Value(connect(Options{}, t.TempDir()))(t)
	defer db.Close()
	conn := expect.Value(db.Conn(t.Context()))(t)
	defer conn.Close()
	expect.OK(t, execAll(t.Context(), conn, "ATTACH "+literal(path)+" AS other (READ_ONLY)", "USE other"))
	for q, want := range map[string]string{
		"SELECT count(*) FROM events":                                                            "12",
		"SELECT string_agg(run, ' ' ORDER BY run) FROM runs":                                     "01 curl-8.14.1",
		"SELECT max(lost) FROM (SELECT max(ms(max_ns)) AS lost FROM quartiles_by('release'))":    "0.0015",
		"SELECT comment FROM duckdb_views() WHERE view_name = 'losses'":                          "Records that were dropped, repaired or invented. One row is one reason in one stage of a run.",
		"SELECT comment FROM duckdb_columns() WHERE table_name = 'runs' AND column_name = 'run'": "the run",
		"SELECT comment FROM duckdb_functions() WHERE function_name = 'ms'":                      "Milliseconds of a time in nanoseconds.",
	} {
		var got string
		if err := conn.QueryRowContext(t.Context(), q).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %q, %v", q, got, err)
		}
	}
}

// TestFollowChanges changes, adds and drops partitions. The database shows what there is, and only what has changed is read.
func TestFollowChanges(t *testing.T) {
	p := partitionsOf(tinyLake(t))
	path := filepath.Join(p.folder, "tracelake.duckdb")
	all := slices.Sorted(maps.Keys(p.stamps))
	oddments := Catalog{Folder: p.folder, Files: make(map[string][]string)}
	writeRows(t, oddments, "oddments/comparison=9/part-0.parquet", number{7})
	const runs = "SELECT string_agg(run, ' ' ORDER BY run) FROM runs"
	for i, c := range []struct {
		what   string
		change func()
		read   []string
		runs   string
	}{
		{"all is new", func() {}, all, "01 curl-8.14.1"},
		{"nothing has changed", func() {}, nil, "01 curl-8.14.1"},
		{"a run is dropped", func() { p.drop("run=01") }, nil, "curl-8.14.1"},
		{"a stamp is another", func() { p.stamps["run=curl-8.14.1"] = "2" }, []string{"run=curl-8.14.1"}, "curl-8.14.1"},
		{"a table of no schema is new", func() {
			p.files["comparison=9"], p.stamps["comparison=9"] = oddments.Files, "1"
		}, []string{"comparison=9"}, "curl-8.14.1"},
	} {
		c.change()
		following(t, path, p, time.Unix(int64(i), 0))
		slices.Sort(p.read)
		expect.Slice(t, p.read, c.read, "%s: partitions that were read", c.what)
		expect.Equal(t, opened(t, path, runs), c.runs, "%s: runs", c.what)
		expect.Equal(t, opened(t, path, "SELECT count(*) FROM events"), fmt.Sprint(6*len(strings.Fields(c.runs))), "%s: events", c.what)
	}
	expect.Equal(t, opened(t, path, "SELECT n FROM oddments"), "7", "a table of no schema")
	p.drop("comparison=9")
	following(t, path, p, time.Unix(9, 0))
	expect.Equal(t, opened(t, path, "SELECT count(*) FROM duckdb_views() WHERE view_name = 'oddments'"), "0", "views of a table that is gone")
}

// number is a row of a table that schema does not know.
type number struct {
	N int64 `parquet:"n"`
}

// TestFollowMoved moves a lake and asks its database at once, from several folders; then has it follow.
func TestFollowMoved(t *testing.T) {
	p := partitionsOf(tinyLake(t))
	following(t, filepath.Join(p.folder, "tracelake.duckdb"), p, time.Unix(1, 0))
	moved := filepath.Join(t.TempDir(), "it's [a] lake*")
	expect.OK(t, os.Rename(p.folder, moved))
	t.Chdir(filepath.Dir(moved))
	for _, path := range []string{filepath.Join(moved, "tracelake.duckdb"), "it's [a] lake*/tracelake.duckdb"} {
		expect.Equal(t, opened(t, path, "SELECT count(*) FROM events"), "12", "%s: events", path)
	}
	t.Chdir(moved)
	expect.Equal(t, opened(t, "tracelake.duckdb", "SELECT count(*) FROM events"), "12", "events, from the lake's own folder")
	p.folder = moved
	following(t, filepath.Join(moved, "tracelake.duckdb"), p, time.Unix(2, 0))
	db := expect.Value(connect(Options{}, t.TempDir()))(t)
	defer db.Close()
	var n string
	expect.OK(t, execAll(t.Context(), expect.Value(db.Conn(t.Context()))(t), "ATTACH 'tracelake.duckdb' AS other (READ_ONLY)"))
	expect.OK(t, db.QueryRow("SELECT count(*) FROM other.events").Scan(&n))
	expect.Equal(t, n, "12", "events of a database that is attached")
}

// TestFollowRace changes the lake while its database is written: what is there in the end shows the change.
func TestFollowRace(t *testing.T) {
	p := partitionsOf(tinyLake(t))
	path := filepath.Join(p.folder, "tracelake.duckdb")
	c := p.contents()
	files := c.Files
	c.Files = func(name string) (map[string][]string, error) {
		f, err := files(name)
		if name == "run=curl-8.14.1" && p.stamps["run=01"] != "" {
			p.drop("run=01")
		}
		return f, err
	}
	expect.OK(t, Follow(t.Context(), path, time.Unix(1, 0), c))
	expect.Equal(t, opened(t, path, "SELECT count(DISTINCT run) FROM events"), "1", "runs")
}

// TestFollowBesideTidy writes databases into a lake that is tidied all the time: what a living process writes stays.
func TestFollowBesideTidy(t *testing.T) {
	l := expect.Value(lake.Open(filepath.Join(t.TempDir(), "lake"), true))(t)
	p := partitionsOf(tinyLake(t))
	ctx, stop := context.WithCancel(t.Context())
	tidied := make(chan error)
	go func() {
		for {
			if _, err := l.Tidy(ctx); err != nil || ctx.Err() != nil {
				tidied <- err
				return
			}
		}
	}()
	path := filepath.Join(l.Dir, "tracelake.duckdb")
	for range 5 {
		expect.OK(t, Follow(ctx, path, time.Unix(1, 0), p.contents()))
		expect.OK(t, os.Remove(path))
	}
	stop()
	expect.OK(t, <-tidied)
}

// TestFollowSweeps finds what a killed process and a living one began to put in the place of the database: the next one to write it removes the
// former.
func TestFollowSweeps(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "tracelake.duckdb")
	living := process.BesidePath(path)
	ended := strings.Replace(living, fmt.Sprint("-", os.Getpid(), "-"), fmt.Sprint("-", 1<<22+7, "-"), 1) // Linux gives this number to no process
	for _, name := range []string{living, ended, path + ".new"} {
		expect.OK(t, os.WriteFile(name, []byte("half"), 0o644))
	}
	p := partitionsOf(tinyLake(t))
	expect.OK(t, Follow(t.Context(), path, time.Unix(1, 0), p.contents()))
	var left []string
	for _, e := range expect.Value(os.ReadDir(dir))(t) {
		left = append(left, filepath.Join(dir, e.Name()))
	}
	expect.Slice(t, left, []string{path, living, path + ".new"}, "what is left")
}

// TestFollowHeals finds a database that is none, and one that cannot be replaced stays.
func TestFollowHeals(t *testing.T) {
	p := partitionsOf(tinyLake(t))
	path := filepath.Join(p.folder, "tracelake.duckdb")
	for _, text := range []string{"", "old", strings.Repeat("DUCK", 5000)} {
		expect.OK(t, os.WriteFile(path, []byte(text), 0o644))
		following(t, path, p, time.Unix(1, 0))
		expect.Equal(t, opened(t, path, "SELECT count(*) FROM events"), "12", "events")
	}
	expect.OK(t, os.WriteFile(path, []byte("old"), 0o644))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Follow(ctx, path, time.Unix(1, 0), p.contents()); err == nil {
		t.Error("a database was written after its end")
	}
	if got, _ := os.ReadFile(path); string(got) != "old" {
		t.Errorf("the database is %q", got)
	}
}
