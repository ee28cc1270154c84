// Package client is what runs in the browser: pages, scripts and styles, embedded
// in the binary. It shows views of package table and sends words; it knows no rules
// and contacts no other address. A server and a folder of static files both use its
// pages.
package client

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
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

// Send answers a request with a body, unless the browser has the same already.
func Send(w http.ResponseWriter, r *http.Request, kind string, body []byte) {
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Etag", fmt.Sprintf(`"%x"`, sha256.Sum256(body)))
	w.Header().Set("Content-Type", kind)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}
