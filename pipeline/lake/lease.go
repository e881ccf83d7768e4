package lake

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tracelake/tracelake/pipeline/process"
)

// A lease is the right of one process to change one partition. It is a file, which one process can claim and which it
// touches as long as it lives:
//
//	_leases/<partition>.<generation>.json            who holds the lease, or held it
//	_leases/<partition>.<generation>.<token>.commit  the inventory that a holder is about to put in its place
//
// A holder that has ended on this machine, or that has not touched its file for leaseExpiry, is succeeded by whoever
// claims the next generation. That needs no clock that two machines share: who waits watches the file with its own clock.
//
// A holder that only stood still may wake up and commit. So a commit (1) writes its file, (2) looks whether the lease is
// still its own, and (3) renames its file into the place of the inventory; and a successor (1) claims its generation, (2)
// removes the lease and then the .commit files of older ones, and (3) goes on. Either the holder sees in (2) that it has
// a successor, or its file is gone in (3), or it was faster and the successor finds its inventory. No lock is needed. A sweep looks before every file that it removes
// whether the lease is still its own: what a successor has put there since, its inventory does not name.

const (
	leasesFolder = "_leases"
	commitEnding = ".commit"
)

// renewal is how often a holder touches its file, and leaseExpiry after which time without that it counts as dead. Network
// file systems may show a time up to a minute late.
const renewal, leaseExpiry = 10 * time.Second, 2 * time.Minute

// holder is the content of a lease.
type holder struct {
	process.Process
	Token string    `json:"token"` // no other lease has it
	Since time.Time `json:"since"` // for people
}

// BusyError is the error of a partition that another process is changing.
type BusyError struct {
	Partition Partition // the one that another process holds
	holder    holder
}

// Error implements error. A lease that was claimed or released this moment may not say whose it is.
func (e *BusyError) Error() string {
	if e.holder.Pid == 0 {
		return fmt.Sprintf("%s %s: another process is writing it", e.Partition.Key, e.Partition.Name)
	}
	return fmt.Sprintf("%s %s: %s is writing it, since %s", e.Partition.Key, e.Partition.Name, e.holder.Process, e.holder.Since.Format(time.DateTime))
}

// errLost is the error of a process whose lease another one took over.
var errLost = errors.New("another process took over what this one was writing, since it stood still for too long: run it again")

// lease is held by this process.
type lease struct {
	partition  Partition
	generation int
	token      string
	uses       int           // of goroutines of this process, which share it
	ended      chan struct{} // closed when it is released
	tidying    bool          // sweeps of objects spare what is younger than spared
}

// leasePath returns the name of a lease.
func leasePath(p Partition, generation int) string {
	return path.Join(leasesFolder, fmt.Sprintf("%s.%d.json", p, generation))
}

// Lease gives this process the right to change a partition, until release is called as often as Lease was. It waits while
// another process has it, and calls l.Waiting once then. Who holds a lease takes none of another partition, or two
// processes might wait for each other. Readers need no lease.
func (l *Lake) Lease(ctx context.Context, p Partition) (release func(), err error) {
	announced := false
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, time.Second/2) {
		release, err = l.tryLease(p)
		busy := new(BusyError)
		if !errors.As(err, &busy) {
			return release, err
		}
		if pause > 200*time.Millisecond && !announced && l.Waiting != nil {
			l.Waiting(busy)
			announced = true
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Recover clears up after a process that was killed while it held the lease of a partition, if there was one. It is for
// those who find nothing to do there, and so take no lease themselves.
func (l *Lake) Recover(p Partition) error {
	all, err := l.generations(p)
	if err != nil || len(all) == 0 {
		return err
	}
	release, err := l.tryLease(p)
	if errors.As(err, new(*BusyError)) {
		return nil // its holder lives
	}
	if err == nil {
		release()
	}
	return err
}

// tryLease is Lease without waiting: the error is a *BusyError while another process holds the lease.
func (l *Lake) tryLease(p Partition) (release func(), err error) {
	l.leases.mu.Lock()
	defer l.leases.mu.Unlock()
	held := l.leases.held[p]
	if held == nil {
		if held, err = l.claim(p); err != nil {
			return nil, err
		}
		if l.leases.held == nil {
			l.leases.held = make(map[Partition]*lease)
		}
		l.leases.held[p] = held
		go l.renew(held)
	}
	held.uses++
	return func() { l.release(held) }, nil
}

// heldLease is the lease of a partition that this process holds.
func (l *Lake) heldLease(p Partition) *lease {
	l.leases.mu.Lock()
	defer l.leases.mu.Unlock()
	return l.leases.held[p]
}

// release removes the lease's file when nobody in this process uses the lease any more.
func (l *Lake) release(held *lease) {
	l.leases.mu.Lock()
	defer l.leases.mu.Unlock()
	if held.uses--; held.uses > 0 {
		return
	}
	delete(l.leases.held, held.partition)
	close(held.ended)
	if holds, err := l.holdsLease(held); holds && err == nil {
		l.storage.Remove(leasePath(held.partition, held.generation)) // what stays is that of an ended process
	}
}

// renew touches the lease's file until the lease is released.
func (l *Lake) renew(held *lease) {
	tick := time.NewTicker(renewal)
	defer tick.Stop()
	for {
		select {
		case <-held.ended:
			return
		case <-tick.C:
			l.storage.Touch(leasePath(held.partition, held.generation)) // where that fails, the lease expires
		}
	}
}

// holdsLease reports whether the file of a lease is there and its own. A successor removes it. Where the file cannot be
// read, nothing is known.
func (l *Lake) holdsLease(held *lease) (bool, error) {
	h, _, err := l.holderOf(held.partition, held.generation)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return h.Token == held.token, err
}

// checkLease returns errLost unless this process still holds a lease. A successor that has claimed its generation, and has
// not removed the older ones yet, may also be about to withdraw: that is decided within moments, or by its end. One of which
// neither is known, on another machine, has the lease: nobody waits for it for ever.
func (l *Lake) checkLease(held *lease) error {
	for began := time.Now(); ; {
		if holds, err := l.holdsLease(held); err != nil || !holds {
			return cmp.Or(err, errLost)
		}
		all, err := l.generations(held.partition)
		if err != nil {
			return err
		}
		if len(all) == 0 {
			return errLost
		}
		last := all[len(all)-1]
		if last <= held.generation {
			return nil
		}
		if h, _, err := l.holderOf(held.partition, last); err == nil && h.Ended() {
			return unlessGone(l.storage.Remove(leasePath(held.partition, last)))
		}
		if time.Since(began) > cmp.Or(l.leases.expiry, leaseExpiry) {
			return errLost
		}
		time.Sleep(time.Millisecond)
	}
}

// unlessGone is the error of a removal: that somebody else was faster is none.
func unlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// generations lists the generations of the leases of a partition that there are, in ascending order.
func (l *Lake) generations(p Partition) (all []int, err error) {
	names, err := l.storage.List(leasesFolder)
	for _, name := range names {
		rest, is := strings.CutSuffix(name, ".json")
		of, number := cutLast(rest)
		n, notOne := strconv.Atoi(number)
		if is && of == p.String() && notOne == nil {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all, err
}

// leasedPartition returns the partition of a lease or of a .commit file.
func leasedPartition(name string) string {
	rest, isCommit := strings.CutSuffix(name, commitEnding)
	if isCommit {
		rest, _ = cutLast(rest) // the token
	}
	of, _ := cutLast(strings.TrimSuffix(rest, ".json"))
	return of
}

// cutLast cuts a name at its last dot. Names of partitions may have dots, too.
func cutLast(name string) (before, after string) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return name, ""
	}
	return name[:i], name[i+1:]
}

// holderOf reads a lease, with the stamp of its file.
func (l *Lake) holderOf(p Partition, generation int) (h holder, stamp string, err error) {
	name := leasePath(p, generation)
	if l.objects != nil { // one request
		text, stamp, err := l.objects.ReadStamped(name)
		if err == nil {
			err = json.Unmarshal(text, &h)
		}
		return h, stamp, err
	}
	if stamp, err = l.storage.Stamp(name); err != nil {
		return h, "", err
	}
	text, err := readFile(l.storage, name)
	if err == nil {
		err = json.Unmarshal(text, &h)
	}
	return h, stamp, err
}

// claim takes the lease of a partition if nobody has it, or its holder is dead.
func (l *Lake) claim(p Partition) (*lease, error) {
	all, err := l.generations(p)
	if err != nil {
		return nil, err
	}
	mine := holder{Process: process.Self, Token: process.NewAttempt(), Since: time.Now().UTC().Truncate(time.Second)}
	held := &lease{partition: p, generation: 1, token: mine.Token, ended: make(chan struct{})}
	before := make(map[string]bool) // tokens of earlier leases
	for _, n := range all {
		if h, _, err := l.holderOf(p, n); err == nil {
			before[h.Token] = true
		}
	}
	if len(all) > 0 {
		held.generation = all[len(all)-1] + 1
		if err := l.dead(p, held.generation-1); err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(mine)
	if err != nil {
		return nil, err
	}
	if err := l.storage.Claim(leasePath(p, held.generation), text); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil, &BusyError{Partition: p} // another process was faster: the next look shows which
		}
		return nil, err
	}
	return held, l.succeed(held, before)
}

// dead returns a *BusyError unless the holder of a lease has ended, or the lease has expired. A file that is there and says
// nothing is one that is being written.
func (l *Lake) dead(p Partition, generation int) error {
	h, stamp, err := l.holderOf(p, generation)
	if errors.Is(err, fs.ErrNotExist) {
		return &BusyError{p, h} // released this moment: the next look shows it
	}
	if stamp == "" {
		return err // nothing is known of the file, least of all that its holder is dead
	}
	if err == nil && h.Ended() {
		return nil
	}
	seen := l.leases.seen[p]
	if seen.stamp != stamp {
		if l.leases.seen == nil {
			l.leases.seen = make(map[Partition]sighting)
		}
		seen = sighting{stamp, time.Now()}
		l.leases.seen[p] = seen
	}
	if time.Since(seen.first) > cmp.Or(l.leases.expiry, leaseExpiry) {
		return nil
	}
	return &BusyError{p, h}
}

// leases are those of this process, and what it saw of others.
type leases struct {
	mu     sync.Mutex
	held   map[Partition]*lease
	seen   map[Partition]sighting // the files of other processes' leases
	expiry time.Duration          // leaseExpiry, unless a test sets it
}

// sighting is when this process first saw a lease's file with a stamp.
type sighting struct {
	stamp string
	first time.Time
}

// succeed takes over from an earlier holder, if there was one, after the claim of the next generation: it takes back the
// claim where others were faster, and otherwise shuts the earlier ones out and removes what they left unfinished.
func (l *Lake) succeed(held *lease, before map[string]bool) error {
	p := held.partition
	all, err := l.generations(p)
	if err != nil {
		return l.withdraw(held, err)
	}
	// This process may have stood still since it claimed the lease, for so long that others succeeded it, and went again.
	// Its number may be another's by now.
	holds, err := l.holdsLease(held)
	if err != nil {
		return l.withdraw(held, err)
	}
	if !holds || all[len(all)-1] > held.generation {
		return l.withdraw(held, &BusyError{Partition: p})
	}
	if held.generation == 1 {
		return nil
	}
	for _, n := range all[:len(all)-1] {
		// Numbers come again: the lease may have been taken over, released and taken since it was found dead.
		if h, _, err := l.holderOf(p, n); err == nil && !before[h.Token] {
			return l.withdraw(held, &BusyError{p, h})
		}
	}
	for _, n := range all[:len(all)-1] {
		if err := unlessGone(l.storage.Remove(leasePath(p, n))); err != nil {
			return l.withdraw(held, err)
		}
	}
	if err := l.removeCommits(held); err != nil {
		return l.withdraw(held, err)
	}
	if l.objects != nil {
		return nil // see above
	}
	if _, err := l.sweepRest(held); err != nil {
		return l.withdraw(held, err)
	}
	return nil
}

// withdraw takes back a claim, where it is still this process's, and returns why.
func (l *Lake) withdraw(held *lease, why error) error {
	if holds, err := l.holdsLease(held); err != nil || !holds {
		return why
	}
	return cmp.Or(unlessGone(l.storage.Remove(leasePath(held.partition, held.generation))), why)
}

// removeCommits removes the files that earlier holders were about to put in the place of an inventory.
func (l *Lake) removeCommits(held *lease) error {
	names, err := l.storage.List(leasesFolder)
	for _, name := range names {
		_, token := cutLast(strings.TrimSuffix(name, commitEnding))
		is := strings.HasSuffix(name, commitEnding) && leasedPartition(name) == held.partition.String()
		if err == nil && is && token != held.token {
			err = unlessGone(l.storage.Remove(path.Join(leasesFolder, name)))
		}
	}
	return err
}

// replace puts a text in the place of a file, as the holder of a lease and only as that.
func (l *Lake) replace(held *lease, name string, text []byte) error {
	staged := path.Join(leasesFolder, fmt.Sprintf("%s.%d.%s%s", held.partition, held.generation, held.token, commitEnding))
	f, err := l.storage.Create(staged)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Commit())
	if err == nil {
		err = l.checkLease(held)
	}
	if err != nil {
		return errors.Join(err, unlessGone(l.storage.Remove(staged)))
	}
	err = l.storage.Rename(staged, name)
	if errors.Is(err, fs.ErrNotExist) {
		return errLost
	}
	return err
}
