package serve

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"net"
	"net/http"
	"os"
	"strings"
)

// guard answers only whoever has the token, from a page of this server or from the address that it printed. Other users of the machine
// reach its loopback, too, and so does any page that a browser on it shows: these have no token, and a page whose name is made to point
// here sends that name as Host.
type guard struct {
	token  string
	listen string // the host of --listen
	next   http.Handler
}

// newToken returns 256 random bits as letters and digits.
func newToken() string {
	var b [32]byte
	rand.Read(b[:]) // never fails: see crypto/rand
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// policy is the content security policy of every page: scripts and styles of this server alone, nothing inline, no frames, no
// other origin.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; worker-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP implements http.Handler.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	switch {
	case !g.isOurs(r.Host):
		refuse(w, http.StatusForbidden, "This server is not "+r.Host+": open the address that analyze serve printed.")
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		h.Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "This server only answers GET.")
	case r.Header.Get("Origin") != "" && r.Header.Get("Origin") != "http://"+r.Host:
		refuse(w, http.StatusForbidden, "A page of "+r.Header.Get("Origin")+" may not ask this server.")
	case r.URL.Path == "/" && r.URL.Query().Has("token"):
		g.admit(w, r)
	case isLink(r):
		shell(w, "serve", stranger)
	case !sameSite(r):
		refuse(w, http.StatusForbidden, "Another page led here: open the address that analyze serve printed.")
	case !g.isAdmitted(r):
		refuse(w, http.StatusForbidden, "This browser is not admitted: open the address that analyze serve printed, with its token.")
	default:
		g.next.ServeHTTP(w, r)
	}
}

// isOurs reports whether a Host is this machine and not a name that somebody else made to point at it: localhost, an address of the
// loopback, or what --listen names. The port may be another one, as behind a tunnel of ssh. A server that listens on all addresses is
// known by any address and by the machine's own name.
func (g *guard) isOurs(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]")
	}
	ip := net.ParseIP(host)
	if strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback() || host != "" && strings.EqualFold(host, g.listen) {
		return true
	}
	if all := net.ParseIP(g.listen); g.listen != "" && (all == nil || !all.IsUnspecified()) {
		return false
	}
	name, err := os.Hostname()
	return ip != nil || err == nil && name != "" && strings.EqualFold(host, name)
}

// sameSite reports whether a browser says that the request comes from a page of this server, or from the user. Browsers that do not
// say are held by the cookie alone, which they send to no request from other sites.
func sameSite(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin" || site == "none"
}

// isLink reports whether a link on another site leads to a document here, such as a link in a comment of a build. The browser does not
// say with it who it is, since the cookie is strict. It gets the document that all pages share, which has nothing of the lake in it. What that
// document asks for is asked by a page of this server, with the cookie, where the browser has it; else the document says what is missing.
func isLink(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return r.Method == http.MethodGet && (site == "cross-site" || site == "same-site") && r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		r.Header.Get("Sec-Fetch-Dest") == "document" && (r.URL.Path == "/" || strings.HasPrefix(r.URL.Path, "/report/"))
}

// stranger is what a document says that a browser may not fill.
const stranger = "<p>This browser is not admitted: open the address that analyze serve printed, with its token, and then this link again.</p>"

// cookie is the name of the cookie. Servers on other ports of this machine share its cookies, so that each has a name of its own.
func (g *guard) cookie() string {
	sum := sha256.Sum256([]byte(g.token))
	return "tracelake_" + hex.EncodeToString(sum[:4])
}

// admit gives the cookie to whoever has the token, and leads to the page without it, so that it stands in no history.
func (g *guard) admit(w http.ResponseWriter, r *http.Request) {
	if subtle.ConstantTimeCompare([]byte(r.URL.Query().Get("token")), []byte(g.token)) != 1 {
		refuse(w, http.StatusForbidden, "The token is not that of this server: open the address that analyze serve printed last.")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: g.cookie(), Value: g.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	if sameSite(r) {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	// A strict cookie does not go along with a redirect that began on another page, such as the file that --open opens. What this document asks for
	// goes with the cookie, what stands behind # in the link stays, and its script takes the token out of the address.
	shell(w, "serve", "")
}

// isAdmitted reports whether a request has the cookie.
func (g *guard) isAdmitted(r *http.Request) bool {
	c, err := r.Cookie(g.cookie())
	return err == nil && subtle.ConstantTimeCompare([]byte(c.Value), []byte(g.token)) == 1
}

// refuse answers with a sentence.
func refuse(w http.ResponseWriter, code int, sentence string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	w.Write([]byte(sentence + "\n"))
}
