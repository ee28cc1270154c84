package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/web/client"
)

// tokenCookie names the cookie with the token for host. Browsers send cookies to every
// port of a machine and keep one for each name: without the port a second server
// would lock the browser out of the first.
func tokenCookie(host string) string {
	name := "ludozero-token"
	if _, port, err := net.SplitHostPort(host); err == nil {
		name += "-" + port
	}
	return name
}

// guarded passes allowed requests on to h. The headers that it sets apply to every
// answer.
func (s *Server) guarded(h http.Handler) http.Handler {
	sameOrigin := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Content-Security-Policy", client.Policy)
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("Cross-Origin-Resource-Policy", "same-origin")
		head.Set("X-Frame-Options", "DENY")
		if !s.knownHost(r.Host) {
			fail(w, http.StatusForbidden, "this server does not answer to the name "+shortHost(r.Host)+": use its address, or add the name with --host")
			return
		}
		// Before requests are counted: strangers must not use up the limit of others.
		if s.cfg.Token != "" && !s.admitted(w, r) {
			return
		}
		if sameOrigin.Check(r) != nil || foreign(r) {
			fail(w, http.StatusForbidden, "this request comes from another page")
			return
		}
		if !s.requests.Allow() {
			fail(w, http.StatusTooManyRequests, "too many requests: try again in a moment")
			return
		}
		select {
		case s.flying <- struct{}{}:
			defer func() { <-s.flying }()
		default:
			fail(w, http.StatusServiceUnavailable, "too many requests at once: try again in a moment")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, bodyBytes)
		h.ServeHTTP(w, r)
	})
}

// foreign reports whether a page of another origin makes the request, as for a picture
// in it. The browser would hide the answer from it, but we would have the work. Links
// are allowed.
func foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return r.Header.Get("Sec-Fetch-Dest") != "document"
	}
	return false
}

// shortHost cuts a name in a request to a reasonable length.
func shortHost(host string) string { return host[:min(len(host), 80)] }

// knownHost reports whether a request is meant for this server. A site that points
// its own name to this address (DNS rebinding) still sends that name, never an
// address.
func (s *Server) knownHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return true
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	return name == "localhost" || slices.Contains(s.cfg.Hosts, name)
}

// admitted reports whether a request has the token, and answers the others. A visit
// with the token in its address gets a cookie and a redirect to the address without.
func (s *Server) admitted(w http.ResponseWriter, r *http.Request) bool {
	if given := r.URL.Query().Get("token"); given != "" && r.Method == http.MethodGet && r.URL.Path == "/" {
		if s.isToken(given) {
			// Lax: the address may be a link on another site, as in a letter.
			http.SetCookie(w, &http.Cookie{Name: tokenCookie(r.Host), Value: given, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
			w.Header().Set("Cache-Control", "no-store")
			http.Redirect(w, r, "./", http.StatusSeeOther)
			return false
		}
	} else if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		if s.isToken(bearer) {
			return true
		}
	} else if c, err := r.Cookie(tokenCookie(r.Host)); err == nil && s.isToken(c.Value) {
		return true
	}
	w.Header().Set("WWW-Authenticate", "Bearer")
	fail(w, http.StatusUnauthorized, "this server wants its token: open the address that it printed when it was started")
	return false
}

// isToken compares in a time that does not depend on the value given.
func (s *Server) isToken(given string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.cfg.Token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}
