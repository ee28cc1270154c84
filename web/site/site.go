// Package site writes a folder of static files for any web server: a page to play on,
// with the rules, the search and networks. It contacts no other address.
//
// The parts that not every binary has, WebAssembly and ONNX Runtime, are made by
// scripts/site/parts.sh.
package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ludozero/ludozero/internal/atomicfile"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/onnx"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/web/client"
	"github.com/ludozero/ludozero/web/worker"
)

//go:embed files
var files embed.FS

// policy is the content security policy, without the directive that only a server can
// set.
var policy = strings.TrimSuffix(client.Policy, "; frame-ancestors 'none'")

// ownFiles are the files of this package.
var ownFiles = []string{"engine.js", "transport-worker.js", "worker.js"}

// partNames are the files that scripts/site/parts.sh makes.
var partNames = []string{"ludozero.wasm", "wasm_exec.js", "ort.js", "ort.wasm", "licences.txt"}

// clientFiles are the files of package client that the page needs.
var clientFiles = []string{
	"advice.js", "board.css", "board.js", "chart.js", "dom.js", "drag.js", "icon.svg", "lessons.js", "manifest.webmanifest", "moves.js", "names.js", "play.css", "play.js",
	"players.js", "pools.js", "rules.js", "save.js", "setup.js", "signs.js", "sound.js", "style.css", "tabs.js",
}

// Network is a network to include.
type Network struct {
	// Name names it in the page and in the names of its files.
	Name    string
	Weights *model.Weights
	Card    *model.Card
	// Ratings is the table for playing at a rating; nil if these weights have none.
	Ratings *player.Ratings
}

// Evaluation is an evaluation for alpha-beta to include.
type Evaluation struct {
	Name, Game string
	// Trained are the rulesets that it learned from, the most frequent first.
	Trained []string
	File    []byte
	// First says that pages offer it before the networks.
	First bool
}

// networksFolder holds the networks and evaluations in a site.
const networksFolder = "networks"

// Write makes the folder dir, which must not exist, with parts, networks and
// evaluations. After an error there is no folder.
func Write(dir string, parts fs.FS, networks []Network, evaluations []Evaluation) error {
	return atomicfile.WriteDir(dir, func(dir string) error { return fill(dir, parts, networks, evaluations) })
}

func fill(dir string, parts fs.FS, networks []Network, evaluations []Evaluation) error {
	own, err := fs.Sub(files, "files")
	if err != nil {
		return err
	}
	for _, from := range []struct {
		files fs.FS
		names []string
	}{{parts, partNames}, {client.Files(), clientFiles}, {own, ownFiles}} {
		for _, name := range from.names {
			data, err := fs.ReadFile(from.files, name)
			if err != nil {
				return fmt.Errorf("part %w", err)
			}
			if err := write(dir, name, data); err != nil {
				return err
			}
		}
	}
	var page bytes.Buffer
	err = client.Render(&page, client.Page{Body: "play", Nav: []client.Link{{Name: "Play", Href: "./"}}, Here: "Play", Transport: "./transport-worker.js", Policy: policy})
	if err != nil {
		return err
	}
	if err := write(dir, "index.html", page.Bytes()); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(dir, networksFolder), 0o755); err != nil {
		return err
	}
	site := worker.Site{Networks: []worker.Network{}}
	for _, n := range networks {
		described, err := writeNetwork(dir, n)
		if err != nil {
			return fmt.Errorf("network %s: %w", n.Name, err)
		}
		site.Networks = append(site.Networks, *described)
	}
	for _, e := range evaluations {
		file := networksFolder + "/" + e.Name + evaluationExt
		if err := write(dir, file, e.File); err != nil {
			return err
		}
		site.Evaluations = append(site.Evaluations, worker.Evaluation{Name: e.Name, File: file, Game: e.Game, Trained: e.Trained, First: e.First})
	}
	text, err := json.Marshal(site)
	if err != nil {
		return err
	}
	if err := write(dir, worker.SiteFile, text); err != nil {
		return err
	}
	return writeServiceWorker(dir)
}

// writeServiceWorker has the browser keep all files of the site that a page asks for.
func writeServiceWorker(dir string) error {
	names, all := []string{""}, sha256.New()
	site := os.DirFS(dir)
	err := fs.WalkDir(site, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(site, name)
		if err != nil {
			return err
		}
		all.Write(data)
		// Of a compressed copy the original is not asked for, weights only where the browser
		// cannot run ONNX Runtime, and index.html is the page itself.
		if _, err := fs.Stat(site, name+compressedExt); err != nil && !strings.HasSuffix(name, model.Extension+compressedExt) && name != "index.html" {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, client.ServiceWorkerFile), client.ServiceWorker(fmt.Sprintf("%x", all.Sum(nil)[:8]), names, false), 0o644)
}

func writeNetwork(dir string, n Network) (*worker.Network, error) {
	card := *n.Card
	card.Training = nil // names folders of whoever trained it
	var graph, weights bytes.Buffer
	if err := onnx.Write(&graph, n.Weights, onnx.Options{}); err != nil {
		return nil, err
	}
	if err := model.Encode(&weights, n.Weights, card); err != nil {
		return nil, err
	}
	described := &worker.Network{
		Name: n.Name, Model: networksFolder + "/" + n.Name + ".onnx", Weights: networksFolder + "/" + n.Name + model.Extension, Card: card, Ratings: n.Ratings,
	}
	if err := write(dir, described.Model, graph.Bytes()); err != nil {
		return nil, err
	}
	return described, write(dir, described.Weights, weights.Bytes())
}

const (
	// compressedExt ends the names of compressed copies, evaluationExt those of evaluations.
	compressedExt = ".gz"
	evaluationExt = ".eval"
)

// write writes a file and, if worker.js reads it, a compressed copy: most web servers
// compress neither WebAssembly nor networks.
func write(dir, name string, data []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return err
	}
	if !slices.Contains([]string{".wasm", ".onnx", ".json", model.Extension, evaluationExt}, path.Ext(name)) {
		return nil
	}
	var small bytes.Buffer
	z := gzip.NewWriter(&small)
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(file+compressedExt, small.Bytes(), 0o644)
}
