package serve

import (
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
)

// compressed has h answer with gzip where the client takes it.
func compressed(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept-Encoding")
		if !takesGzip(r.Header.Get("Accept-Encoding")) || r.Method != http.MethodGet && r.Method != http.MethodPost {
			h.ServeHTTP(w, r)
			return
		}
		r.Header.Del("Range")           // a part of the file is no part of its compressed form
		r.Header.Del("Accept-Encoding") // so that no handler compresses, too
		z := &zipper{ResponseWriter: w}
		h.ServeHTTP(z, r)
		z.end()
	})
}

// takesGzip reports whether an Accept-Encoding header allows gzip by name.
func takesGzip(accept string) bool {
	for word := range strings.SplitSeq(accept, ",") {
		name, options, _ := strings.Cut(word, ";")
		if strings.TrimSpace(name) == "gzip" {
			text, weighted := strings.CutPrefix(strings.ReplaceAll(options, " ", ""), "q=")
			q, err := strconv.ParseFloat(text, 64)
			return !weighted || err != nil || q > 0
		}
	}
	return false
}

// zipper compresses an answer with a body.
type zipper struct {
	http.ResponseWriter
	to    *gzip.Writer // nil before the header, and for answers without a body
	begun bool
}

// WriteHeader implements http.ResponseWriter.
func (z *zipper) WriteHeader(status int) {
	if !z.begun && status >= 200 && status != http.StatusNoContent && status != http.StatusNotModified {
		z.Header().Set("Content-Encoding", "gzip")
		z.Header().Del("Content-Length")
		z.to, _ = gzip.NewWriterLevel(z.ResponseWriter, gzip.BestSpeed) // the level is valid
	}
	z.begun = true
	z.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (z *zipper) Write(data []byte) (int, error) {
	if !z.begun {
		if z.Header().Get("Content-Type") == "" { // what net/http would find, of the plain data
			z.Header().Set("Content-Type", http.DetectContentType(data))
		}
		z.WriteHeader(http.StatusOK)
	}
	if z.to == nil {
		return z.ResponseWriter.Write(data)
	}
	return z.to.Write(data)
}

func (z *zipper) end() {
	if z.to != nil {
		_ = z.to.Close() // as Write: the client has gone
	}
}
