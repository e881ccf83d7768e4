// Package kubernetes has tasks of stages, and whole analyses of runs, done by the pods of a Kubernetes cluster: one Indexed Job each.
//
// It speaks to the API server by plain requests. What a Job reports decides nothing: the records of the tasks do (package executors).
package kubernetes

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client speaks to the API server of a cluster.
type Client struct {
	Server    string // its URL
	Namespace string // in which Jobs are made

	http  *http.Client
	token func() (string, error) // nil where a certificate says who asks
}

// newClient makes a client. No answer is longer in coming than half a minute, as nothing is watched.
func newClient(server, namespace string, tls *tls.Config, token func() (string, error)) *Client {
	return &Client{
		Server: strings.TrimSuffix(server, "/"), Namespace: namespace, token: token,
		http: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: tls}},
	}
}

// StatusError is the refusal of a request by the API server.
type StatusError struct {
	Code    int    `json:"code"`    // as in HTTP
	Reason  string `json:"reason"`  // one word, as AlreadyExists
	Message string `json:"message"` // a sentence
}

// Error implements error.
func (e *StatusError) Error() string {
	hint := ""
	switch e.Code {
	case http.StatusUnauthorized:
		hint = ": the cluster does not know who asks; look at the credentials of the kubeconfig"
	case http.StatusForbidden:
		hint = ": the account needs a role with create, get and delete of jobs, and get and list of pods"
	}
	return fmt.Sprintf("Kubernetes answers %d: %s%s", e.Code, e.Message, hint)
}

// mayPass says whether an error may pass by itself: the server or the way to it is out of order.
func mayPass(err error) bool {
	refused := new(StatusError)
	if errors.As(err, &refused) {
		return refused.Code == http.StatusTooManyRequests || refused.Code >= 500
	}
	return err != nil
}

// isCode says whether the API server refused a request by a code of HTTP.
func isCode(err error, code int) bool {
	refused := new(StatusError)
	return errors.As(err, &refused) && refused.Code == code
}

// longestAnswer bounds what is read of an answer, in bytes: a list of a thousand pods has some megabytes.
const longestAnswer = 256 << 20

// do sends a request below the namespace, as in jobs/NAME of the group batch/v1, and decodes the answer.
func (c *Client) do(ctx context.Context, method, group, path string, query url.Values, body, answer any) error {
	var text io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return err
		}
		text = bytes.NewReader(encoded)
	}
	at := c.Server + "/" + group + "/namespaces/" + url.PathEscape(c.Namespace) + "/" + path
	if len(query) > 0 {
		at += "?" + query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, method, at, text)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	if c.token != nil {
		token, err := c.token()
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	said, err := io.ReadAll(io.LimitReader(response.Body, longestAnswer))
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		refused := &StatusError{Message: strings.TrimSpace(string(said[:min(len(said), 200)]))}
		json.Unmarshal(said, refused) // what is no JSON stays as it is
		refused.Code = response.StatusCode
		return refused
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(said, answer); err != nil {
		return fmt.Errorf("%s does not answer as Kubernetes does: %w", c.Server, err)
	}
	return nil
}

// The groups of what is asked for.
const (
	core  = "api/v1"
	batch = "apis/batch/v1"
)
