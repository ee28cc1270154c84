package selfplay

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/internal/seed"
	"github.com/ludozero/ludozero/mcts"
	"github.com/ludozero/ludozero/selfplay/record"
)

// BeginningsConfig lets games begin elsewhere than at the start position, so that they
// differ from the first move on and the search meets positions that current best play
// avoids. Moves before the first search have no row; the Before of the first row holds
// them. Both shares are drawn for each game; the other games begin at the start.
type BeginningsConfig struct {
	// SampledShare is the share of games that begin with an opening drawn from
	// the policy of the network, without search (after Wu 2020 and KataGo's
	// openings by policy).
	SampledShare float64 `mapstructure:"sampled_share"`
	// SampledTurns is the mean length of an opening in player turns, at least 1.
	// Each is drawn from the geometric distribution over 1, 2, 3 and so on.
	SampledTurns float64 `mapstructure:"sampled_turns"`
	// SampledTemperature is the exponent 1/tau on the policy; above 0.
	SampledTemperature float64 `mapstructure:"sampled_temperature"`
	// EarlierShare is the share of games that begin at a position of an earlier
	// game of the run under the same rules: each recorded decision of the newest
	// EarlierGames games of earlier generations is equally likely, except the first of
	// a game, where it began, and the last, after which nothing is left to decide. If
	// there are none, as in the first generation, a game begins at the start. A kept
	// game takes about 8 bytes a move.
	EarlierShare float64 `mapstructure:"earlier_share"`
	EarlierGames int     `mapstructure:"earlier_games"`
	// EarlierRegret makes decisions likelier whose value did not last: their probability
	// is proportional to (|mean of the next four root values - root value| / 2) to this
	// power. 0 leaves all equally likely; at most maxEarlierRegret.
	EarlierRegret float64 `mapstructure:"earlier_regret"`
}

// defaultBeginnings makes all games begin at the start; the other values apply when the
// shares are raised. KataGo's openings have 0.04 moves a square on average,
// 2.6 on 64 squares, at temperature 1.
func defaultBeginnings() BeginningsConfig {
	return BeginningsConfig{SampledTurns: 3, SampledTemperature: 1, EarlierGames: 1000}
}

// maxSampledTurns is longer than any opening, maxEarlierGames some hundreds of
// megabytes.
const (
	maxSampledTurns = 1000
	maxEarlierGames = 100_000
)

// maxEarlierRegret is a power at which a value that moved by half as much is drawn
// 65,536 times less often, as far apart as two weights can be.
const maxEarlierRegret = 16

// Validate joins every problem of b, each with its key, value and rule.
func (b *BeginningsConfig) Validate() error {
	var l problems.List
	problems.Range(&l, "sampled_share", b.SampledShare, 0, 1)
	problems.Range(&l, "earlier_share", b.EarlierShare, 0, 1)
	l.If(len(l) == 0 && b.SampledShare+b.EarlierShare > 1,
		"earlier_share: %g: want at most 1 together with sampled_share, %g", b.EarlierShare, b.SampledShare)
	problems.Range(&l, "sampled_turns", b.SampledTurns, 1, maxSampledTurns)
	l.If(!(b.SampledTemperature > 0 && b.SampledTemperature <= maxTemperature),
		"sampled_temperature: %g: want above 0, at most %d", b.SampledTemperature, maxTemperature)
	problems.Range(&l, "earlier_games", b.EarlierGames, 1, maxEarlierGames)
	problems.Range(&l, "earlier_regret", b.EarlierRegret, 0, maxEarlierRegret)
	return l.Err()
}

// openingTurns draws the length of an opening. P(n > k) is (1 - 1/mean)^k.
func openingTurns(mean float64, r *rand.Rand) int {
	u := r.Float64()
	if mean == 1 {
		return 1
	}
	return 1 + int(math.Log1p(-u)/math.Log1p(-1/mean))
}

// opening is the part of a game before its first search.
type opening struct {
	rng *rand.Rand // its own: the rest of the game draws as if there were none
	// state is the position, played in the history of the game; nil if no
	// opening is being sampled.
	state engine.State
	turns int // the opening ends at the first choice after this many player turns
	// mark is the last choice, to go back to if the game ends before the next,
	// and with it the lengths of the history and of game.before, and game.ply.
	mark         engine.State
	past, before int
	ply          int32
	probs        []float64
}

// begin takes the game from the start position s to where it begins.
func (g *game) begin(s engine.State) {
	g.beginning = record.BeginningStart
	b := &g.cfg.Beginnings
	if b.SampledShare > 0 || b.EarlierShare > 0 {
		rng := rand.New(seed.Stream(g.seed, "beginning", 0))
		switch u := rng.Float64(); {
		case u < b.EarlierShare:
			if actions := g.lane.player.Earlier.draw(g.ruleset.Rules(), rng); actions != nil {
				g.beginning = record.BeginningEarlier
				g.follow(s, actions)
			}
		case u < b.EarlierShare+b.SampledShare:
			g.beginning = record.BeginningSampled
			g.opening.rng, g.opening.state = rng, s
			g.opening.turns = openingTurns(b.SampledTurns, rng)
			g.markOpening()
			return
		}
	}
	g.tree.Reset(mcts.Root{State: s, History: g.past, Rand: g.rng})
}

// follow plays the beginning of an earlier game again.
func (g *game) follow(s engine.State, actions []engine.Action) {
	for _, a := range actions {
		if s.Actor() != engine.Chance {
			g.ply++
		}
		s.Apply(a, g.past)
	}
	g.before = append(g.before, actions...)
}

// open plays the opening on until a choice must be evaluated, which it puts into
// g.leaf and the lane's batch (true), or the opening is over (false). One in
// which the game ends is taken back to the last choice before, so that there is
// something left to search.
func (g *game) open(done *work) bool {
	o := &g.opening
	s := o.state
	for {
		switch s.Actor() {
		case engine.Nobody:
			s.CopyFrom(o.mark)
			g.past.Truncate(o.past)
			g.before, g.ply = g.before[:o.before], o.ply
			g.endOpening()
			return false
		case engine.Chance:
			g.chances = s.Chance(g.chances[:0])
			g.playOpening(engine.Draw(g.chances, o.rng.Float64()))
			continue
		}
		if g.legal = s.Legal(g.legal[:0], g.past); len(g.legal) == 1 {
			g.playOpening(g.legal[0])
			g.ply++
			continue
		}
		if s.Turn() >= o.turns {
			g.endOpening()
			return false
		}
		g.markOpening()
		g.leaf[0] = mcts.Leaf{State: s, Actions: g.legal}
		if g.place = g.lane.batch.Add(s, g.legal); g.place != mcts.Known {
			return true
		}
		g.drawMove()
		done.hits++
	}
}

func (g *game) playOpening(a engine.Action) {
	g.before = append(g.before, a)
	g.opening.state.Apply(a, g.past)
}

func (g *game) markOpening() {
	o := &g.opening
	if o.mark == nil {
		o.mark = g.ruleset.NewState()
	}
	o.mark.CopyFrom(o.state)
	o.past, o.before, o.ply = g.past.Len(), len(g.before), g.ply
}

func (g *game) endOpening() {
	if len(g.before) == 0 { // nothing was left of it
		g.beginning = record.BeginningStart
	}
	g.tree.Reset(mcts.Root{State: g.opening.state, History: g.past, Rand: g.rng})
	g.opening.state = nil
}

// receive hands what the batch says of the leaf to the search, or, in an
// opening, draws the move from it.
func (g *game) receive() {
	if g.opening.state == nil {
		g.backup()
	} else {
		g.drawMove()
	}
}

// drawMove plays a move of the opening by the evaluation of the leaf.
func (g *game) drawMove() {
	o := &g.opening
	logits := g.lane.batch.Logits(g.place)
	k := drawLogits(&o.probs, logits, g.cfg.Beginnings.SampledTemperature, o.rng.Float64())
	g.playOpening(g.leaf[0].Actions[k])
	g.ply++
}

// drawLogits is the place of the logit that u, uniform in [0, 1), falls on if
// each has the probability of softmax(logits/temperature). scratch is working
// memory that is kept between calls.
func drawLogits(scratch *[]float64, logits []float32, temperature, u float64) int {
	most := slices.Max(logits)
	weights, sum := (*scratch)[:0], 0.0
	for _, x := range logits {
		w := math.Exp(float64(x-most) / temperature)
		weights = append(weights, w)
		sum += w
	}
	*scratch = weights
	if !(sum >= 1) {
		panic("BUG: policy logits are not finite")
	}
	u *= sum
	last := 0
	for k, w := range weights {
		if w == 0 {
			continue
		}
		last = k
		if u -= w; u < 0 {
			break
		}
	}
	return last
}
