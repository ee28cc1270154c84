package run

import (
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/mcts"
)

// The frozen set is a set of positions that every network of every run of a
// ruleset is asked about, so that what it says can be compared over generations
// and runs. It depends on the game, its rules and the constants here and on
// nothing else.
const (
	// frozenHalf positions come from random play, and the same number from a small
	// search without a network. A mean over 128 positions is off by a tenth of
	// what single positions differ by.
	frozenHalf = 64
	// frozenPerGame positions are taken of a game, one of each quarter of its
	// decisions, so that they are spread over turns.
	frozenPerGame = 4
	// frozenGames bounds the games of a half, frozenPlies the length of one: where
	// there are fewer different positions the set is smaller.
	frozenGames = 256
	frozenPlies = 2000
	// frozenSeed is any number.
	frozenSeed = 20120521
	// frozenPlay and frozenTemperature are the searches that play the second half:
	// they see what ends the game in two plies, and choose by visits squared.
	frozenPlay        = 64
	frozenTemperature = 0.5
)

// frozenSet makes the positions of a ruleset, each with a choice. They stand for
// themselves: their games' pasts, which repetition rules would look at, are not
// part of them.
func frozenSet(game engine.Game) ([]engine.State, error) {
	f := &freezer{game: game, met: map[uint64]bool{}}
	f.half("frozen-random", func(s engine.State, legal []engine.Action, _ *engine.History, rng *rand.Rand) engine.Action {
		return legal[rng.IntN(len(legal))]
	})
	cfg := mcts.DefaultConfig()
	cfg.Simulations = frozenPlay
	tree, err := mcts.New(game, cfg)
	if err != nil {
		return nil, err
	}
	runner := mcts.NewRunner(game, mcts.Uniform{}, 1)
	f.half("frozen-search", func(s engine.State, _ []engine.Action, past *engine.History, rng *rand.Rand) engine.Action {
		tree.Reset(mcts.Root{State: s, History: past, Rand: rng})
		if err := runner.Run(tree); err != nil {
			panic("BUG: a search that asks nobody fails: " + err.Error())
		}
		return tree.SampleAction(frozenTemperature, rng)
	})
	return f.states, nil
}

// freezer collects positions; met has their hashes.
type freezer struct {
	game   engine.Game
	states []engine.State
	met    map[uint64]bool
}

// half adds frozenHalf positions of games in which choose plays, if there are as
// many.
func (f *freezer) half(purpose string, choose func(engine.State, []engine.Action, *engine.History, *rand.Rand) engine.Action) {
	want := len(f.states) + frozenHalf
	for n := uint64(0); n < frozenGames && len(f.states) < want; n++ {
		rng := rand.New(seed.Stream(frozenSeed, purpose, n))
		decisions := f.play(rng, choose)
		for q := range frozenPerGame {
			from, to := q*len(decisions)/frozenPerGame, (q+1)*len(decisions)/frozenPerGame
			if from == to || len(f.states) == want {
				continue
			}
			s := decisions[from+rng.IntN(to-from)]
			if h := s.Hash(); !f.met[h] {
				f.met[h] = true
				f.states = append(f.states, s)
			}
		}
	}
}

// play plays a game and returns its positions with a choice.
func (f *freezer) play(rng *rand.Rand, choose func(engine.State, []engine.Action, *engine.History, *rand.Rand) engine.Action) []engine.State {
	var decisions []engine.State
	var legal []engine.Action
	s, past := f.game.NewState(), f.game.NewHistory()
	s.Start(past)
	for range frozenPlies {
		switch s.Actor() {
		case engine.Nobody:
			return decisions
		case engine.Chance:
			s.Apply(engine.Draw(s.Chance(nil), rng.Float64()), past)
			continue
		}
		if legal = s.Legal(legal[:0], past); len(legal) == 1 {
			s.Apply(legal[0], past)
			continue
		}
		copied := f.game.NewState()
		copied.CopyFrom(s)
		decisions = append(decisions, copied)
		s.Apply(choose(s, legal, past, rng), past)
	}
	return decisions
}
