// Package objecttest is an object store for tests: gofakes3 in the test's process, on loopback, in front of which answers fail as those of
// real stores do. Programs that the test starts find it by their environment.
package objecttest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// Bucket is the name of the only bucket.
const Bucket = "night"

// Fault is what goes wrong with a request.
type Fault int

// The faults.
const (
	None   Fault = iota
	Busy         // 503, and nothing is done
	Cut          // the connection ends in the middle of the answer
	Lost         // the request is done, and the connection ends without an answer
	Unsaid       // conditions of a PUT are passed over: a store that does not know them
	Asleep       // the request reaches the store only when Wake is called
)

// Store is the object store of a test.
type Store struct {
	mu       sync.Mutex
	fault    func(*http.Request) Fault // nil: none
	requests map[string]int            // by method
	faults   int
	awake    chan struct{} // closed by Wake
	backend  *s3mem.Backend
}

// Start starts a store with an empty bucket, and sets the environment by which clients find it.
func Start(t testing.TB) *Store {
	s := &Store{backend: s3mem.New(), requests: make(map[string]int), awake: make(chan struct{})}
	if err := s.backend.CreateBucket(Bucket); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.behind(gofakes3.New(s.backend).Server()))
	t.Cleanup(server.Close)
	none := filepath.Join(t.TempDir(), "none")
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": server.URL, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1",
		"AWS_CONFIG_FILE": none, "AWS_SHARED_CREDENTIALS_FILE": none, "AWS_EC2_METADATA_DISABLED": "true", "AWS_PROFILE": "",
		"NO_PROXY": "127.0.0.1",
	} {
		old, had := os.LookupEnv(name)
		os.Setenv(name, value)
		t.Cleanup(func() {
			if os.Unsetenv(name); had {
				os.Setenv(name, old)
			}
		})
	}
	return s
}

// Fail has a function say what goes wrong with each request from now on.
func (s *Store) Fail(fault func(*http.Request) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

// Wake lets the requests that sleep reach the store, once.
func (s *Store) Wake() { close(s.awake) }

// Requests returns how many requests with a method came, and Faults how many went wrong.
func (s *Store) Requests(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[method]
}

// Faults returns how many requests went wrong.
func (s *Store) Faults() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults
}

// Every returns a function for Fail: the n-th request of a method goes wrong, and every n-th after it.
func Every(n int, method string, fault Fault) func(*http.Request) Fault {
	count := 0
	return func(r *http.Request) Fault {
		if r.Method != method {
			return None
		}
		if count++; count%n == 0 {
			return fault
		}
		return None
	}
}

// behind puts faults in front of a store.
func (s *Store) behind(store http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests[r.Method]++
		fault := None
		if s.fault != nil {
			fault = s.fault(r)
		}
		if fault != None {
			s.faults++
		}
		s.mu.Unlock()
		switch fault {
		case Busy:
			w.WriteHeader(http.StatusServiceUnavailable)
		case Cut:
			store.ServeHTTP(&half{ResponseWriter: w}, r)
			panic(http.ErrAbortHandler)
		case Lost:
			store.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		case Asleep:
			<-s.awake
			store.ServeHTTP(w, r)
		case Unsaid:
			r.Header.Del("If-None-Match")
			r.Header.Del("If-Match")
			store.ServeHTTP(w, r)
		default:
			store.ServeHTTP(w, r)
		}
	})
}

// half lets the first half of each piece of an answer through, and nothing after it.
type half struct {
	http.ResponseWriter
	cut bool
}

// Write implements io.Writer.
func (h *half) Write(p []byte) (int, error) {
	if !h.cut {
		h.cut = true
		h.ResponseWriter.Write(p[:len(p)/2])
		h.ResponseWriter.(http.Flusher).Flush()
	}
	return len(p), nil
}

// Download writes all objects below a prefix into a folder.
func (s *Store) Download(t testing.TB, prefix, dir string) {
	t.Helper()
	all, err := s.backend.ListBucket(Bucket, &gofakes3.Prefix{HasPrefix: true, Prefix: prefix + "/"}, gofakes3.ListBucketPage{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range all.Contents {
		object, err := s.backend.GetObject(Bucket, o.Key, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(object.Contents)
		object.Contents.Close()
		to := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(o.Key, prefix+"/")))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o777)
		}
		if err == nil {
			err = os.WriteFile(to, text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Put writes an object.
func (s *Store) Put(t testing.TB, key string, text []byte) {
	t.Helper()
	if _, err := s.backend.PutObject(Bucket, key, nil, bytes.NewReader(text), int64(len(text)), nil); err != nil {
		t.Fatal(err)
	}
}
