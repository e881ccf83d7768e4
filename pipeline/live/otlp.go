package live

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracelake/tracelake/pipeline/workers"
)

// Bounds of what is sent by OTLP over HTTP.
const (
	mostBody    = 16 << 20 // bytes of a request, also when they are decompressed
	mostAtOnce  = 4        // requests that are read at once; others wait
	mostWait    = 2 * time.Second
	mostHeaders = 16 << 10
)

// OTLP is a source that takes traces by OTLP over HTTP, which is what is posted to /v1/traces, in JSON or protobuf, plain or by gzip, and over gRPC. The
// first request decides the encoding, as a trace has one. It never ends by itself.
//
// The bytes of the trace are the bodies of the requests, in the order in which they were taken: those of JSON each with a line feed behind it, those
// of protobuf one behind the other, which is one message of all. A request is answered with 200 when the recording has its bytes, hence it is not
// lost by the end of the recording; whatever is refused is answered with a reason and counted.
type OTLP struct {
	isTraces func(head []byte) bool
	bodies   chan *body
	places   chan struct{}
	ended    chan struct{}
	once     sync.Once
	server   *http.Server
	calls    *grpc.Server // nil where gRPC is not taken
	group    workers.Group

	rest *body // the body at hand; only Read uses it
	left []byte

	refused  refusals
	mu       sync.Mutex
	encoding string // of the trace, "" before the first request
}

// body is what a request brings. Whoever takes the last byte of it closes taken.
type body struct {
	bytes []byte
	taken chan struct{}
}

// ListenOTLP is a source that takes traces over HTTP at HOST:PORT, and over gRPC too at HOST:PORT,PORT. No host is this machine alone, and no ports
// are 4318 and 4317. The addresses are in the order of the ports. A format begins as isTraces says.
func ListenOTLP(address string, isTraces func(head []byte) bool) (*OTLP, []net.Addr, error) {
	listeners, err := listenAll(address, "4318", "4317")
	if err != nil {
		return nil, nil, err
	}
	s := &OTLP{
		isTraces: isTraces, bodies: make(chan *body), places: make(chan struct{}, mostAtOnce), ended: make(chan struct{}),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", s.take)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, &refusal{http.StatusNotFound, "not posted to /v1/traces"})
	})
	s.server = &http.Server{
		Handler: mux, MaxHeaderBytes: mostHeaders, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		ErrorLog: log.New(io.Discard, "", 0), // a client that speaks something else is answered, and no more
	}
	s.group.Go(func() error {
		if err := s.server.Serve(listeners[0]); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	if len(listeners) > 1 {
		s.serveCalls(listeners[1])
	}
	return s, addresses(listeners), nil
}

// refusal is why a request is not taken.
type refusal struct {
	code   int
	reason string
}

func (r *refusal) Error() string { return r.reason }

// refuse answers with a reason, and counts it.
func (s *OTLP) refuse(w http.ResponseWriter, err error) {
	why := &refusal{http.StatusBadRequest, "broken off"}
	errors.As(err, &why)
	s.refused.add(why.reason)
	if why.code == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	http.Error(w, why.reason, why.code)
}

// Refused says in words how many requests were refused for each reason; "" if none was.
func (s *OTLP) Refused() string {
	words := s.refused.words()
	if words != "" {
		words = "requests were refused: " + words
	}
	return words
}

// take takes a request, and answers when the recording has it.
func (s *OTLP) take(w http.ResponseWriter, r *http.Request) {
	var encoding string
	err := s.inPlace(func() (err error) {
		var text []byte
		if encoding, text, err = s.read(w, r); err == nil {
			err = s.record(r.Context(), text)
		}
		return err
	})
	if err != nil {
		s.refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", encoding)
	if encoding == jsonType {
		w.Write([]byte("{}"))
	} // an answer without any field has no bytes in protobuf
}

// inPlace takes a request as soon as there are not too many.
func (s *OTLP) inPlace(take func() error) error {
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
		return take()
	case <-time.After(mostWait):
		return &refusal{http.StatusServiceUnavailable, "too many at once"}
	}
}

// record waits until the recording has what a request brings.
func (s *OTLP) record(ctx context.Context, text []byte) error {
	if len(text) == 0 {
		return nil
	}
	b := &body{text, make(chan struct{})}
	select {
	case s.bodies <- b:
		select {
		case <-b.taken:
			return nil
		case <-s.ended: // the recording failed
		}
	case <-s.ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	return &refusal{http.StatusServiceUnavailable, "behind the end of the recording"}
}

const (
	jsonType     = "application/json"
	protobufType = "application/x-protobuf"
)

// read reads the body of a request, and returns what the trace gets of it.
func (s *OTLP) read(w http.ResponseWriter, r *http.Request) (encoding string, text []byte, err error) {
	encoding, _, err = mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || encoding != jsonType && encoding != protobufType {
		return "", nil, &refusal{http.StatusUnsupportedMediaType, "neither " + jsonType + " nor " + protobufType}
	}
	if text, err = whole(http.MaxBytesReader(w, r.Body, mostBody), r.Header.Get("Content-Encoding")); err != nil {
		return "", nil, err
	}
	if encoding == jsonType {
		text = bytes.TrimSpace(text)
		if len(text) == 0 || text[0] != '{' || !json.Valid(text) {
			return "", nil, &refusal{http.StatusBadRequest, "not an object of JSON"}
		}
		if !s.isTraces(text[:min(len(text), enoughHead)]) {
			return encoding, nil, s.empty(text)
		}
		text = append(text, '\n')
	} else if err := s.message(text); err != nil {
		return "", nil, err
	}
	return encoding, text, s.encoded(encoding, text)
}

// message refuses what is no message with traces.
func (s *OTLP) message(text []byte) error {
	if !fields(text) {
		return &refusal{http.StatusBadRequest, "not a message of protobuf"}
	}
	if len(text) > 0 && !s.isTraces(text[:min(len(text), enoughHead)]) {
		return &refusal{http.StatusBadRequest, "not traces"}
	}
	return nil
}

// encoded refuses traces in another encoding than that of the first ones.
func (s *OTLP) encoded(encoding string, text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.encoding == "" && len(text) > 0 {
		s.encoding = encoding
	}
	if len(text) > 0 && s.encoding != encoding {
		return &refusal{http.StatusUnsupportedMediaType, "in another encoding than the first request, which was " + s.encoding}
	}
	return nil
}

// empty returns nil for an object without members, which is a request without traces.
func (s *OTLP) empty(text []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err == nil && len(members) == 0 {
		return nil
	}
	return &refusal{http.StatusBadRequest, "not traces"}
}

// whole reads what is sent, and decompresses it.
func whole(in io.Reader, compression string) ([]byte, error) {
	switch compression {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, unread(err, "not by gzip, as it says")
		}
		in = z
	default:
		return nil, &refusal{http.StatusUnsupportedMediaType, "compressed by something else than gzip"}
	}
	text, err := io.ReadAll(io.LimitReader(in, mostBody+1))
	if err != nil {
		return nil, unread(err, "broken off")
	}
	if len(text) > mostBody {
		return nil, errTooLong
	}
	return text, nil
}

var errTooLong = &refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("longer than %d bytes", mostBody)}

// unread is the refusal of what could not be read.
func unread(err error, reason string) error {
	if long := (*http.MaxBytesError)(nil); errors.As(err, &long) {
		return errTooLong
	}
	return &refusal{http.StatusBadRequest, reason}
}

// fields says whether a message of protobuf has whole fields, as messages that are put together must.
func fields(message []byte) bool {
	for len(message) > 0 {
		_, _, n := protowire.ConsumeField(message)
		if n < 0 {
			return false
		}
		message = message[n:]
	}
	return true
}

// Read implements Source.
func (s *OTLP) Read(p []byte) (int, error) {
	if s.rest == nil {
		select {
		case s.rest = <-s.bodies:
			s.left = s.rest.bytes
		default:
			return 0, nil
		}
	}
	n := copy(p, s.left)
	if s.left = s.left[n:]; len(s.left) == 0 {
		close(s.rest.taken)
		s.rest = nil
	}
	return n, nil
}

// Close implements Source. Requests that wait are told to come again.
func (s *OTLP) Close() error {
	s.once.Do(func() { close(s.ended) })
	if s.calls != nil {
		s.calls.Stop()
	}
	soon, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := s.server.Shutdown(soon); err != nil {
		return s.server.Close()
	}
	return nil
}
