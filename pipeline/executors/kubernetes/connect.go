package kubernetes

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-yaml"
)

// account is the folder in which a pod finds the credentials of its account.
const account = "/var/run/secrets/kubernetes.io/serviceaccount"

// Connect finds the cluster as kubectl does: in the files that KUBECONFIG names, by the account of the pod in which this process runs, or in
// ~/.kube/config. Nothing is asked of the cluster yet.
func Connect() (*Client, error) {
	if paths := os.Getenv("KUBECONFIG"); paths != "" {
		return fromFiles(filepath.SplitList(paths))
	}
	if InCluster() {
		return fromAccount(os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT"))
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, err
	}
	return fromFiles([]string{filepath.Join(home, ".kube", "config")})
}

// InCluster says whether this process runs in a pod.
func InCluster() bool { return os.Getenv("KUBERNETES_SERVICE_HOST") != "" }

// fromAccount takes the credentials of the pod. Its token is written anew every hour, so it is read for every request.
func fromAccount(host, port string) (*Client, error) {
	namespace, err := os.ReadFile(filepath.Join(account, "namespace"))
	if err != nil {
		return nil, fmt.Errorf("this pod has no account at the cluster: %w", err)
	}
	authority, err := os.ReadFile(filepath.Join(account, "ca.crt"))
	if err != nil {
		return nil, err
	}
	secured, err := trusting(authority, false)
	if err != nil {
		return nil, err
	}
	return newClient("https://"+net.JoinHostPort(host, port), strings.TrimSpace(string(namespace)), secured, tokenIn(filepath.Join(account, "token"))), nil
}

// tokenIn reads a token from a file, anew every time.
func tokenIn(path string) func() (string, error) {
	return func() (string, error) {
		token, err := os.ReadFile(path)
		return strings.TrimSpace(string(token)), err
	}
}

// kubeconfig is what is used of such a file. A path in it is relative to its folder.
type kubeconfig struct {
	Current  string `yaml:"current-context"`
	Clusters []struct {
		Name    string
		Cluster cluster
	}
	Users []struct {
		Name string
		User user
	}
	Contexts []struct {
		Name    string
		Context struct{ Cluster, User, Namespace string }
	}
	folders map[string]string // by "cluster " or "user " and a name
}

// cluster is where an API server is, and whom its certificate is to be signed by.
type cluster struct {
	Server     string
	ServerName string `yaml:"tls-server-name"`
	Insecure   bool   `yaml:"insecure-skip-tls-verify"`
	File       string `yaml:"certificate-authority"`
	Data       string `yaml:"certificate-authority-data"` // base64
}

// user is who asks.
type user struct {
	Token           string
	TokenFile       string `yaml:"tokenFile"`
	CertificateFile string `yaml:"client-certificate"`
	CertificateData string `yaml:"client-certificate-data"` // base64
	KeyFile         string `yaml:"client-key"`
	KeyData         string `yaml:"client-key-data"` // base64
	Exec            *plugin
}

// plugin is a program that prints a token, as clouds have them.
type plugin struct {
	APIVersion string `yaml:"apiVersion"`
	Command    string
	Args       []string
	Env        []struct{ Name, Value string }
}

// fromFiles takes the current context of kubeconfig files. As kubectl does, it takes of every name what the first file says.
func fromFiles(paths []string) (*Client, error) {
	all := kubeconfig{folders: make(map[string]string)}
	for _, path := range paths {
		if err := all.add(path); err != nil && (len(paths) == 1 || !errors.Is(err, os.ErrNotExist)) {
			return nil, fmt.Errorf("no cluster is known: %w", err)
		}
	}
	where := strings.Join(paths, ", ")
	for _, c := range all.Contexts {
		if c.Name != all.Current {
			continue
		}
		namespace := c.Context.Namespace
		if namespace == "" {
			namespace = "default"
		}
		for _, known := range all.Clusters {
			if known.Name != c.Context.Cluster {
				continue
			}
			for _, who := range all.Users {
				if who.Name == c.Context.User {
					return who.User.client(known.Cluster, namespace, all.folders["cluster "+known.Name], all.folders["user "+who.Name])
				}
			}
			return nil, fmt.Errorf("%s: the context %s names the user %s, who is not there", where, c.Name, c.Context.User)
		}
		return nil, fmt.Errorf("%s: the context %s names the cluster %s, which is not there", where, c.Name, c.Context.Cluster)
	}
	return nil, fmt.Errorf("%s: the current context %q is not there (kubectl config use-context NAME)", where, all.Current)
}

// add takes in what another file says.
func (k *kubeconfig) add(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var one kubeconfig
	if err := yaml.Unmarshal(text, &one); err != nil {
		return fmt.Errorf("%s: %s", path, yaml.FormatError(err, false, false))
	}
	if k.Current == "" {
		k.Current = one.Current
	}
	folder := filepath.Dir(path)
	for _, c := range one.Clusters {
		if _, has := k.folders["cluster "+c.Name]; !has {
			k.Clusters, k.folders["cluster "+c.Name] = append(k.Clusters, c), folder
		}
	}
	for _, u := range one.Users {
		if _, has := k.folders["user "+u.Name]; !has {
			k.Users, k.folders["user "+u.Name] = append(k.Users, u), folder
		}
	}
	k.Contexts = append(k.Contexts, one.Contexts...)
	return nil
}

// client makes the client of a user.
func (u *user) client(at cluster, namespace, clusterFolder, userFolder string) (*Client, error) {
	authority, err := given(at.Data, at.File, clusterFolder)
	if err != nil {
		return nil, err
	}
	secured, err := trusting(authority, at.Insecure)
	if err != nil {
		return nil, err
	}
	secured.ServerName = at.ServerName
	certificate, err := given(u.CertificateData, u.CertificateFile, userFolder)
	if err != nil {
		return nil, err
	}
	if certificate != nil {
		key, err := given(u.KeyData, u.KeyFile, userFolder)
		if err != nil {
			return nil, err
		}
		pair, err := tls.X509KeyPair(certificate, key)
		if err != nil {
			return nil, fmt.Errorf("the client's certificate: %w", err)
		}
		secured.Certificates = []tls.Certificate{pair}
	}
	var token func() (string, error)
	switch {
	case u.Token != "":
		token = func() (string, error) { return u.Token, nil }
	case u.TokenFile != "":
		token = tokenIn(within(userFolder, u.TokenFile))
	case u.Exec != nil:
		token = u.Exec.token()
	}
	return newClient(at.Server, namespace, secured, token), nil
}

// given is what a kubeconfig holds itself, or in a file; nil if neither.
func given(data, file, folder string) ([]byte, error) {
	if data != "" {
		return base64.StdEncoding.DecodeString(data)
	}
	if file != "" {
		return os.ReadFile(within(folder, file))
	}
	return nil, nil
}

// within is a path that may be relative to a folder.
func within(folder, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(folder, path)
}

// trusting is how a server is trusted whose certificate an authority signed; none given, as the machine trusts others.
func trusting(authority []byte, insecure bool) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: insecure}
	if authority != nil {
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(authority) {
			return nil, errors.New("the certificate of the cluster's authority cannot be read")
		}
	}
	return config, nil
}

// token runs the program when a token is needed, and again when it says that the last one is no longer good.
func (p *plugin) token() func() (string, error) {
	var mu sync.Mutex
	var last string
	var until time.Time
	return func() (string, error) {
		mu.Lock()
		defer mu.Unlock()
		if last != "" && (until.IsZero() || time.Now().Before(until)) {
			return last, nil
		}
		c := exec.Command(p.Command, p.Args...)
		c.Env = append(os.Environ(), `KUBERNETES_EXEC_INFO={"kind":"ExecCredential","apiVersion":"`+p.APIVersion+`","spec":{"interactive":false}}`)
		for _, v := range p.Env {
			c.Env = append(c.Env, v.Name+"="+v.Value)
		}
		var said bytes.Buffer
		c.Stderr = &said
		text, err := c.Output()
		if err != nil {
			return "", fmt.Errorf("%s, which the kubeconfig names for credentials: %w: %s", p.Command, err, strings.TrimSpace(said.String()))
		}
		var answer struct {
			Status struct {
				Token   string    `json:"token"`
				Expires time.Time `json:"expirationTimestamp"`
			} `json:"status"`
		}
		if err := json.Unmarshal(text, &answer); err != nil || answer.Status.Token == "" {
			return "", fmt.Errorf("%s, which the kubeconfig names for credentials, printed no token", p.Command)
		}
		last, until = answer.Status.Token, answer.Status.Expires
		return last, nil
	}
}
