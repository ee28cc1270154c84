package serve

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"

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
	names, all := []string{""}, sha256.New()
	for _, e := range entries {
		data, err := fs.ReadFile(files, e.Name())
		if err != nil {
			panic("BUG: embedded file: " + err.Error())
		}
		all.Write(data)
		names = append(names, e.Name())
		s.static(e.Name(), data)
	}
	s.static(client.ServiceWorkerFile, client.ServiceWorker(fmt.Sprintf("%x", all.Sum(nil)[:8]), names, true))
}

// static serves a file.
func (s *Server) static(name string, data []byte) {
	kind := client.Kind(name)
	s.Handle("GET /"+name, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { client.Send(w, r, kind, data) }))
}
