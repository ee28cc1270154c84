// Package client is what runs in the browser: pages, scripts and styles, embedded
// in the binary. It shows views of package table and sends words; it knows no rules
// and asks no other address. A page is rendered with what is around it, so that a
// server and a folder of files can both have it.
package client

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
)

//go:embed files
var embedded embed.FS

//go:embed pages
var pages embed.FS

var templates = template.Must(template.ParseFS(pages, "pages/*.html"))

// Files are the scripts and styles of all pages. Their folder is that of the page;
// they refer to each other by relative names.
func Files() fs.FS {
	files, err := fs.Sub(embedded, "files")
	if err != nil {
		panic("BUG: embedded files: " + err.Error())
	}
	return files
}

// Link is an entry of the navigation that every page has.
type Link struct {
	Name string
	// Href is relative to the page.
	Href string
}

// Page is a page to be rendered.
type Page struct {
	// Body names the body: that of pages/NAME.html, which says scripts and title, too.
	Body string
	// Nav are links to pages, this one among them under the name Here.
	Nav  []Link
	Here string
	// Transport is the module that connects the page with tables, such as
	// "./transport-http.js".
	Transport string
	// Policy, if not empty, is written into the page as its content security policy,
	// where no server sends one.
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
