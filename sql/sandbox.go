package sql

import (
	"context"
	"database/sql"
	"fmt"
)

// A database in a sandbox answers questions of people who are not trusted with the machine: only statements that select rows, from
// files of the lake alone, within the memory of Options, as much on disk and the time of the context.
//
// DuckDB is closed in two ways, each of which would do for reading. Its settings refuse files outside the lake and its own
// temporary directory, and cannot be changed any more. They do allow to write where they allow to read, so every statement is prepared
// first, and DuckDB says what kind of statement it is: text that looks like a question may be another thing.
func closeSandbox(ctx context.Context, on executer, folder, tempDir string, o Options) error {
	statements := []string{
		"SET allowed_directories = [" + literal(folder+"/") + ", " + literal(tempDir+"/") + "]",
		"SET enable_external_access = false",
		"SET lock_configuration = true",
	}
	if o.MemoryBytes > 0 {
		statements = append([]string{fmt.Sprintf("SET max_temp_directory_size = '%dB'", o.MemoryBytes)}, statements...)
	}
	return execAll(ctx, on, statements...)
}

// RefusedError says that a sandbox does not execute a statement.
type RefusedError struct{ Kind string } // of the statement, as SQL calls it; empty for several in one

// Error implements error.
func (e *RefusedError) Error() string {
	if e.Kind == "" {
		return "the sandbox answers only questions: this is no SELECT"
	}
	return fmt.Sprintf("the sandbox answers only questions: SELECT, FROM, WITH, DESCRIBE, SHOW or SUMMARIZE, and no %s", e.Kind)
}

// refuse returns an error unless every statement only selects rows. Nothing has been executed yet.
func refuse(ctx context.Context, conn *sql.Conn, statements []statement) error {
	for _, s := range statements {
		selects, err := isSelect(ctx, conn, s.padded("", ""))
		if err == nil && !selects {
			err = &RefusedError{s.keyword()}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
