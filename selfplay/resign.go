package selfplay

import (
	"math/rand/v2"

	"github.com/ludozero/ludozero/engine"
	"github.com/ludozero/ludozero/internal/problems"
	"github.com/ludozero/ludozero/selfplay/record"
)

// ResignationConfig says when a player resigns (Silver et al. 2017, Methods): after
// Decisions of its own searches in a row with a root value of -Threshold or less in its
// view. Full and fast searches count alike, and either kind with a higher value restarts
// the count. Moves that were not searched neither count nor interrupt. The last decision
// is played and recorded like any other, then the game is lost, unless that move has
// ended it by the rules.
type ResignationConfig struct {
	// Threshold is in [0, 1]; 0: nobody resigns.
	Threshold float64 `mapstructure:"threshold"`
	// Decisions is at least 1.
	Decisions int `mapstructure:"decisions"`
	// MinTurns is how many player turns must be finished before a player may
	// resign; searches before that count in Decisions.
	MinTurns int `mapstructure:"min_turns"`
	// PlayedOn is the share of games, drawn for each, that are played to the end all the
	// same, to measure how often resigning is wrong. 0: not measured.
	PlayedOn float64 `mapstructure:"played_on"`
}

// defaultResignation is switched off by its threshold. AlphaGo Zero
// played on the same share of games.
func defaultResignation() ResignationConfig {
	return ResignationConfig{Decisions: 3, MinTurns: 20, PlayedOn: 0.1}
}

// Validate joins every problem of c, each with its key, value and rule.
func (c *ResignationConfig) Validate() error {
	var l problems.List
	problems.Range(&l, "threshold", c.Threshold, 0, 1)
	problems.Range(&l, "played_on", c.PlayedOn, 0, 1)
	l.If(c.Decisions < 1, "decisions: %d: want at least 1", c.Decisions)
	l.If(c.MinTurns < 0, "min_turns: %d: want at least 0", c.MinTurns)
	return l.Err()
}

// resignation follows one game. The zero value is a game in which nobody
// resigns.
type resignation struct {
	cfg      *ResignationConfig // nil: off
	playedOn bool
	hopeless [2]int // by player: own searches in a row below the threshold
	decided  bool   // a player has resigned or would have
	loser    engine.Player
}

// newResignation prepares a game. It draws a random number only if players may resign,
// so that games without resignation do not depend on it.
func newResignation(cfg *ResignationConfig, r *rand.Rand) resignation {
	if cfg.Threshold == 0 {
		return resignation{}
	}
	return resignation{cfg: cfg, playedOn: r.Float64() < cfg.PlayedOn}
}

// judge takes the value of a search by player p, in p's view, and reports whether p
// resigns with this decision, or would in a game that is played on. turn counts the turns
// finished before it; over is true if its move has ended the game. Only the first player
// to resign counts.
func (g *resignation) judge(p engine.Player, value float32, turn int, over bool) bool {
	if g.cfg == nil || g.decided {
		return false
	}
	if value > -float32(g.cfg.Threshold) {
		g.hopeless[p] = 0
		return false
	}
	g.hopeless[p]++
	if over || g.hopeless[p] < g.cfg.Decisions || turn < g.cfg.MinTurns {
		return false
	}
	g.decided, g.loser = true, p
	return true
}

// over reports whether a resignation has ended the game.
func (g *resignation) over() bool { return g.decided && !g.playedOn }

// outcome is the end of a game by the resignation of its loser.
func (g *resignation) outcome() engine.Outcome {
	return engine.Outcome{Over: true, Winner: g.loser.Other(), Reason: record.ReasonResignation}
}

// WouldResign is the first decision of a finished game, all of whose rows these are, after
// which its player would have resigned by c; -1 if there is none.
func (c *ResignationConfig) WouldResign(game []record.Row) int {
	g := resignation{cfg: c}
	for i := range game {
		r := &game[i]
		over := i == len(game)-1 && len(r.After) == 0
		if g.judge(engine.Player(r.Player), r.RootValue, int(r.Turn), over) {
			return i
		}
	}
	return -1
}
