// Package client is what runs in the browser: pages, scripts and styles, embedded
// in the binary. It shows views of package table and sends words; it knows no rules
// and contacts no other address. A server and a folder of static files both use its
// pages.
package client

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"time"
)

//go:embed files
var embedded embed.FS

//go:embed pages
var pages embed.FS

var templates = template.Must(template.ParseFS(pages, "pages/*.html"))

// Files are the scripts and styles of all pages. They lie beside the page and refer
// to each other by relative names.
func Files() fs.FS {
	files, err := fs.Sub(embedded, "files")
	if err != nil {
		panic("BUG: embedded files: " + err.Error())
	}
	return files
}

// Link is an entry of the navigation.
type Link struct {
	Name string
	// Href is relative to the page.
	Href string
}

// Page describes a page to render.
type Page struct {
	// Body names the file pages/NAME.html, with the title, scripts and body.
	Body string
	// Nav are the links to all pages; Here is the name of this one.
	Nav  []Link
	Here string
	// Transport is the module that connects the page with its tables, such as
	// "./transport-http.js".
	Transport string
	// Policy, if not empty, is written into the page as its content security policy,
	// for use without a server that sends one.
	Policy string
	// Data is for the body.
	Data any
}

// Render writes a page.
func Render(w io.Writer, p Page) error {
	if templates.Lookup(p.Body+".html") == nil {
		return fmt.Errorf("no page %q", p.Body)
	}
	t := template.Must(templates.Clone())
	template.Must(t.New("body").Parse(`{{template "` + p.Body + `.html" .}}`))
	return t.ExecuteTemplate(w, "frame", p)
}

// Policy is the content security policy that every page is written for: nothing
// from elsewhere, no script or style within a page.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServiceWorkerFile is the name of the script that ServiceWorker writes.
const ServiceWorkerFile = "sw.js"

// ServiceWorker writes the script that keeps files of a page in the browser: names
// relative to the page, "" for the page itself. version changes with any of them. With
// fresh they are asked for first, and the kept ones are used if there is no answer.
func ServiceWorker(version string, files []string, fresh bool) []byte {
	script, err := pages.ReadFile("pages/" + ServiceWorkerFile)
	if err != nil {
		panic("BUG: embedded service worker: " + err.Error())
	}
	config, err := json.Marshal(map[string]any{"version": version, "files": files, "fresh": fresh})
	if err != nil {
		panic("BUG: service worker: " + err.Error())
	}
	return bytes.Replace(script, []byte("= {};"), append(append([]byte("= "), config...), ';'), 1)
}

// Kind is the media type of a file by its name, whatever the table of the system says.
func Kind(name string) string {
	switch ext := path.Ext(name); ext {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".webmanifest":
		return "application/manifest+json"
	default:
		return mime.TypeByExtension(ext)
	}
}

// Send answers a request with a body, unless the browser has the same already.
func Send(w http.ResponseWriter, r *http.Request, kind string, body []byte) {
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Etag", fmt.Sprintf(`W/"%x"`, sha256.Sum256(body))) // weak: it may be compressed
	w.Header().Set("Content-Type", kind)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}
