package fit

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/model"
	"github.com/ludozero/ludozero/model/infer"
	"github.com/ludozero/ludozero/selfplay/record"
	"github.com/ludozero/ludozero/train"
	"github.com/ludozero/ludozero/train/plan"
	"github.com/ludozero/ludozero/train/replay"
)

// Measures are losses of a network on positions held out, in nats.
type Measures struct {
	// Policy is the cross-entropy of the recorded policy targets above their entropy.
	Policy float64 `json:"policy"`
	// Value is the cross-entropy of the results of the games.
	Value float64 `json:"value"`
	// SearchPolicy and SearchValue are the divergence of the network from the visits and
	// from the win, draw and loss of the reference search; 0 without one.
	SearchPolicy float64 `json:"search_policy,omitempty"`
	SearchValue  float64 `json:"search_value,omitempty"`
	// Parameters is the size of the network, MultiplyAdds what a sample of a step costs.
	Parameters   int   `json:"parameters"`
	MultiplyAdds int64 `json:"multiply_adds"`
}

// examRows is the size of the batches that networks are measured with.
const examRows = 256

// Exam is what every network is asked: positions held out, the same for all.
type Exam struct {
	recorded, searched []*train.Batch
}

// NewExam draws batches of recorded positions from what f holds out, each position with the
// same probability. Value targets are results alone.
func (f *Frozen) NewExam(batches int, s uint64) (*Exam, error) {
	cfg := plan.DefaultConfig()
	w, err := f.window(&cfg, f.HeldPositions, f.Until())
	if err != nil {
		return nil, err
	}
	e, rng := &Exam{}, rand.New(seed.Stream(s, "exam", 0))
	for range batches {
		b := train.NewBatch(f.info, examRows)
		if err := b.Fill(w, rng); err != nil {
			return nil, err
		}
		e.recorded = append(e.recorded, b)
	}
	return e, nil
}

// Reference is a search that is stronger than those of the window.
type Reference struct {
	Weights     *model.Weights
	Simulations int
	CPuct       float64
	// Positions are asked about, rounded up to whole batches.
	Positions int
}

// referenceLeaves are evaluated at once: small batches of many leaves are faster, and at
// hundreds of simulations eight pending ones change little.
const referenceLeaves = 8

// AddReference searches held-out positions without noise, evenly spread over all that f holds
// out. They stand for themselves: what was before them, which rules of repetition would look
// at, is not known to the search. shown, which may be nil, is told how many are done.
func (e *Exam) AddReference(ctx context.Context, f *Frozen, r *Reference, shown func(done int)) error {
	net, err := infer.New(r.Weights.Network(), r.Weights, infer.Options{MaxBatch: referenceLeaves})
	if err != nil {
		return err
	}
	cfg := mcts.DefaultConfig()
	cfg.Simulations, cfg.CPuct, cfg.PendingLeaves = r.Simulations, r.CPuct, referenceLeaves
	want := int64((r.Positions + examRows - 1) / examRows * examRows)
	if want > f.HeldPositions {
		return fmt.Errorf("measure.positions: %d, in batches %d: want at most what is held out, %d", r.Positions, want, f.HeldPositions)
	}
	games := map[string]*searcher{}
	batch, at, done := train.NewBatch(f.info, examRows), int64(0), int64(0)
	for k := len(f.shards) - f.HeldOut; k < len(f.shards); k++ {
		shard, err := f.open(k)
		if err != nil {
			return err
		}
		rows, err := shard.Rows()
		if err != nil {
			return err
		}
		for i := range rows {
			// Row number at is one of them if the next of want even parts begins there.
			at++
			if at*want/f.HeldPositions == done {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			s, err := f.searcher(games, rows[i].Rules, cfg, net)
			if err != nil {
				return err
			}
			sample, err := s.ask(&rows[i])
			if err == nil {
				err = batch.Append(sample, 0)
			}
			if err != nil {
				return fmt.Errorf("shard %s: row %d: %w", shard.Name, i, err)
			}
			if done++; batch.Full() {
				e.searched, batch = append(e.searched, batch), train.NewBatch(f.info, examRows)
			}
			if shown != nil {
				shown(int(done))
			}
		}
	}
	return nil
}

// searcher searches positions of one ruleset.
type searcher struct {
	game   engine.Game
	state  engine.State
	tree   *mcts.Tree
	runner *mcts.Runner
}

// searcher returns the one for rules, and makes it if games has none.
func (f *Frozen) searcher(games map[string]*searcher, rules string, cfg mcts.Config, net *infer.Net) (*searcher, error) {
	if s := games[rules]; s != nil {
		return s, nil
	}
	g, err := f.family.Parse(rules)
	if err != nil {
		return nil, err
	}
	tree, err := mcts.New(g, cfg)
	if err != nil {
		return nil, err
	}
	s := &searcher{g, g.NewState(), tree, mcts.NewRunner(g, mcts.ByNetwork(g.Info(), net), referenceLeaves)}
	games[rules] = s
	return s, nil
}

// ask searches the position of a row; chance outcomes begin with the most probable.
func (s *searcher) ask(r *record.Row) (*replay.Sample, error) {
	if err := s.state.Unpack(r.Packed); err != nil {
		return nil, err
	}
	s.tree.Reset(mcts.Root{State: s.state})
	if err := s.runner.Run(s.tree); err != nil {
		return nil, err
	}
	var legal []engine.Action
	for _, a := range s.tree.Root(nil) {
		legal = append(legal, a.Action)
	}
	v, d := s.tree.RootValue(), s.tree.RootDraw()
	return &replay.Sample{
		Game: s.game, Packed: r.Packed, Actions: legal, Policy: s.tree.Target(nil),
		Value: [3]float32{(1 - d + v) / 2, d, (1 - d - v) / 2}, TurnsUnknown: true, Weight: 1,
	}, nil
}

// measure asks a network.
func (e *Exam) measure(w *model.Weights, cfg *plan.Config, threads int) (*Measures, error) {
	c := cfg.Train
	c.Batch, c.AverageDecay = examRows, 0
	t, err := train.NewTrainer(w, c, threads)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	m := &Measures{}
	for _, part := range []struct {
		batches       []*train.Batch
		policy, value *float64
	}{{e.recorded, &m.Policy, &m.Value}, {e.searched, &m.SearchPolicy, &m.SearchValue}} {
		told := 0 // batches with some target of the policy
		for _, b := range part.batches {
			l, err := t.Evaluate(b)
			if err != nil {
				return nil, err
			}
			n := float64(len(part.batches))
			*part.policy += (l.Policy - l.PolicyFloor) / n
			*part.value += (l.Value - l.ValueFloor) / n
			if l.PolicyKnown {
				told++
			}
		}
		if told > 0 && told < len(part.batches) {
			*part.policy *= float64(len(part.batches)) / float64(told)
		}
	}
	return m, nil
}
