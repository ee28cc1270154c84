package serve

import (
	"io/fs"
	"mime"
	"net/http"
	"path"

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
		kind := mime.TypeByExtension(path.Ext(e.Name()))
		if path.Ext(e.Name()) == ".js" { // the table of the system may say something else
			kind = "text/javascript; charset=utf-8"
		}
		s.Handle("GET /"+e.Name(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { client.Send(w, r, kind, data) }))
	}
}
