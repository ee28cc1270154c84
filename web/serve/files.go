package serve

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/ludozero/ludozero/web/client"
)

// files serves the play page and the scripts and styles of all pages.
func (s *Server) files() {
	s.Link(client.Link{Name: "Play", Href: "./"})
	s.Handle("GET /{$}", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		s.Render(w, client.Page{Body: "play", Here: "Play", Transport: "./transport-http.js"})
	}))
	files := client.Files()
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic("BUG: embedded files: " + err.Error())
	}
	for _, e := range entries {
		data, err := fs.ReadFile(files, e.Name())
		if err != nil {
			panic("BUG: embedded file: " + err.Error())
		}
		s.Handle("GET /"+e.Name(), file(e.Name(), data))
	}
}

// file serves an embedded file.
func file(name string, data []byte) http.Handler {
	kind := mime.TypeByExtension(path.Ext(name))
	if strings.HasSuffix(name, ".js") { // the table of the system may say something else
		kind = "text/javascript; charset=utf-8"
	}
	tag := fmt.Sprintf(`"%x"`, sha256.Sum256(data))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("Etag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(data)
	})
}
