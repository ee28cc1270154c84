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

// tokenCookie is the name of the cookie with the token of a browser that was let in
// to host. Browsers send cookies to every port of a machine, and keep one of a name:
// without the port a second server would lock the browser out of the first.
func tokenCookie(host string) string {
	name := "ludozero-token"
	if _, port, err := net.SplitHostPort(host); err == nil {
		name += "-" + port
	}
	return name
}

// guarded lets through to h what may be answered. The headers that it sets hold for
// every answer.
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
			fail(w, http.StatusForbidden, "this server is not called "+shortHost(r.Host)+": use its address, or name it with --host")
			return
		}
		// Before anything is counted: strangers do not use up what others may ask.
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

// foreign tells whether a browser asks for a page of another origin, as for a picture
// in it. It would not be told the answer, but we would have the work. Links to here
// are followed.
func foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return r.Header.Get("Sec-Fetch-Dest") != "document"
	}
	return false
}

// shortHost keeps an answer short whatever was asked.
func shortHost(host string) string { return host[:min(len(host), 80)] }

// knownHost tells whether a request was meant for this server. A page elsewhere that
// has its own name point to this address (DNS rebinding) still calls it by that name;
// it cannot call it by an address.
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

// admitted lets in who shows the token; others are answered. A visit with the token
// in the address gets a cookie and is sent on to the address without it.
func (s *Server) admitted(w http.ResponseWriter, r *http.Request) bool {
	if given := r.URL.Query().Get("token"); given != "" && r.Method == http.MethodGet && r.URL.Path == "/" {
		if s.isToken(given) {
			// Lax: the address may be a link on another page, such as a letter.
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

// isToken compares in a time that does not depend on what is given.
func (s *Server) isToken(given string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(s.cfg.Token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}
