package lake

import (
	"encoding/json"
	"fmt"
	"path"

	"github.com/tracelake/tracelake/pipeline/process"
)

// Failed is what an attempt at a task left that ended with an error, for the process that waits for the task.
type Failed struct {
	Times   int    `json:"times"`   // how often the task failed since it was planned
	Message string `json:"message"` // of the last time
	Host    string `json:"host"`    // where that was
}

func (s *Staging) failedPath(task int) string {
	return path.Join(s.dir, fmt.Sprintf("failed-%05d.json", task))
}

// MarkFailed notes that an attempt at a task failed. The note goes with the staging area, and means nothing once the task is done.
func (s *Staging) MarkFailed(task int, message string) error {
	f := Failed{Message: message, Host: process.Self.Host}
	if before := s.Failed(task); before != nil {
		f.Times = before.Times
	}
	f.Times++
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return s.lake.storage.Replace(s.failedPath(task), text)
}

// Failed returns the note of the last attempt at a task that failed; nil where none did, or none could say so.
func (s *Staging) Failed(task int) *Failed {
	text, err := readFile(s.lake.storage, s.failedPath(task))
	if err != nil {
		return nil
	}
	f := new(Failed)
	if json.Unmarshal(text, f) != nil {
		return nil
	}
	return f
}
