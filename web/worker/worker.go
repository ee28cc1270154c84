// Package worker is what of ludozero runs in a web page that has no server: the
// rules, the search and tables, compiled to WebAssembly, in a worker of the page. Networks
// are computed by ONNX Runtime, which is JavaScript and WebAssembly of its own, or
// here, where that does not run.
//
// The package knows no browser: cmd/ludozero-wasm connects it with one.
package worker

import (
	"context"
	"fmt"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/player"
)

// Host is what the page does for the worker.
type Host interface {
	// Model opens the ONNX model of a network for up to batch positions at once.
	// The error says why ONNX Runtime does not compute it here.
	Model(n *Network, batch int) (Run, error)
	// Read reads a file of the site.
	Read(path string) ([]byte, error)
	// Warn tells whoever looks for the cause of something.
	Warn(text string)
	// Breathe lets the page do what waits to be done, if it has not for a while.
	Breathe()
}

// Worker answers what the page asks. Its goroutines share it without locks: it is
// for WebAssembly, where none is interrupted but when it waits.
type Worker struct {
	games engine.Families
	host  Host
	site  *Site
	kinds map[string]player.Kind
	seat  *seat // nil before the first game
}

// New returns the worker of a site, for these games.
func New(games engine.Families, site *Site, host Host) *Worker {
	w := &Worker{games: games, host: host, site: site}
	w.kinds = map[string]player.Kind{"net": player.NetKind(w.open)}
	return w
}

// newPlayer makes the player that text describes.
func (w *Worker) newPlayer(text string, g engine.Game) (match.Player, error) {
	spec, err := player.Parse(text, w.kinds)
	if err != nil {
		return nil, err
	}
	p, err := spec.New(g)
	if err != nil {
		return nil, err
	}
	return &breather{p, w.host}, nil
}

// open is the player.Opener of a site: name is that of one of its networks.
func (w *Worker) open(name string, p precision.Precision, batch int, g engine.Game) (*player.Opened, error) {
	n, err := w.site.network(name, g)
	if err != nil {
		return nil, err
	}
	if p != precision.F32 {
		return nil, fmt.Errorf("precision %s: a page computes in %s alone", p, precision.F32)
	}
	o := &player.Opened{CPuct: n.Card.CPuct, Search: n.Card.Search, Ratings: func(g engine.Game) (*player.Ratings, error) { return n.ratings(w.games, g) }}
	run, err := w.host.Model(n, batch)
	if err == nil {
		o.New = func() (mcts.Network, error) { return NewRemote(g.Info(), run), nil }
		return o, nil
	}
	w.host.Warn(fmt.Sprintf("network %s is computed without ONNX Runtime, which is slower: %v", name, err))
	net, err := w.plain(n, batch)
	if err != nil {
		return nil, err
	}
	o.New = func() (mcts.Network, error) { return net.Fork(), nil }
	return o, nil
}

// plain is a network to be computed by our own kernels.
func (w *Worker) plain(n *Network, batch int) (*infer.Net, error) {
	file, err := w.host.Read(n.Weights)
	if err != nil {
		return nil, err
	}
	weights, card, err := model.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", n.Weights, err)
	}
	return infer.New(card.Network, weights, infer.Options{MaxBatch: batch})
}

// breather is a player that lets the page breathe. Players ask their context again
// and again whether they are to stop: that is when.
type breather struct {
	match.Player
	host Host
}

func (b *breather) Think(ctx context.Context, s engine.State, h *engine.History, bounds match.Bounds) (*match.Analysis, error) {
	return b.Player.Think(breathing{ctx, b.host}, s, h, bounds)
}

// breathing is a context that is not over before the page has had its turn.
type breathing struct {
	context.Context
	host Host
}

func (b breathing) Err() error {
	b.host.Breathe()
	return b.Context.Err()
}
