package stores

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// blockBytes is what one request fetches of an object, and aheadBlocks how many blocks are asked for before they are read, where one was
// read after the other.
const blockBytes, aheadBlocks = 4 << 20, 8

// keptObject is what this process has of an object, in a nameless file with holes.
type keptObject struct {
	store *s3Storage
	name  string
	etag  string
	size  int64
	file  *os.File

	mu     sync.Mutex
	moved  *sync.Cond // a block came, or could not be fetched
	blocks []blockState
	have   int64 // bytes that are there
	next   int64 // the block behind the one that was read last
	users  int   // of readers; guarded by the store's keptObjects
	used   int64 // counts uses, for the one that was used longest ago; guarded as users
}

// blockState says whether a block is there.
type blockState uint8

const (
	missing blockState = iota
	coming
	there
)

// keptObjects are the objects of which a process keeps what it read or wrote, so that the next stage reads it from this machine's disk.
type keptObjects struct {
	mu    sync.Mutex
	byKey map[string]*keptObject // by name
	uses  int64
	limit int64 // bytes on disk; those that were used longest ago go first
}

// take returns what is kept of an object with an ETag, for one more reader; else what make makes.
func (k *keptObjects) take(name, etag string, make func() (*keptObject, error)) (*keptObject, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	o := k.byKey[name]
	if o == nil || o.etag != etag {
		var err error
		if o, err = make(); err != nil {
			return nil, err
		}
		k.store(name, o)
	}
	o.users++
	k.uses++
	o.used = k.uses
	return o, nil
}

// store keeps an object in the place of the one of its name. The lock is held.
func (k *keptObjects) store(name string, o *keptObject) {
	if k.byKey == nil {
		k.byKey = make(map[string]*keptObject)
	}
	k.drop(name)
	k.byKey[name] = o
	k.uses++
	o.used = k.uses
	k.shrink()
}

// put keeps an object that was written.
func (k *keptObjects) put(name string, o *keptObject) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.store(name, o)
}

// rename keeps an object that is wholly there under the name of its copy.
func (k *keptObjects) rename(from, to string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if o := k.byKey[from]; o != nil && o.users == 0 && o.bytes() == o.size {
		delete(k.byKey, from)
		o.name = to
		k.store(to, o)
	}
}

// release ends the use of a reader. An object that is kept no more goes with its last reader.
func (k *keptObjects) release(o *keptObject) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if o.users--; o.users == 0 && k.byKey[o.name] != o {
		return o.file.Close()
	}
	k.shrink()
	return nil
}

// drop keeps the object of a name no more. The lock is held.
func (k *keptObjects) drop(name string) {
	if o := k.byKey[name]; o != nil {
		delete(k.byKey, name)
		if o.users == 0 {
			o.file.Close()
		}
	}
}

// shrink drops what was used longest ago as long as there is more than the limit, or more files are open than a process may well have.
// The lock is held.
func (k *keptObjects) shrink() {
	const mostFiles = 256
	var bytes int64
	idle := make([]*keptObject, 0, len(k.byKey))
	for _, o := range k.byKey {
		bytes += o.bytes()
		if o.users == 0 {
			idle = append(idle, o)
		}
	}
	if bytes <= k.limit && len(k.byKey) <= mostFiles {
		return
	}
	slices.SortFunc(idle, func(a, b *keptObject) int { return cmp.Compare(a.used, b.used) })
	for _, o := range idle {
		if bytes <= k.limit && len(k.byKey) <= mostFiles {
			return
		}
		bytes -= o.bytes()
		k.drop(o.name)
	}
}

// freeBytes is what is free of the file system of a folder.
func freeBytes(dir string) int64 {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil || st.Bavail > math.MaxInt64/uint64(st.Bsize) {
		return math.MaxInt64
	}
	return int64(st.Bavail) * int64(st.Bsize)
}

// newKept makes an object of which nothing is there yet.
func newKept(s *s3Storage, name, etag string, size int64) (*keptObject, error) {
	f, err := nameless()
	if err != nil {
		return nil, err
	}
	o := &keptObject{store: s, name: name, etag: etag, size: size, file: f, blocks: make([]blockState, (size+blockBytes-1)/blockBytes)}
	o.moved = sync.NewCond(&o.mu)
	return o, nil
}

// bytes is how much of the disk the object takes.
func (o *keptObject) bytes() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.have
}

// openObject is an object opened by one reader.
type openObject struct {
	*keptObject
	once sync.Once
}

// Open implements lake.Storage. It asks for the size; blocks come as they are read.
func (s *s3Storage) Open(name string) (lake.Object, error) {
	out, err := s.head(name)
	if err != nil {
		return nil, err
	}
	etag := aws.ToString(out.ETag)
	o, err := s.kept.take(name, etag, func() (*keptObject, error) { return newKept(s, name, etag, aws.ToInt64(out.ContentLength)) })
	if err != nil {
		return nil, err
	}
	return &openObject{keptObject: o}, nil
}

// Size implements lake.Object.
func (o *keptObject) Size() int64 { return o.size }

// Close implements lake.Object.
func (o *openObject) Close() (err error) {
	o.once.Do(func() { err = o.store.kept.release(o.keptObject) })
	return err
}

// ReadAt implements io.ReaderAt. The blocks that it needs are fetched side by side, and those behind them where it reads on.
func (o *keptObject) ReadAt(p []byte, offset int64) (int, error) {
	if offset < 0 || offset >= o.size {
		return 0, io.EOF
	}
	end := min(offset+int64(len(p)), o.size)
	if len(p) > 0 {
		if err := o.fetch(offset/blockBytes, (end-1)/blockBytes); err != nil {
			return 0, err
		}
	}
	n, err := o.file.ReadAt(p[:end-offset], offset)
	if err == nil && n < len(p) {
		err = io.EOF
	}
	return n, err
}

// fetch waits until some blocks are there.
func (o *keptObject) fetch(first, last int64) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	until := last
	if first == o.next || last >= o.next && first < o.next { // one after the other
		until = min(last+aheadBlocks, int64(len(o.blocks))-1)
	}
	o.next = last + 1
	failed := make(map[int64]error)
	start := func(b int64) {
		o.blocks[b] = coming
		go func() {
			err := o.get(b)
			o.mu.Lock()
			defer o.mu.Unlock()
			if o.blocks[b] = there; err != nil {
				o.blocks[b] = missing
				failed[b] = err
			} else {
				o.have += o.length(b)
			}
			o.moved.Broadcast()
		}()
	}
	for b := first; b <= until; b++ {
		if o.blocks[b] == missing {
			start(b)
		}
	}
	for b := first; b <= last; b++ {
		for o.blocks[b] != there {
			if err := failed[b]; err != nil {
				return err
			}
			if o.blocks[b] == missing { // another reader's request for it failed
				start(b)
			}
			o.moved.Wait()
		}
	}
	return nil
}

// length returns how many bytes a block has.
func (o *keptObject) length(b int64) int64 { return min((b+1)*blockBytes, o.size) - b*blockBytes }

// get fetches a block. A connection that breaks in the middle goes on where it broke.
func (o *keptObject) get(b int64) error {
	o.store.slots <- struct{}{}
	defer func() { <-o.store.slots }()
	ctx, cancel := request()
	defer cancel()
	at, end := b*blockBytes, b*blockBytes+o.length(b)
	for try := 1; ; try++ {
		n, err := o.getRange(ctx, at, end)
		if at += n; at == end {
			return nil
		}
		switch {
		case statusOf(err) == http.StatusPreconditionFailed:
			return fmt.Errorf("%s was replaced while it was read: run the command again", o.store.Path(o.name))
		case errors.Is(err, os.ErrClosed): // fetched ahead, and nobody wants it any more
			return err
		case err != nil && (statusOf(err) != 0 || try == tries || ctx.Err() != nil):
			return o.store.said("read", o.name, err)
		}
		time.Sleep(min(time.Duration(try)*50*time.Millisecond, pauseMost)) // the client itself pauses before an answer begins, not in the middle
	}
}

// getRange fetches the bytes from at to end-1, as many as come.
func (o *keptObject) getRange(ctx context.Context, at, end int64) (n int64, err error) {
	out, err := o.store.client.GetObject(ctx, &s3.GetObjectInput{
		Bucket: &o.store.bucket, Key: o.store.key(o.name), IfMatch: &o.etag, Range: aws.String(fmt.Sprintf("bytes=%d-%d", at, end-1)),
	})
	if err != nil {
		return 0, err
	}
	defer out.Body.Close()
	return io.Copy(io.NewOffsetWriter(o.file, at), io.LimitReader(out.Body, end-at))
}
