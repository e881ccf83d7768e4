// Package stores opens lakes wherever they lie: in a folder, or in the bucket of an object store that speaks S3's protocol
// (s3://bucket/prefix), such as those of AWS, MinIO, Ceph and Google. Endpoint, region and credentials come from where the
// tools of AWS look for them: AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_PROFILE, the files in ~/.aws, and the roles of machines
// and pods.
//
//	open.go      which store a name means
//	s3.go        the methods of lake.Objects, each a request or a few
//	object.go    reading: blocks of objects, fetched ahead and side by side, kept in nameless files
//	upload.go    writing: a nameless file, then one PUT, or parts
//	probe.go     whether a store keeps to conditions, on which all rests
//
// The store must answer a read with what was last written, and keep to If-None-Match and If-Match of a PUT: of several writers one
// wins. Where a bucket is first used that is tried.
package stores

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// scheme begins the names of lakes in object stores.
const scheme = "s3://"

// IsObjects reports whether a name means a lake in an object store, and not a folder.
func IsObjects(name string) bool { return strings.HasPrefix(name, scheme) }

// Open opens the lake of a name, as lake.Open opens one in a folder. When there is none, it makes one if create is set.
func Open(name string, create bool) (*lake.Lake, error) {
	if !IsObjects(name) {
		return lake.Open(name, create)
	}
	bucket, prefix, _ := strings.Cut(strings.TrimPrefix(name, scheme), "/")
	if bucket == "" {
		return nil, fmt.Errorf("%s names no bucket: write s3://BUCKET/PREFIX", name)
	}
	s, err := connect(bucket, strings.Trim(prefix, "/"))
	if err != nil {
		return nil, err
	}
	if create {
		if _, _, err := s.ReadStamped("_lake.json"); errors.Is(err, fs.ErrNotExist) {
			if err := s.probe(); err != nil {
				return nil, err
			}
		}
	}
	return lake.OpenStorage(s, create)
}

// Upgrade is lake.Upgrade for a lake in a folder. No lake in an object store has an earlier format.
func Upgrade(ctx context.Context, name string) (bool, error) {
	if IsObjects(name) {
		return false, nil
	}
	return lake.Upgrade(ctx, name)
}

// Absolute returns a name of a lake that means the same in another working directory.
func Absolute(name string) (string, error) {
	if IsObjects(name) {
		return name, nil
	}
	return filepath.Abs(name)
}
