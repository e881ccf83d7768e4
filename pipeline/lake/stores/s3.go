package stores

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/schema"
)

const (
	// requestTime bounds a request with all its retries. A block or a part of an upload is megabytes.
	requestTime = 5 * time.Minute
	// answerTime is how long an attempt waits for the first byte of an answer.
	answerTime = time.Minute
	// tries is how often a request is sent that was not answered, or answered by 500, 503 and the like. The pauses double, up to pauseMost.
	tries, pauseMost = 10, 10 * time.Second
	// requestsAtATime bounds the requests for blocks and parts that run side by side in a process.
	requestsAtATime = 16
)

// s3Storage is lake.Objects in a bucket.
type s3Storage struct {
	client *s3.Client
	bucket string
	prefix string        // of all names, without a slash at its end; "" for the whole bucket
	slots  chan struct{} // holds one for each request for a block or a part
	kept   keptObjects   // what was read and written
	mu     sync.Mutex
	rooms  map[string][]string // folders of this machine's disk that ScratchFolder made, by staging folder
}

// connect makes the client of a bucket. It sends no request.
func connect(bucket, prefix string) (*s3Storage, error) {
	client := awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
		t.ResponseHeaderTimeout, t.MaxIdleConnsPerHost = answerTime, 2*requestsAtATime
	})
	c, err := config.LoadDefaultConfig(context.Background(), config.WithHTTPClient(client), config.WithLogger(logging.Nop{}),
		config.WithRetryer(func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts, o.MaxBackoff = tries, pauseMost
				o.Retryables = append(o.Retryables, retry.IsErrorRetryableFunc(brokenOff))
				o.RateLimiter = unlimited{} // else a store that is overloaded for a minute ends an analysis of hours
			})
		}))
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", scheme, bucket, err)
	}
	if c.Region == "" {
		c.Region = "us-east-1" // stores other than AWS know no regions, and AWS names the right one in its refusal
	}
	s := &s3Storage{bucket: bucket, prefix: prefix, slots: make(chan struct{}, requestsAtATime), rooms: make(map[string][]string)}
	s.client = s3.NewFromConfig(c, func(o *s3.Options) {
		o.UsePathStyle = o.BaseEndpoint != nil // what is not AWS has no name for each bucket
		// Other stores know nothing of checksums in trailers. Signatures, the checksums of pages and those of inventories stay.
		o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
		o.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
	})
	s.kept.limit = freeBytes(os.TempDir()) / 4
	return s, nil
}

// brokenOff says that an answer that ends in the middle is asked for again. The client knows this of connections only.
func brokenOff(err error) aws.Ternary {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return aws.TrueTernary
	}
	return aws.UnknownTernary
}

// unlimited is a retry.RateLimiter that lets every retry through: their number and pauses are bounded.
type unlimited struct{}

// GetToken implements retry.RateLimiter.
func (unlimited) GetToken(context.Context, uint) (func() error, error) {
	return func() error { return nil }, nil
}

// AddTokens implements retry.RateLimiter.
func (unlimited) AddTokens(uint) error { return nil }

// key returns the key of a file's object.
func (s *s3Storage) key(name string) *string { return aws.String(path.Join(s.prefix, name)) }

// below returns what the keys of the files below a folder begin with.
func (s *s3Storage) below(folder string) string {
	if at := path.Join(s.prefix, folder); at != "" {
		return at + "/"
	}
	return ""
}

// Path implements lake.Storage: the name that --lake and other programs take.
func (s *s3Storage) Path(name string) string { return scheme + path.Join(s.bucket, s.prefix, name) }

// request is a context for one request.
func request() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), requestTime)
}

// statusOf returns the HTTP status of an answer that is an error, or 0 where there was none.
func statusOf(err error) int {
	if r := new(awshttp.ResponseError); errors.As(err, &r) {
		return r.HTTPStatusCode()
	}
	return 0
}

// said makes the error of a request one of the file: its name, fs.ErrNotExist and fs.ErrExist, and what to do.
func (s *s3Storage) said(op, name string, err error) error {
	if err == nil {
		return nil
	}
	var api smithy.APIError
	if errors.As(err, &api) && api.ErrorCode() == "NoSuchBucket" {
		return fmt.Errorf("there is no bucket %s: make it, or name another one with --lake", s.bucket)
	}
	switch statusOf(err) {
	case http.StatusNotFound:
		return &fs.PathError{Op: op, Path: s.Path(name), Err: fs.ErrNotExist}
	case http.StatusPreconditionFailed:
		return &fs.PathError{Op: op, Path: s.Path(name), Err: fs.ErrExist}
	case http.StatusForbidden, http.StatusUnauthorized:
		return fmt.Errorf("%s %s: the store refuses it (%w): see that AWS_PROFILE or AWS_ACCESS_KEY_ID name one who may", op, s.Path(name), err)
	}
	return fmt.Errorf("%s %s: %w", op, s.Path(name), err)
}

// conflicted reports whether a conditional write is to be sent again, as another one was under way.
func conflicted(err error) bool { return statusOf(err) == http.StatusConflict }

// put writes a small object on a condition: an ETag that it has, "*" for none there, or "" for none. It returns the new ETag.
func (s *s3Storage) put(name string, text []byte, match, noneMatch string) (etag string, err error) {
	ctx, cancel := request()
	defer cancel()
	in := &s3.PutObjectInput{Bucket: &s.bucket, Key: s.key(name)}
	if match != "" {
		in.IfMatch = &match
	}
	if noneMatch != "" {
		in.IfNoneMatch = &noneMatch
	}
	for pause := 20 * time.Millisecond; ; pause *= 2 {
		in.Body = bytes.NewReader(text)
		out, err := s.client.PutObject(ctx, in)
		if err == nil {
			return aws.ToString(out.ETag), nil
		}
		if !conflicted(err) || pause > pauseMost {
			return "", err
		}
		time.Sleep(pause)
	}
}

// Replace implements lake.Storage.
func (s *s3Storage) Replace(name string, text []byte) error {
	_, err := s.put(name, text, "", "")
	return s.said("write", name, err)
}

// Claim implements lake.Storage. Where the answer to a PUT was lost and it was sent again, the object is there and is this one: all
// who claim a name write another text, or it is all the same who did.
func (s *s3Storage) Claim(name string, text []byte) error {
	_, err := s.put(name, text, "", "*")
	if statusOf(err) != http.StatusPreconditionFailed {
		return s.said("claim", name, err)
	}
	have, _, unread := s.ReadStamped(name)
	if unread == nil && bytes.Equal(have, text) {
		return nil
	}
	return s.said("claim", name, err)
}

// ReplaceIf implements lake.Objects.
func (s *s3Storage) ReplaceIf(name, stamp string, text []byte) error {
	match, noneMatch := "", "*"
	if stamp != "" {
		match, noneMatch = etagOf(stamp), ""
	}
	_, err := s.put(name, text, match, noneMatch)
	if status := statusOf(err); status != http.StatusPreconditionFailed && status != http.StatusNotFound {
		return s.said("write", name, err)
	}
	have, _, unread := s.ReadStamped(name)
	switch {
	case unread == nil && bytes.Equal(have, text): // the answer to an earlier try was lost
		return nil
	case unread != nil && !errors.Is(unread, fs.ErrNotExist):
		return unread
	}
	return lake.ErrChanged
}

// stampOf makes a stamp of what a store says of an object. Two texts have two ETags, and a lease that is touched has another time.
func stampOf(etag *string, changed *time.Time) string {
	return fmt.Sprint(aws.ToString(etag), " ", aws.ToTime(changed).Unix())
}

// etagOf returns the ETag in a stamp.
func etagOf(stamp string) string {
	etag, _, _ := strings.Cut(stamp, " ")
	return etag
}

// ReadStamped implements lake.Objects. A connection that breaks in the middle of an answer is begun again.
func (s *s3Storage) ReadStamped(name string) (text []byte, stamp string, err error) {
	ctx, cancel := request()
	defer cancel()
	for try := 1; ; try++ {
		out, err := s.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &s.bucket, Key: s.key(name)})
		if err != nil {
			return nil, "", s.said("read", name, err)
		}
		text, err = io.ReadAll(out.Body)
		out.Body.Close()
		if err == nil && out.ContentLength != nil && int64(len(text)) != *out.ContentLength {
			err = io.ErrUnexpectedEOF
		}
		if err == nil || try == tries || ctx.Err() != nil {
			return text, stampOf(out.ETag, out.LastModified), s.said("read", name, err)
		}
	}
}

// head asks for what a store knows of an object.
func (s *s3Storage) head(name string) (*s3.HeadObjectOutput, error) {
	ctx, cancel := request()
	defer cancel()
	out, err := s.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &s.bucket, Key: s.key(name)})
	return out, s.said("open", name, err)
}

// Stamp implements lake.Storage.
func (s *s3Storage) Stamp(name string) (string, error) {
	out, err := s.head(name)
	if err != nil {
		return "", err
	}
	return stampOf(out.ETag, out.LastModified), nil
}

// Changed implements lake.Storage.
func (s *s3Storage) Changed(name string) (time.Time, error) {
	out, err := s.head(name)
	if err != nil {
		return time.Time{}, err
	}
	return aws.ToTime(out.LastModified), nil
}

// Touch implements lake.Storage: the object is written again if it is what it was, so that one that was removed meanwhile stays away.
func (s *s3Storage) Touch(name string) error {
	text, stamp, err := s.ReadStamped(name)
	if err != nil {
		return err
	}
	_, err = s.put(name, text, etagOf(stamp), "")
	return s.said("touch", name, err)
}

// Remove implements lake.Storage. S3 does not say whether there was an object. Where the answer to a request is lost, the object of the
// name may be another process's by the time of the next one, as a lease is that was given back and taken: so it is looked at.
func (s *s3Storage) Remove(name string) error {
	stamp, err := s.Stamp(name)
	for try := 1; err == nil; try++ {
		if err = s.said("remove", name, s.removeOnce(name)); err == nil || try == tries || statusOf(err) != 0 && statusOf(err) < http.StatusInternalServerError {
			break
		}
		time.Sleep(min(time.Duration(try)*50*time.Millisecond, pauseMost))
		now, unknown := s.Stamp(name)
		if errors.Is(unknown, fs.ErrNotExist) || unknown == nil && etagOf(now) != etagOf(stamp) {
			return nil // it was removed
		}
		err = unknown
	}
	return err
}

// removeOnce sends one request.
func (s *s3Storage) removeOnce(name string) error {
	ctx, cancel := request()
	defer cancel()
	_, err := s.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &s.bucket, Key: s.key(name)}, func(o *s3.Options) { o.Retryer = aws.NopRetryer{} })
	return err
}

// RemoveAll implements lake.Storage. What was put on this machine's disk for the folder goes, too.
func (s *s3Storage) RemoveAll(folder string) error {
	s.mu.Lock()
	rooms := s.rooms[folder]
	delete(s.rooms, folder)
	s.mu.Unlock()
	for _, room := range rooms {
		if err := process.RemoveFolder(room); err != nil {
			return err
		}
	}
	return s.pages(folder, "", func(page *s3.ListObjectsV2Output) error {
		var gone []types.ObjectIdentifier // a page has a thousand at most, as many as a request may name
		for _, o := range page.Contents {
			gone = append(gone, types.ObjectIdentifier{Key: o.Key})
		}
		if len(gone) == 0 {
			return nil
		}
		ctx, cancel := request()
		defer cancel()
		out, err := s.client.DeleteObjects(ctx, &s3.DeleteObjectsInput{Bucket: &s.bucket, Delete: &types.Delete{Objects: gone, Quiet: aws.Bool(true)}})
		if err == nil && len(out.Errors) > 0 {
			first := out.Errors[0]
			err = fmt.Errorf("%s: %s", aws.ToString(first.Key), aws.ToString(first.Message))
		}
		return s.said("remove", folder, err)
	})
}

// pages hands out the objects below a folder, page by page; with the delimiter "/" those directly in it and its folders.
func (s *s3Storage) pages(folder, delimiter string, f func(*s3.ListObjectsV2Output) error) error {
	in := &s3.ListObjectsV2Input{Bucket: &s.bucket, Prefix: aws.String(s.below(folder))}
	if delimiter != "" {
		in.Delimiter = &delimiter
	}
	for {
		ctx, cancel := request()
		page, err := s.client.ListObjectsV2(ctx, in)
		cancel()
		if err != nil {
			return s.said("list", folder, err)
		}
		if err := f(page); err != nil {
			return err
		}
		if !aws.ToBool(page.IsTruncated) {
			return nil
		}
		in.ContinuationToken = page.NextContinuationToken
	}
}

// List implements lake.Storage.
func (s *s3Storage) List(folder string) ([]string, error) {
	var names []string
	before := s.below(folder)
	err := s.pages(folder, "/", func(page *s3.ListObjectsV2Output) error {
		for _, o := range page.Contents {
			if name := strings.TrimPrefix(aws.ToString(o.Key), before); name != "" { // some tools make objects of folders
				names = append(names, name)
			}
		}
		for _, below := range page.CommonPrefixes {
			names = append(names, strings.TrimPrefix(aws.ToString(below.Prefix), before))
		}
		return nil
	})
	slices.Sort(names)
	return names, err
}

// Stamps implements lake.Objects.
func (s *s3Storage) Stamps(folder string) (map[string]string, error) {
	stamps, before := make(map[string]string), s.below(folder)
	err := s.pages(folder, "/", func(page *s3.ListObjectsV2Output) error {
		for _, o := range page.Contents {
			stamps[strings.TrimPrefix(aws.ToString(o.Key), before)] = stampOf(o.ETag, o.LastModified)
		}
		return nil
	})
	return stamps, err
}

// Rename implements lake.Storage for those who need no instant: the copy is there before the other one goes.
func (s *s3Storage) Rename(from, to string) error {
	out, err := s.head(from)
	if err == nil {
		err = s.copy(from, to, aws.ToInt64(out.ContentLength))
	}
	if err == nil {
		err = s.Remove(from)
	}
	return err
}

// Publish implements lake.Storage: the store copies, and nothing goes through this machine. Whoever publishes holds the lease, so that nobody
// takes the name between the two requests.
func (s *s3Storage) Publish(from, to string) error {
	if _, err := s.head(to); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = &fs.PathError{Op: "publish", Path: s.Path(to), Err: fs.ErrExist}
		}
		return err
	}
	out, err := s.head(from)
	if err != nil {
		return err
	}
	if err := s.copy(from, to, aws.ToInt64(out.ContentLength)); err != nil {
		return err
	}
	s.kept.rename(from, to)
	return nil
}

// Sync implements lake.Storage: an object that is there is durable.
func (s *s3Storage) Sync(...string) error { return nil }

// MakeFolder implements lake.Storage.
func (s *s3Storage) MakeFolder(string) error { return nil }

// Prune implements lake.Storage.
func (s *s3Storage) Prune(string) error { return nil }

// Scratch implements lake.Storage, where this machine has its temporary files.
func (s *s3Storage) Scratch(string) (schema.Scratch, error) { return nameless() }

// ScratchFolder implements lake.Storage, where this machine has its temporary files.
func (s *s3Storage) ScratchFolder(folder string) (string, error) {
	room, err := process.Folder("stage")
	if err == nil {
		s.mu.Lock()
		s.rooms[folder] = append(s.rooms[folder], room)
		s.mu.Unlock()
	}
	return room, err
}

// nameless opens a file of this machine's temporary files that vanishes with the process.
func nameless() (*os.File, error) {
	f, err := os.CreateTemp("", "tracelake-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
