package watch

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"path"
	"strconv"

	"github.com/ludozero/ludozero/internal/input"
	"github.com/ludozero/ludozero/report/sample"
	"github.com/ludozero/ludozero/web/client"
)

// Host is the server that serves the pages.
type Host interface {
	Handle(pattern string, h http.Handler)
	Link(client.Link)
	Render(http.ResponseWriter, client.Page)
}

// Overview is the list of all runs.
type Overview struct {
	Folder  string   `json:"folder"`
	Runs    []Row    `json:"runs"`
	Reports []Report `json:"reports"`
	// More tells that the folder has more than is listed.
	More bool `json:"more"`
}

// reportPolicy is the content security policy of reports, which are whole pages
// with styles of their own: they load nothing else and run no script, whatever the
// file holds.
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

// Serve adds the pages to a server.
func (w *Watcher) Serve(host Host) {
	host.Link(client.Link{Name: "Runs", Href: "./runs"})
	page := func(body string) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { host.Render(rw, client.Page{Body: body, Here: "Runs"}) })
	}
	host.Handle("GET /runs", page("runs"))
	host.Handle("GET /run", page("run"))
	host.Handle("GET /games.css", http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		client.Send(rw, r, "text/css; charset=utf-8", []byte(sample.CSS))
	}))
	host.Handle("GET /api/runs", data(func(url.Values) (any, error) { return w.overview() }))
	host.Handle("GET /api/run", data(w.named(func(name string, _ url.Values) (any, error) { return w.view(name), nil })))
	host.Handle("GET /api/run/now", data(w.named(func(name string, _ url.Values) (any, error) { return w.doing(name), nil })))
	host.Handle("GET /api/run/games", data(w.named(func(name string, _ url.Values) (any, error) {
		return w.entry(name).games.get(w.now, func() (*Games, error) { return w.gamesOf(name) })
	})))
	host.Handle("GET /api/run/game", data(w.named(func(name string, q url.Values) (any, error) {
		number, err := strconv.ParseInt(q.Get("game"), 10, 64)
		if err != nil {
			return nil, errNoGame
		}
		return w.played(name, q.Get("shard"), number)
	})))
	host.Handle("GET /api/run/position", data(w.named(func(name string, q url.Values) (any, error) {
		number, err := strconv.ParseInt(q.Get("game"), 10, 64)
		moves, other := strconv.Atoi(q.Get("moves"))
		if err != nil || other != nil {
			return nil, errNoGame
		}
		return w.position(name, q.Get("shard"), number, moves)
	})))
	host.Handle("GET /report", http.HandlerFunc(w.report))
	host.Handle("GET /metrics", w.Metrics())
}

// named checks the name of the run in a request.
func (w *Watcher) named(get func(name string, q url.Values) (any, error)) func(url.Values) (any, error) {
	return func(q url.Values) (any, error) {
		name := q.Get("name")
		if err := w.runNamed(name); err != nil {
			return nil, err
		}
		return get(name, q)
	}
}

func (w *Watcher) overview() (*Overview, error) {
	p, err := w.places.get(w.now, w.look)
	if err != nil {
		return nil, err
	}
	o := &Overview{Folder: w.name, Runs: []Row{}, Reports: p.Reports, More: p.More}
	if o.Reports == nil {
		o.Reports = []Report{}
	}
	w.each(p.Runs, func(name string, v *View) {
		row := Row{Name: name, Label: w.label(name), State: stateUnread}
		if v != nil {
			row = v.Row
			if g, err := w.glance(name, w.entry(name)); err == nil && g.working { // by now
				row.State = stateRunning
			}
		}
		o.Runs = append(o.Runs, row)
	})
	return o, nil
}

// data answers with JSON.
func data(get func(url.Values) (any, error)) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		v, err := get(r.URL.Query())
		if err != nil {
			fail(rw, err)
			return
		}
		b, err := json.Marshal(v)
		if err != nil {
			fail(rw, err)
			return
		}
		client.Send(rw, r, "application/json", b)
	})
}

// fail answers with an error.
func fail(rw http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	if errors.Is(err, errNoRun) || errors.Is(err, errNoGame) {
		status = http.StatusNotFound
	}
	rw.Header().Set("Content-Type", "application/json")
	rw.Header().Set("Cache-Control", "no-store")
	rw.WriteHeader(status)
	_ = json.NewEncoder(rw).Encode(struct {
		Error string `json:"error"`
	}{err.Error()})
}

// report serves the file of a finished report.
func (w *Watcher) report(rw http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("path")
	if !mayName(name) || !isReport(path.Base(name)) {
		http.Error(rw, "there is no such report here", http.StatusNotFound)
		return
	}
	f, info, err := input.OpenIn(w.root, onDisk(name), maxReportBytes)
	if err != nil {
		http.Error(rw, "there is no such report here", http.StatusNotFound)
		return
	}
	defer f.Close()
	h := rw.Header()
	h.Set("Content-Security-Policy", reportPolicy)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	http.ServeContent(rw, r, "", info.ModTime(), f)
}
