// Package worker runs the rules, the search and tables in a web page without a server,
// compiled to WebAssembly, in a worker of the page. Networks are computed by ONNX
// Runtime, or by our own kernels where it does not run.
//
// The package knows no browser: cmd/ludozero-wasm connects it to one.
package worker

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/guide"
	"github.com/ludozero/ludozero/match"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/model/precision"
	"github.com/ludozero/ludozero/player"
	"github.com/ludozero/ludozero/player/nnue"
)

// Host is what the page does for the worker.
type Host interface {
	// Model opens the ONNX model of a network for up to batch positions at once.
	// The error says why ONNX Runtime does not compute it here.
	Model(n *Network, batch int) (Run, error)
	// Read reads a file of the site.
	Read(path string) ([]byte, error)
	// Warn writes to the log of the browser.
	Warn(text string)
	// Breathe lets the page handle its events, if it has not for a while.
	Breathe()
}

// Worker answers the calls of the page. Its goroutines share it without locks: in
// WebAssembly a goroutine is interrupted only where it waits.
type Worker struct {
	games  engine.Families
	guides guide.Guides
	host   Host
	site   *Site
	kinds  map[string]player.Kind
	seat   *seat // nil before the first game
}

// New returns the worker of a site, for these games, their guides and the kinds of
// players that they bring.
func New(games engine.Families, guides guide.Guides, kinds map[string]player.Kind, site *Site, host Host) *Worker {
	w := &Worker{games: games, guides: guides, kinds: maps.Clone(kinds), host: host, site: site}
	w.kinds["net"] = player.NetKind(w.open)
	w.kinds[nnue.KindName] = nnue.Kind(w.evaluation, nil)
	return w
}

func (w *Worker) newPlayer(text string, g engine.Game) (match.Player, error) {
	spec, err := player.Parse(text, w.kinds)
	if err != nil {
		return nil, err
	}
	p, err := newOf(spec, g)
	if err != nil {
		return nil, err
	}
	return &breather{p, w.host}, nil
}

// mostMemory bounds, in bytes, what a search may remember. WebAssembly has 4 GiB for
// everything, what is no longer needed included, and a program that asks for more is gone.
const mostMemory = 1 << 30

// newOf makes a player. Threads would wait for each other here for ever.
func newOf(spec *player.Spec, g engine.Game) (match.Player, error) {
	for _, o := range spec.Options() {
		_, value, ok := spec.Option(o.Name)
		if n, err := strconv.Atoi(value); ok && o.Bytes > 0 && err == nil && n > mostMemory/o.Bytes {
			return nil, fmt.Errorf("player %s: %s=%d: too much for the memory of WebAssembly: want at most %d", spec.Text, o.Name, n, mostMemory/o.Bytes)
		}
	}
	p, err := spec.New(g)
	if err != nil {
		return nil, err
	}
	if t, ok := p.(player.Threaded); ok && t.Threads() > 1 {
		match.Dismiss(p)
		return nil, fmt.Errorf("player %s: threads=%d: WebAssembly has one thread here: want threads=1", spec.Text, t.Threads())
	}
	return p, nil
}

// open implements player.Opener for the networks of the site.
func (w *Worker) open(name string, p precision.Precision, batch int, g engine.Game) (*player.Opened, error) {
	n, err := w.site.network(name, g)
	if err != nil {
		return nil, err
	}
	if p == precision.Fastest {
		p = precision.F32
	}
	if n, err = n.in(p); err != nil {
		return nil, err
	}
	o := &player.Opened{CPuct: n.Card.CPuct, CPuctFactor: n.Card.CPuctFactor, Search: n.Card.Search, Ratings: func(g engine.Game) (*player.Ratings, error) { return n.ratings(w.games, g) }}
	run, err := w.host.Model(n, batch)
	if err == nil {
		o.New = func() (mcts.Network, error) { return NewRemote(g.Info(), run), nil }
		return o, nil
	}
	w.host.Warn(fmt.Sprintf("network %s is computed without ONNX Runtime, which is slower: %v", name, err))
	net, err := w.plain(n, p, batch)
	if err != nil {
		return nil, err
	}
	o.New = func() (mcts.Network, error) { return net.Fork(), nil }
	return o, nil
}

// evaluation reads the evaluation of a name.
func (w *Worker) evaluation(name string) (*nnue.Evaluation, error) {
	i := slices.IndexFunc(w.site.Evaluations, func(e Evaluation) bool { return e.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("no evaluation %q in this site", name)
	}
	file, err := w.host.Read(w.site.Evaluations[i].File)
	if err != nil {
		return nil, err
	}
	e, err := nnue.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", w.site.Evaluations[i].File, err)
	}
	return e, nil
}

// plain loads a network for our own kernels.
func (w *Worker) plain(n *Network, p precision.Precision, batch int) (*infer.Net, error) {
	file, err := w.host.Read(n.Weights)
	if err != nil {
		return nil, err
	}
	weights, card, err := model.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", n.Weights, err)
	}
	return infer.New(card.Network, weights, infer.Options{MaxBatch: batch, Precision: p, Calibration: card.Calibration})
}

// breather lets the page handle its events while a player thinks: whenever the player
// asks its context whether to stop.
type breather struct {
	match.Player
	host Host
}

func (b *breather) Think(ctx context.Context, s engine.State, h *engine.History, bounds match.Bounds) (*match.Analysis, error) {
	return b.Player.Think(breathing{ctx, b.host}, s, h, bounds)
}

// breathing is a context that lets the page handle its events before each check.
type breathing struct {
	context.Context
	host Host
}

func (b breathing) Err() error {
	b.host.Breathe()
	return b.Context.Err()
}
