package stores

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"golang.org/x/sync/errgroup"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// What an upload is made of. A store takes 10,000 parts at most, and copies 5 GB at most by one request.
var (
	partBytes    int64 = 64 << 20 // an object up to this size is one PUT; a larger one has such parts, or larger ones
	mostParts    int64 = 9000
	copiedAtOnce int64 = 4 << 30
)

// newObject is a file being written: on this machine's disk until it is committed, since its length is not known before.
type newObject struct {
	*os.File // nameless
	store    *s3Storage
	name     string
	once     bool // unless there is one of the name
}

// Create implements lake.Storage. Nobody sees the file before it is committed.
func (s *s3Storage) Create(name string) (lake.NewObject, error) { return s.create(name, false) }

// CreateOnce implements lake.Objects.
func (s *s3Storage) CreateOnce(name string) (lake.NewObject, error) { return s.create(name, true) }

func (s *s3Storage) create(name string, once bool) (lake.NewObject, error) {
	f, err := nameless()
	if err != nil {
		return nil, err
	}
	return &newObject{f, s, name, once}, nil
}

// Abandon implements lake.NewObject.
func (f *newObject) Abandon() { f.File.Close() }

// Close implements lake.NewObject. Other machines read the file, so there is no less than a commit.
func (f *newObject) Close() error { return f.Commit() }

// Commit implements lake.NewObject. What was written is kept for those who read it next in this process.
func (f *newObject) Commit() error {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		f.File.Close()
		return err
	}
	etag, err := f.store.upload(f.name, f.File, size, f.once)
	if f.once && statusOf(err) == http.StatusPreconditionFailed {
		same, unread := f.isThere(size)
		if unread == nil && !same {
			return f.store.said("write", f.name, err) // fs.ErrExist, and it may be committed once more
		}
		f.File.Close()
		return unread
	}
	if err != nil {
		f.File.Close()
		return f.store.said("write", f.name, err)
	}
	o := &keptObject{store: f.store, name: f.name, etag: etag, size: size, file: f.File, have: size}
	o.moved = sync.NewCond(&o.mu)
	o.blocks = slices.Repeat([]blockState{there}, int((size+blockBytes-1)/blockBytes))
	f.store.kept.put(f.name, o)
	return nil
}

// isThere reports whether the object of the file's name has the file's bytes: another attempt wrote it, or this one did and the answer
// was lost.
func (f *newObject) isThere(size int64) (bool, error) {
	have, err := f.store.Open(f.name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer have.Close()
	if have.Size() != size {
		return false, nil
	}
	return equalBytes(io.NewSectionReader(have, 0, size), io.NewSectionReader(f.File, 0, size))
}

// equalBytes reports whether two readers of one length read the same.
func equalBytes(a, b io.Reader) (bool, error) {
	left, right := make([]byte, 1<<16), make([]byte, 1<<16)
	for {
		n, err := io.ReadFull(a, left)
		if _, other := io.ReadFull(b, right[:n]); other != nil && !errors.Is(other, io.EOF) {
			return false, other
		}
		if string(left[:n]) != string(right[:n]) {
			return false, nil
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// upload writes an object from a file: by one request, or in parts, side by side.
func (s *s3Storage) upload(name string, from io.ReaderAt, size int64, once bool) (etag string, err error) {
	var none *string
	if once {
		none = aws.String("*")
	}
	if size > partBytes {
		return s.inParts(name, size, max(partBytes, size/mostParts), none, func(ctx context.Context, id string, n int32, at, end int64) (types.CompletedPart, error) {
			out, err := s.client.UploadPart(ctx, &s3.UploadPartInput{
				Bucket: &s.bucket, Key: s.key(name), UploadId: &id, PartNumber: &n, Body: io.NewSectionReader(from, at, end-at), ContentLength: aws.Int64(end - at),
			})
			if err != nil {
				return types.CompletedPart{}, err
			}
			return types.CompletedPart{ETag: out.ETag, PartNumber: &n}, nil
		})
	}
	s.slots <- struct{}{}
	defer func() { <-s.slots }()
	ctx, cancel := request()
	defer cancel()
	out, err := s.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &s.bucket, Key: s.key(name), Body: io.NewSectionReader(from, 0, size), ContentLength: &size, IfNoneMatch: none,
	})
	if err != nil {
		return "", err
	}
	return aws.ToString(out.ETag), nil
}

// onePart writes the bytes from at to end-1 as the n-th part of an upload.
type onePart func(ctx context.Context, id string, n int32, at, end int64) (types.CompletedPart, error)

// inParts writes an object in parts of some bytes. It is there when all are.
func (s *s3Storage) inParts(name string, size, part int64, none *string, one onePart) (etag string, err error) {
	ctx, cancel := request()
	defer cancel()
	begun, err := s.client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: &s.bucket, Key: s.key(name)})
	if err != nil {
		return "", err
	}
	id := aws.ToString(begun.UploadId)
	parts := make([]types.CompletedPart, (size+part-1)/part)
	var sent errgroup.Group
	sent.SetLimit(requestsAtATime)
	for i := range parts {
		sent.Go(func() (err error) {
			s.slots <- struct{}{}
			defer func() { <-s.slots }()
			ctx, cancel := request()
			defer cancel()
			parts[i], err = one(ctx, id, int32(i+1), int64(i)*part, min(int64(i+1)*part, size))
			return err
		})
	}
	err = sent.Wait()
	if err == nil {
		etag, err = s.complete(name, id, parts, none)
	}
	if err != nil {
		ctx, cancel := request()
		defer cancel()
		// What is left of an upload costs money, and a bucket's rule may remove it. The error of before says more than one of this.
		s.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &s.bucket, Key: s.key(name), UploadId: &id})
	}
	return etag, err
}

// complete makes an object of its parts.
func (s *s3Storage) complete(name, id string, parts []types.CompletedPart, none *string) (string, error) {
	ctx, cancel := request()
	defer cancel()
	out, err := s.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &s.bucket, Key: s.key(name), UploadId: &id, MultipartUpload: &types.CompletedMultipartUpload{Parts: parts}, IfNoneMatch: none,
	})
	if err != nil {
		return "", err
	}
	return aws.ToString(out.ETag), nil
}

// copy has the store copy an object of a size.
func (s *s3Storage) copy(from, to string, size int64) error {
	source := copySource(s.bucket, aws.ToString(s.key(from)))
	var err error
	if size > copiedAtOnce {
		_, err = s.inParts(to, size, copiedAtOnce, nil, func(ctx context.Context, id string, n int32, at, end int64) (types.CompletedPart, error) {
			out, err := s.client.UploadPartCopy(ctx, &s3.UploadPartCopyInput{
				Bucket: &s.bucket, Key: s.key(to), CopySource: &source, UploadId: &id, PartNumber: &n, CopySourceRange: aws.String(fmt.Sprintf("bytes=%d-%d", at, end-1)),
			})
			if err != nil {
				return types.CompletedPart{}, err
			}
			return types.CompletedPart{ETag: out.CopyPartResult.ETag, PartNumber: &n}, nil
		})
	} else {
		ctx, cancel := request()
		defer cancel()
		_, err = s.client.CopyObject(ctx, &s3.CopyObjectInput{Bucket: &s.bucket, Key: s.key(to), CopySource: &source})
	}
	return s.said("copy", from, err)
}

// copySource names an object in a header, where all but slashes is escaped.
func copySource(bucket, key string) string {
	parts := strings.Split(bucket+"/"+key, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}
