package live

import (
	"errors"
	"io"
	"net"

	"github.com/tracelake/tracelake/stages/ingest/uftrace"
)

// Uftrace is a source that takes what uftrace record --host sends, of one program. It ends where that ends.
//
// The bytes of the trace are the messages as they come. What is no message of uftrace, and further programs, are refused and counted.
type Uftrace struct {
	*stream
	refused refusals
	taken   chan struct{} // has one element while no program is recorded
}

// ListenUftrace is a source that takes what is sent to HOST:PORT. No host is this machine alone, and no port is 8090.
func ListenUftrace(address string) (*Uftrace, net.Addr, error) {
	l, err := listenTCP(address, "8090")
	if err != nil {
		return nil, nil, err
	}
	u := &Uftrace{stream: newStream(l.Close), taken: make(chan struct{}, 1)}
	u.group.Go(func() error {
		for {
			c, err := l.Accept()
			if err != nil {
				return nil // closed
			}
			u.group.Go(func() error {
				u.takeConnection(c)
				return nil
			})
		}
	})
	return u, l.Addr(), nil
}

// Refused says in words what was refused; "" if nothing was.
func (u *Uftrace) Refused() string {
	words := u.refused.words()
	if words != "" {
		words = "connections were refused or cut: " + words
	}
	return words
}

// takeConnection takes a program, if it is the first one.
func (u *Uftrace) takeConnection(c net.Conn) {
	over := make(chan struct{})
	defer close(over)
	u.group.Go(func() error {
		select {
		case <-u.ended:
		case <-over:
		}
		return c.Close()
	})
	var head [uftrace.MessageHead]byte
	if _, err := io.ReadFull(c, head[:]); err != nil {
		return // it sent nothing
	}
	m, err := uftrace.ReadMessage(head)
	if err != nil || !m.First {
		u.refused.add("not sent by uftrace record")
		return
	}
	select {
	case u.taken <- struct{}{}:
	default:
		u.refused.add("of a second program; start a recorder for each")
		return
	}
	if err := u.messages(c, head, m); err != nil {
		u.refused.add(err.Error())
	}
	u.err = io.EOF
	close(u.pieces)
}

// messages takes messages until the last one. The first one's heading was read.
func (u *Uftrace) messages(c io.Reader, head [uftrace.MessageHead]byte, m uftrace.Message) (err error) {
	piece := make([]byte, pieceBytes)
	for {
		if !u.pass(head[:]) {
			return nil
		}
		for left := m.Length; left > 0; {
			n, err := c.Read(piece[:min(left, pieceBytes)])
			if !u.pass(piece[:n]) {
				return nil
			}
			if left -= int64(n); err != nil && left > 0 {
				return errors.New("ended within a message")
			}
		}
		if m.Last {
			return nil
		}
		if n, err := io.ReadFull(c, head[:]); err != nil {
			u.pass(head[:n])
			return errors.New("ended without saying so, hence without names of modules and functions")
		}
		if m, err = uftrace.ReadMessage(head); err != nil {
			return errors.New("went on with something that is no message of uftrace")
		}
	}
}

// pass hands bytes on; false if the source is closed.
func (u *Uftrace) pass(p []byte) bool {
	select {
	case u.pieces <- append([]byte(nil), p...):
		return true
	case <-u.ended:
		return false
	}
}
