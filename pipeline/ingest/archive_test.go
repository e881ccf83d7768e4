package ingest_test

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// pairs is a format of our own: a file "main.pairs" beside which lie "main.1", "main.2", ..., each line of which names a
// function that is entered at that line's number times ten and left five later. A lone file starts with "pairs".
var pairs = schema.Format{
	Name: "pairs", Components: []schema.ComponentWord{{Word: "beside"}},
	NewReader: func(r *schema.Reading) schema.Reader { return &pairsReader{Reading: r} },
}

type pairsReader struct {
	*schema.Reading
	keys []schema.EventKey
}

func (p *pairsReader) Keys() schema.KeyList        { return schema.EventKeys(p.keys) }
func (p *pairsReader) Marks() []schema.MessageMark { return []schema.MessageMark{{}} }

func (p *pairsReader) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	b, err := emit(nil)
	for _, t := range p.Traces {
		names := []string{t.Path}
		if p.Options.Component == "beside" {
			names, _ = fs.Glob(t.FS, strings.TrimSuffix(t.Path, ".pairs")+".[0-9]")
		}
		for _, name := range names {
			text, readErr := read(t, name)
			if err = errors.Join(err, readErr); err != nil {
				return err
			}
			for i, line := range strings.Fields(text) {
				if line == "torn" {
					if err := p.Bad(schema.TornRecord, &schema.SyntaxError{File: name, Offset: int64(i), Err: errors.New("torn")}); err != nil {
						return err
					}
					continue
				}
				for kind := schema.Enter; kind <= schema.Exit; kind++ {
					p.keys = append(p.keys, schema.EventKey{Component: name, Lifeline: name, Function: line, Kind: kind})
					b.TimeNs = append(b.TimeNs, int64(10*i)+5*int64(kind))
					b.Key, b.Mark, b.MessageID = append(b.Key, uint32(len(p.keys)-1)), append(b.Mark, 0), append(b.MessageID, schema.NoValue)
				}
				if b, err = emit(b); err != nil {
					return err
				}
			}
		}
	}
	_, err = emit(b)
	return err
}

func read(t schema.Trace, name string) (string, error) {
	f, err := t.FS.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	return string(text), err
}

// pairsJob ingests traces of the format pairs.
func pairsJob(t *testing.T, anchor bool, paths ...string) ingest.Job {
	j := job(t, paths...)
	format := pairs
	if format.Anchor = anchor; anchor {
		j.Options.Component = "beside"
	}
	j.Detect = func(file string, head []byte) (schema.Format, error) {
		if bytes.HasPrefix(head, []byte("pairs")) {
			return format, nil
		}
		return detect(file, head)
	}
	j.Find = func(folder fs.FS) (found []ingest.Found, err error) {
		err = fs.WalkDir(folder, ".", func(path string, e fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".pairs") {
				found = append(found, ingest.Found{Format: format, Path: path})
			}
			return err
		})
		return found, err
	}
	return j
}

// functions lists the functions of a run's events.
func functions(t *testing.T, l *lake.Lake) (names []string) {
	t.Helper()
	ev := schema.NewEvents()
	expect.OK(t, l.ScanEvents(t.Context(), "a", ev, lake.ScanOptions{}, func() error {
		for _, f := range ev.Function {
			names = append(names, ev.Names.Functions.Name(f))
		}
		return nil
	}))
	return names
}

// folder writes files into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		expect.OK(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)))
	}
	return dir
}

func sumOf(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "")))
	return hex.EncodeToString(sum[:])
}

// TestAnchor reads the files beside the one that is named; the hash is that of all of them, and the run is fresh until
// one of them changes.
func TestAnchor(t *testing.T) {
	dir := folder(t, map[string]string{"main.pairs": "pairs", "main.1": "f g", "main.2": "h", "other.1": "no"})
	j := pairsJob(t, true, filepath.Join(dir, "main.pairs"))
	run, losses := ingested(t, j)
	if got := fmt.Sprint(functions(t, j.Lake)); got != "[f f g g h h]" || run.Events != 6 || run.Lines != 6 || run.Format != "pairs" || losses[0].Reason != "time_backwards" {
		t.Errorf("%+v %+v %s", run, losses, got)
	}
	expect.Equal(t, run.Sha256, sumOf("f g", "h", "pairs"), "hash")
	checkFresh(t, j, true, "not fresh")
	expect.OK(t, os.WriteFile(filepath.Join(dir, "main.2"), []byte("i"), 0o666))
	checkFresh(t, j, false, "fresh with another file")
}

// TestWays reads one trace as a file, compressed, from the standard input, in a folder and in an archive.
func TestWays(t *testing.T) {
	const text = "pairs f g"
	plain := write(t, "one.pairs", text)
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	zip.Write([]byte(text))
	zip.Close()
	compressed := write(t, "one.pairs.gz", packed.String())
	var archive bytes.Buffer
	tarball := tar.NewWriter(&archive)
	for _, member := range []tar.Header{
		{Name: "x/", Typeflag: tar.TypeDir, Mode: 0o777}, {Name: "x/one.pairs", Typeflag: tar.TypeReg, Size: int64(len(text)), Mode: 0o666},
		{Name: "x/link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
	} {
		tarball.WriteHeader(&member)
		if member.Size > 0 {
			tarball.Write([]byte(text))
		}
	}
	tarball.Close()
	for name, j := range map[string]ingest.Job{
		"file": pairsJob(t, false, plain), "compressed": pairsJob(t, false, compressed), "folder": pairsJob(t, false, filepath.Dir(plain)),
		"archive": pairsJob(t, false, write(t, "one.tar", archive.String())),
	} {
		if _, losses := ingested(t, j); fmt.Sprint(functions(t, j.Lake)) != "[pairs pairs f f g g]" || len(losses) > 0 {
			t.Errorf("%s: %v %+v", name, functions(t, j.Lake), losses)
		}
		checkFresh(t, j, true, name+" is not fresh")
	}
	j := pairsJob(t, false, "-")
	j.Stdin = bytes.NewReader(packed.Bytes())
	if run, _ := ingested(t, j); run.Sha256 != sumOf(packed.String()) || run.Events != 6 {
		t.Errorf("stdin: %+v", run)
	}
}

// TestEscape has an archive that would write outside of its folder.
func TestEscape(t *testing.T) {
	var archive bytes.Buffer
	tarball := tar.NewWriter(&archive)
	tarball.WriteHeader(&tar.Header{Name: "../../escaped.pairs", Typeflag: tar.TypeReg, Size: 5, Mode: 0o666})
	tarball.Write([]byte("pairs"))
	tarball.Close()
	refused(t, pairsJob(t, false, write(t, "bad.tar", archive.String())), "bad.tar", "escape")
	refused(t, pairsJob(t, false, write(t, "cut.tar", archive.String()[:600])), "cut.tar", "unpack")
}

// TestSeveral needs a format that takes several traces as one run.
func TestSeveral(t *testing.T) {
	dir := folder(t, map[string]string{"a.pairs": "pairs a", "b.pairs": "pairs b"})
	refused(t, pairsJob(t, false, dir), "2 pairs traces", "run of its own", "a.pairs")
	refused(t, pairsJob(t, false, t.TempDir()), "without a trace")
	refused(t, pairsJob(t, false, filepath.Join(dir, "a.pairs"), write(t, "t.txt", small)), "a.pairs", "t.txt", "two runs")
}

// TestBadRecords are counted with their place, or stop a strict reading.
func TestBadRecords(t *testing.T) {
	path := write(t, "a.pairs", "pairs torn f")
	j := pairsJob(t, false, path)
	_, losses := ingested(t, j)
	if len(losses) != 1 || losses[0].Reason != "torn_record" || losses[0].FirstPosition != "a.pairs@0x1: torn" {
		t.Errorf("%+v", losses)
	}
	j = pairsJob(t, false, path)
	j.Strict = true
	refused(t, j, "a.pairs@0x1", "torn")
	refused(t, pairsJob(t, false, write(t, "b.pairs.gz", "\x1f\x8b\x08")), "b.pairs.gz")
}

// TestFarSign finds the format of a trace whose first sign lies behind much else, in a file, packed, and from the standard
// input; a sign behind 4 MiB is not looked for.
func TestFarSign(t *testing.T) {
	for spaces, known := range map[int]bool{1 << 17: true, 5 << 20: false} {
		text := strings.Repeat(" ", spaces) + "pairs f"
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, err := w.Write([]byte(text))
		expect.OK(t, errors.Join(err, w.Close()))
		for _, path := range []string{write(t, "a.pairs", text), write(t, "a.pairs.gz", packed.String()), "-"} {
			j := pairsJob(t, false, path)
			j.Stdin = strings.NewReader(text)
			j.Detect = func(file string, head []byte) (schema.Format, error) {
				if bytes.Contains(head, []byte("pairs")) {
					return pairs, nil
				}
				return schema.Format{}, errors.New("no known trace format")
			}
			if _, _, err := ingest.Run(t.Context(), j); (err == nil) != known {
				t.Errorf("%s with a sign behind %d bytes: %v, want known: %v", filepath.Base(path), spaces, err, known)
			}
		}
	}
}

// TestInterruptedReader ends a Reader that has given out no block yet by its next read of a file.
func TestInterruptedReader(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	j := pairsJob(t, false, write(t, "a.pairs", "pairs f"))
	var read error
	endless := pairs
	endless.NewReader = func(r *schema.Reading) schema.Reader {
		return &endlessReader{pairsReader{Reading: r}, interrupt, &read}
	}
	j.Detect = func(string, []byte) (schema.Format, error) { return endless, nil }
	_, _, err := ingest.Run(ctx, j)
	if !errors.Is(err, context.Canceled) || !errors.Is(read, context.Canceled) {
		t.Errorf("the ingest ends with %v and the reading with %v, want %v", err, read, context.Canceled)
	}
}

// endlessReader reads a file again and again and is interrupted on the way.
type endlessReader struct {
	pairsReader
	interrupt func()
	read      *error // of its last reading
}

func (e *endlessReader) Read(func(*schema.Block) (*schema.Block, error)) error {
	for i := 0; *e.read == nil && i < 100; i++ {
		if i == 50 {
			e.interrupt()
		}
		_, *e.read = fs.ReadFile(e.Traces[0].FS, e.Traces[0].Path)
	}
	return *e.read
}

// TestDerived makes the tables of a run of what a Reader gives. Whoever planned that commits them.
func TestDerived(t *testing.T) {
	from := schema.Trace{FS: os.DirFS(folder(t, map[string]string{"x": "f"})), Path: "x"}
	j := job(t)
	staging := expect.Value(j.Lake.Stage("made", lake.Run("a"), strings.Repeat("0", 64)))(t)
	files, losses, err := ingest.Derive(t.Context(), j, ingest.Derived{
		Format: "made", Source: "b c", Hash: "1", Ledger: new(schema.Ledger),
		Reader: &pairsReader{Reading: &schema.Reading{Traces: []schema.Trace{from}}},
	}, staging)
	expect.OK(t, err)
	runs := expect.Value(lake.ReadStaged[schema.Run](t.Context(), staging, files["runs"][0]))(t)
	if r := runs[0]; len(runs) != 1 || len(losses) > 0 || r.Format != "made" || r.Source != "b c" || r.Sha256 != "1" || r.Events != 2 {
		t.Errorf("%+v %v", runs, losses)
	}
	for _, table := range ingest.RunTables() {
		if _, has := files[table]; !has {
			t.Errorf("no table %s", table)
		}
	}
	expect.OK(t, staging.Discard())
}

// TestMessagesAndMap gives functions to components and makes calls between these messages.
func TestMessagesAndMap(t *testing.T) {
	j := job(t, write(t, "a.csv", "time,component,function,kind,thread\n0.1,x,f,start,T\n0.2,x,g,start,T\n0.3,x,g,finish,T\n0.4,x,f,finish,T\n"))
	j.Calls = "messages"
	j.Map = func(k schema.EventKey) schema.EventKey {
		if k.Function == "g" {
			k.Component = "y"
		}
		return k
	}
	if run, losses := ingested(t, j); run.Components != 2 || run.Messages != 2 || run.Events != 6 || run.Lines != 5 || len(losses) > 0 {
		t.Errorf("%+v %+v", run, losses)
	}
	expect.Equal(t, fmt.Sprint(functions(t, j.Lake)), "[f g g g g f]", "functions")
}
