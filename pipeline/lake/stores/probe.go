package stores

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"

	"golang.org/x/sync/errgroup"
)

// probers is how many writers try to write one object at a time.
const probers = 32

// probe tries whether the store keeps to conditions: of several writers that make an object unless it is there one wins, and so does one of
// several that replace it if it is what it was. Stores that say yes to several, or that know no conditions and say yes to all, would
// lose what others commit, in silence.
func (s *s3Storage) probe() error {
	name := "_probe-" + rand.Text()
	if err := s.contend(name, "unless it is there (If-None-Match)", "", "*"); err != nil {
		return err
	}
	_, stamp, err := s.ReadStamped(name)
	if err == nil {
		err = s.contend(name, "if it is what it was (If-Match)", etagOf(stamp), "")
	}
	if err != nil {
		return err
	}
	return s.Remove(name)
}

// contend has all writers write an object on one condition.
func (s *s3Storage) contend(name, how, match, noneMatch string) error {
	texts, won := make([][]byte, probers), make([]bool, probers)
	var writers errgroup.Group
	for i := range texts {
		texts[i] = []byte(rand.Text())
		writers.Go(func() error {
			_, err := s.put(name, texts[i], match, noneMatch)
			if won[i] = err == nil; won[i] || statusOf(err) == http.StatusPreconditionFailed {
				return nil
			}
			return s.said("write", name, err)
		})
	}
	if err := writers.Wait(); err != nil {
		return err
	}
	have, _, err := s.ReadStamped(name)
	if err != nil {
		return err
	}
	written := slices.IndexFunc(texts, func(text []byte) bool { return bytes.Equal(text, have) })
	wins := 0
	for _, w := range won {
		if w {
			wins++
		}
	}
	// Where the answer to the winner was lost, it was told at its second try that the object is there.
	if written >= 0 && (wins == 0 || wins == 1 && won[written]) {
		return nil
	}
	s.Remove(name)
	return fmt.Errorf("%s cannot hold a lake: of %d writers that wrote an object %s, the store told %d that they did, and one may be told; "+
		"writers would lose each other's tables. Use a store that keeps to conditional writes, or a folder", s.Path(""), probers, how, wins)
}
