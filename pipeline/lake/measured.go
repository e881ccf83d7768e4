package lake

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path"
)

// Cost is what one task took, on the machine that ran it. No table and no fingerprint depends on it.
type Cost struct {
	CPUNs        int64 `json:"cpu_ns"`        // of all its threads, in user and system mode
	WallNs       int64 `json:"wall_ns"`       // from its start to its end
	ReadBytes    int64 `json:"read_bytes"`    // read from files, also where these were cached; 0 where the system does not say
	WrittenBytes int64 `json:"written_bytes"` // written to files
}

// Measured are the costs of the tasks of a stage when it last ran for a partition. They lie beside the manifests, because two
// lakes with the same tables differ in them.
type Measured struct {
	Fingerprint string  `json:"fingerprint"` // of the tables that the tasks made
	Tasks       []*Cost `json:"tasks"`       // by number; null: a process of an earlier version ran it
}

// measuredFolder holds the costs of all stages of a partition.
func measuredFolder(p Partition) string { return path.Join("_measured", p.String()) }

// StoreMeasured replaces the costs of a stage for a partition.
func (l *Lake) StoreMeasured(stage string, p Partition, m Measured) error {
	if err := l.storage.MakeFolder(measuredFolder(p)); err != nil {
		return err
	}
	return l.replaceJSON(path.Join(measuredFolder(p), stage+".json"), m)
}

// Measured returns the costs of a stage for a partition; nil where none are known, or those of other tables than the ones
// with this fingerprint.
func (l *Lake) Measured(stage string, p Partition, fingerprint string) (*Measured, error) {
	text, err := readFile(l.storage, path.Join(measuredFolder(p), stage+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := new(Measured)
	if json.Unmarshal(text, m) != nil || m.Fingerprint != fingerprint {
		return nil, nil
	}
	return m, nil
}
