package run

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/train/calibration"
	"github.com/ludozero/ludozero/train/rundir"
)

// frozenSimulations is the budget of the searches of the frozen set: enough for
// a search to disagree with its network, and little beside a generation's games.
const frozenSimulations = 32

// frozenBatch is how many of its positions are searched side by side.
const frozenBatch = 32

// probe asks networks about the frozen set. The searches are PUCT with the
// defaults of mcts, without noise, whatever the run's own are.
type probe struct {
	positions []engine.State
	trees     [frozenBatch]*mcts.Tree
	pasts     [frozenBatch]*engine.History
	batch     *mcts.Batch
}

func newProbe(game engine.Game) (*probe, error) {
	positions, err := frozenSet(game)
	if err != nil {
		return nil, err
	}
	p := &probe{positions: positions, batch: mcts.NewBatch(game.Info())}
	cfg := mcts.DefaultConfig()
	cfg.Simulations = frozenSimulations
	for i := range p.trees {
		if p.trees[i], err = mcts.New(game, cfg); err != nil {
			return nil, err
		}
		p.pasts[i] = game.NewHistory()
	}
	return p, nil
}

// opinion is what a network says of a position: its prior and value, and what a
// search with it comes to; values in the acting player's view.
type opinion struct {
	prior, target []float32
	value, root   float32
}

// ask searches every position with a network, that many simulations each; 1 is
// the network alone.
func (p *probe) ask(w *model.Weights, simulations int) ([]opinion, error) {
	net, err := infer.New(w.Network(), w, infer.Options{MaxBatch: frozenBatch})
	if err != nil {
		return nil, err
	}
	all := make([]opinion, len(p.positions))
	for from := 0; from < len(all); from += frozenBatch {
		part := p.positions[from:min(from+frozenBatch, len(all))]
		for i, s := range part {
			s.Begin(p.pasts[i])
			// Only chance outcomes that a full tree has no room for are drawn.
			p.trees[i].Reset(mcts.Root{
				State: s, History: p.pasts[i], Rand: rand.New(seed.Stream(frozenSeed, "frozen-ask", uint64(from+i))),
				Search: mcts.Search{Simulations: simulations},
			})
		}
		if err := p.search(net, all[from:from+len(part)]); err != nil {
			return nil, err
		}
		for i := range part {
			t, o := p.trees[i], &all[from+i]
			for _, a := range t.Root(nil) {
				o.prior = append(o.prior, a.Prior)
			}
			o.target, o.root = t.Target(nil), t.RootValue()
		}
	}
	return all, nil
}

// search runs one tree for each opinion until all are done, one leaf
// of each at a time. The first leaves are the roots, whose values it notes.
func (p *probe) search(net *infer.Net, opinions []opinion) error {
	var leaves [frozenBatch]mcts.Leaf
	var owners, places [frozenBatch]int
	for first := true; ; first = false {
		p.batch.Clear()
		k := 0
		for i, t := range p.trees[:len(opinions)] {
			if t.Collect(leaves[k:k+1]) == 1 {
				owners[k], places[k] = i, p.batch.Add(leaves[k].State, leaves[k].Actions)
				k++
			}
		}
		if k == 0 {
			return nil
		}
		if err := p.batch.Evaluate(net); err != nil {
			return err
		}
		for j := range k {
			e := p.batch.Evaluation(places[j])
			if first {
				opinions[owners[j]].value = e.Value
			}
			p.trees[owners[j]].Backup(&leaves[j], p.batch.Logits(places[j]), e)
		}
	}
}

// probe asks the network that was trained, and that before it, about the frozen
// set and sets what m says of it. It draws from no stream of the run.
func (l *learner) probe(before, after *model.Weights, m *rundir.Metrics) error {
	began := time.Now()
	if l.frozen == nil {
		var err error
		if l.frozen, err = newProbe(l.game); err != nil {
			return err
		}
	}
	was, err := l.frozen.ask(before, 1)
	if err != nil {
		return err
	}
	is, err := l.frozen.ask(after, frozenSimulations)
	if err != nil {
		return err
	}
	setFrozen(m, was, is)
	m.FrozenSeconds = time.Since(began).Seconds()
	return nil
}

// setFrozen sets the figures of the frozen set from what two networks say of it.
func setFrozen(m *rundir.Metrics, was, is []opinion) {
	n := float64(len(is))
	if n == 0 {
		return
	}
	m.FrozenPositions = int64(len(is))
	for i := range is {
		a, b := &was[i], &is[i]
		m.FrozenDivergence += calibration.Divergence(b.target, b.prior) / n
		m.FrozenEntropy += nats(b.prior) / n
		m.FrozenSearchEntropy += nats(b.target) / n
		m.FrozenValueGap += math.Abs(float64(b.root)-float64(b.value)) / n
		m.FrozenDrift += calibration.Divergence(b.prior, a.prior) / n
		m.FrozenValueDrift += math.Abs(float64(b.value)-float64(a.value)) / n
	}
}

// nats is the entropy of p.
func nats(p []float32) (sum float64) {
	for _, x := range p {
		if x > 0 {
			sum -= float64(x) * math.Log(float64(x))
		}
	}
	return sum
}
