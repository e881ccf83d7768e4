package ingest

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// isTar says whether the beginning of a file is that of a tar archive (POSIX.1-1988 and later).
func isTar(head []byte) bool { return len(head) > 262 && bytes.Equal(head[257:262], []byte("ustar")) }

// unpack writes what a tar archive holds into a folder of the staging area, which goes with it.
// The folder lies on the disk of the lake, where there is room for a trace, and goes when the ingest ends or its
// work is dropped.
func (in *intake) unpack(path string) (folder string, err error) {
	if folder, err = in.staging.Folder(); err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	r, err := Decompress(f)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	// A root refuses names that lead out of its folder, by dots or by links, whatever the archive says.
	root, err := os.OpenRoot(folder)
	if err != nil {
		return "", err
	}
	defer root.Close()
	for archive := tar.NewReader(r); ; {
		member, err := archive.Next()
		if err == io.EOF {
			return folder, nil
		}
		if err != nil {
			return "", fmt.Errorf("%s: unpacking it: %w", path, err)
		}
		if err := unpackOne(root, member, archive); err != nil {
			return "", fmt.Errorf("%s: unpacking %s: %w", path, member.Name, err)
		}
	}
}

// unpackOne writes one member. Links and devices are no part of a trace, and no name leads out of the folder.
// Folders that the archive does not list are made, as tar does.
func unpackOne(root *os.Root, member *tar.Header, content io.Reader) error {
	name := filepath.Clean(filepath.FromSlash(member.Name))
	switch member.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(name, 0o777)
	case tar.TypeReg:
		if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		f, err := root.Create(name)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, content)
		return errors.Join(err, f.Close())
	}
	return nil
}
