package crashtest

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/marcboeker/go-duckdb/v2" // a DuckDB client of its own, which knows the lake by its database only
)

// eventsOfSmall, messagesOfSmall and executionsOfSmall are how many a run of a small trace has.
const eventsOfSmall, messagesOfSmall, executionsOfSmall = 30, 10, 15

// askOn opens the database of the lake again and again, as a DuckDB client does, until the writers have ended. Every run that
// it shows must be whole: all events and messages, and all executions or, before its analysis, none, and these of the same trace.
// So must be every comparison. It reports how often it was answered.
func askOn(t *testing.T, dir string, ended *atomic.Bool) (answers int) {
	for !ended.Load() {
		if _, answered := wholeRuns(t, dir); answered {
			answers++
		}
		time.Sleep(20 * time.Millisecond)
	}
	return answers
}

// wholeRuns returns the number of runs that a DuckDB client sees, with their executions. A client that holds an older
// database may miss a file that was replaced meanwhile, which is an error and no answer; everything else fails the test.
func wholeRuns(t *testing.T, dir string) (analyzed int, answered bool) {
	path := filepath.Join(dir, "tracelake.duckdb")
	if _, err := os.Stat(path); err != nil {
		return 0, false // no command has written it yet
	}
	db, err := sql.Open("duckdb", path+"?access_mode=read_only&threads=1")
	if err != nil {
		t.Error(err)
		return 0, false
	}
	defer db.Close()
	rows, err := db.Query(`SELECT run, (SELECT count(*) FROM events e WHERE e.run = r.run), (SELECT count(*) FROM messages m WHERE m.run = r.run),
		(SELECT count(*) FROM executions x WHERE x.run = r.run),
		(SELECT sum(e.time_ns) FROM events e WHERE e.run = r.run) - (SELECT sum(x.start_ns + x.finish_ns) FROM executions x WHERE x.run = r.run)
		FROM runs r`)
	if err != nil {
		// The files of a list that the client has read may be gone when it opens them.
		if !strings.Contains(err.Error(), "No files found") && !strings.Contains(err.Error(), "No such file or directory") {
			t.Errorf("a DuckDB client: %v", err)
		}
		return 0, false
	}
	defer rows.Close()
	for rows.Next() {
		var run string
		var events, messages, executions int
		var elsewhere sql.NullInt64 // by how much the events of another trace lie elsewhere than the executions
		if err := rows.Scan(&run, &events, &messages, &executions, &elsewhere); err != nil {
			t.Error(err)
		}
		if run == "r5" && events == 0 && messages == 0 && executions == 0 {
			continue // of which the test keeps summaries
		}
		of := max(1, events/eventsOfSmall) // a run that is made of several is as long as all of them
		if run == "made" {                 // of claims that were found in another run
			if events != 40 {
				t.Errorf("a DuckDB client sees %d events of %s", events, run)
			}
			continue
		}
		if events != of*eventsOfSmall || messages != of*messagesOfSmall || executions != 0 && executions != of*executionsOfSmall || elsewhere.Int64 != 0 {
			t.Errorf("a DuckDB client sees %d events, %d messages and %d executions of %s, whose times differ by %d ns in all",
				events, messages, executions, run, elsewhere.Int64)
		}
		if executions > 0 {
			analyzed++
		}
	}
	return analyzed, rows.Err() == nil
}
