package live

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/tracelake/tracelake/pipeline/workers"
)

// stream is what comes from a pipe or from connections, read by a goroutine of its own, as reading it waits.
type stream struct {
	pieces chan []byte
	ended  chan struct{} // closed by Close
	once   sync.Once
	close  func() error
	rest   []byte // of the piece at hand
	err    error  // how it ended; set before pieces is closed
	group  workers.Group
}

// pieceBytes is how much is read at once; so many pieces wait at most.
const (
	pieceBytes = 64 << 10
	waiting    = 16
)

// NewStream is a source of which each Read may wait: a pipe. It ends where the reader does.
func NewStream(in io.Reader) Source {
	s := newStream(func() error { return nil })
	s.group.Go(func() error {
		defer close(s.pieces)
		s.err = s.take(in)
		return nil
	})
	return s
}

// Listen is a source that takes what is sent to an address: of a network as in net.Listen, tcp or unix. It takes one connection after the other,
// as a program that is started again connects anew, and never ends by itself.
func Listen(network, address string) (Source, net.Addr, error) {
	l, err := net.Listen(network, address)
	if err != nil {
		return nil, nil, err
	}
	s := newStream(l.Close)
	s.group.Go(func() error {
		defer close(s.pieces)
		for {
			c, err := l.Accept()
			if err != nil {
				s.err = io.EOF // closed
				return nil
			}
			s.takeConnection(c)
		}
	})
	return s, l.Addr(), nil
}

// listenTCP listens at HOST:PORT, of which either may be missing: no host is this machine alone.
func listenTCP(address, port string) (net.Listener, error) {
	host := address
	if strings.Contains(address, ":") {
		h, p, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		host, port = h, cmp.Or(p, port)
	}
	return net.Listen("tcp", net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port))
}

// listenAll listens at HOST:PORT,PORT. No host is this machine alone, and no ports are those given; the second one may be left out.
func listenAll(address, first, second string) (listeners []net.Listener, err error) {
	host, ports := address, ""
	if at := strings.LastIndexByte(address, ':'); at >= 0 && !strings.HasSuffix(address, "]") {
		host, ports = strings.Trim(address[:at], "[]"), address[at+1:]
	}
	all := []string{first, second}
	if ports != "" {
		all = strings.Split(ports, ",")
	}
	if len(all) > 2 {
		return nil, fmt.Errorf("%s: there are at most two ports", address)
	}
	for _, port := range all {
		l, err := net.Listen("tcp", net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port))
		if err != nil {
			return nil, errors.Join(err, closeAll(listeners))
		}
		listeners = append(listeners, l)
	}
	return listeners, nil
}

// closeAll closes listeners.
func closeAll(listeners []net.Listener) (err error) {
	for _, l := range listeners {
		err = errors.Join(err, l.Close())
	}
	return err
}

// addresses are where listeners listen.
func addresses(listeners []net.Listener) (at []net.Addr) {
	for _, l := range listeners {
		at = append(at, l.Addr())
	}
	return at
}

// takeConnection takes what comes from a connection, until it ends or the source is closed. A connection that breaks ends, too.
func (s *stream) takeConnection(c net.Conn) {
	over := make(chan struct{})
	s.group.Go(func() error {
		select {
		case <-s.ended:
		case <-over:
		}
		return c.Close()
	})
	s.take(c)
	close(over)
}

func newStream(close func() error) *stream {
	return &stream{pieces: make(chan []byte, waiting), ended: make(chan struct{}), close: close}
}

// take hands on what a reader has, and returns its error.
func (s *stream) take(in io.Reader) error {
	for {
		piece := make([]byte, pieceBytes)
		n, err := in.Read(piece)
		if n > 0 {
			select {
			case s.pieces <- piece[:n]:
			case <-s.ended:
				return io.EOF
			}
		}
		if err != nil {
			return err
		}
	}
}

// Read implements Source.
func (s *stream) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		select {
		case piece, more := <-s.pieces:
			if !more {
				return 0, s.err
			}
			s.rest = piece
		default:
			return 0, nil
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// Close implements Source. A pipe whose writer says nothing more is left to itself.
func (s *stream) Close() (err error) {
	s.once.Do(func() {
		close(s.ended)
		err = s.close()
	})
	return err
}
