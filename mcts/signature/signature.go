// Package signature reduces the behaviour of package mcts to one number, after
// Stockfish's bench: a change that is not meant to change the search must not change
// the number.
//
// Every game given, and a small one with dice, is searched from fixed positions with
// PUCT and Gumbel, with one leaf pending and with eight, with the settings of play and
// of self-play, over several moves with tree reuse. The number is a hash of all visits
// at the roots, the size of the trees, the most visited lines and the moves chosen. It
// also depends on the rules and the packed form of a game, and on the defaults of
// mcts.Config.
//
// Evaluations are computed from the packed bytes of positions, in integers, without
// networks, kernels or assembly. Only the search uses floating point, and only
// integers go into the number: float32 sums and products, which Go may fuse on some
// processors, and math.Log and math.Exp, whose last bit may differ between them. amd64
// (GOAMD64=v1 and v3), 386 and wasm give the same number; arm64 was not tried. There,
// or in a later version of Go, a choice between almost equal scores may differ.
package signature

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/engine/enginetest/racegame"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/mcts"
)

const (
	// simulations of a root; enough for several halvings and for subtrees that
	// are worth keeping.
	simulations = 300
	// moves are searched from each position, as long as the game lasts.
	moves = 4
)

// plies are the numbers of random decisions before the positions searched, fewer if
// the game ends.
var plies = []int{0, 3, 10, 40}

type method struct {
	name   string
	change func(*mcts.Config)
	// draws: moves are drawn with temperature 1, as in self-play.
	draws bool
}

var methods = []method{
	{name: "puct", change: func(*mcts.Config) {}},
	{name: "puct, 8 pending", change: func(c *mcts.Config) { c.PendingLeaves = 8 }},
	{name: "puct, self-play", draws: true, change: func(c *mcts.Config) {
		c.NoiseFraction, c.ForcedPlayouts, c.Proven, c.CountReused = 0.25, 2, true, true
	}},
	{name: "gumbel", change: func(c *mcts.Config) { c.Search = mcts.SearchGumbel }},
	{name: "gumbel, 8 pending", change: func(c *mcts.Config) { c.Search, c.PendingLeaves = mcts.SearchGumbel, 8 }},
	{name: "gumbel, self-play", draws: true, change: func(c *mcts.Config) { c.Search, c.GumbelScale = mcts.SearchGumbel, 1 }},
}

// Part is the signature of one game and method.
type Part struct {
	Game   string `json:"game"`
	Method string `json:"method"`
	// Searches is their number, Simulations the sum over them.
	Searches    int    `json:"searches"`
	Simulations int    `json:"simulations"`
	Sum         Number `json:"sum"`
}

// Number is written as 16 hexadecimal digits.
type Number uint64

func (n Number) String() string { return fmt.Sprintf("%016x", uint64(n)) }

// MarshalText implements encoding.TextMarshaler.
func (n Number) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// Signature is the number with its parts.
type Signature struct {
	Sum   Number `json:"sum"`
	Parts []Part `json:"parts"`
}

// Compute searches all positions of families, on one core in less than a second.
func Compute(families engine.Families) (*Signature, error) {
	return compute(families, func(*mcts.Config) {})
}

// compute is Compute with a configuration that change may modify.
func compute(families engine.Families, change func(*mcts.Config)) (*Signature, error) {
	total := sha256.New()
	s := &Signature{}
	for _, f := range append(families[:len(families):len(families)], &racegame.Family) {
		g, err := f.Parse("")
		if err != nil {
			return nil, err
		}
		for _, m := range methods {
			cfg := mcts.DefaultConfig()
			cfg.Simulations = simulations
			m.change(&cfg)
			change(&cfg)
			tree, err := mcts.New(g, cfg)
			if err != nil {
				return nil, err
			}
			p := &part{game: g, method: m, digest: sha256.New(), tree: tree}
			p.runner = mcts.NewRunner(g, &judge{}, cfg.PendingLeaves)
			for i := range plies {
				if err := p.search(i); err != nil {
					return nil, fmt.Errorf("signature: %s, %s: %w", g.Info().Name, m.name, err)
				}
			}
			s.Parts = append(s.Parts, Part{g.Info().Name, m.name, p.searches, p.simulations, number(p.digest)})
			total.Write(p.digest.Sum(nil))
		}
	}
	s.Sum = number(total)
	return s, nil
}

// number is the first 64 bits of a hash.
func number(h hash.Hash) Number { return Number(binary.BigEndian.Uint64(h.Sum(nil))) }

// part is the search of one game by one method.
type part struct {
	game   engine.Game
	method method
	tree   *mcts.Tree
	runner *mcts.Runner
	digest hash.Hash

	searches, simulations int
	root                  []mcts.RootAction
	line                  []engine.Action
}

// search begins at position number i of the game and goes on for some moves.
func (p *part) search(i int) error {
	// Positions are the same for every method.
	s, h, err := p.position(rand.New(seed.Stream(1, "signature position", uint64(i))), plies[i])
	if err != nil {
		return err
	}
	rng := rand.New(seed.Stream(1, "signature search", uint64(i)))
	p.tree.Reset(mcts.Root{State: s, History: h, Rand: rng})
	for move := 0; move < moves && s.Actor() != engine.Nobody; {
		if s.Actor() == engine.Chance {
			p.apply(s, h, engine.Draw(s.Chance(nil), rng.Float64()))
			continue
		}
		if err := p.runner.Run(p.tree); err != nil {
			return err
		}
		a := p.tree.Best()
		if p.method.draws {
			a = p.tree.SampleAction(1, rng)
		}
		p.note(a)
		p.apply(s, h, a)
		move++
	}
	return nil
}

// position plays that many decisions at random, or all but the last of the game.
func (p *part) position(rng *rand.Rand, plies int) (engine.State, *engine.History, error) {
	s, h := p.game.NewState(), p.game.NewHistory()
	s.Start(h)
	next := p.game.NewState()
	var scratch []engine.Weighted
	for range plies {
		possible := engine.AppendPossible(nil, &scratch, s, h)
		if len(possible) == 0 {
			return nil, nil, fmt.Errorf("nothing is possible in %s", s.AppendPosition(nil))
		}
		a, mark := possible[rng.IntN(len(possible))], h.Len()
		next.CopyFrom(s)
		next.Apply(a, h)
		if next.Actor() == engine.Nobody {
			h.Truncate(mark)
			break
		}
		s, next = next, s
	}
	return s, h, nil
}

func (p *part) apply(s engine.State, h *engine.History, a engine.Action) {
	s.Apply(a, h)
	p.tree.Advance(a)
}

// note adds what the search of the present root found to the digest.
func (p *part) note(chosen engine.Action) {
	stats := p.tree.Stats()
	p.searches++
	p.simulations += stats.Simulations
	p.root = p.tree.Root(p.root[:0])
	p.line = p.tree.PrincipalVariation(p.line[:0])
	p.put(stats.Simulations, stats.RootVisits, stats.Edges, len(p.root))
	for _, r := range p.root {
		p.put(int(r.Action), r.Visits)
	}
	p.put(len(p.line))
	for _, a := range p.line {
		p.put(int(a))
	}
	p.put(int(chosen))
}

func (p *part) put(numbers ...int) {
	for _, n := range numbers {
		p.digest.Write(binary.BigEndian.AppendUint32(nil, uint32(n)))
	}
}

// judge evaluates positions by lot, always the same for the same packed bytes:
// logits are multiples of 1/64 in [0, 4), values of 1/16 in [-1, 1], so that
// sums of values are exact.
type judge struct{ packed []byte }

func (j *judge) Evaluate(leaves []mcts.Leaf, offsets []int32, logits []float32, evaluations []mcts.Evaluation) error {
	clear(evaluations)
	for i := range leaves {
		l := &leaves[i]
		j.packed = l.State.Pack(j.packed[:0])
		h := fnv(j.packed)
		evaluations[i].Value = float32(int(h%33)-16) / 16
		for k := range l.Actions {
			h = h*0x5851f42d4c957f2d + 0x14057b7ef767814f // the LCG of PCG: O'Neill 2014
			logits[int(offsets[i])+k] = float32(h>>56) / 64
		}
	}
	return nil
}

// fnv is the hash FNV-1a.
func fnv(b []byte) uint64 {
	h := uint64(0xcbf29ce484222325)
	for _, c := range b {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	return h
}
