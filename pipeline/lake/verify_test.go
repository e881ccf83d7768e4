package lake_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

func verify(t *testing.T, l *lake.Lake) *lake.Verification {
	t.Helper()
	v := expect.Value(l.Verify(t.Context(), nil, nil))(t)
	return v
}

// commitNumbers commits a table of two buckets and one without buckets, of few bytes.
func commitNumbers(t *testing.T, l *lake.Lake) {
	t.Helper()
	o := &lake.Origin{Stage: "numbers", Version: 3, Inputs: []lake.Input{{Name: "trace", Fingerprint: "ab"}}}
	s := expect.Value(l.Stage(o.Stage, run, o.Fingerprint()))(t)
	var files []lake.File
	for _, bucket := range []int{0, 1, lake.NoBucket} {
		table := "numbers"
		if bucket == lake.NoBucket {
			table = "more_numbers"
		}
		f := expect.Value(lake.Write(s, table, bucket, []number{{int64(bucket)}, {7}}))(t)
		files = append(files, f)
	}
	expect.OK(t, s.Commit(o.Manifest("numbers", files[:2]), o.Manifest("more_numbers", files[2:])))
}

// TestVerifyFindsEveryByte flips every byte of every file of a lake, one after the other, and cuts and removes files. Each is
// damage of that file, and nobody who reads the tables gets another answer than before.
func TestVerifyFindsEveryByte(t *testing.T) {
	l, s := inMemory(t)
	commitNumbers(t, l)
	if v := verify(t, l); len(v.Damages) > 0 || v.Manifests != 2 || v.Files != 3 {
		t.Fatalf("a sound lake: %+v", v)
	}
	wanted := map[string][]number{"numbers": {{0}, {7}, {1}, {7}}, "more_numbers": {{lake.NoBucket}, {7}}}
	for name, sound := range s.files {
		damage := func(what string, text []byte) {
			s.files[name] = text
			defer func() { s.files[name] = sound }()
			other, err := lake.OpenStorage(s, false) // as the next process finds it
			if name == "_lake.json" {
				if err == nil || other != nil {
					t.Errorf("%s: %s: the lake is opened", name, what)
				}
				return
			}
			noError(t, err)
			for table, want := range wanted {
				got, err := lake.Read[number](other, table, run)
				if err == nil && !slices.Equal(got, want) {
					t.Errorf("%s: %s: %s holds %v", name, what, table, got)
				}
				if err != nil && !strings.Contains(err.Error(), name) {
					t.Errorf("%s: %s: the error names no file: %v", name, what, err)
				}
			}
			v := verify(t, l)
			if len(v.Damages) == 0 {
				t.Errorf("%s: %s is not found", name, what)
			}
			for _, d := range v.Damages {
				if d.Table == "" && strings.HasSuffix(d.File, ".parquet") || d.Partition != "run=a" || d.File == "" || d.Problem == "" {
					t.Errorf("%s: %s: a damage is not named: %+v", name, what, d)
				}
			}
			if strings.HasSuffix(name, ".parquet") && (len(v.Damages) != 1 || v.Damages[0].File != name) {
				t.Errorf("%s: %s: damages are %+v", name, what, v.Damages)
			}
		}
		for i := range sound {
			flipped := append([]byte{}, sound...)
			flipped[i] ^= 1 << (i % 8)
			damage(fmt.Sprintf("a flipped byte at %d", i), flipped)
		}
		damage("a lost end", sound[:len(sound)/2])
		damage("an end too long", append(sound[:len(sound):len(sound)], "x"...))
		if strings.HasSuffix(name, ".parquet") {
			delete(s.files, name)
			if v := verify(t, l); len(v.Damages) != 1 || v.Damages[0].Problem != "it is missing" {
				t.Errorf("%s: a missing file: %+v", name, v.Damages)
			}
			s.files[name] = sound
		}
	}
}

// TestVerifyRows finds a manifest whose number of rows is not that of its file, which no checksum tells.
func TestVerifyRows(t *testing.T) {
	l, s := inMemory(t)
	commitTables(t, l, 1)
	const name = "_manifests/run=a.json"
	var v lake.Inventory
	noError(t, lake.Unseal(s.files[name], &v))
	v.Table("numbers").Files[0].Rows = 3
	s.files[name] = expect.Value(lake.Seal(v))(t)
	if v := verify(t, l); len(v.Damages) != 1 || v.Damages[0].Problem != "it has 2 rows, the manifest states 3" {
		t.Errorf("damages are %+v", v.Damages)
	}
}

// TestVerifyWanted checks some partitions only, and stops with its context.
func TestVerifyWanted(t *testing.T) {
	l, s := inMemory(t)
	commitTables(t, l, 1)
	s.files["_manifests/comparison=x.json"] = []byte("{")
	v, err := l.Verify(t.Context(), func(p lake.Partition) bool { return p == run }, nil)
	if err != nil || len(v.Damages) > 0 || v.Manifests != 2 {
		t.Errorf("%+v, %v", v, err)
	}
	if v := verify(t, l); len(v.Damages) != 1 || v.Damages[0].File != "_manifests/comparison=x.json" {
		t.Errorf("damages are %+v", v.Damages)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Verify(ctx, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error of a cancelled check is %v", err)
	}
}
