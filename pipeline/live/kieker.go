package live

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/tracelake/tracelake/stages/ingest/kieker"
)

// Kieker is a source that takes what the TCP writers of Kieker send, of several programs at once. Each has a registry of its own, and is one
// connection to the first port, or one to each: records to the first, the registry to the second. It never ends by itself.
//
// The bytes of the trace are those that one writer would send: what comes is taken record by record, and gets numbers of one registry. So
// a connection that breaks off leaves nothing torn. What cannot be read ends its connection, and is counted with the reason.
type Kieker struct {
	*stream
	refused    refusals
	places     chan struct{}
	registries chan *registry // of programs whose connection for records did not come yet

	mu    sync.Mutex // of relay and the order of pieces
	relay *kieker.Relay
}

// registry is what came by a connection for a registry alone.
type registry struct {
	sender *kieker.Sender
	ended  chan struct{} // nothing more comes
}

// Bounds of what is sent by Kieker.
const (
	mostPrograms = 64              // connections at once
	registryWait = 5 * time.Second // for a registry, or an entry of it, that comes by another connection
)

// ListenKieker is a source that takes what is sent to HOST:PORT, or to HOST:PORT,PORT where the registry comes by a second port. No host is this
// machine alone, and no ports are 10133 and 10134. The addresses are in the order of the ports.
func ListenKieker(address string) (*Kieker, []net.Addr, error) {
	listeners, err := listenAll(address, "10133", "10134")
	if err != nil {
		return nil, nil, err
	}
	k := &Kieker{
		stream: newStream(func() error { return closeAll(listeners) }), places: make(chan struct{}, mostPrograms),
		registries: make(chan *registry, mostPrograms), relay: kieker.NewRelay(),
	}
	for i, l := range listeners {
		take := k.program
		if i == 1 {
			take = k.registry
		}
		k.group.Go(func() error { return k.accept(l, take) })
	}
	return k, addresses(listeners), nil
}

// Refused says in words what was refused; "" if nothing was.
func (k *Kieker) Refused() string {
	words := k.refused.words()
	if words != "" {
		words = "connections were refused or cut: " + words
	}
	return words
}

// accept takes connections until the source is closed.
func (k *Kieker) accept(l net.Listener, take func(net.Conn) error) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return nil // closed
		}
		select {
		case k.places <- struct{}{}:
		default:
			k.refused.add(fmt.Sprintf("beyond %d at once", mostPrograms))
			c.Close()
			continue
		}
		k.group.Go(func() error {
			defer func() { <-k.places }()
			over := make(chan struct{})
			defer close(over)
			k.group.Go(func() error {
				select {
				case <-k.ended:
				case <-over:
				}
				return c.Close()
			})
			if err := take(c); err != nil {
				k.refused.add(err.Error())
			}
			return nil
		})
	}
}

// program takes the records of a program, and its registry where that comes by the same connection.
func (k *Kieker) program(c net.Conn) error {
	var head [4]byte
	if _, err := io.ReadFull(c, head[:]); err != nil {
		return nil // it sent nothing
	}
	own := &registry{sender: k.relay.Sender()}
	if int32(binary.BigEndian.Uint32(head[:])) >= 0 { // no entry, of which the first record has some
		if own = k.nextRegistry(); own == nil {
			return errors.New("without the entries of their registry, as they come by a second connection")
		}
	}
	return k.takeAll(io.MultiReader(strings.NewReader(string(head[:])), c), own, own.sender.Take)
}

// nextRegistry waits for the registry of a program that sends it by another connection.
func (k *Kieker) nextRegistry() *registry {
	select {
	case r := <-k.registries:
		return r
	case <-k.ended:
	case <-time.After(registryWait):
	}
	return nil
}

// registry takes the registry of a program.
func (k *Kieker) registry(c net.Conn) error {
	r := &registry{sender: k.relay.Sender(), ended: make(chan struct{})}
	defer close(r.ended)
	select {
	case k.registries <- r:
	default:
		return errors.New("of registries without records")
	}
	return k.takeAll(c, r, r.sender.TakeEntries)
}

// takeAll takes what a connection brings, as take does that: what is whole at the beginning of p.
func (k *Kieker) takeAll(in io.Reader, own *registry, take func(out, p []byte) ([]byte, int, error)) error {
	buffer := make([]byte, 0, max(pieceBytes, kieker.MostItem))
	for {
		n, ended := in.Read(buffer[len(buffer):cap(buffer)])
		buffer = buffer[:len(buffer)+n]
		used, err := k.pass(buffer, take)
		for until := time.Now().Add(registryWait); errors.Is(err, kieker.ErrUnknownText) && own.more() && time.Now().Before(until); {
			buffer = append(buffer[:0], buffer[used:]...)
			if !k.pause() {
				return nil
			}
			used, err = k.pass(buffer, take)
		}
		buffer = append(buffer[:0], buffer[used:]...)
		if err != nil || ended != nil && len(buffer) == 0 {
			return err
		}
		if ended != nil {
			select {
			case <-k.ended:
				return nil
			default:
				return errors.New("broken off within a record")
			}
		}
	}
}

// more reports whether entries may come by another connection.
func (r *registry) more() bool {
	if r.ended == nil {
		return false
	}
	select {
	case <-r.ended:
		return false
	default:
		return true
	}
}

// pause waits for a moment; false if the source is closed meanwhile.
func (k *Kieker) pause() bool {
	select {
	case <-time.After(latest / 8):
		return true
	case <-k.ended:
		return false
	}
}

// pass hands on what is whole at the beginning of p, and returns how much that is.
func (k *Kieker) pass(p []byte, take func(out, p []byte) ([]byte, int, error)) (used int, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	out, used, err := take(nil, p)
	if len(out) > 0 {
		select {
		case k.pieces <- out:
		case <-k.ended:
		}
	}
	return used, err
}
